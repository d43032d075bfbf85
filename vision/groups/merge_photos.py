"""Several looks at one table made one reading: cards matched by place, their scores put together.

Pictures from a camera that moved a little, or photos of overlapping parts of a table, show the same cards in the same
arrangement. A homography that lays the cards of one picture on those of the other with the same faces says how they
fit; a single card of that face may lie anywhere, an arrangement of several does not come twice.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from scorer.faces import Face
from vision.arrays import Floats, floats
from vision.doubts import Doubt
from vision.geometry import overlap_share, width_of
from vision.groups.rule_prior import apply_rule_prior
from vision.values import ANY_HOUSE, HouseRules, Quad, Reading, SeenCard

Matrix = NDArray[np.float64]
NEAR = (0.45, 0.45, 0.35, 0.25)
"""Cards whose middles lie nearer than this share of a card's width may be the same card, round by round of fitting."""
ENOUGH = 3
"""So many cards with the same faces in the same places show that two pictures are of one table."""
SEEN_AGAIN = 0.6
"""Of fewer cards at least this share must be found again, where one picture shows the other's place."""
MOST_TRIES = 60


@dataclass(frozen=True, slots=True)
class Merged:
    """One reading made of several.

    ``reading`` is in pixels of the first; ``sources`` gives for each of its cards the (reading, card) places it was
    seen at; ``apart`` are the readings, by place, that fit to none of the others and are not in it.
    """

    reading: Reading
    sources: tuple[tuple[tuple[int, int], ...], ...]
    apart: tuple[int, ...]


@dataclass(frozen=True, slots=True, eq=False)
class _CardPositions:
    """Cards as matching needs them: outlines (n, 4, 2) and their middles (n, 2), widths (n,) and faces."""

    quads: Floats
    middles: Floats
    widths: Floats
    faces: tuple[Face, ...]

    @classmethod
    def of(cls, cards: Sequence[SeenCard]) -> _CardPositions:
        quads = floats([card.quad for card in cards]).reshape(-1, 4, 2)
        widths = floats([width_of(quad) for quad in quads])
        return cls(quads, quads.mean(1), widths, tuple(card.face for card in cards))

    def moved(self, onto: Matrix) -> _CardPositions:
        if not self.faces:
            return self
        quads = floats(cv2.perspectiveTransform(self.quads, onto))
        return _CardPositions(quads, quads.mean(1), floats([width_of(quad) for quad in quads]), self.faces)


def _matches(
    first: _CardPositions, second: _CardPositions, near: float = NEAR[-1], same_face: bool = False
) -> list[tuple[int, int]]:
    """Pairs of cards that lie in the same place, nearest first; each card in one pair at most."""
    if not len(first.faces) or not len(second.faces):
        return []
    apart = np.hypot(*(first.middles[:, None] - second.middles[None]).transpose(2, 0, 1))
    apart /= np.maximum(np.minimum(first.widths[:, None], second.widths[None]), 1.0)
    pairs: dict[int, int] = {}
    for place in np.argsort(apart, axis=None):
        i, j = (int(value) for value in np.unravel_index(place, apart.shape))
        if apart[i, j] > near:
            break
        alike = first.faces[i] == second.faces[j] or not same_face
        if (
            alike
            and i not in pairs
            and j not in pairs.values()
            and overlap_share(first.quads[i], second.quads[j]) > 0.5
        ):
            pairs[i] = j
    return list(pairs.items())


def _fit(first: _CardPositions, second: _CardPositions, pairs: Sequence[tuple[int, int]]) -> Matrix | None:
    """The homography that lays the second cards of ``pairs`` on the first, whichever way up each was read."""
    goal, start = [], []
    for i, j in pairs:
        turned = np.roll(second.quads[j], 2, axis=0)
        straight = np.hypot(*(first.quads[i] - second.quads[j]).T).sum()
        quad = second.quads[j] if straight <= np.hypot(*(first.quads[i] - turned).T).sum() else turned
        goal.append(first.quads[i])
        start.append(quad)
    found, _ = cv2.findHomography(np.concatenate(start), np.concatenate(goal), cv2.RANSAC, 0.2 * first.widths.mean())
    return None if found is None else np.asarray(found, np.float64)


def _guesses(first: _CardPositions, second: _CardPositions) -> list[Matrix]:
    """How the pictures might fit: not moved at all, or so that one card of the second lies on one of the first."""
    guesses = [np.eye(3)]
    same = [(i, j) for i, a in enumerate(first.faces) for j, b in enumerate(second.faces) if a == b]
    # faces that lie there only once say most
    counts = {face: first.faces.count(face) * second.faces.count(face) for face in second.faces}
    for i, j in sorted(same, key=lambda pair: counts[first.faces[pair[0]]])[:MOST_TRIES]:
        for quad in (second.quads[j], np.roll(second.quads[j], 2, axis=0)):
            found, _ = cv2.estimateAffinePartial2D(quad, first.quads[i])
            if found is not None:
                guesses.append(np.vstack([found, [0, 0, 1]]).astype(np.float64))
    return guesses


