"""Beginning a game: rules, players, sides and names, with the people of earlier games one tap away."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from flask import Blueprint, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from scorer.rules import RulesError, RuleSet, load_rules
from webui.context.services import services
from webui.games.rule_choice import offered_rules
from webui.storage.records import GameRecord, SideRecord
from webui.wording import MAX_NAME, tidy

page = Blueprint("new", __name__)

_PAIR_NAMES = ("North–South", "East–West")
_MOST_AT_A_TABLE = 12
_MOST_PEOPLE = 24


@dataclass(frozen=True, slots=True)
class NewGame:
    """The form of a new game: whatever was asked for, made to fit the rules.

    ``seating`` is the number of players of each side, ``seatings`` every way to seat so many players.
    """

    rules: RuleSet
    players: int
    seating: tuple[int, ...]

    @property
    def player_counts(self) -> tuple[int, ...]:
        return player_counts(self.rules)

    @property
    def seatings(self) -> tuple[tuple[int, ...], ...]:
        return self.rules.sides_for(self.players)

    def side_name(self, side: int) -> str:
        """What a side is called when nobody says otherwise."""
        if max(self.seating) == 1:
            return f"Player {side + 1}"
        return _PAIR_NAMES[side] if len(self.seating) == 2 else f"Team {side + 1}"

    def player_name(self, side: int, seat: int) -> str:
        if self.seating == (2, 2):
            return self.side_name(side).split("–")[seat]
        return self.side_name(side) if self.seating[side] == 1 else f"Player {seat + 1}"

    def sides(self, names: dict[str, str]) -> tuple[SideRecord, ...]:
        """The sides as named; a side without a name is called by its players, players without one by their seats."""
        sides = []
        for side, seats in enumerate(self.seating):
            given = [names.get(f"player{side}.{seat}", "") for seat in range(seats)]
            called = names.get(f"side{side}") or " & ".join(given if all(given) else ())[:MAX_NAME]
            name = called or self.side_name(side)
            alone = [name] if seats == 1 and called else []
            players = alone or [one or self.player_name(side, seat) for seat, one in enumerate(given)]
            sides.append(SideRecord(name, tuple(players)))
        return tuple(sides)


@page.get("/new")
def show() -> str:
    return _form(asked_game(), None)


@page.post("/new")
def create() -> Response | tuple[str, int]:
    new_game = asked_game()
    sides = new_game.sides({key: tidy(value) for key, value in request.form.items()})
    sentence = name_trouble(sides)
    if sentence:
        return _form(new_game, sentence), 400
    kept = services()
    game_id = kept.store.add_game(new_game.rules.id, new_game.players, sides, at_table=kept.settings.table)
    return redirect(url_for("game.show", game_id=game_id), 303)


def name_trouble(sides: Iterable[SideRecord]) -> str | None:
    """What is wrong with the names of sides and players, in one sentence; None where nothing is."""
    sides = tuple(sides)
    if len({side.name.casefold() for side in sides}) < len(sides):
        return "Two sides have the same name; give each its own so that nobody's points get mixed up."
    named = [one for side in sides for one in side.players if not is_usual(one)]
    counted = Counter(name.casefold() for name in named)
    if twice := [name for name in named if counted[name.casefold()] > 1]:
        return f"{twice[0]} is named twice; give each player an own name, such as with a letter of the family name."
    return None


def people(games: Iterable[GameRecord]) -> list[str]:
    """Who played before, those who play most first; names that the page itself gives are nobody's."""
    counted: Counter[str] = Counter()
    for game in games:
        counted.update(player for side in game.sides for player in side.players if not is_usual(player))
    return [name for name, _ in counted.most_common(_MOST_PEOPLE)]


def is_usual(name: str) -> bool:
    """Whether a player's name is one that the page gives when nobody says otherwise."""
    return name.startswith(("Player ", "Team ")) or any(name in pair.split("–") for pair in _PAIR_NAMES)


def player_counts(rules: RuleSet) -> tuple[int, ...]:
    """How many can play under the rules, as far as a table has room."""
    return tuple(count for count in range(2, _MOST_AT_A_TABLE + 1) if rules.sides_for(count))


def seating_text(seating: tuple[int, ...]) -> str:
    """``2 sides of 2``, ``4 players, each alone``."""
    if max(seating) == 1:
        return f"{len(seating)} players, each alone"
    if len(set(seating)) == 1:
        return f"{len(seating)} sides of {seating[0]}"
    return "sides of " + " and ".join(str(size) for size in seating)


def asked_game() -> NewGame:
    """The form as the request asks for it; what the rules do not allow falls back to what they do."""
    wanted = request.values
    try:
        rules = load_rules(wanted.get("rules") or services().settings.rules)
    except RulesError:
        rules = offered_rules()[0]
    counts = player_counts(rules)
    players = wanted.get("players", 0, type=int)
    if players not in counts:
        players = 4 if 4 in counts else counts[0]
    ways = rules.sides_for(players)
    way = wanted.get("seating", 0, type=int)
    named = [seating for seating in ways if ",".join(map(str, seating)) == wanted.get("seats")]
    return NewGame(rules, players, named[0] if named else ways[way] if 0 <= way < len(ways) else ways[0])


def _form(new_game: NewGame, sentence: str | None) -> str:
    games = [game for game in services().store.games() if game.state != "removed"]
    return render_template(
        "new/new.html",
        new=new_game,
        all_rules=offered_rules(),
        people=people(games),
        chosen=request.values,
        seating_text=seating_text,
        sentence=sentence,
    )
