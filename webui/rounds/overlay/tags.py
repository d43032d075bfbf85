"""The tags of a photo: what each says, which matter most, and their layouts at the widths that the page shows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from vision.doubts import Doubt
from webui import wording
from webui.corrections.side_table import TableCard, TableGroup
from webui.rounds.overlay.layout import Layout, Scene, Tag, Wanted, lay_out
from webui.rounds.overlay.outlines import Box, bounds, colour_of, indices_of
from webui.rounds.overlay.text_size import TEXT
from webui.rounds.round_view import SideView
from webui.storage.records import PhotoRecord
from webui.translation import _

WIDTHS = (280, 350, 620)
"""Widths in CSS pixels from which on a photo on a page gets a layout of its own: on a small phone, a phone, a desk."""
CLOSE_WIDTHS = (*WIDTHS, 1000, 1600, 2400)
"""The same for the view that is zoomed into."""
_SHORT_BELOW = 600
"""Below this width, groups are named in short."""
_WIDTHS_OF_TEXT = {"larger": 1.15, "largest": 1.3}


@dataclass(frozen=True, slots=True)
class Named:
    """A tag with the card or group that it names; ``colour`` is the number of the group's colour."""

    tag: Tag
    group: TableGroup
    card: TableCard | None
    colour: int

    @property
    def is_doubtful(self) -> bool:
        return bool(self.card.doubt if self.card else self.group.doubts)


@dataclass(frozen=True, slots=True)
class Names:
    """The tags of a photo for one width."""

    layout: Layout
    tags: tuple[Named, ...]


def names(
    groups: Sequence[TableGroup],
    photo: PhotoRecord,
    side: SideView | None = None,
    widths: Sequence[int] = WIDTHS,
    size: str = "usual",
) -> list[Names]:
    """The tags of all cards and groups in a photo, for each width.

    Args:
        groups: the groups of the side, in the order of their colours.
        photo: the photo.
        side: names the groups and has their points; without it, groups get no tags.
        widths: those at which the photo may be shown, in CSS pixels.
        size: the size of type that the visitor chose.
    """
    in_photo = [
        (number, group, [card for card in group.cards if card.photo == photo.id]) for number, group in enumerate(groups)
    ]
    cards = [(number, group, card) for number, group, own in in_photo for card in own]
    by_key = {card.id: (number, group, card) for number, group, card in cards}
    strange = {
        number: tuple(bounds(card.quad) for other, _, card in cards if other != number and card.quad)
        for number, *_ in in_photo
    }
    wanted_cards = [(card, _of_card(card, photo, strange[number])) for number, _, card in cards]
    doubtful = [one for card, one in wanted_cards if card.doubt]
    sure = [one for card, one in wanted_cards if not card.doubt]
    scene = _scene([card for *_, card in cards], photo)
    found = []
    for width in widths:
        is_short = width < _SHORT_BELOW
        named = [_of_group(side, group, own, is_short) for _, group, own in in_photo if own] if side else []
        # Where there is no room for all, groups are what tells more.
        wanted = [*doubtful, *named, *sure] if width < WIDTHS[1] else [*doubtful, *sure, *named]
        layout = _laid_out(scene, tuple(wanted), width, TEXT * _WIDTHS_OF_TEXT.get(size, 1))
        groups_by_id = {group.id: (number, group, None) for number, group in enumerate(groups)}
        tags = []
        for tag in layout.tags:
            number, group, one = by_key.get(tag.key) or groups_by_id[tag.key]
            tags.append(Named(tag, group, one, colour_of(number)))
        found.append(Names(layout, tuple(tags)))
    return found


@lru_cache(maxsize=128)
def _laid_out(scene: Scene, wanted: tuple[Wanted, ...], width: int, text: float) -> Layout:
    """Kept, as the same page is shown again after each correction of another card."""
    return lay_out(scene, wanted, width, text)


def _scene(cards: Sequence[TableCard], photo: PhotoRecord) -> Scene:
    quads = [card.quad for card in cards if card.quad]
    indices = tuple(box for card in cards for box in indices_of(card, photo))
    return Scene(photo.width, photo.height, indices, tuple(bounds(quad) for quad in quads))


def card_text(card: TableCard) -> str:
    """``8♠``, in doubt ``8♠?``, and ``?`` for an unknown card."""
    if card.doubt == Doubt.UNKNOWN_FACE:
        return "?"
    sign = wording.sign(card.face) if card.face.suit else ""
    return f"{card.face.rank}{sign}{'?' if card.doubt else ''}"


def _of_card(card: TableCard, photo: PhotoRecord, strange: tuple[Box, ...]) -> Wanted:
    return Wanted(card.id, (card_text(card),), indices_of(card, photo), strange, must=card.doubt is not None)


def _of_group(side: SideView, group: TableGroup, cards: Sequence[TableCard], short: bool) -> Wanted:
    texts = _group_texts(side, group)
    places = tuple(bounds(card.quad or (card.point or (0.0, 0.0),)) for card in cards)
    return Wanted(group.id, texts[1:] if short else texts, places, must=True)


def short_group_name(name: str) -> str:
    """A group's name where room is scarce: ``Kings``, of a book or a meld, valid or not."""
    kind, _of, rank = name.partition(" of ")
    plain = rank.removesuffix(" yet") or kind.removeprefix("Laid ")
    return plain[:1].upper() + plain[1:]


def _group_texts(side: SideView, group: TableGroup) -> tuple[str, ...]:
    """What a group's tag says, the longest first: ``Clean book of 8s · 770``, ``8s · 770``, ``8s``."""
    name = side.name(group)
    if group.kind == "loose":
        return name, _("No meld")
    short = short_group_name(name)
    if side.tally is None:
        return name, short
    points = wording.points_text(side.points(group.id))
    return f"{name} · {points}", f"{short} · {points}", short