def register(first: Reading, second: Reading) -> Matrix | None:
    """The homography (3, 3) from the second picture's pixels to the first's, None where they show no common cards."""
    one, two = _CardPositions.of(first.cards), _CardPositions.of(second.cards)
    best, most = None, 0
    for guess in _guesses(one, two):
        onto = guess
        for near in NEAR:
            pairs = _matches(one, two.moved(onto), near, same_face=True)
            better = _fit(one, two.moved(onto), pairs) if pairs else None
            if better is None:
                break
            onto = better @ onto
        pairs = _matches(one, two.moved(onto), same_face=True)
        if len(pairs) > most:
            best, most = onto, len(pairs)
        if most >= max(ENOUGH, 0.9 * min(len(one.faces), len(two.faces))):
            break
    if best is None or most < 2:
        return None
    middles = two.moved(best).middles
    shown = (middles > 0).all(1) & (middles < (first.width, first.height)).all(1)
    return best if most >= ENOUGH or most >= SEEN_AGAIN * max(int(shown.sum()), 2) else None


def _together(looks: Sequence[SeenCard]) -> SeenCard:
    """One card of several looks at it, in the place where the surest saw it. Looks from one spot err alike, so that
    their scores are worth the root of their number of independent ones."""
    surest = max(looks, key=lambda card: card.confidence)
    scores: dict[Face, float] = {}
    faces = {face for card in looks for face, _ in ((card.face, 1.0), *card.others)}
    for face in faces:
        logs = [np.log(max(_share(card, face), 1e-4)) for card in looks]
        scores[face] = float(np.exp(sum(logs) / len(looks) ** 0.5))
    total = sum(scores.values())
    ranked = sorted(((face, score / total) for face, score in scores.items()), key=lambda item: -item[1])
    face = ranked[0][0]
    agreeing = [card for card in looks if card.face == face]
    confidence = max(card.confidence for card in agreeing) if len(agreeing) == len(looks) else ranked[0][1]
    doubts = [card.doubt for card in agreeing if card.doubt]
    doubt = None if len(doubts) < len(agreeing) and len(agreeing) == len(looks) else (doubts or [Doubt.LOOKS_DIFFER])[0]
    return replace(surest, face=face, confidence=confidence, others=tuple(ranked[1:6]), doubt=doubt)


def _share(card: SeenCard, face: Face) -> float:
    return card.confidence if card.face == face else dict(card.others).get(face, 0.0)


def _as_quad(points: Floats) -> Quad:
    a, b, c, d = ((float(x), float(y)) for x, y in points)
    return a, b, c, d


def merge(
    readings: Sequence[Reading],
    house: HouseRules = ANY_HOUSE,
    least: int = 1,
) -> Merged:
    """Makes one reading of several looks at one table, under the rules of the ``house``.

    A card counts once, however many pictures show it. With ``least`` over 1 a card must have been seen in so many of
    those that fit together, which keeps the readings of a fixed camera steady.

    Raises:
        ValueError: there is no reading.
    """
    if not readings:
        raise ValueError("expected at least one reading to merge, got none")
    places: list[list[tuple[int, int]]] = [[(0, j)] for j in range(len(readings[0].cards))]
    quads = [card.quad for card in readings[0].cards]
    whole, waiting = readings[0], list(range(1, len(readings)))
    fitted = True
    while waiting and fitted:  # a photo may fit only to one that came later
        fitted = False
        for k in list(waiting):
            onto = register(whole, readings[k])
            if onto is None:
                continue
            fitted = True
            waiting.remove(k)
            moved = _CardPositions.of(readings[k].cards).moved(onto)
            pairs = {j: i for i, j in _matches(_CardPositions.of(whole.cards), moved)}
            for j in range(len(readings[k].cards)):
                if j in pairs:
                    places[pairs[j]].append((k, j))
                else:
                    places.append([(k, j)])
                    quads.append(_as_quad(moved.quads[j]))
            seen_so_far = tuple(
                replace(_together([readings[a].cards[b] for a, b in seen]), quad=quad)
                for seen, quad in zip(places, quads, strict=True)
            )
            whole = replace(whole, cards=seen_so_far)
    least = min(least, len(readings) - len(waiting))
    kept = [i for i, seen in enumerate(places) if len(seen) >= least]
    cards, groups = apply_rule_prior([whole.cards[i] for i in kept], house)
    looked = [reading for k, reading in enumerate(readings) if k not in waiting]
    merged = replace(
        whole,
        seconds=sum(reading.seconds for reading in looked),
        cards=tuple(cards),
        groups=groups,
        warnings=tuple({notice.code: notice for reading in looked for notice in reading.warnings}.values()),
    )
    return Merged(merged, tuple(tuple(places[i]) for i in kept), tuple(waiting))
