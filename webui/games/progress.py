"""The progress of a game: the points of each agreed round, running totals, who leads, and whether it is over."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate

from scorer.game import is_over, personal_totals, who_starts, winner_of
from scorer.rules import RulesError, RuleSet, load_rules
from scorer.sheets import SheetError
from webui.corrections.answers import starter_of
from webui.games.agreed_rules import rules_of_round
from webui.games.results.round_results import RoundResult, round_result
from webui.games.season.played_games import PersonGame, people_of
from webui.games.seating import floater_side, player_name, sides_of_round
from webui.storage.records import GameRecord, SideRecord
from webui.wording import local_date


@dataclass(frozen=True, slots=True)
class SetResult:
    """A set of hands: its number (from 1), and the points of its agreed hands together, one sum for each side."""

    number: int
    points: tuple[int, ...]


@dataclass(frozen=True)
class GameProgress:
    """A game's agreed rounds; ``results`` has for each round number one result per side."""

    game: GameRecord
    rules: RuleSet
    results: dict[int, RoundResult]

    @cached_property
    def points(self) -> dict[int, tuple[int, ...]]:
        """The points of every agreed round, by its number, one for each side."""
        return {number: tuple(side.points for side in sides) for number, sides in self.results.items()}

    @cached_property
    def running(self) -> dict[int, tuple[int, ...]]:
        """The totals after every agreed round, by its number, one for each side."""
        columns = [tuple(accumulate(points[side] for points in self.points.values())) for side in self.sides]
        return {number: tuple(column[index] for column in columns) for index, number in enumerate(self.points)}

    @property
    def sides(self) -> range:
        """The indices of the sides."""
        return range(len(self.game.sides))

    @cached_property
    def totals(self) -> tuple[int, ...]:
        """Each side's total."""
        return tuple(sum(points[side] for points in self.points.values()) for side in self.sides)

    @cached_property
    def people(self) -> tuple[PersonGame, ...]:
        """What it is for each of its people."""
        return tuple(people_of(self))

    @cached_property
    def day(self) -> str:
        """The local day on which the game was begun: ``2026-11-21``."""
        return local_date(self.game.created_at)

    @property
    def planned(self) -> int:
        """The number of rounds that the rules plan for this number of players, or have room for up to their target."""
        return self.rules.rounds.for_players(self.game.players)

    @cached_property
    def round_numbers(self) -> range:
        """All rounds to show: those planned, those played beyond them, and the next one if the game goes on."""
        last = max((record.number for record in self.game.rounds), default=0)
        # A game to a target has as many rounds as it takes; the rules' number is only room for them.
        shown = max(1 if self.rules.target is not None else self.planned, last)
        goes_on = not self.over and all(number in self.points for number in range(1, shown + 1))
        return range(1, shown + 1 + goes_on)

    @cached_property
    def next_round(self) -> int | None:
        """The first round that is not agreed, None where the game is over."""
        return None if self.over else next((number for number in self.round_numbers if number not in self.points), None)

    @cached_property
    def over(self) -> bool:
        """Whether the game is over: as a person said, or else by its rules; of practice at home one round is the whole,
        while a club rehearses whole games."""
        if self.game.state == "open":
            return False
        if self.game.state == "ended":
            return True
        if self.game.practice and self.game.event is None and self.points:
            return True
        totals = {side.name: total for side, total in zip(self.game.sides, self.totals, strict=True)}
        return is_over(self.rules, self.game.players, len(self.points), totals)

    @cached_property
    def leaders(self) -> tuple[int, ...]:
        """The indices of the sides with the most points; none before the first agreed round."""
        return tuple(side for side in self.sides if self.totals[side] == max(self.totals)) if self.points else ()

    @property
    def winner(self) -> int | None:
        """The index of the side that won; None before the end, and for a tie, which is a win for nobody."""
        return winner_of(self.totals) if self.over and self.points else None

    @cached_property
    def rule_sets(self) -> tuple[RuleSet, ...]:
        """The rule sets that the agreed rounds were agreed under, in their order and each once; nearly always one."""
        return tuple({rules.id: rules for rules in self.rule_texts}.values())

    @cached_property
    def rule_texts(self) -> tuple[RuleSet, ...]:
        """As ``rule_sets``, but one that was changed under its name is there with each of its texts."""
        return tuple({rules.content_hash: rules for rules in map(self.rules_in, self.results)}.values())

    def sides_in(self, number: int) -> tuple[SideRecord, ...]:
        """The sides with the players that they have in a round; a floater changes sides."""
        return sides_of_round(self.game.sides, self.rules_in(number), number)

    def floater_side(self, number: int) -> int | None:
        """The index of the side on which the floater plays in a round; None without a floater."""
        return floater_side(self.game.sides, self.rules_in(number), number)

    def rules_in(self, number: int) -> RuleSet:
        """The rules of a round: of an agreed one those that it was agreed under."""
        record = self.game.round(number)
        return self.rules if record is None else rules_of_round(record, self.rules)

    @property
    def floater(self) -> str | None:
        """The player who changes sides; None in most games."""
        side = floater_side(self.game.sides, self.rules)
        return None if side is None else self.game.sides[side].players[-1]

    @property
    def own_totals(self) -> dict[str, int]:
        """Each person's total, by name, where people keep their own score or one of them changes sides; else empty."""
        if not self.rules.own_totals and self.floater is None:
            return {}
        rounds = [
            zip((side.players for side in self.sides_in(number)), points, strict=True)
            for number, points in self.points.items()
        ]
        return personal_totals(rounds)

    @cached_property
    def person_cards(self) -> dict[str, dict[int, int]]:
        """Each person's points of every agreed round, by the round's number: what they write on their own card."""
        cards: dict[str, dict[int, int]] = {}
        for number, points in self.points.items():
            for side, of_side in zip(self.sides_in(number), points, strict=True):
                for player in side.players:
                    cards.setdefault(player, {})[number] = of_side
        return cards

    def set_ending(self, number: int) -> SetResult | None:
        """The set whose last hand a round is; None where the rules have no sets, or no hand of it is agreed."""
        size = self.rules.hands_in_set
        hands = [hand for hand in range(number - size + 1, number + 1) if hand in self.points]
        if size == 1 or number % size or not hands:
            return None
        set_number = self.game.sets_before + number // size
        return SetResult(set_number, tuple(sum(self.points[hand][side] for hand in hands) for side in self.sides))

    def names_of_hands(self, numbers: Iterable[int]) -> list[str]:
        """What some rounds are called that are hands of sets; empty where the rules have no sets."""
        if not self.rules.in_sets:
            return []
        return [self.rules.round_name(number, sets_before=self.game.sets_before) for number in numbers]

    @cached_property
    def starts(self) -> dict[int, str]:
        """Who played first in each round for which a card was drawn and somebody said it, by the round's number."""
        if not is_drawn_each_round(self.rules):
            return {}
        said = {number: starter(self.game, self.rules, number) for number in self.round_numbers}
        return {number: name for number, name in said.items() if name}

    @property
    def starter(self) -> str | None:
        """Who plays first in the next round, None where unknown."""
        return starter(self.game, self.rules, self.next_round) if self.next_round is not None else None

    def total_before(self, side: int, number: int) -> int:
        """A side's total of the rounds before a round."""
        return sum(points[side] for earlier, points in self.points.items() if earlier < number)

    def first_meld_minimum(self, side: int, number: int) -> int:
        """The points that a side's first meld of a round needs."""
        return self.rules_in(number).minimum_first_meld(number, self.total_before(side, number))


