"""A round as pages show it: cards, sheet and tally, computed from the stored photos, corrections and facts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from scorer.deck import DeckProfile
from scorer.rules import RuleSet, load_rules
from scorer.scoring import score
from scorer.scoring.melds import check_meld
from scorer.scoring.tally import Line, SideTally, Tally, Violation
from scorer.sheets import SheetError, SideSheet, read_sheet
from webui.corrections.answers import TABLE, answered_steps, facts_of, has_agreed, is_begun, sheet_hash
from webui.corrections.apply import apply_corrections
from webui.corrections.outside import Outside, outside_of
from webui.corrections.resets import takes_back
from webui.corrections.side_sheet import SideDocument, round_sheet, side_sheet, with_agreed_piles
from webui.corrections.side_table import SidePhoto, SideTable, TableCard, TableGroup, left_id
from webui.decks.in_play import deck_in_play
from webui.games.agreed_rules import rules_of_round
from webui.games.results.named_tally import meld_title, named_tally
from webui.games.seating import sides_of_round
from webui.rounds.stored_reading import parse_reading
from webui.storage.changes import DropPhoto, ResetStep, read_change
from webui.storage.records import GameRecord, PhotoRecord, RoundRecord, SideRecord
from webui.storage.side_facts import SideFacts
from webui.translation import N_, _
from webui.wording import listed, name_of

_KINDS = {"laid": N_("Laid threes"), "buried": N_("Buried cards"), "loose": N_("Cards not in a meld")}


@dataclass(frozen=True, slots=True)
class SideView:
    """One side of one round as it stands, agreed or not.

    ``record`` has the players of this round, a floater among those of the side they play on.
    ``photos`` excludes removed ones; ``tally`` is None where the sheet cannot be scored; ``meld_names`` has the name of
    each meld (``clean book of 8s``, ``closed book of 8s`` where nobody has counted it) by the id of its group.
    """

    index: int
    record: SideRecord
    photos: tuple[PhotoRecord, ...]
    table: SideTable
    facts: SideFacts
    sheet: SideDocument
    tally: SideTally | None
    meld_names: Mapping[str, str]

    def name(self, group: TableGroup) -> str:
        """A group's name: ``Clean book of 8s``, ``Laid threes``, ``Cards Ann has left``."""
        if group.kind == "left" and group.player is not None:
            return _("Cards %(player)s has left", player=self.record.players[group.player])
        if group.kind in ("laid", "buried", "loose"):
            return _(_KINDS[group.kind])
        return meld_title(self.meld_names.get(group.id, "meld"))

    def lines(self, group_id: str) -> tuple[Line, ...]:
        """The lines of the tally that belong to a group."""
        where = self.sheet.where.get(group_id)
        return tuple(line for line in self.tally.lines if line.where == where) if self.tally and where else ()

    def points(self, group_id: str) -> int:
        """A group's points."""
        return sum(line.points for line in self.lines(group_id))

    @property
    def all_violations(self) -> tuple[Violation, ...]:
        """The rules that the side breaks; which books it has is not known before its piles are counted."""
        found = self.tally.violations if self.tally else ()
        return tuple(one for one in found if one.code != "out-without-books" or not self.uncounted)

    def violations(self, group_id: str) -> tuple[Violation, ...]:
        """The rules that a group breaks."""
        where = self.sheet.where.get(group_id)
        return tuple(one for one in self.all_violations if one.where == where) if where else ()

    def other_lines(self) -> tuple[Line, ...]:
        """The lines of the tally that belong to no group: going out, exact deals, penalties."""
        groups = set(self.sheet.where.values())
        return tuple(line for line in self.tally.lines if line.where not in groups) if self.tally else ()

    def other_violations(self) -> tuple[Violation, ...]:
        """The rules that the side breaks outside of its groups."""
        groups = set(self.sheet.where.values())
        return tuple(violation for violation in self.all_violations if violation.where not in groups)

    def cards_of(self, group: TableGroup, line: Line) -> tuple[TableCard, ...]:
        """The cards of a group that a line of the tally counts; of a pile, the visible ones."""
        uncounted = Counter(line.cards)
        cards = []
        for card in group.cards:
            name = next((name for name in (str(card.face), card.face.rank) if uncounted[name]), None)
            if name is not None:
                uncounted[name] -= 1
                cards.append(card)
        return tuple(cards)

    def is_known(self, area: str) -> bool:
        """Whether the cards of an area, ``table`` or ``left0``, are known, be it that there are none.

        A photo that was not read, or in which no card was found, does not count. Nor do cards that were only moved to
        a player's: whether those are all has to be said.
        """
        if area in self.facts.nothing or self.facts.typed is not None:
            return True
        photographed = {photo.player for photo in self.photos if photo.reading and photo.reading["cards"]}
        if area == TABLE:
            return None in photographed or any(group.cards and group.kind != "left" for group in self.table.groups)
        player = next(player for player in range(len(self.record.players)) if left_id(player) == area)
        group = self.table.group(area)
        told = group is not None and bool(group.cards) and not self.only_moved(group)
        return player == self.facts.out_player or player in photographed or told

    def only_moved(self, group: TableGroup) -> bool:
        """Whether a group has cards, and all were moved there that photos of other places show."""
        elsewhere = {photo.id for photo in self.photos if photo.player != group.player}
        return bool(group.cards) and all(card.photo in elsewhere for card in group.cards)

    @property
    def unknown_players(self) -> tuple[int, ...]:
        """The indices of the players whose left-over cards are unknown."""
        return tuple(player for player in range(len(self.record.players)) if not self.is_known(left_id(player)))

    def doubts(self, left: bool) -> int:
        """The number of questions about the left-over cards, or about those on the table; none where people counted
        the side, and not its cards."""
        if self.facts.typed is not None:
            return 0
        asked = sum(group.questions for group in self.table.groups if (group.kind == "left") == left)
        return asked + bool(self.table.gathered(left))

    @property
    def uncounted(self) -> tuple[TableGroup, ...]:
        """The side's squared piles that nobody has counted; none where people counted the side."""
        if self.facts.typed is not None:
            return ()
        return tuple(group for group in self.table.groups if group.is_uncounted)

    @property
    def uncounted_names(self) -> str:
        """The names of its ``uncounted`` piles, as a part of a sentence."""
        return listed(self.meld_names[pile.id] for pile in self.uncounted)


