"""Applies a side's corrections, in order, to the readings of its photos.

Readings are never changed. A correction of a card or group that does not exist, because its photo was removed, has no
effect. Ids: ``p12c3`` is card 3 and ``p12g3`` group 3 of photo 12, ``a7`` the card that correction 7 added, ``a7.2``
the third of several that it added, ``n7`` the group that it made, ``n7.1`` the second of several, ``left0`` the
left-over cards of player 0; ``laid``, ``buried`` and ``loose`` are themselves.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace

from scorer.deck import DeckProfile
from scorer.faces import Face
from scorer.rules import RuleSet
from vision.doubts import Doubt
from webui.corrections.as_seen import WorkingTable, empty_table, lay_photo, lay_watched
from webui.corrections.asked import asked_if_it_matters, gathered
from webui.corrections.outside import Outside
from webui.corrections.piles import Contents, Group, Piles
from webui.corrections.resets import in_force
from webui.corrections.same_cards import find_same_cards
from webui.corrections.side_table import GroupKind, SidePhoto, SideTable, TableCard, TableGroup
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
    """One side's cards.

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
    ordered = list(changes)
    dropped = {change.photo for _, change in ordered if isinstance(change, made.DropPhoto)}
    remaining = {photo.id: photo for photo in photos if photo.id not in dropped}
    counted = in_force(ordered, {photo.id: photo.player for photo in remaining.values()})
    watched = next((change for _, change in counted if isinstance(change, Watched)), None)
    shown = [photo for photo in remaining.values() if watched is None or photo.player is not None]
    same = find_same_cards(shown)
    table = empty_table(Piles(rules, rules.all_decks[0] if deck is None else deck), players)
    for photo in shown:
        table = lay_photo(table, photo, same)
    for correction_id, change in counted:
        if isinstance(change, Watched):
            table = lay_watched(table, correction_id, change, found)
        else:
            table = _corrected(table, correction_id, change, remaining)
    return replace(
        gathered(_finished(table)),
        duplicates=Counter(photo for photo, _ in same.duplicates),
        is_watched=watched is not None,
        watched_early=watched.early if watched else None,
    )


def _corrected(table: WorkingTable, correction_id: int, change: Change, photos: Collection[int]) -> WorkingTable:
    """The table with one correction; unchanged where that is of a card or group that does not exist (any more)."""
    new = f"n{correction_id}"
    match change:
        case made.Name(card=card, face=face) if card in table.cards:
            return _named(table, card, Face.parse(face))
        case made.Remove(card=card) if card in table.cards:
            rest = _without(table, card)
            return replace(rest, cards={id: held for id, held in rest.cards.items() if id != card})
        case made.Add(group=group, face=face, photo=photo, x=x, y=y, beside=beside) if photo is None or photo in photos:
            point = None if photo is None else (x, y)
            added = TableCard(f"a{correction_id}", Face.parse(face), photo=photo, point=point)
            table = _put(table.with_cards(added), added.id, group, new)
            asked = (table.cards[card] for card in table.cards.keys() & {*beside})
            answered = (card.id for card in asked if card.doubt == Doubt.PERHAPS_ANOTHER)
            return table.settled(*answered)
        case made.AddCards(group=group, faces=faces, suitless=suitless):
            for index, face in enumerate(faces):
                added = TableCard(f"a{correction_id}.{index}", Face.parse(face), suitless=index in suitless)
                table = _put(table.with_cards(added), added.id, group, new)
        case made.Move(card=card, group=group):
            return _moved(table, [card], group, new)
        case made.Regroup(cards=cards, group=group, keep_doubts=keep):
            return _moved(table, cards, group, new, keep)
        case made.Join(group=group, into=into) if group != into and {group, into} <= table.groups.keys():
            return _joined(table, table.groups[group], table.groups[into])
        case made.Count(group=group) if _is_meld(table, group):
            return table.with_groups(_counted(table.groups[group], change))
        case made.Spread(group=group) if _is_meld(table, group):
            return table.with_groups(_spread(table.groups[group]))
        case made.Accept(group=group) if group in table.groups:
            accepted = table.groups[group]
            if accepted.doubt != Doubt.COUNT_THE_PILE:  # a look at it tells no number
                accepted = replace(accepted, doubt=None)
            return table.with_groups(accepted).settled(*accepted.cards)
    return table


def _is_meld(table: WorkingTable, group: str) -> bool:
    """Whether a group is there and a meld, squared or spread; left-over and loose cards never become one."""
    return group in table.groups and table.groups[group].kind in ("meld", "pile")


def _moved(table: WorkingTable, cards: Iterable[str], group: str, new: str, keep_doubts: bool = False) -> WorkingTable:
    """With cards in another group; a new one is made once for all of them. Where a card lies settles what it is, but
    not with ``keep_doubts``."""
    for card in (card for card in cards if card in table.cards):
        table = _put(_without(table, card), card, group, new)
        if not keep_doubts or table.cards[card].doubt == Doubt.ODD_ONE_OUT:
            table = table.settled(card)
    return table