def game_progress(game: GameRecord, rules: RuleSet, anew: bool = False) -> GameProgress:
    """The results of a game's agreed rounds, each by the rules that it was agreed under.

    Args:
        game: the game.
        rules: the rules of its further rounds.
        anew: whether to score agreed rounds by ``rules`` as well, as if they were agreed under them.

    Raises:
        SheetError: an agreed sheet is invalid.
        RulesError: the kept rules of a round cannot be read by this version.
    """
    results = {
        record.number: round_result(record.agreed_text, rules if anew else rules_of_round(record, rules))
        for record in game.rounds
        if record.agreed_text is not None
    }
    return GameProgress(game, rules, results)


@dataclass(frozen=True, slots=True)
class ListedGame:
    """A game in a list; ``error`` is a sentence why its points cannot be computed, else None."""

    game: GameRecord
    progress: GameProgress | None
    error: str | None = None


_listed: dict[int, GameProgress] = {}
_MAX_LISTED = 20_000
"""The most games whose progress is held in memory, about 3 kB each beside their records."""


def listed_game(game: GameRecord) -> ListedGame:
    """The list entry of a game. A game that can no longer be scored must not keep the others from the list.

    It is worked out again only for another record of the game, as ``Store.games`` has one after each change, or where
    its rule set has changed.
    """
    try:
        rules = load_rules(game.rules)
        progress = _listed.get(game.id)
        if progress is None or progress.game is not game or progress.rules is not rules:
            progress = game_progress(game, rules)
            if len(_listed) >= _MAX_LISTED:
                _listed.clear()
            _listed[game.id] = progress
    except RulesError:  # which the list says once for all games played by them
        return ListedGame(game, None)
    except SheetError as error:
        return ListedGame(game, None, str(error))
    return ListedGame(game, progress)


def seats(game: GameRecord) -> tuple[str, ...]:
    """The players in seating order, clockwise. Sides alternate, so that partners sit opposite each other."""
    most = max(len(side.players) for side in game.sides)
    return tuple(side.players[seat] for seat in range(most) for side in game.sides if seat < len(side.players))


def is_drawn_each_round(rules: RuleSet) -> bool:
    """Whether who plays first is drawn anew for each round, so that people have to say it."""
    return rules.starts is not None and rules.starts.then == "drawn again"


def starter(game: GameRecord, rules: RuleSet, number: int) -> str | None:
    """Who plays first in a round, None where unknown.

    Args:
        game: the game.
        rules: the rules of its further rounds; an agreed round has its own.
        number: the round.

    Raises:
        RulesError: the kept rules of the round cannot be read by this version.
    """
    record = game.round(number)
    own = rules if record is None else rules_of_round(record, rules)
    drawn = starter_of(record.facts) if record and is_drawn_each_round(own) else None
    if drawn is not None:
        side, seat = drawn
        return player_name(sides_of_round(game.sides, own, number)[side], seat)
    seated = seats(game)
    if game.first is None or game.first not in seated:
        return None
    return who_starts(rules, seated, game.first, number)
