"""Where the indices of a pictured deck stand: found from what differs between its ranks at the corners and is alike
within a rank."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.arrays import Cutout, Floats, floats
from datasets.decks.deck_art import Marks, Rect, corner_mark
from scorer.faces import JOKER, Face

CORNER = (0.4, 0.42)
"""The part of a card, from its corner, in which an index is looked for, as shares of its width and height."""
DIFFERS = 0.08
"""How much more the ink of two ranks must differ than that of one rank's cards, 0..1."""
STROKE = 0.13
"""Width of what counts as a stroke at most, as a share of the card's width."""
LEAST_PRINT = 45.0
"""Smallest difference of the deepest print from its paper, 0..255."""
PRINTED = 0.12
"""Share of a corner that is printed where something stands in it."""
INKED = 0.35
"""Ink, 0..1, above which a pixel is printed."""
MIN_SIDE = 0.03
"""Smallest width and height of an index, as a share of the card's width."""
LOWEST = 0.15
"""Where a rank begins at the latest, as a share of the card's height: below it stand suits and pips."""
ALSO_DIFFERS = 0.4
"""How much ranks differ at another corner that has an index, against the first."""
SAME_PLACE = 0.35
"""Overlap (intersection over union) from which the indices at two corners stand at the same place."""
USUAL_BOX: Rect = (0.045, 0.035, 0.16, 0.14)
"""Where the rank stands on most decks; for decks of which too little is shown to find it."""
MIN_RANKS = 4
"""Fewest ranks of which what differs can be found."""


@dataclass(frozen=True)
class IndexPlaces:
    """Where the indices of a deck stand.

    Attributes:
        rank_box: of a rank of one sign, such as 8.
        marks: of each picture of each face.
        four_corners: the top right corners carry an index too.
        four_corner_jokers: those of the standard deck's jokers do.
        one_ended: there is none at the far end.
    """

    rank_box: Rect
    marks: Mapping[Face, tuple[Marks, ...]]
    four_corners: bool
    four_corner_jokers: bool
    one_ended: bool


def overlap(one: Rect | None, two: Rect | None) -> float:
    """Intersection over union of two boxes, 0..1; 1 of two that are not there."""
    if one is None or two is None:
        return float(one is two)
    wide = min(one[2], two[2]) - max(one[0], two[0])
    high = min(one[3], two[3]) - max(one[1], two[1])
    inside = max(wide, 0.0) * max(high, 0.0)
    areas = [(box[2] - box[0]) * (box[3] - box[1]) for box in (one, two)]
    return inside / max(sum(areas) - inside, 1e-9)


def find_index_places(faces: Mapping[Face, Sequence[Cutout]]) -> IndexPlaces:
    """Finds where the indices stand on the pictures (height, CARD_WIDTH, 4) BGRA of a deck's faces."""
    # single bright and dark pixels are no print
    faces = {
        face: [np.asarray(cv2.medianBlur(one, 3), np.uint8) for one in pictures] for face, pictures in faces.items()
    }
    if is_light_on_dark([one for pictures in faces.values() for one in pictures]):
        # what is printed is dark from here on
        faces = {face: [_negative(one) for one in pictures] for face, pictures in faces.items()}
    plain = {face: pictures for face, pictures in faces.items() if not _is_named(face)}
    near = _differing(plain)
    found = None if near is None else _region(near)
    one_ended = four = False
    if found and near is not None:
        least = ALSO_DIFFERS * _inside(near, found)
        far, right = (_differing(plain, look) for look in (_turned, _mirrored))
        one_ended = far is not None and _inside(far, found) < least
        four = right is not None and _inside(right, found) > least
    found = found or USUAL_BOX
    marks: dict[Face, tuple[Marks, ...]] = {
        face: tuple((_named_box(one, found), _named_box(_turned(one), found)) for one in pictures)
        for face, pictures in faces.items()
        if _is_named(face)
    }
    boxes: dict[str, list[Rect]] = defaultdict(list)
    for face, pictures in plain.items():
        boxes[face.rank] += [_rank_box(_ink(one), found, _signs(face) > 1) for one in pictures]
    for face, pictures in plain.items():
        # all cards of a rank have it at one place
        box = _middle(boxes[face.rank])
        marks[face] = ((box, None if one_ended else box),) * len(pictures)
    singles = [box for rank, of_rank in boxes.items() if len(rank) == 1 for box in of_rank]
    jokers = [(corner_mark(one), corner_mark(_mirrored(one))) for one in faces.get(JOKER, ())]
    same = [overlap(left, other) > SAME_PLACE for left, other in jokers if left is not None]
    middle = _middle(singles) if singles else found
    return IndexPlaces(middle, marks, four, bool(same) and sum(same) * 2 > len(same), one_ended)


