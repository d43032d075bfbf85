"""What an agreed round teaches of how the cards look, by its sheet as it is corrected now."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from vision.doubts import is_sure_of_face
from vision.looks.labelling import AddedCard, AgreedCard, agreed_looks
from vision.looks.looks import Looks, SeenIndices, joined
from vision.values import SeenCard
from webui.corrections.asked import may_be_counted_twice
from webui.corrections.same_cards import SameCards, find_same_cards
from webui.corrections.side_table import SidePhoto, SideTable, TableCard
from webui.rounds.round_view import RoundView, SideView
from webui.rounds.stored_reading import parse_reading


@dataclass(frozen=True, slots=True)
class RoundLooks:
    """What a round teaches: its ``looks``, and how many cards of each rank were ``asked`` about in it."""

    looks: Looks
    asked: Mapping[str, int]


def round_looks(view: RoundView, seen: Mapping[str, SeenIndices]) -> RoundLooks | None:
    """What a round teaches; None where that is nothing, as where people counted its sides, or it was watched.

    Args:
        view: the round as it stands.
        seen: what was detected in its photos, by their hashes.
    """
    parts, asked = [], Counter[str]()
    for side in view.sides:
        photos = list(_photos(side))
        same = find_same_cards([photo for photo, _ in photos])
        for photo, hash in photos:
            if hash in seen:
                ranks = [_rank(side.table, same, photo.id, *numbered) for numbered in enumerate(photo.reading.cards)]
                told = list(zip(photo.reading.cards, ranks, strict=True))
                cards = [AgreedCard.of(card, rank) for card, rank in told]
                parts.append(agreed_looks(seen[hash], cards, list(_added(side.table, photo.id))))
                asked.update(rank or card.face.rank for card, rank in told if card.doubt is not None)
    looks = joined(parts)
    return None if looks is None else RoundLooks(looks, asked)


def _photos(side: SideView) -> Iterator[tuple[SidePhoto, str]]:
    """The photos of a side whose cards count, with their hashes."""
    if side.facts.typed is not None:
        return
    for photo in side.photos:
        if photo.reading and (photo.player is not None or not side.table.is_watched):
            yield SidePhoto(photo.id, photo.player, parse_reading(photo.reading)), Path(photo.file).stem


def _rank(table: SideTable, same: SameCards, photo: int, index: int, read: SeenCard) -> str | None:
    """The rank of a card as agreed; "" where that tells nothing, None where no card is there.

    A card that the reader was sure of and that people removed may well lie there and not count, and so may one that was
    counted twice. One that is still in doubt was not looked at.
    """
    first, place = same.duplicates.get((photo, index), (photo, index))
    card = table.card(f"p{first}c{place}")
    if card is None:
        removed = TableCard("", read.face, photo=photo, quad=read.quad, doubt=read.doubt)
        return "" if read.doubt is None or may_be_counted_twice(table, removed) else None
    group = table.group_of(card.id)
    is_told = is_sure_of_face(card.doubt) and group is not None and group.kind != "loose"
    return card.face.rank if is_told else ""


def _added(table: SideTable, photo: int) -> Iterator[AddedCard]:
    """The cards that people added; each may be seen in any photo of its side, but is pointed at in one alone."""
    for card in (card for group in table.groups for card in group.cards):
        if card.seen_as is None:
            yield AddedCard(card.face.rank, card.point if card.photo == photo else None)