@dataclass(frozen=True, slots=True)
class RoundView:
    """One round as it stands.

    ``tally`` is None where the sheet cannot be scored, and ``sheet_error`` then says why, in a sentence. ``version`` is
    the number of the game's newest log entry when it was read.
    """

    game: GameRecord
    rules: RuleSet
    deck: DeckProfile
    record: RoundRecord
    sides: tuple[SideView, ...]
    sheet: dict[str, Any]
    tally: Tally | None
    sheet_error: str | None
    version: int = 0

    @property
    def outside(self) -> tuple[Outside, ...]:
        """What lay outside all boxes while the round was watched; nothing where no side's table is what was seen."""
        return outside_of(self.record.facts) if any(side.table.is_watched for side in self.sides) else ()

    def url_values(self, side: int) -> dict[str, int]:
        """The parameters of the URLs of a side's pages."""
        return {"game_id": self.game.id, "number": self.record.number, "side": side}

    @property
    def changed_since_agreed(self) -> bool:
        """Whether the sheet differs from the one that was agreed, but for the sides' names; False before any was."""
        agreed = self.record.agreed_sheet
        return agreed is not None and _with_names(agreed, [side.record.name for side in self.sides]) != self.sheet

    @property
    def sheet_hash(self) -> str:
        """The hash of the sheet and of its rules, to which sides agree."""
        return sheet_hash(self.sheet, self.rules.content_hash)

    @property
    def answered_steps(self) -> frozenset[str]:
        """The steps that were answered: ``out``, ``unseen``."""
        return answered_steps(self.record.facts)

    def has_agreed(self, side: int) -> bool:
        """Whether a side has agreed to this sheet."""
        return has_agreed(self.record.facts, side, self.sheet_hash)


def is_being_scored(record: RoundRecord) -> bool:
    """Whether anything is known of a round already: photos, what somebody said, or what was seen of it."""
    return bool(record.photos or record.corrections or is_begun(record.facts))