def _named(table: WorkingTable, card: str, face: Face) -> WorkingTable:
    """With another face of a card. A pile of which no other card is seen has the rank of this one."""
    old, piles = table.cards[card].face, table.piles
    table = table.with_cards(replace(table.cards[card], face=face, doubt=None, guessed=False, suitless=False))
    group = next(group for group in table.groups.values() if card in group.cards)
    if group.kind != "pile" or face == old:
        return table
    if group.cards == (card,) and group.doubt == Doubt.COUNT_THE_PILE:  # this card told all that is known
        return table.with_groups(piles.guess(group, [face]))
    told_by_it = group.rank in (None, old.rank) or group.doubt == Doubt.COUNT_THE_PILE
    if card in group.counted:
        group = group.without_face(old)
        group = replace(group, wilds=(*group.wilds, *piles.wilds([face])), caps=(*group.caps, *piles.caps([face])))
    if told_by_it and piles.is_natural(face) and group.rank not in {one.rank for one in table.faces(group.cards)}:
        group = replace(group, rank=face.rank)
    return table.with_groups(group)


def _joined(table: WorkingTable, source: Group, into: Group) -> WorkingTable:
    """With all cards of a group in another; where either is a pile, the result is a pile.

    Of a pile of another rank, the cards that are out of sight are strange ones too.
    """
    joined = into
    if "pile" in (source.kind, into.kind) and into.kind in ("meld", "pile"):
        rank = table.rank(into) or table.rank(source)
        held = [table.contents(group) for group in (into, source)]
        out_of_sight = [
            face
            for group, its in zip((into, source), held, strict=True)
            for face in (*group.hidden, *table.piles.hidden(group, its, table.faces(group.cards), rank))
        ]
        joined = replace(
            into,
            kind="pile",
            rank=rank,
            count=sum(its.count for its in held),
            wilds=tuple(wild for its in held for wild in its.wilds),
            caps=tuple(cap for its in held for cap in its.caps),
            hidden=tuple(face for face in out_of_sight if face.rank != rank),
            counted=frozenset((*into.cards, *source.cards)),
        )
    uncounted = Doubt.COUNT_THE_PILE in (into.doubt, source.doubt)  # which asks more than any other doubt
    doubt = Doubt.COUNT_THE_PILE if uncounted else into.doubt or source.doubt
    joined = replace(joined, doubt=doubt, cards=(*into.cards, *source.cards))
    return table.with_groups(joined, replace(source, cards=()))


def _counted(group: Group, change: made.Count) -> Group:
    return replace(
        group,
        kind="pile",
        rank=change.rank,
        count=change.cards,
        wilds=tuple(map(Face.parse, change.wilds)),
        caps=tuple(map(Face.parse, change.caps)),
        hidden=tuple(face for face in group.hidden if face.rank != change.rank),
        counted=frozenset(group.cards),
        doubt=None,
    )


def _spread(group: Group) -> Group:
    return Group(group.id, "meld", group.cards, rank=group.rank, book=group.book, reason=group.reason)


def _without(table: WorkingTable, card: str) -> WorkingTable:
    """With a card in no group."""
    held = (group for group in table.groups.values() if card in group.cards)
    return table.with_groups(*(group.without(card, table.cards[card].face) for group in held))


def _put(table: WorkingTable, card: str, group_id: str, new: str) -> WorkingTable:
    """With a card in a group; one that does not exist is made under the id ``new``, once for all cards of a
    correction."""
    group = table.groups.get(group_id) or table.groups.get(new)
    if group is None:
        kind: GroupKind = "pile" if group_id == NEW_PILE else "meld"
        group = Group(new, kind, reason="made by hand")
    group, face = replace(group, cards=(*group.cards, card)), table.cards[card].face
    if group.kind == "pile" and not group.counted:
        group = table.piles.guess(group, table.faces(group.cards))
    elif group.kind == "pile" and group.rank is None and table.piles.is_natural(face):
        group = replace(group, rank=face.rank)
    return table.with_groups(group)


def _finished(table: WorkingTable) -> SideTable:
    """The side's cards, without empty melds, piles and loose cards."""
    always = ("left", "laid", "buried") if table.piles.rules.burying else ("left", "laid")
    groups = [_finished_group(table, group) for group in table.groups.values()]
    shown = [group for group in groups if group.cards or group.kind in always]
    order = ("meld", "pile", "laid", "buried", "loose", "left")
    # Melds and piles share one place in the order, so that they stay in the order of their photos.
    return SideTable(tuple(sorted(shown, key=lambda group: max(1, order.index(group.kind)))))


def _finished_group(table: WorkingTable, group: Group) -> TableGroup:
    cards = tuple(asked_if_it_matters(table.cards[card], table.piles.rules) for card in group.cards)
    doubt = group.doubt if group.kind != "loose" else Doubt.IN_NO_MELD if cards else None
    held = table.contents(group) if group.kind == "pile" else Contents(0, group.wilds, (), ())
    rank = table.rank(group) if group.kind == "meld" else group.rank
    of_pile = (held.count, held.wilds, held.caps, held.others)
    return TableGroup(group.id, group.kind, cards, group.player, rank, *of_pile, doubt, group.reason)
