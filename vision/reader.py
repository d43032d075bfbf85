"""From one picture to everything on it: find, settle, name, pair, group, and say what is doubtful."""

from __future__ import annotations

import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np

from vision.believing import signs
from vision.decoding import ANY_HOUSE, decode
from vision.engines import load_finder, load_namer, load_settler
from vision.finder import Finder, Found
from vision.geometry import Floats, floats
from vision.judging import Judges, load_judges
from vision.looking import look
from vision.namer import Names, OnnxNamer, face_scores
from vision.naming import Named, name_finds
from vision.notices import notices
from vision.pairing import Member, outline, pair
from vision.repeats import Corner, without_repeats
from vision.settler import OnnxSettler
from vision.values import CornerReading, Frame, HouseRules, Pixels, Quad, Reading, SeenCard
from vision.weights import FOLDER

REAL = 0.65
"""A find counts as an index when it is believed so much or more."""
SURE = 0.97
"""A card named with less than this confidence is doubted."""


class CardReader:
    """Reads pictures with one finder, settler and namer; safe to share between threads (one picture at a time).

    Reads in a thread of its own: what a look needs for a moment, some 40 MB, is held on to by the C library for every
    thread that it was taken in.
    """

    def __init__(self, finder: Finder, settler: OnnxSettler, namer: OnnxNamer, judges: Judges) -> None:
        self._finder, self._settler, self._namer, self._judges = finder, settler, namer, judges
        self._thread = ThreadPoolExecutor(1, "reader")

    def read(self, frame: Frame, house: HouseRules = ANY_HOUSE) -> Reading:
        """Reads one picture, under the rules of the ``house``."""
        return self._thread.submit(self._read, frame, house).result()

    def _read(self, frame: Frame, house: HouseRules) -> Reading:
        start = time.perf_counter()
        cards, groups = decode(self._cards(frame.pixels), house)
        warnings = notices(frame.pixels, cards)
        seconds = time.perf_counter() - start
        return Reading(frame.width, frame.height, seconds, tuple(cards), groups, warnings)

    def _cards(self, pixels: Pixels) -> list[SeenCard]:
        closer = self._settler.settle(pixels, look(self._finder, pixels).settled())
        return cards_of(name_finds(self._namer, pixels, closer.found), closer.real, self._judges)


def believed(
    named: Named, real: Floats, judges: Judges, least: float = REAL
) -> tuple[list[Corner], list[CornerReading]]:
    """The finds that are believed to be indices, ``least`` or more, as pairing needs them and as they are told."""
    corners, readings = [], []
    beliefs = judges.belief(signs(named, real)).tolist()
    for n, (i, belief) in enumerate(zip(named.places, beliefs, strict=True)):
        if belief >= least:
            corners.append(_corner(named.found, i, named.rights[n], belief, named.names, n))
            readings.append(_reading(named.found, i, belief, named.names, n))
    return corners, readings


def indices_of(named: Named, real: Floats, judges: Judges) -> tuple[list[Corner], list[CornerReading]]:
    """The believed finds, each printed index once; ``real`` is the settler's word on all finds."""
    corners, readings = believed(named, real, judges)
    kept = without_repeats(corners, judges.repeats)
    return [corners[k] for k in kept], [readings[k] for k in kept]


def cards_of(named: Named, real: Floats, judges: Judges) -> list[SeenCard]:
    """The cards on which the finds stand, from the top of the picture down."""
    corners, readings = indices_of(named, real, judges)
    cards = [card_of(members, readings, judges) for members in pair(corners)]
    return sorted(cards, key=lambda card: (card.quad[0][1], card.quad[0][0]))


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


def _names(members: Sequence[Member]) -> tuple[Floats, Floats]:
    """Rank (14,) and suit (4,) probabilities of a card: those of its corners multiplied, as looks at one thing."""
    ranks = np.prod([member.corner.ranks + 1e-4 for member in members], axis=0)
    suits = np.prod([member.corner.suits + 1e-3 for member in members], axis=0)
    return floats(ranks / ranks.sum()), floats(suits / suits.sum())


def evidence(members: Sequence[Member]) -> tuple[float, float, int]:
    """What makes a card sure: its likeliest rank's probability, the belief in its surest index, how many were seen."""
    return float(_names(members)[0].max()), max(member.corner.found for member in members), len(members)


def card_of(members: Sequence[Member], readings: Sequence[CornerReading], judges: Judges) -> SeenCard:
    """One card from its corners, whose places are those of their ``readings``."""
    scores = face_scores(*_names(members))
    confidence = judges.sureness(*evidence(members))
    return SeenCard(
        face=scores[0][0],
        confidence=confidence,
        others=tuple((other, score) for other, score in scores[1:6] if score > 0.0005),
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
    return CardReader(finder, load_settler(weights), load_namer(weights), load_judges(weights))