def _middle(boxes: Sequence[Rect]) -> Rect:
    x0, y0, x1, y1 = np.median(np.asarray(boxes), axis=0).tolist()
    return x0, y0, x1, y1


def _is_named(face: Face) -> bool:
    """Whether what stands in a face's corner is no number or letter like all others: a joker, a lady."""
    return not face.suit and face.rank.isalpha() and len(face.rank) > 1


def _signs(face: Face) -> int:
    """How many signs are printed for a rank: of R3 the 3, of W20 the 20, of 10 both."""
    return len(face.rank.lstrip("RBW")) if face.rank[-1].isdigit() else len(face.rank)


def _named_box(picture: Cutout, region: Rect) -> Rect | None:
    """The sign or word in a corner; of a picture that fills it, the part where ranks stand; None if it is empty."""
    found = corner_mark(picture)
    if found is not None:
        return found
    ink = _ink(picture)
    x0, y0, x1, y1 = _pixels(ink.shape, region)
    return region if (ink[y0:y1, x0:x1] > INKED).mean() > PRINTED else None


def _turned(picture: Cutout) -> Cutout:
    return np.ascontiguousarray(picture[::-1, ::-1])


def _mirrored(picture: Cutout) -> Cutout:
    """The upper right corner where the upper left one was; what is printed there is then mirrored, too."""
    return np.ascontiguousarray(picture[:, ::-1])


def _ink(picture: Cutout) -> Floats:
    """How much darker each pixel (height, width) of the upper left corner is than what lies round it within a stroke's
    width, so that shadows do not count; 0..1, where 1 is the deepest print there: photographs are of any contrast."""
    height, width = picture.shape[:2]
    corner = picture[: round(CORNER[1] * height), : round(CORNER[0] * width)]
    across = round(STROKE * width)
    pen = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (across, across))
    darker = cv2.morphologyEx(corner[:, :, :3], cv2.MORPH_BLACKHAT, pen).max(2) * (corner[:, :, 3] > 200)
    deepest = float(np.percentile(darker[:, : round(0.22 * width)], 98))
    return np.asarray(np.clip(darker / max(deepest, LEAST_PRINT), 0, 1), np.float32)


def is_light_on_dark(pictures: Sequence[Cutout]) -> bool:
    """Whether the indices of most pictures are lighter than what they stand on."""
    lighter = 0
    for picture in pictures:
        height, width = picture.shape[:2]
        grey = cv2.cvtColor(picture[4 : round(0.3 * height), 4 : round(0.22 * width), :3], cv2.COLOR_BGR2GRAY)
        # the median of a wide neighbourhood keeps the edges of shadows, and nothing that is printed
        dark, light = np.percentile(grey.astype(np.float32) - cv2.medianBlur(grey, 51), (3, 97)).tolist()
        lighter += light > -dark
    return lighter * 2 > len(pictures)


def _negative(picture: Cutout) -> Cutout:
    return np.dstack([255 - picture[:, :, :3], picture[:, :, 3]])


def _differing(
    faces: Mapping[Face, Sequence[Cutout]], look: Callable[[Cutout], Cutout] = lambda picture: picture
) -> Floats | None:
    """How much more the ink of the corner (height, width) differs between ranks of one sign than within a rank, on the
    cards as ``look`` shows them; numbers alone if there are enough, whose middles are emptier. None of too few ranks.
    """
    by_rank: dict[str, list[Floats]] = defaultdict(list)
    for face, pictures in faces.items():
        if len(face.rank) == 1:
            by_rank[face.rank] += [_ink(look(picture)) for picture in pictures]
    numbers = {rank: inks for rank, inks in by_rank.items() if rank.isdigit()}
    chosen = numbers if len(numbers) >= MIN_RANKS else by_rank
    if len(chosen) < MIN_RANKS:
        return None
    means = np.stack([np.mean(inks, axis=0) for inks in chosen.values()])
    # the mean distance from the median: what a single picture has is of little weight
    between = np.abs(means - np.median(means, axis=0)).mean(0)
    within = np.mean([np.std(inks, axis=0) for inks in chosen.values()], axis=0)
    return np.asarray(cv2.blur(floats(between - 0.7 * within), (3, 3)), np.float32)


