"""Measures the tags of a photo: what they cover, whether any is lost, and how small their type is."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Any

from webui.rounds.overlay.layout import Layout
from webui.rounds.overlay.outlines import Box
from webui.rounds.overlay.tags import CLOSE_WIDTHS, Named, names
from webui.rounds.round_view import SideView, view_round
from webui.storage.records import GameRecord, PhotoRecord, RoundRecord, SideRecord

SIDES = (SideRecord("Us", ("Ann", "Bo")), SideRecord("Them", ("Cy", "Di")))
LEAST_TEXT = 12


def side_with(reading: dict[str, Any]) -> tuple[SideView, PhotoRecord]:
    """A side with one photo, and that photo."""
    photo = PhotoRecord(1, 0, None, "a.jpg", reading["width"], reading["height"], "a", "", reading)
    record = RoundRecord(1, 1, {}, (photo,), (), None)
    game = GameRecord(1, "2026-01-02T03:04:05+00:00", "golden-games", 4, SIDES, (record,))
    return view_round(game, record).sides[0], photo


def faults(reading: dict[str, Any]) -> Iterator[str]:
    """Everything that is wrong with the tags of a reading with boxes of its indices, at any width."""
    side, photo = side_with(reading)
    for shown in names(side.table.groups, photo, side, CLOSE_WIDTHS):
        layout, scale = shown.layout, shown.layout.scale
        indices = [tuple(at / scale for at in box) for card in reading["cards"] for box in card["indices"]]
        for one in shown.tags:
            if any(_overlap(one.tag.box, box) for box in indices):
                yield f"at {layout.width}: {one.tag.text} covers an index"
            if not _is_inside(one.tag.box, layout, photo):
                yield f"at {layout.width}: {one.tag.text} reaches beyond the picture"
        for one, other in combinations(shown.tags, 2):
            if _overlap(one.tag.box, other.tag.box):
                yield f"at {layout.width}: {one.tag.text} covers {other.tag.text}"
        if layout.text < LEAST_TEXT:
            yield f"at {layout.width}: type of {layout.text} pixels"
        yield from _lost(side, shown.tags, layout.width)


def _lost(side: SideView, tags: tuple[Named, ...], width: int) -> Iterator[str]:
    shown = {one.tag.key for one in tags}
    for group in side.table.groups:
        if group.cards and group.id not in shown:
            yield f"at {width}: {side.name(group)} has no tag"
        for card in group.cards:
            if card.doubt and card.id not in shown:
                yield f"at {width}: the doubtful {card.face} has no tag"


def _is_inside(box: Box, layout: Layout, photo: PhotoRecord) -> bool:
    height = photo.height / layout.scale
    return box[0] >= 0 and box[1] >= 0 and box[2] <= layout.width + 0.01 and box[3] <= height + 0.01


def _overlap(one: Box, other: tuple[float, ...]) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]
