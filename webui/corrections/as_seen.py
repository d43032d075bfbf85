"""A side's cards as the camera saw them, group by group: those of its photos, or of a table that was watched.

Each step takes a table and returns another one; corrections go on from there (``apply.py``).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from scorer.faces import Face
from vision.doubts import Doubt
from vision.groups.table_draft import DraftGroup, draft_side
from webui.corrections.outside import Outside
from webui.corrections.piles import Contents, Group, Piles
from webui.corrections.same_cards import SameCards
from webui.corrections.side_table import BURIED, LAID, LOOSE, SidePhoto, TableCard, left_id
from webui.storage.changes import Watched, WatchedGroup


@dataclass(frozen=True, slots=True)
class WorkingTable:
    """A side's cards by their ids, and the groups that they are in, by theirs, while corrections are applied."""

    piles: Piles
    cards: Mapping[str, TableCard]
    groups: Mapping[str, Group]

    def with_cards(self, *cards: TableCard) -> WorkingTable:
        """With these in place of cards of the same ids, or as new ones that are in no group yet."""
        return replace(self, cards={**self.cards, **{card.id: card for card in cards}})

    def with_groups(self, *groups: Group) -> WorkingTable:
        """With these in place of groups of the same ids, or as new ones after all others."""
        return replace(self, groups={**self.groups, **{group.id: group for group in groups}})

    def with_more(self, group: str, cards: Iterable[str]) -> WorkingTable:
        """With more cards in a group."""
        return self.with_groups(replace(self.groups[group], cards=(*self.groups[group].cards, *cards)))

    def settled(self, *cards: str) -> WorkingTable:
        """With no doubt about these cards; of an unknown one somebody has to say what it is."""
        known = (self.cards[card] for card in cards if self.cards[card].doubt != Doubt.UNKNOWN_FACE)
        return self.with_cards(*(replace(card, doubt=None) for card in known))

    def faces(self, cards: Iterable[str]) -> list[Face]:
        return [self.cards[card].face for card in cards]

    def rank(self, group: Group) -> str | None:
        """The rank of a pile, or of a spread meld by its cards."""
        known = (card for card in group.cards if self.cards[card].doubt != Doubt.UNKNOWN_FACE)
        return group.rank if group.kind == "pile" else self.piles.rank_of(self.faces(known))

    def contents(self, group: Group) -> Contents:
        """What a group holds, visible or not."""
        counted = self.faces(card for card in group.cards if card in group.counted)
        added = self.faces(card for card in group.cards if card not in group.counted)
        return self.piles.contents(group, self.rank(group), counted, added)


def empty_table(piles: Piles, players: int) -> WorkingTable:
    """A table with all groups that every side has."""
    hands = (Group(left_id(player), "left", player=player) for player in range(players))
    always = (Group(LAID, "laid"), Group(BURIED, "buried"), Group(LOOSE, "loose"), *hands)
    return WorkingTable(piles, {}, {group.id: group for group in always})


def lay_photo(table: WorkingTable, photo: SidePhoto, same: SameCards) -> WorkingTable:
    """Adds a photo's cards that no earlier photo shows, and its groups."""
    places = [index for index in range(len(photo.reading.cards)) if (photo.id, index) not in same.duplicates]
    table = table.with_cards(*(_seen_card(photo, index, same) for index in places))
    if photo.player is not None:
        hand = left_id(photo.player)
        return table.with_more(hand, (_card_id(photo.id, index) for index in places)) if hand in table.groups else table
    for number, drafted in enumerate(draft_side(photo.reading).groups):
        table = _lay_drafted(table, photo.id, number, drafted, same)
    return table


def _card_id(photo: int, index: int) -> str:
    return f"p{photo}c{index}"


def _seen_card(photo: SidePhoto, index: int, same: SameCards) -> TableCard:
    read = photo.reading.cards[index]
    seen = same.disputed.get((photo.id, index), read)
    return TableCard(
        _card_id(photo.id, index),
        seen.face,
        read.face,
        photo.id,
        index,
        read.quad,
        others=seen.others,
        doubt=seen.doubt,
        indices=tuple(corner.box for corner in read.corners),
        confidence=seen.confidence,
    )


