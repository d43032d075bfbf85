"""Merges several readings of one table into one: cards are matched by position and their scores are combined.

Frames of a camera that moved a little, or photos of overlapping parts of a table, show the same cards in the same
arrangement. A homography that maps the cards of one picture onto cards of the same faces in the other registers the
two; a single card may match by chance, an arrangement of several does not.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from scorer.faces import Face
from vision.arrays import Floats, floats
from vision.doubts import Doubt, is_sure_of_face
from vision.geometry import overlap_share, quad_width
from vision.groups.rule_prior import apply_rule_prior
from vision.values import DEFAULT_HOUSE_RULES, HouseRules, Reading, SeenCard, as_quad

Homography = NDArray[np.float64]
MAX_DISTANCE = (0.45, 0.45, 0.35, 0.25)
"""Greatest distance of the centres of matching cards, in card widths, for each round of fitting."""
MIN_OVERLAP = 0.5
"""Least overlap of matching cards, as a share of the smaller one."""
ENOUGH_MATCHES = 3
"""Matches of equal faces that prove that two pictures show one table."""
MATCHED_SHARE = 0.6
"""With fewer matches, at least this share of the cards within the common area must match, and two at least."""
MAX_GUESSES = 60
"""Pairs of equal faces that are tried as a start."""


@dataclass(frozen=True, slots=True)
class Merged:
    """The result of merging readings.

    ``reading`` is in pixels of the first reading; ``sources`` gives for each of its cards the (reading, card) indices
    that it was seen at; ``apart`` the indices of readings that match no other and are left out.
    """

    reading: Reading
    sources: tuple[tuple[tuple[int, int], ...], ...]
    apart: tuple[int, ...]


@dataclass(frozen=True, slots=True, eq=False)
class _CardPositions:
    """The cards of a picture for matching: outlines (n, 4, 2), centres (n, 2), widths (n,) and faces."""

    quads: Floats
    centres: Floats
    widths: Floats
    faces: tuple[Face, ...]

    @classmethod
    def of(cls, cards: Sequence[SeenCard]) -> _CardPositions:
        quads = floats([card.quad for card in cards]).reshape(-1, 4, 2)
        widths = floats([quad_width(quad) for quad in quads])
        return cls(quads, quads.mean(1), widths, tuple(card.face for card in cards))

    def transformed(self, onto: Homography) -> _CardPositions:
        if not self.faces:
            return self
        quads = floats(cv2.perspectiveTransform(self.quads, onto))
        return _CardPositions(quads, quads.mean(1), floats([quad_width(quad) for quad in quads]), self.faces)


def merge(readings: Sequence[Reading], house_rules: HouseRules = DEFAULT_HOUSE_RULES, min_seen: int = 1) -> Merged:
    """Merges readings of one table; a card counts once, however many pictures show it.

    Args:
        readings: at least one; the first sets the coordinates.
        house_rules: the rules under which the merged cards are corrected and grouped.
        min_seen: readings that must show a card, out of those that match; above 1 it steadies a fixed camera.

    Raises:
        ValueError: there is no reading.
    """
    if not readings:
        raise ValueError("expected at least one reading to merge, got none")
    sources: list[list[tuple[int, int]]] = [[(0, j)] for j in range(len(readings[0].cards))]
    quads = [card.quad for card in readings[0].cards]
    whole, waiting = readings[0], list(range(1, len(readings)))
    progress = True
    while waiting and progress:  # a photo may match only one that was added later
        progress = False
        for k in list(waiting):
            onto = register(whole, readings[k])
            if onto is None:
                continue
            progress = True
            waiting.remove(k)
            positions = _CardPositions.of(readings[k].cards).transformed(onto)
            known = {j: i for i, j in _matches(_CardPositions.of(whole.cards), positions)}
            for j in range(len(readings[k].cards)):
                if j in known:
                    sources[known[j]].append((k, j))
                else:
                    sources.append([(k, j)])
                    quads.append(as_quad(positions.quads[j]))
            cards = tuple(
                replace(combined([readings[a].cards[b] for a, b in seen_at]), quad=quad)
                for seen_at, quad in zip(sources, quads, strict=True)
            )
            whole = replace(whole, cards=cards)
    min_seen = min(min_seen, len(readings) - len(waiting))
    kept = [i for i, seen_at in enumerate(sources) if len(seen_at) >= min_seen]
    corrected, groups = apply_rule_prior([whole.cards[i] for i in kept], house_rules)
    used = [reading for k, reading in enumerate(readings) if k not in waiting]
    merged = replace(
        whole,
        seconds=sum(reading.seconds for reading in used),
        cards=tuple(corrected),
        groups=groups,
        warnings=tuple({warning.code: warning for reading in used for warning in reading.warnings}.values()),
    )
    return Merged(merged, tuple(tuple(sources[i]) for i in kept), tuple(waiting))


def register(first: Reading, second: Reading) -> Homography | None:
    """The homography (3, 3) from pixels of the second picture to those of the first; None where they have no cards in
    common."""
    one, two = _CardPositions.of(first.cards), _CardPositions.of(second.cards)
    best, most = None, 0
    for guess in _guesses(one, two):
        onto = guess
        for max_distance in MAX_DISTANCE:
            pairs = _matches(one, two.transformed(onto), max_distance, same_face=True)
            correction = _fit(one, two.transformed(onto), pairs) if pairs else None
            if correction is None:
                break
            onto = correction @ onto
        pairs = _matches(one, two.transformed(onto), same_face=True)
        if len(pairs) > most:
            best, most = onto, len(pairs)
        all_cards = min(len(one.faces), len(two.faces))
        # a column of equal cards may match one card further, but then its first and last have no counterpart
        enough = most >= max(ENOUGH_MATCHES, 0.9 * all_cards)
        if best is not None and enough and len(_matches(one, two.transformed(best))) == all_cards:
            break
    if best is None or most < 2:
        return None
    centres = two.transformed(best).centres
    common = (centres > 0).all(1) & (centres < (first.width, first.height)).all(1)
    return best if most >= ENOUGH_MATCHES or most >= MATCHED_SHARE * max(int(common.sum()), 2) else None


def _matches(
    first: _CardPositions, second: _CardPositions, max_distance: float = MAX_DISTANCE[-1], same_face: bool = False
) -> list[tuple[int, int]]:
    """Pairs of cards in the same position, nearest first; each card is in one pair at most."""
    if not len(first.faces) or not len(second.faces):
        return []
    distance = np.hypot(*(first.centres[:, None] - second.centres[None]).transpose(2, 0, 1))
    distance /= np.maximum(np.minimum(first.widths[:, None], second.widths[None]), 1.0)
    pairs: dict[int, int] = {}
    for flat_index in np.argsort(distance, axis=None):
        i, j = (int(index) for index in np.unravel_index(flat_index, distance.shape))
        if distance[i, j] > max_distance:
            break
        if (
            (first.faces[i] == second.faces[j] or not same_face)
            and i not in pairs
            and j not in pairs.values()
            and overlap_share(first.quads[i], second.quads[j]) > MIN_OVERLAP
        ):
            pairs[i] = j
    return list(pairs.items())


def _fit(first: _CardPositions, second: _CardPositions, pairs: Sequence[tuple[int, int]]) -> Homography | None:
    """The homography that maps the second cards of ``pairs`` onto the first, whichever way up each was read."""
    target, source = [], []
    for i, j in pairs:
        turned = np.roll(second.quads[j], 2, axis=0)
        distance = np.hypot(*(first.quads[i] - second.quads[j]).T).sum()
        is_upright = distance <= np.hypot(*(first.quads[i] - turned).T).sum()
        target.append(first.quads[i])
        source.append(second.quads[j] if is_upright else turned)
    onto, _ = cv2.findHomography(np.concatenate(source), np.concatenate(target), cv2.RANSAC, 0.2 * first.widths.mean())
    return None if onto is None else np.asarray(onto, np.float64)


def _guesses(first: _CardPositions, second: _CardPositions) -> list[Homography]:
    """Starting values: the identity, and similarities that map a card of the second picture onto one of the first."""
    guesses = [np.eye(3)]
    same = [(i, j) for i, a in enumerate(first.faces) for j, b in enumerate(second.faces) if a == b]
    # faces that are rare in both pictures are the most reliable
    counts = {face: first.faces.count(face) * second.faces.count(face) for face in second.faces}
    for i, j in sorted(same, key=lambda pair: counts[first.faces[pair[0]]])[:MAX_GUESSES]:
        for quad in (second.quads[j], np.roll(second.quads[j], 2, axis=0)):
            similarity, _ = cv2.estimateAffinePartial2D(quad, first.quads[i])
            if similarity is not None:
                guesses.append(np.vstack([similarity, [0, 0, 1]]).astype(np.float64))
    return guesses


def combined(looks: Sequence[SeenCard]) -> SeenCard:
    """One card from several looks at it, with the outline of the most confident one.

    Looks of n pictures from one spot make the same errors, so their log scores are summed and divided by the root of n,
    as if there were root n independent ones. A look that is sure of its face is not outvoted by looks that are not.

    Returns:
        The card; where the looks differ it has the doubt ``LOOKS_DIFFER``, or ``SUIT_UNSURE`` if one of them is sure of
        the rank that all have, and the faces of the other looks come first among its others.
    """
    best = max(looks, key=lambda card: card.confidence)
    seen_as = {card.face for card in looks}
    scores: dict[Face, float] = {}
    for face in seen_as.union(*({face for face, _ in card.others} for card in looks)):
        logs = [np.log(max(_share(card, face), 1e-4)) for card in looks]
        scores[face] = float(np.exp(sum(logs) / len(looks) ** 0.5))
    total = sum(scores.values())
    ranked = sorted(((face, score / total) for face, score in scores.items()), key=lambda item: -item[1])
    sure = {card.face for card in looks if is_sure_of_face(card.doubt)}
    face, share = next(item for item in ranked if not sure or item[0] in sure)
    if len(seen_as) == 1:
        confidence, doubt = max(card.confidence for card in looks), _common_doubt([card.doubt for card in looks])
    elif sure and len({card.face.rank for card in looks}) == 1:
        confidence = max(card.confidence for card in looks)
        doubt = _common_doubt([card.doubt for card in looks]) or Doubt.SUIT_UNSURE
    else:
        confidence, doubt = share, Doubt.LOOKS_DIFFER
        if any(card.face == face and card.doubt == Doubt.UNKNOWN_FACE for card in looks):
            confidence, doubt = 0.0, Doubt.UNKNOWN_FACE  # a face that the decks do not have stays none
    others = sorted((item for item in ranked if item[0] != face), key=lambda item: item[0] not in seen_as)
    return replace(best, face=face, confidence=confidence, others=tuple(others[:5]), doubt=doubt)


def _common_doubt(doubts: Sequence[str | None]) -> str | None:
    """The doubt that remains where all looks agree on the face: one look without a doubt, or sure of the face, is
    enough."""
    if None in doubts:
        return None
    return next((doubt for doubt in doubts if is_sure_of_face(doubt)), doubts[0])


def _share(card: SeenCard, face: Face) -> float:
    """Probability of a face in one reading of a card."""
    return card.confidence if card.face == face else dict(card.others).get(face, 0.0)
