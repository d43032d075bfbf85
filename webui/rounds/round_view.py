"""A game as the page shows it: cards, sheet, tally and running totals, computed anew from what is kept."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from scorer.deck import DeckProfile, load_deck
from scorer.rules import RuleSet, load_rules
from scorer.scoring import score
from scorer.scoring.melds import check_meld
from scorer.scoring.tally import Line, SideTally, Tally, Violation
from scorer.sheets import Meld, SheetError, read_sheet
from webui.corrections.answers import TABLE, answered_steps, facts_of, has_agreed, sheet_hash
from webui.corrections.apply import apply_corrections
from webui.corrections.changes import DropPhoto, read_change
from webui.corrections.side_sheet import SideDocument, SideFacts, round_sheet, side_sheet
from webui.corrections.side_table import COUNT_THE_PILE, SidePhoto, SideTable, TableCard, TableGroup, left_id
from webui.rounds.stored_reading import parse_reading
from webui.storage.records import GameRecord, PhotoRecord, RoundRecord, SideRecord


@dataclass(frozen=True, slots=True)
class SideView:
    """One side of one round as it stands, confirmed or not.

    ``photos`` are those that count; ``tally`` is None where the sheet cannot be scored; ``meld_names`` says what each
    meld is (``clean book of 8s``) by its group.
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
        """What a group is called: ``Clean book of 8s``, ``Threes laid``, ``Left-over cards of Ann``."""
        if group.kind == "left" and group.player is not None:
            return f"Left-over cards of {self.record.players[group.player]}"
        if group.kind in ("laid", "loose"):
            return {"laid": "Laid threes", "loose": "Cards in no meld"}[group.kind]
        found = self.meld_names.get(group.id, "meld")
        return found[:1].upper() + found[1:]

    def lines(self, group_id: str) -> tuple[Line, ...]:
        """The tally's lines that come from a group."""
        where = self.sheet.where.get(group_id)
        return tuple(line for line in self.tally.lines if line.where == where) if self.tally and where else ()

    def points(self, group_id: str) -> int:
        return sum(line.points for line in self.lines(group_id))

    def violations(self, group_id: str) -> tuple[Violation, ...]:
        """What a group breaks."""
        where = self.sheet.where.get(group_id)
        if self.tally is None or where is None:
            return ()
        return tuple(found for found in self.tally.violations if found.where == where)

    def other_lines(self) -> tuple[Line, ...]:
        """The tally's lines that come from no group: going out, exact deals, penalties."""
        places = set(self.sheet.where.values())
        return tuple(line for line in self.tally.lines if line.where not in places) if self.tally else ()

    def other_violations(self) -> tuple[Violation, ...]:
        """What the side breaks beside its groups."""
        places = set(self.sheet.where.values())
        return tuple(found for found in self.tally.violations if found.where not in places) if self.tally else ()

    def cards_of(self, group: TableGroup, line: Line) -> tuple[TableCard, ...]:
        """The cards of a group that a line of the tally speaks of; of a pile those that are seen."""
        left = Counter(line.cards)
        found = []
        for card in group.cards:
            name = next((name for name in (str(card.face), card.face.rank) if left[name]), None)
            if name is not None:
                left[name] -= 1
                found.append(card)
        return tuple(found)

    def is_known(self, place: str) -> bool:
        """Whether it is known what lies at a place, ``table`` or ``left0``: cards, a photo, or that nothing does.

        A photo that was not read, or on which no card was seen, settles nothing: what it shows is not known.
        """
        if place in self.facts.nothing:
            return True
        shown = {photo.player for photo in self.photos if photo.reading and photo.reading["cards"]}
        if place == TABLE:
            return None in shown or any(group.cards and group.kind != "left" for group in self.table.groups)
        player = next(player for player in range(len(self.record.players)) if left_id(player) == place)
        group = self.table.group(place)
        return player == self.facts.out_player or player in shown or (group is not None and bool(group.cards))

    @property
    def unknown_players(self) -> tuple[int, ...]:
        """The players of whom it is not known what they have left."""
        return tuple(player for player in range(len(self.record.players)) if not self.is_known(left_id(player)))

    def doubts(self, left: bool) -> int:
        """How many things a person should look at among the left-over cards, or among those on the table.

        A squared pile that waits to be counted is none: that is asked among the things no camera sees.
        """
        return sum(
            group.doubts - (group.doubt == COUNT_THE_PILE)
            for group in self.table.groups
            if (group.kind == "left") == left
        )

    @property
    def piles(self) -> tuple[TableGroup, ...]:
        """Its squared piles."""
        return tuple(group for group in self.table.groups if group.kind == "pile")


