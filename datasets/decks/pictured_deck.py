"""A deck from rectified pictures of its faces, such as a household's own: ``FACE-N.webp``, variant N of FACE from 1."""

from __future__ import annotations

import re
import zlib
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np

from datasets.arrays import Cutout, Floats, Picture, floats
from datasets.decks.backs import patterned_back
from datasets.decks.deck_art import CARD_WIDTH, DeckArt, Marks, rounded_alpha
from datasets.decks.index_places import find_index_places
from datasets.decks.play import STANDARD_PLAY, Play
from scorer.faces import Face, FaceError

PICTURED_WIDTH = 480
"""Width of the pictures that ``write_pictures`` writes."""
TRIMMED = 0.0125
"""What is painted over at each edge, as a share of the width, so that no table shows."""
RADIUS = 0.055
"""Radius of the corners, as a share of the width."""
WHITE = (232.0, 236.0, 238.0)
"""White of the paper, BGR."""
MIN_PAPER, PALE, BRIGHT, LIGHT = 0.08, 0.3, 0.7, 0.5
"""Paper is what is BRIGHT against the brightest of a deck's common picture and coloured no more than PALE. A deck with
less than MIN_PAPER of it, or whose cards are for the most part less than LIGHT against their brightest, is one on dark
paper."""
DARKEST, BRIGHTEST, STRETCHED = 20.0, 235.0, (5, 99)
"""What the values at the percentiles STRETCHED become where the contrast is stretched."""
_NAME = re.compile(r"([A-Z0-9]+)-([1-9][0-9]*)\.(?:webp|png|jpg)", re.IGNORECASE)
_FIT_WIDTH = 48


class PicturedDeckError(ValueError):
    """A folder holds no deck; the message says what was expected and what came."""


def read_pictures(folder: Path) -> dict[Face, tuple[Picture, ...]]:
    """Reads the pictures of a folder, (height, width, 3) BGR, the variants of a face in order.

    Raises:
        PicturedDeckError: there is none, a file cannot be read, or its name is no face and variant.
    """
    found: dict[Face, list[tuple[int, Picture]]] = defaultdict(list)
    for path in sorted(folder.glob("*.*")):
        if path.suffix.lower() not in (".webp", ".png", ".jpg"):
            continue
        name = _NAME.fullmatch(path.name)
        try:
            face = Face.parse(name[1]) if name else None
        except FaceError:
            face = None
        if name is None or face is None:
            raise PicturedDeckError(f"expected pictures named like 8H-1.webp in {folder}, got {path.name}")
        picture = cv2.imread(str(path), cv2.IMREAD_COLOR)
        if picture is None:
            raise PicturedDeckError(f"expected a picture in {path}, it cannot be read")
        found[face].append((int(name[2]), np.asarray(picture, np.uint8)))
    if not found:
        raise PicturedDeckError(f"expected pictures named like 8H-1.webp in {folder}, got none")
    return {
        face: tuple(one for _, one in sorted(pictures, key=lambda pair: pair[0])) for face, pictures in found.items()
    }


def write_pictures(folder: Path, pictures: Mapping[Face, Sequence[Picture]]) -> None:
    """Writes pictures (height, width, 3) BGR as ``read_pictures`` reads them."""
    folder.mkdir(parents=True, exist_ok=True)
    for face, variants in pictures.items():
        for number, picture in enumerate(variants, 1):
            height = round(PICTURED_WIDTH * picture.shape[0] / picture.shape[1])
            sized = cv2.resize(picture, (PICTURED_WIDTH, height), interpolation=cv2.INTER_CUBIC)
            cv2.imwrite(str(folder / f"{face}-{number}.webp"), sized, [cv2.IMWRITE_WEBP_QUALITY, 95])


def deck_of_pictures(pictures: Mapping[Face, Sequence[Picture]], play: Play = STANDARD_PLAY, *, name: str) -> DeckArt:
    """Makes a deck of pictures (height, width, 3) BGR: their edges are painted over, their light is evened and
    whitened, and where the indices stand is found.

    Args:
        pictures: of each face; a face may be missing.
        play: which of its faces lie together (``datasets.decks.play.play_of``).
        name: its name, which its back follows from.
    """
    shapes = [one.shape for variants in pictures.values() for one in variants]
    height = round(CARD_WIDTH * float(np.median([tall / wide for tall, wide, *_ in shapes])))
    order = [(face, one) for face, variants in pictures.items() for one in variants]
    evened = even_light([_trimmed(one, height) for _, one in order])
    alpha = rounded_alpha(height, CARD_WIDTH, RADIUS * CARD_WIDTH)
    faces: dict[Face, tuple[Cutout, ...]] = {}
    for (face, _), picture in zip(order, evened, strict=True):
        faces[face] = (*faces.get(face, ()), np.dstack([picture, alpha]))
    places = find_index_places(faces)
    rng = np.random.default_rng(zlib.crc32(name.encode()))
    return DeckArt(
        name=name,
        faces=faces,
        back=np.dstack([patterned_back(rng, height), alpha]),
        rank_box=places.rank_box,
        four_corners=places.four_corners,
        one_ended=places.one_ended,
        four_corner_jokers=places.four_corner_jokers,
        play=play,
        marks=places.marks,
    )


