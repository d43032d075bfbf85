"""Applies a side's corrections, in order, to the readings of its photos.

Readings are never changed. A correction of a card or group that does not exist, because its photo was removed, has no
effect. Ids: ``p12c3`` is card 3 and ``p12g3`` group 3 of photo 12, ``a7`` the card that correction 7 added, ``a7.2``
the third of several that it added, ``n7`` the group that it made, ``n7.1`` the second of several, ``left0`` the
left-over cards of player 0; ``laid``, ``buried`` and ``loose`` are themselves.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from scorer.deck import DeckProfile
from scorer.faces import Face
from scorer.rules import RuleSet
from vision.doubts import Doubt
from vision.groups.table_draft import DraftGroup, draft_side
from webui.corrections.asked import asked_if_it_matters, gathered
from webui.corrections.outside import Outside
from webui.corrections.piles import Contents, Group, Piles
from webui.corrections.resets import in_force
from webui.corrections.same_cards import CardKey, SameCards, find_same_cards
from webui.corrections.side_table import (
    BURIED,
    LAID,
    LOOSE,
    GroupKind,
    SidePhoto,
    SideTable,
    TableCard,
    TableGroup,
    left_id,
)
from webui.corrections.watched_table import lay_seen
from webui.storage import changes as made
from webui.storage.changes import NEW_PILE, Change, Watched


def apply_corrections(
    photos: Sequence[SidePhoto],
    changes: Iterable[tuple[int, Change]],
    players: int,
    rules: RuleSet,
    deck: DeckProfile | None = None,
    found: Sequence[Outside] = (),
) -> SideTable:
    """Builds one side's cards.

    A card that two photos show counts once, in doubt where they disagree on its face; its neighbours in the later photo
    join its group in the first one.

    Args:
        photos: the side's photos with their readings, in the order in which they were taken.
        changes: the side's corrections with their ids, in order.
        players: the side's number of players.
        rules: which cards are wild, which cap a book, and how many cards a book has.
        deck: the cards in play; without it those of the rules' first deck.
        found: what lay outside all boxes of a watched table and is this side's.
    """
    builder = _Builder(rules, rules.all_decks[0] if deck is None else deck)
    ordered = list(changes)
    dropped = {change.photo for _, change in ordered if isinstance(change, made.DropPhoto)}
    builder.groups = {LAID: Group(LAID, "laid"), BURIED: Group(BURIED, "buried"), LOOSE: Group(LOOSE, "loose")}
    for player in range(players):
        builder.groups[left_id(player)] = Group(left_id(player), "left", player=player)
    remaining = [photo for photo in photos if photo.id not in dropped]
    counted = in_force(ordered, {photo.id: photo.player for photo in remaining})
    watched = next((change for _, change in counted if isinstance(change, Watched)), None)
    shown = [photo for photo in remaining if watched is None or photo.player is not None]
    builder.photos = {photo.id for photo in remaining}
    same = find_same_cards(shown)
    for photo in shown:
        builder.add_photo(photo, same)
    builder.found = found
    for correction_id, change in counted:
        builder.apply(correction_id, change)
    return replace(
        gathered(builder.finish()),
        duplicates=Counter(photo for photo, _ in same.duplicates),
        is_watched=watched is not None,
        watched_early=watched.early if watched else None,
    )


class _Builder:
    def __init__(self, rules: RuleSet, deck: DeckProfile) -> None:
        self.rules, self.piles = rules, Piles(rules, deck)
        self.always_shown = ("left", "laid", "buried") if rules.burying else ("left", "laid")
        self.cards: dict[str, TableCard] = {}
        self.groups: dict[str, Group] = {}
        self.photos: set[int] = set()
        self.found: Sequence[Outside] = ()

    def add_photo(self, photo: SidePhoto, same: SameCards) -> None:
        """Adds a photo's cards that no earlier photo shows, and its groups."""
        for index, read in enumerate(photo.reading.cards):
            key = (photo.id, index)
            if key in same.duplicates:
                continue
            seen = same.disputed.get(key, read)
            card = TableCard(
                f"p{photo.id}c{index}",
                seen.face,
                read.face,
                photo.id,
                index,
                read.quad,
                None,
                seen.others,
                seen.doubt,
                tuple(corner.box for corner in read.corners),
                confidence=seen.confidence,
            )
            self.cards[card.id] = card
        if photo.player is not None:
            group = self.groups.get(left_id(photo.player))
            if group is not None:
                ids = [f"p{photo.id}c{index}" for index in range(len(photo.reading.cards))]
                group.cards += [card for card in ids if card in self.cards]
            return
        for number, drafted in enumerate(draft_side(photo.reading).groups):
            self._add_drafted(photo.id, number, drafted, same.duplicates)

    def _add_drafted(self, photo: int, number: int, drafted: DraftGroup, duplicates: Mapping[CardKey, CardKey]) -> None:
        """Adds a group of a photo, or joins it to the group of an earlier photo that shows some of its cards."""
        originals = [duplicates[(photo, index)] for index in drafted.cards if (photo, index) in duplicates]
        ids = [f"p{photo}c{index}" for index in drafted.cards if (photo, index) not in duplicates]
        original_ids = {f"p{other}c{index}" for other, index in originals}
        earlier = next((group for group in self.groups.values() if original_ids & set(group.cards)), None)
        if originals and (not ids or (earlier is not None and earlier.kind == drafted.kind == "meld")):
            if earlier is not None:
                earlier.cards += ids
            return
        if drafted.kind in (LAID, LOOSE):
            for card in ids:  # a three that these rules do not lay, mostly one of a hand, is asked about
                laid = drafted.kind == LAID and self.rules.is_laid(self.cards[card].face)
                self.groups[LAID if laid else LOOSE].cards.append(card)
            return
        group = Group(
            f"p{photo}g{number}",
            drafted.kind,
            ids,
            rank=drafted.rank,
            book=drafted.book,
            doubt=drafted.doubt,
            reason=drafted.reason,
        )
        if group.kind == "pile":
            self.piles.guess(group, self._faces(group.cards))
        if group.doubt == Doubt.ODD_ONE_OUT:
            self._move_doubt_to_odd_cards(group)
        self.groups[group.id] = group

    def _add_watched(self, correction_id: int, change: Watched) -> None:
        """Adds the groups of a table that was watched, and those found outside its box."""
        laid = [lay_seen(f"a{correction_id}", change.groups, self.rules, f"n{correction_id}")]
        laid += [lay_seen(f"o{one.place}", [one.group], self.rules) for one in self.found]
        for cards, _ in laid:
            self.cards |= cards
        for group in (group for _, groups in laid for group in groups):
            if group.id in self.groups:
                self.groups[group.id].cards += group.cards
                continue
            if group.doubt == Doubt.ODD_ONE_OUT:
                self._move_doubt_to_odd_cards(group)
            self.groups[group.id] = group

    def _move_doubt_to_odd_cards(self, group: Group) -> None:
        """Moves the doubt about a meld of mixed ranks to the cards that do not fit, if the meld's rank is known."""
        odd = [card for card in group.cards if self.piles.is_strange(self.cards[card].face, group.rank)]
        if group.rank is not None and odd:
            group.doubt = None
            for card in odd:
                self.cards[card] = replace(self.cards[card], doubt=self.cards[card].doubt or Doubt.ODD_ONE_OUT)

    def _faces(self, cards: Iterable[str]) -> list[Face]:
        return [self.cards[card].face for card in cards]

    def _rank(self, group: Group) -> str | None:
        known = [card for card in group.cards if self.cards[card].doubt != Doubt.UNKNOWN_FACE]
        return group.rank if group.kind == "pile" else self.piles.rank_of(self._faces(known))

    def _contents(self, group: Group) -> Contents:
        """What a group holds, visible or not."""
        counted = self._faces(card for card in group.cards if card in group.counted)
        added = self._faces(card for card in group.cards if card not in group.counted)
        return self.piles.contents(group, self._rank(group), counted, added)

    def apply(self, correction_id: int, change: Change) -> None:
        """Applies one correction."""
        match change:
            case made.Name(card=card, face=face) if card in self.cards:
                self._name(card, Face.parse(face))
            case made.Remove(card=card) if card in self.cards:
                self._take(card)
                del self.cards[card]
            case made.Add(group=group, face=face, photo=photo, x=x, y=y, beside=beside) if (
                photo is None or photo in self.photos
            ):
                point = None if photo is None else (x, y)
                added = TableCard(f"a{correction_id}", Face.parse(face), photo=photo, point=point)
                self.cards[added.id] = added
                self._put(added.id, group, correction_id)
                for card in self.cards.keys() & {*beside}:
                    if self.cards[card].doubt == Doubt.PERHAPS_ANOTHER:
                        self.cards[card] = replace(self.cards[card], doubt=None)
            case made.AddCards(group=group, faces=faces, suitless=suitless):
                for index, face in enumerate(faces):
                    added = TableCard(f"a{correction_id}.{index}", Face.parse(face), suitless=index in suitless)
                    self.cards[added.id] = added
                    self._put(added.id, group, correction_id)
            case Watched():
                self._add_watched(correction_id, change)
            case made.Move(card=card, group=group) if card in self.cards:
                self._move([card], group, correction_id)
            case made.Regroup(cards=cards, group=group, keep_doubts=keep):
                self._move([card for card in cards if card in self.cards], group, correction_id, keep)
            case made.Join(group=group, into=into) if group != into and {group, into} <= self.groups.keys():
                self._join(self.groups[group], self.groups[into])
            case made.Count(group=group) if self._is_meld(group):
                self._count(self.groups[group], change)
            case made.Spread(group=group) if self._is_meld(group):
                self._spread(self.groups[group])
            case made.Accept(group=group) if group in self.groups:
                if self.groups[group].doubt != Doubt.COUNT_THE_PILE:  # a look at it tells no number
                    self.groups[group].doubt = None
                for card in self.groups[group].cards:
                    if self.cards[card].doubt != Doubt.UNKNOWN_FACE:
                        self.cards[card] = replace(self.cards[card], doubt=None)
            case _:  # a card or group that does not exist (any more)
                pass

    def _is_meld(self, group: str) -> bool:
        """Whether a group is there and a meld, squared or spread; left-over and loose cards never become one."""
        return group in self.groups and self.groups[group].kind in ("meld", "pile")

    def _move(self, cards: Sequence[str], group: str, correction_id: int, keep_doubts: bool = False) -> None:
        """Moves cards to one group; a new group is created once for all of them."""
        for card in cards:
            self._take(card)
            self._put(card, group, correction_id)
            if self.cards[card].doubt == Doubt.UNKNOWN_FACE:
                continue  # where it lies does not tell what it is
            if not keep_doubts or self.cards[card].doubt == Doubt.ODD_ONE_OUT:
                self.cards[card] = replace(self.cards[card], doubt=None)

    def _name(self, card: str, face: Face) -> None:
        """Gives a card another face. A pile of which no other card is seen has the rank of this one."""
        old = self.cards[card].face
        self.cards[card] = replace(self.cards[card], face=face, doubt=None, guessed=False, suitless=False)
        group = next(group for group in self.groups.values() if card in group.cards)
        if group.kind != "pile" or face == old:
            return
        if group.cards == [card] and group.doubt == Doubt.COUNT_THE_PILE:  # this card told all that is known
            self.piles.guess(group, [face])
            return
        if card in group.counted:
            group.forget(old)
            group.wilds, group.caps = (*group.wilds, *self.piles.wilds([face])), (*group.caps, *self.piles.caps([face]))
        told_by_it = group.rank in (None, old.rank) or group.doubt == Doubt.COUNT_THE_PILE
        if told_by_it and self.piles.is_natural(face) and group.rank not in {o.rank for o in self._faces(group.cards)}:
            group.rank = face.rank

    def _join(self, source: Group, into: Group) -> None:
        """Moves all cards of a group to another; where either is a pile, the result is a pile.

        Of a pile of another rank, the cards that are out of sight are strange ones too.
        """
        if "pile" in (source.kind, into.kind) and into.kind in ("meld", "pile"):
            rank = self._rank(into) or self._rank(source)
            parts = [(group, self._contents(group), self._faces(group.cards)) for group in (into, source)]
            hidden = [face for group, held, seen in parts for face in self.piles.hidden(group, held, seen, rank)]
            into.wilds = tuple(wild for _, held, _ in parts for wild in held.wilds)
            into.caps = tuple(cap for _, held, _ in parts for cap in held.caps)
            into.kind, into.rank, into.count = "pile", rank, sum(held.count for _, held, _ in parts)
            into.hidden = tuple(face for face in (*into.hidden, *source.hidden, *hidden) if face.rank != rank)
            into.counted = frozenset((*into.cards, *source.cards))
        uncounted = Doubt.COUNT_THE_PILE in (into.doubt, source.doubt)  # which asks more than any other doubt
        into.doubt = Doubt.COUNT_THE_PILE if uncounted else into.doubt or source.doubt
        into.cards += source.cards
        source.cards = []

    def _count(self, group: Group, change: made.Count) -> None:
        group.kind, group.rank, group.count = "pile", change.rank, change.cards
        group.wilds = tuple(Face.parse(wild) for wild in change.wilds)
        group.caps = tuple(Face.parse(cap) for cap in change.caps)
        group.hidden = tuple(face for face in group.hidden if face.rank != change.rank)
        group.counted, group.doubt = frozenset(group.cards), None

    def _spread(self, group: Group) -> None:
        group.kind, group.doubt, group.count = "meld", None, 0
        group.wilds = group.caps = group.hidden = ()
        group.counted = frozenset()

    def _take(self, card: str) -> None:
        """Removes a card from its group."""
        for group in self.groups.values():
            if card in group.cards:
                group.cards.remove(card)
                if card in group.counted:
                    group.counted -= {card}
                    group.count = max(0, group.count - 1)
                    group.forget(self.cards[card].face)

    def _put(self, card: str, group_id: str, correction_id: int) -> None:
        """Adds a card to a group; one that does not exist is created once for all cards of a correction."""
        group = self.groups.get(group_id) or self.groups.get(f"n{correction_id}")
        if group is None:
            kind: GroupKind = "pile" if group_id == NEW_PILE else "meld"
            group = self.groups[f"n{correction_id}"] = Group(f"n{correction_id}", kind)
            group.reason = "made by hand"
        group.cards.append(card)
        if group.kind == "pile" and not group.counted:
            self.piles.guess(group, self._faces(group.cards))
        elif group.kind == "pile" and group.rank is None and self.piles.is_natural(self.cards[card].face):
            group.rank = self.cards[card].face.rank

    def finish(self) -> SideTable:
        """The side's cards, without empty melds, piles and loose cards."""
        groups = [self._finished(group) for group in self.groups.values()]
        shown = [group for group in groups if group.cards or group.kind in self.always_shown]
        order = ("meld", "pile", "laid", "buried", "loose", "left")
        # Melds and piles share one place in the order, so that they stay in the order of their photos.
        return SideTable(tuple(sorted(shown, key=lambda group: max(1, order.index(group.kind)))))

    def _finished(self, group: Group) -> TableGroup:
        cards = tuple(asked_if_it_matters(self.cards[card], self.rules) for card in group.cards)
        rank, doubt = group.rank, group.doubt
        held = Contents(0, group.wilds, (), ())
        if group.kind == "pile":
            held = self._contents(group)
        elif group.kind == "meld":
            rank = self._rank(group)
        elif group.kind == "loose":
            doubt = Doubt.IN_NO_MELD if cards else None
        return TableGroup(
            group.id,
            group.kind,
            cards,
            group.player,
            rank,
            held.count,
            held.wilds,
            held.caps,
            held.others,
            doubt,
            group.reason,
        )