def _lay_drafted(table: WorkingTable, photo: int, number: int, drafted: DraftGroup, same: SameCards) -> WorkingTable:
    """Adds a group of a photo, or joins it to the group of an earlier photo that shows some of its cards."""
    originals = {
        _card_id(*same.duplicates[photo, index]) for index in drafted.cards if (photo, index) in same.duplicates
    }
    cards = tuple(_card_id(photo, index) for index in drafted.cards if (photo, index) not in same.duplicates)
    earlier = next((group for group in table.groups.values() if originals & set(group.cards)), None)
    if originals and (not cards or (earlier is not None and earlier.kind == drafted.kind == "meld")):
        return table if earlier is None else table.with_more(earlier.id, cards)
    if drafted.kind in (LAID, LOOSE):
        for card in cards:
            table = table.with_more(_place_of_three(table, card) if drafted.kind == LAID else LOOSE, [card])
        return table
    group = Group(
        f"p{photo}g{number}",
        drafted.kind,
        cards,
        rank=drafted.rank,
        book=drafted.book,
        doubt=drafted.doubt,
        reason=drafted.reason,
    )
    if group.kind == "pile":
        group = table.piles.guess(group, table.faces(cards))
    return _with_odd_cards_in_doubt(table, group)


def _place_of_three(table: WorkingTable, card: str) -> str:
    """Where a three lies: one that these rules do not lay, mostly one of a hand, is asked about."""
    return LAID if table.piles.rules.is_laid(table.cards[card].face) else LOOSE


def _with_odd_cards_in_doubt(table: WorkingTable, group: Group) -> WorkingTable:
    """With a new group; a doubt about its mixed ranks is one about the cards that do not fit, if its rank is known."""
    odd = [table.cards[card] for card in group.cards if table.piles.is_strange(table.cards[card].face, group.rank)]
    if group.doubt != Doubt.ODD_ONE_OUT or group.rank is None or not odd:
        return table.with_groups(group)
    in_doubt = (replace(card, doubt=card.doubt or Doubt.ODD_ONE_OUT) for card in odd)
    return table.with_groups(replace(group, doubt=None)).with_cards(*in_doubt)


def watched_cards(correction_id: int, change: Watched) -> list[str]:
    """The ids of the cards of a watched table, group by group."""
    return [f"a{correction_id}.{place}" for place in range(sum(len(group.cards) for group in change.groups))]


def lay_watched(table: WorkingTable, correction_id: int, change: Watched, found: Sequence[Outside]) -> WorkingTable:
    """Adds the groups of a table that was watched, in which all cards are known, and those found outside its box."""
    table = _lay_seen(table, change.groups, f"a{correction_id}", f"n{correction_id}")
    for one in found:
        table = _lay_seen(table, [one.group], f"o{one.place}", f"o{one.place}")
    return table


def _lay_seen(table: WorkingTable, groups: Sequence[WatchedGroup], cards_of: str, groups_of: str) -> WorkingTable:
    """Adds groups that were seen; the ids of their cards begin with ``cards_of``, their own with ``groups_of``."""
    count = 0
    for number, seen in enumerate(groups):
        cards = []
        for read in seen.cards:
            face, others = Face.parse(read.face), tuple((Face.parse(name), share) for name, share in read.others)
            card = TableCard(f"{cards_of}.{count}", face, face, others=others, doubt=read.doubt)
            cards.append(replace(card, track=read.track, hidden=read.hidden, guessed=read.guessed))
            count += 1
        table, ids = table.with_cards(*cards), tuple(card.id for card in cards)
        if seen.kind == "meld":
            group = Group(
                f"{groups_of}.{number}", "meld", ids, rank=seen.rank, doubt=seen.doubt, reason="seen being laid"
            )
            table = _with_odd_cards_in_doubt(table, group)
            continue
        for id in ids:
            table = table.with_more(_place_of_three(table, id) if seen.kind == "threes" else LOOSE, [id])
    return table
