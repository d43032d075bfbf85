"""Which cards of a film are in plain sight when: where nothing lies over an index while all lies still."""

from __future__ import annotations

import cv2
import numpy as np

from datasets.arrays import Floats, floats
from datasets.decks.deck_art import DeckArt
from datasets.films.playing.changes import EASE, PASSING, Cover, Lying, Play
from datasets.films.playing.play import lying_at
from datasets.films.stage import camera_at
from datasets.scenes.camera import Matrix, card_outline
from datasets.scenes.layouts import SceneCard
from datasets.scenes.surroundings.clutter import Owner
from datasets.scenes.visibility import COVERED, READABLE, rank_outline, visible_part

STILL, GLIMPSE = 0.75, 0.1
"""Seconds without a hand, at least, in which a card is in plain sight, and may be glimpsed."""


def still_spans(play: Play, least: float = STILL) -> list[tuple[float, float]]:
    """The seconds, from and to, in which no hand makes a change and nothing is bumped, ``least`` apart or more."""
    busy = sorted(
        [(change.comes, change.out) for change in play.changes]
        + [(shift.second - 0.1, shift.second + 0.3) for shift in play.shifts]
        + [(play.ends, play.ends)]
    )
    spans, free = [], 0.0
    for begins, ends in busy:
        if begins - free >= least:
            spans.append((free, begins))
        free = max(free, ends)
    return spans


def first_seen(
    play: Play, camera: Matrix, size: tuple[int, int], deck: DeckArt
) -> tuple[dict[int, float], frozenset[int]]:
    """When each card that lies on the table face up was first in plain sight, and which may have been glimpsed.

    Returns:
        The second at which each card was first in plain sight, by its number; cards that never were are left out. And
        the cards of which an index showed in part, or only for a moment: a reader may know them or not.
    """
    seen: dict[int, float] = {}
    glimpsed: set[int] = set()
    for begins, ends in still_spans(play, GLIMPSE):
        lying = sorted(lying_at(play, begins).values(), key=lambda one: one.z)
        if all(one.card in seen or not one.up for one in lying):
            continue
        onto = camera_at(play, camera, begins)
        owner: Owner = np.full((size[1], size[0]), -1, np.int16)
        quads: dict[int, Floats] = {}
        for one in lying:
            quads[one.card] = _quad(one, deck, onto)
            cv2.fillConvexPoly(owner, np.round(quads[one.card]).astype(np.int32), one.card)
        bare = owner.copy()
        for cover in play.covers:
            if cover.begins - EASE < ends and cover.ends + EASE > begins:
                _cover(owner, cover, onto, begins, ends)
        for one in lying:
            if not one.up or one.card in seen:
                continue
            if ends - begins >= STILL and _share(owner, one.card, quads[one.card], deck) >= READABLE:
                seen[one.card] = begins
            elif _share(bare, one.card, quads[one.card], deck) >= COVERED:
                glimpsed.add(one.card)
    return seen, frozenset(glimpsed)


def _quad(lying: Lying, deck: DeckArt, onto: Matrix) -> Floats:
    card = SceneCard(deck, None, deck.back, lying.x, lying.y, lying.turn, 0, "meld")
    return card_outline(card, onto)[0]


def _share(owner: Owner, card: int, quad: Floats, deck: DeckArt) -> float:
    """How much shows of the rank of a card, at the end where more does."""
    ends = (quad, np.roll(quad, 2, axis=0))
    return max(visible_part(owner, card, rank_outline(deck.rank_box, one, False))[0] for one in ends)


def _cover(owner: Owner, cover: Cover, onto: Matrix, begins: float, ends: float) -> None:
    """Marks what a cover hides, roughly, unless it is gone for ``STILL`` seconds of a span."""
    if cover.begins - EASE - begins >= STILL or ends - cover.ends - EASE >= STILL:
        return
    middle = _pixel(onto, cover.x, cover.y)
    size = float(np.hypot(*(_pixel(onto, cover.x + cover.size, cover.y) - middle)))
    if cover.kind not in PASSING:
        wide = {"cup": 1.0, "phone": 0.5, "paper": 1.4}[cover.kind]
        box = cv2.boxPoints(((float(middle[0]), float(middle[1])), (size * wide, size), float(np.degrees(cover.turn))))
        cv2.fillConvexPoly(owner, np.round(box).astype(np.int32), -1)
        return
    along = floats([np.cos(cover.turn), np.sin(cover.turn)])
    far = middle + along * 3 * max(owner.shape)
    wide = 1.0 if cover.kind == "arm" else 2.9
    start = middle - along * size * (0.35 if cover.kind == "arm" else 0.6)
    cv2.line(owner, _point(start), _point(far), -1, max(round(wide * size), 1))


def _pixel(onto: Matrix, x: float, y: float) -> Floats:
    return floats(cv2.perspectiveTransform(np.asarray([[[x, y]]], np.float64), onto)[0, 0])


def _point(point: Floats) -> tuple[int, int]:
    return round(float(point[0])), round(float(point[1]))