def with_faces_of(deck: DeckArt, other: DeckArt) -> DeckArt:
    """The ``deck`` with the faces of another in place of its own, in its own proportion: a household's jokers in any
    deck."""
    size = (CARD_WIDTH, deck.height)
    alpha = deck.back[:, :, 3]
    faces, marks = dict(deck.faces), dict(deck.marks)
    for face, pictures in other.faces.items():
        sized = [cv2.resize(one, size, interpolation=cv2.INTER_AREA) for one in pictures]
        faces[face] = tuple(np.dstack([one[:, :, :3], alpha]) for one in sized)
        boxes: list[Marks] = [
            (other.index_box(face, one, turned=False), other.index_box(face, one, turned=True)) for one in pictures
        ]
        marks[face] = tuple(boxes)
    four = other.four_corner_jokers
    return replace(deck, faces=faces, marks=marks, four_corner_jokers=four, _level_cache={}, _joker_box_cache={})


def with_contrast(deck: DeckArt) -> DeckArt:
    """The deck with a second variant of each picture, whose contrast is stretched: of cards on dark paper the light of
    their photographs is not known, and the print on dim ones is hardly seen on a table that is drawn dimmer still."""
    faces = {face: (*pictures, *map(_stretched, pictures)) for face, pictures in deck.faces.items()}
    marks = {face: boxes * 2 for face, boxes in deck.marks.items()}
    return replace(deck, faces=faces, marks=marks, _level_cache={}, _joker_box_cache={})


def _stretched(picture: Cutout) -> Cutout:
    colours, alpha = picture[:, :, :3], picture[:, :, 3]
    values = cv2.medianBlur(np.ascontiguousarray(colours), 5).max(2)  # without the noise of a dim photograph
    low, high = np.percentile(values, STRETCHED)
    made = (colours - low) * ((BRIGHTEST - DARKEST) / max(high - low, 1)) + DARKEST
    return np.dstack([np.asarray(np.clip(made, 0, 255), np.uint8), alpha])


def _trimmed(picture: Picture, height: int) -> Picture:
    """The picture, CARD_WIDTH wide, with what lies along its edges, which may be table, replaced by what lies next to
    it: all else stays where it is."""
    rim = max(round(TRIMMED * CARD_WIDTH), 1)
    how = cv2.INTER_AREA if picture.shape[1] > CARD_WIDTH else cv2.INTER_CUBIC
    sized = cv2.resize(picture, (CARD_WIDTH, height), interpolation=how)
    inner = sized[rim:-rim, rim:-rim]
    return np.asarray(cv2.copyMakeBorder(inner, rim, rim, rim, rim, cv2.BORDER_REPLICATE), np.uint8)


def even_light(pictures: Sequence[Picture]) -> list[Picture]:
    """Takes the light of their photographs out of the pictures of one deck, all of one size, (height, width, 3) BGR.

    What most of them have in common tells where their paper is. On it the light is fitted, which varies smoothly over a
    card, and taken out, so that the paper is the same white everywhere. The pictures of a deck on dark paper, which
    tells too little of the light, stay as they are.
    """
    height, width = pictures[0].shape[:2]
    size = (_FIT_WIDTH, round(_FIT_WIDTH * height / width))
    small = np.stack([cv2.resize(one, size, interpolation=cv2.INTER_AREA) for one in pictures]).astype(np.float32) + 1
    bright = np.percentile(small, 90, axis=(1, 2))[:, None, None, :]
    common = np.median(small / bright, axis=0)  # of one exposure and one white
    light, colour = common.max(2), np.ptp(common, axis=2) / common.max(2)
    paper = (light > BRIGHT * np.percentile(light, 98)) & (colour < PALE)
    shades = small.max(3).reshape(len(small), -1)
    usual = float(np.median(np.median(shades, axis=1) / np.percentile(shades, 98, axis=1)))
    if paper.mean() < MIN_PAPER or usual < LIGHT:
        return list(pictures)
    terms, all_terms = _terms(*size[::-1]), _terms(height, width)
    made = []
    for picture, one in zip(pictures, small, strict=True):
        fitted = _light(np.log(one / floats(WHITE))[paper], terms[paper])
        made.append(np.asarray(np.clip(picture / np.exp(all_terms @ fitted), 0, 255), np.uint8))
    return made


def _terms(height: int, width: int) -> Floats:
    """The terms of a surface of the second degree over a picture, (height, width, 6)."""
    y, x = np.mgrid[-1 : 1 : height * 1j, -1 : 1 : width * 1j]
    return floats(np.stack([np.ones_like(x), x, y, x * x, x * y, y * y], -1))


def _light(logs: Floats, terms: Floats) -> Floats:
    """Fits factors (6, 3) of the ``terms`` (n, 6) to the logarithms of the light (n, 3) on the paper, without what is
    printed there: it is darker than the paper round it."""
    total = logs.mean(1)
    kept = total >= np.median(total)
    # a little of a ridge: where all that is seen lies in one corner, the slopes stay small
    ridge = 0.02 * len(logs) * np.diag([0.0] + [1.0] * (terms.shape[1] - 1))
    fitted = floats(np.zeros((terms.shape[1], 3)))
    for _ in range(4):
        fitted = floats(np.linalg.solve(terms[kept].T @ terms[kept] + ridge, terms[kept].T @ logs[kept]))
        apart = np.abs(logs - terms @ fitted).max(1)
        kept = apart < max(0.06, 1.5 * float(np.median(apart[kept])))
    return fitted
