"""From one picture to everything on it: find, settle, name, pair, group, and say what is doubtful."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np

from scorer.faces import RANKS, SUITS
from vision.believing import Belief, log_odds, signs
from vision.decoding import ANY_HOUSE, decode
from vision.engines import load_belief, load_finder, load_namer, load_settler
from vision.finder import Finder, Found
from vision.geometry import floats
from vision.looking import look
from vision.namer import Names, OnnxNamer, face_scores
from vision.naming import name_finds
from vision.notices import notices
from vision.pairing import Corner, Member, outline, pair, without_repeats
from vision.settler import OnnxSettler
from vision.values import CornerReading, Frame, HouseRules, Pixels, Quad, Reading, SeenCard
from vision.weights import FOLDER

REAL = 0.6
"""A find counts as an index when it is believed so much or more."""
CALIBRATION = (-0.859, 0.383, 0.747, 0.1)
"""What ``sureness`` weighs: constant, log odds of the rank and of the belief, several indices; see the model card."""
SURE = 0.97
"""A card named with less than this confidence is doubted."""


def sureness(share: float, found: float, indices: int) -> float:
    """How often a card so named has the right rank, 0..1: a logistic fit to cards read on drawn tables kept for it.

    ``share`` is the likeliest rank's, ``found`` the belief in the card's surest index, ``indices`` how many were seen.
    """
    constant, by_share, by_found, by_several = CALIBRATION
    odds, believed = log_odds(floats([share, found])).tolist()
    score = constant + by_share * odds + by_found * believed + by_several * (indices > 1)
    return 1 / (1 + math.exp(-score))


class CardReader:
    """Reads pictures with one finder, settler and namer; safe to share between threads (one picture at a time).

    Reads in a thread of its own: what a look needs for a moment, some 40 MB, is held on to by the C library for every
    thread that it was taken in.
    """

    def __init__(self, finder: Finder, settler: OnnxSettler, namer: OnnxNamer, belief: Belief) -> None:
        self._finder, self._settler, self._namer, self._belief = finder, settler, namer, belief
        self._thread = ThreadPoolExecutor(1, "reader")

    def read(self, frame: Frame, house: HouseRules = ANY_HOUSE) -> Reading:
        """Reads one picture, under the rules of the ``house``."""
        return self._thread.submit(self._read, frame, house).result()

    def _read(self, frame: Frame, house: HouseRules) -> Reading:
        start = time.perf_counter()
        corners, readings = self._corners(frame.pixels)
        cards = [_card(members, readings) for members in pair(corners)]
        cards.sort(key=lambda card: (card.quad[0][1], card.quad[0][0]))
        cards, groups = decode(cards, house)
        warnings = notices(frame.pixels, cards)
        seconds = time.perf_counter() - start
        return Reading(frame.width, frame.height, seconds, tuple(cards), groups, warnings)

    def _corners(self, pixels: Pixels) -> tuple[list[Corner], list[CornerReading]]:
        closer = self._settler.settle(pixels, look(self._finder, pixels).settled())
        named = name_finds(self._namer, pixels, closer.found)
        found, names = named.found, named.names
        corners, readings = [], []
        beliefs = self._belief(signs(named, closer.real))
        for n, (i, believed) in enumerate(zip(named.places, beliefs.tolist(), strict=True)):
            if believed >= REAL:
                corners.append(_corner(found, i, named.rights[n], believed, names, n))
                readings.append(_reading(found, i, believed, names, n))
        kept = without_repeats(corners)
        return [corners[k] for k in kept], [readings[k] for k in kept]


def _corner(found: Found, i: int, right: bool, believed: float, names: Names, n: int) -> Corner:
    box = found.boxes[i]
    middle = floats((box[:2] + box[2:]) / 2)
    return Corner(found.quads[i], right, middle, believed, names.ranks[n], names.suits[n])


def _reading(found: Found, i: int, believed: float, names: Names, n: int) -> CornerReading:
    x0, y0, x1, y1 = (float(value) for value in found.boxes[i])
    return CornerReading(
        scores=face_scores(names.ranks[n], names.suits[n]),
        box=(x0, y0, x1, y1),
        quad=as_quad(found.quads[i]),
        found=believed,
    )


def as_quad(points: Sequence[Sequence[float]] | np.ndarray[tuple[int, ...], np.dtype[np.float32]]) -> Quad:
    """Four points as plain numbers."""
    a, b, c, d = ((float(x), float(y)) for x, y in points)
    return a, b, c, d


def _card(members: Sequence[Member], readings: Sequence[CornerReading]) -> SeenCard:
    """One card from its corners: their probabilities multiplied, as two looks at one thing."""
    ranks = np.ones(len(RANKS) + 1)
    suits = np.ones(len(SUITS))
    for member in members:
        ranks *= member.corner.ranks + 1e-4
        suits *= member.corner.suits + 1e-3
    scores = face_scores((ranks / ranks.sum()).astype(np.float32), (suits / suits.sum()).astype(np.float32))
    face = scores[0][0]
    found = max(readings[member.place].found for member in members)
    confidence = sureness(float(ranks.max() / ranks.sum()), found, len(members))
    others = tuple((other, score) for other, score in scores[1:6] if score > 0.0005)
    return SeenCard(
        face=face,
        confidence=float(confidence),
        others=others,
        quad=as_quad(outline(members)),
        doubt=None if confidence >= SURE else "low-confidence",
        corners=tuple(readings[member.place] for member in members),
    )


def load_reader(engine: str = "onnx", weights: Path = FOLDER, exported: Path | None = None) -> CardReader:
    """The reader with the shipped weights, or with another ``weights`` folder of the same make.

    ``engine`` is ``onnx``, or ``ultralytics`` to run the finder through that library where it is installed, then also
    on another format of it, given as ``exported``.

    Raises:
        WeightsError: weights are missing or not the shipped ones, or the engine is unknown or not installed.
    """
    finder = load_finder(engine, weights, exported)
    return CardReader(finder, load_settler(weights), load_namer(weights), load_belief(weights))