def view_round(game: GameRecord, record: RoundRecord, version: int = 0) -> RoundView:
    """Computes and scores a round as it stands: an agreed one, with its corrections, by the rules it was agreed under.

    Raises:
        RulesError: the game's rule set does not exist any more.
    """
    rules = rules_of_round(record, load_rules(game.rules))
    seated = sides_of_round(game.sides, rules, record.number)
    deck = deck_in_play(game.decks, rules)
    drafts = [_draft_side(record, rules, deck, index, side) for index, side in enumerate(seated)]
    sheet = round_sheet(rules.id, record.number, game.players, [document for *_, document in drafts])
    tally, sheet_error = None, None
    names: list[dict[str, str]] = [{} for _ in drafts]
    try:
        checked = read_sheet(sheet)
    except SheetError as error:
        sheet_error = str(error)
    else:
        tally = score(checked, rules)
        names = [_meld_names(drafts[index][3], side, rules) for index, side in enumerate(checked.sides)]
    for draft, named in zip(drafts, names, strict=True):
        named |= {group.id: _name_uncounted(group, deck) for group in draft[1].groups if group.is_uncounted}
    sides = tuple(
        SideView(index, side, *drafts[index], tally.sides[index] if tally else None, names[index])
        for index, side in enumerate(seated)
    )
    return RoundView(game, rules, deck, record, sides, sheet, tally, sheet_error, version)


def _with_names(sheet: Mapping[str, Any], names: Sequence[str]) -> dict[str, Any]:
    return {**sheet, "sides": [{**side, "name": name} for side, name in zip(sheet["sides"], names, strict=True)]}


def agreed_tally(record: RoundRecord, rules: RuleSet, sides: Sequence[SideRecord] = ()) -> Tally | None:
    """The tally of a round's agreed sheet by the rules it was agreed under, None where there is none.

    Args:
        record: the round.
        rules: the rules of its game, where the round does not tell its own.
        sides: the sides with the names that they have now; without them, the names of the sheet hold.
    """
    sheet = record.agreed_sheet
    if sheet is None:
        return None
    named = _with_names(sheet, [side.name for side in sides]) if sides else sheet
    return score(read_sheet(named), rules_of_round(record, rules))


def told_tally(record: RoundRecord, rules: RuleSet, sides: Sequence[SideRecord]) -> Tally | None:
    """`agreed_tally` in words that name the player whose cards are left, and the meld that breaks a rule.

    ``sides`` are those of the round, with its players.
    """
    tally = agreed_tally(record, rules, sides)
    if tally is None:
        return None
    return named_tally(tally, read_sheet(record.agreed_sheet), sides, rules_of_round(record, rules))


def _draft_side(
    record: RoundRecord, rules: RuleSet, deck: DeckProfile, index: int, side: SideRecord
) -> tuple[tuple[PhotoRecord, ...], SideTable, SideFacts, SideDocument]:
    """A side's photos, cards, facts and part of the sheet."""
    changes = [(made.id, read_change(made.change)) for made in record.corrections if made.side == index]
    dropped = {change.photo for _, change in changes if isinstance(change, DropPhoto)}
    photos = tuple(photo for photo in record.photos if photo.side == index and photo.id not in dropped)
    read = [SidePhoto(photo.id, photo.player, parse_reading(photo.reading)) for photo in photos if photo.reading]
    found = [one for one in outside_of(record.facts) if one.side == index]
    table = apply_corrections(read, changes, len(side.players), rules, deck, found)
    if record.agreed_text is not None and any(group.is_uncounted for group in table.groups):
        table = with_agreed_piles(table, (record.agreed_sheet or {})["sides"][index])
    facts = facts_of(record.facts, index)
    return photos, table, facts, side_sheet(side.name, table, len(side.players), facts)


def _name_uncounted(pile: TableGroup, deck: DeckProfile) -> str:
    if pile.rank is None:
        return _("closed book under the %(card)s", card=name_of(pile.cards[0].shown))
    return _("closed book of %(rank)s", rank=deck.plural(pile.rank))


def is_changed(view: RoundView, side: int, step: ResetStep) -> bool:
    """Whether people changed the cards of a step of a side, so that a reset of it would change them back."""
    made = [(change.id, read_change(change.change)) for change in view.record.corrections if change.side == side]
    seat = view.sides[side]
    return takes_back(made, {photo.id: photo.player for photo in seat.photos}, seat.table, step)


def _meld_names(sheet: SideDocument, side: SideSheet, rules: RuleSet) -> dict[str, str]:
    """The name of each meld by the id of its group."""
    names = {f"melds[{i}]": check_meld(meld, rules, side.went_out).name for i, meld in enumerate(side.melds)}
    return {group: names[where] for group, where in sheet.where.items() if where in names}