def _pixels(shape: tuple[int, ...], box: Rect) -> tuple[int, int, int, int]:
    """A box in shares of the card, in pixels of a corner of that ``shape``."""
    wide, high = shape[1] / CORNER[0], shape[0] / CORNER[1]
    return round(box[0] * wide), round(box[1] * high), round(box[2] * wide), round(box[3] * high)


def _shares(shape: tuple[int, ...], box: tuple[float, float, float, float]) -> Rect:
    wide, high = shape[1] / CORNER[0], shape[0] / CORNER[1]
    return float(box[0] / wide), float(box[1] / high), float(box[2] / wide), float(box[3] / high)


def _inside(values: Floats, box: Rect) -> float:
    x0, y0, x1, y1 = _pixels(values.shape, box)
    return float(values[y0:y1, x0:x1].mean())


def _region(differs: Floats) -> Rect | None:
    """Where the ranks differ, in shares of the card; None if there is no such place in the corner."""
    # a rank that runs into the frame beside it parts from that where only what differs more counts
    blobs = [blob for least in (DIFFERS, 2 * DIFFERS) for blob in _blobs(differs > least)]
    return _shares(differs.shape, min(blobs, key=lambda box: box[0] + box[1])) if blobs else None


def _blobs(differs: NDArray[np.bool_]) -> list[tuple[int, int, int, int]]:
    """The places (x0, y0, x1, y1), in pixels, that may be a rank's."""
    height, width = differs.shape
    # the two sides of a narrow rank are one place
    places = cv2.morphologyEx(differs.astype(np.uint8), cv2.MORPH_CLOSE, np.ones((3, 7), np.uint8))
    stats = cv2.connectedComponentsWithStats(places, connectivity=8)[2][1:]
    least = MIN_SIDE * width / CORNER[0]
    # what reaches the far edges of the corner is the picture in the card's middle; what reaches the others, or lies
    # flat, is an edge of the card
    return [
        (int(x), int(y), int(x + w), int(y + h))
        for x, y, w, h, _ in stats
        if min(x, y) > 1
        and y < LOWEST * height / CORNER[1]
        and w >= least
        and h >= max(least, 0.6 * w)
        and x + w < width
        and y + h < height
    ]


def _rank_box(ink: Floats, region: Rect, several: bool) -> Rect:
    """The rank of one card: the ink in the ``region`` where ranks stand, and beside it if it has ``several`` signs; the
    region itself if there is hardly any."""
    x0, y0, x1, y1 = _pixels(ink.shape, region)
    aside = round(0.05 * (y1 - y0)) + 1
    wide = round(0.9 * (x1 - x0)) if several else aside
    low, left = max(y0 - aside, 0), max(x0 - wide, 0)
    part = np.asarray(ink[low : y1 + aside, left : x1 + wide] > INKED, np.uint8)
    stats = cv2.connectedComponentsWithStats(part, connectivity=8)[2][1:]
    least = 0.5 * (y1 - y0)
    tall, across = part.shape
    # a sign is as high as the region; a pip beside it is not, and a frame or the card's picture leads out of it
    inner = [(x, y, w, h, area) for x, y, w, h, area in stats if x + w < across and y + h < tall]
    signs = [(x, y, x + w, y + h) for x, y, w, h, _ in inner if h >= least and x + w > 2]
    if not several:
        signs += [(x, y, x + w, y + h) for x, y, w, h, area in inner if h < least and area > 0.02 * part.size]
    box = floats(signs).reshape(-1, 4)
    if not signs or np.ptp(box[:, 1::2]) < 0.6 * (y1 - y0):
        return region
    (a, b), (c, d) = box[:, :2].min(0).tolist(), box[:, 2:].max(0).tolist()
    return _shares(ink.shape, (a + left, b + low, c + left, d + low))