@dataclass(frozen=True, slots=True)
class RoundView:
    """One round as it stands.

    ``sheet_error`` is the sentence why its sheet cannot be scored, else None; ``version`` the number of the game's last
    change when it was looked at.
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

    def url_values(self, side: int) -> dict[str, int]:
        """What the addresses of a side's pages are made of."""
        return {"game_id": self.game.id, "number": self.record.number, "side": side}

    @property
    def changed_since_agreed(self) -> bool:
        """Whether what was confirmed is no longer what stands here."""
        return self.record.agreed_sheet is not None and self.record.agreed_sheet != self.sheet

    @property
    def sheet_hash(self) -> str:
        """What tells this sheet from any other."""
        return sheet_hash(self.sheet)

    @property
    def answered_steps(self) -> frozenset[str]:
        """The steps that were answered."""
        return answered_steps(self.record.facts)

    def has_agreed(self, side: int) -> bool:
        """Whether a side has agreed to the sheet as it stands."""
        return has_agreed(self.record.facts, side, self.sheet_hash)


def view_round(game: GameRecord, record: RoundRecord, version: int = 0) -> RoundView:
    """Lays a round out and scores it as it stands.

    Raises:
        RulesError: the game's rule set is not there any more.
    """
    rules = load_rules(game.rules)
    drafts = [_draft(record, rules, index, side) for index, side in enumerate(game.sides)]
    sheet = round_sheet(game.rules, record.number, game.players, [draft[3] for draft in drafts])
    tally, sheet_error = None, None
    names: list[dict[str, str]] = [{} for _ in drafts]
    try:
        checked = read_sheet(sheet)
    except SheetError as error:
        sheet_error = str(error)
    else:
        tally = score(checked, rules)
        names = [_meld_names(drafts[index][3], side.melds, rules) for index, side in enumerate(checked.sides)]
    sides = tuple(
        SideView(index, side, *drafts[index], tally.sides[index] if tally else None, names[index])
        for index, side in enumerate(game.sides)
    )
    return RoundView(game, rules, load_deck(rules.deck), record, sides, sheet, tally, sheet_error, version)


def agreed_tally(record: RoundRecord, rules: RuleSet) -> Tally | None:
    """The tally of what was confirmed, None where nothing was."""
    return score(read_sheet(record.agreed_sheet), rules) if record.agreed_sheet is not None else None


def _draft(
    record: RoundRecord, rules: RuleSet, index: int, side: SideRecord
) -> tuple[tuple[PhotoRecord, ...], SideTable, SideFacts, SideDocument]:
    changes = [(made.id, read_change(made.change)) for made in record.corrections if made.side == index]
    dropped = {change.photo for _, change in changes if isinstance(change, DropPhoto)}
    photos = tuple(photo for photo in record.photos if photo.side == index and photo.id not in dropped)
    read = [SidePhoto(photo.id, photo.player, parse_reading(photo.reading)) for photo in photos if photo.reading]
    table = apply_corrections(read, changes, len(side.players), frozenset(rules.wild_ranks), rules.book_size)
    facts = facts_of(record.facts, index)
    return photos, table, facts, side_sheet(side.name, table, len(side.players), facts)


def _meld_names(sheet: SideDocument, melds: tuple[Meld, ...], rules: RuleSet) -> dict[str, str]:
    places = {f"melds[{index}]": check_meld(meld, rules).name for index, meld in enumerate(melds)}
    return {group: places[where] for group, where in sheet.where.items() if where in places}
