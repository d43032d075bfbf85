"""From one picture to everything on it: find, settle, name, pair, group, and say what is doubtful."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np

from scorer.faces import RANKS
from vision.cards.conflicts import without_clashes
from vision.cards.dedupe import Corner, without_repeats
from vision.cards.missed import doubt_beside
from vision.cards.pairing import Member, outlines, pair
from vision.checks.face_down import ACROSS, outlined
from vision.checks.photo_checks import notices
from vision.crops.pyramid import pyramid
from vision.detect.detector import Finder
from vision.detect.multi_scale import look
from vision.engines.load import load_networks
from vision.engines.weights import FOLDER
from vision.geometry import Floats, floats
from vision.groups.rule_prior import ANY_HOUSE, decode
from vision.recognise.classify import Named
from vision.recognise.index_classifier import OnnxNamer, face_scores
from vision.recognise.outline_refiner import OnnxSettler
from vision.recognise.pipeline import read_closely
from vision.rescore.corner_side import OnnxPlacer
from vision.rescore.crop_verifier import OnnxVerifier
from vision.rescore.features import quads_of
from vision.rescore.relation_model import Judge, Judged
from vision.values import CornerReading, Frame, HouseRules, Pixels, Quad, Reading, SeenCard

REAL, REAL_JOKER = 0.6, 0.4
"""A find counts as an index when it is believed so much or more. Jokers, of which every maker has its own, are believed
too little, and hardly anything is taken for one."""
HARDLY = 0.1
"""Finds believed so much, and too little to count, say that a card may be overlooked."""
SURE = 0.995
"""A card named with less than this confidence is doubted."""
LEAST_RANK, LEAST_SUIT = 1e-4, 1e-3
"""Is added to the probabilities of a card's corners before they are multiplied: none of them rules anything out."""
JOKER = len(RANKS)
"""The joker's place among the ranks of Names."""
WARMING = (864, 1152, 3)
"""About what the finder is shown of a table with many cards."""
Sureness = Callable[[float, float, int], float]
"""How often a card is named right of which there is such ``evidence``."""


class CardReader:
    """Reads pictures with one set of networks; safe to share between threads (one picture at a time).

    Reads in a thread of its own: what the finder needs for a moment, some 40 MB, is held on to by the C library for
    every thread that it was taken in.
    """

    def __init__(
        self,
        finder: Finder,
        settler: OnnxSettler,
        namer: OnnxNamer,
        judge: Judge,
        verifier: OnnxVerifier,
        placer: OnnxPlacer,
    ) -> None:
        self._finder, self._settler, self._namer = finder, settler, namer
        self._judge, self._verifier, self._placer = judge, verifier, placer
        self._thread, self._beside = ThreadPoolExecutor(1, "reader"), ThreadPoolExecutor(1, "outlines")

    def read(self, frame: Frame, house: HouseRules = ANY_HOUSE) -> Reading:
        """Reads one picture, under the rules of the ``house``."""
        return self._thread.submit(self._read, frame, house).result()

    def warm(self) -> None:
        """Has the finder look at an empty picture: what it does only the first time is done then."""
        self._thread.submit(self._finder.find, np.zeros(WARMING, np.uint8), 1.0).result()

    def _read(self, frame: Frame, house: HouseRules) -> Reading:
        start = time.perf_counter()
        named, judged = self._seen(frame.pixels)
        # a second core has nothing to do from here on
        outlines = self._beside.submit(outlined, frame.pixels, _wide(named))
        cards, weak = cards_of(named, judged, self._judge.sureness)
        cards, groups = decode(cards, house)
        cards = doubt_beside(cards, weak)
        warnings = notices(frame.pixels, cards, seen=outlines.result())
        seconds = time.perf_counter() - start
        return Reading(frame.width, frame.height, seconds, tuple(cards), groups, warnings)

    def _seen(self, pixels: Pixels) -> tuple[Named, Judged]:
        """All finds in the picture, and what is believed of them."""
        found = look(self._finder, pixels).settled()
        levels = pyramid(pixels)
        named = read_closely(self._settler, self._namer, levels, found)
        judged = self._verifier.verify(levels, named, self._judge.judge(named))
        return self._placer.place(levels, named, judged), judged


def _wide(named: Named) -> float:
    """How wide cards are, in pixels: the median of the finds that the settler holds for real, or else of all."""
    widths = quads_of(named)[1]
    real = widths[named.real > 0.5]
    return float(np.median(real if len(real) else widths)) if len(widths) else ACROSS


def indices_of(named: Named, judged: Judged, least: float = REAL) -> tuple[list[Corner], list[CornerReading]]:
    """The finds believed ``least`` or more, each printed index once, as pairing needs them and as they are told."""
    kept = without_repeats(judged.kept, judged.same, least)
    ranks, suits = judged.ranks[kept], named.names.suits[kept]
    middles, boxes = named.found.middles(), named.found.boxes.tolist()
    corners, readings = [], []
    for n, rank, suit, scores in zip(kept, ranks, suits, face_scores(ranks, suits), strict=True):
        i, belief, right = named.places[n], float(judged.kept[n]), named.rights[n]
        quad, placed = named.found.quads[i], float(named.leans[n]) * (1 if right else -1)
        corners.append(Corner(quad, right, middles[i], belief, rank, suit, placed))
        x0, y0, x1, y1 = boxes[i]
        readings.append(CornerReading(scores, (x0, y0, x1, y1), as_quad(quad), belief))
    return corners, readings


def counts(corner: Corner) -> bool:
    """Whether an index is believed enough to count."""
    return corner.found >= (REAL_JOKER if corner.ranks.argmax() == JOKER else REAL)


def cards_of(named: Named, judged: Judged, sureness: Sureness) -> tuple[list[SeenCard], list[Floats]]:
    """The cards on which the finds stand, from the top of the picture down; and outlines (4, 2) that may be others':
    those of finds that are hardly believed, and of cards that cannot be there beside a surer one."""
    corners, readings = indices_of(named, judged, HARDLY)
    sure = [n for n, corner in enumerate(corners) if counts(corner)]
    weak = [corner.quad for corner in corners if not counts(corner)]
    paired = pair([corners[n] for n in sure])
    cards, clashing = without_clashes(cards_as_paired(paired, [readings[n] for n in sure], sureness))
    return sorted(cards, key=lambda card: (card.quad[0][1], card.quad[0][0])), weak + clashing


def as_quad(points: Sequence[Sequence[float]] | np.ndarray[tuple[int, ...], np.dtype[np.float32]]) -> Quad:
    """Four points as plain numbers."""
    a, b, c, d = ((x, y) for x, y in np.asarray(points, float).tolist())
    return a, b, c, d


def _names(paired: Sequence[Sequence[Member]]) -> tuple[Floats, Floats]:
    """Rank (n, 14) and suit (n, 4) probabilities of n cards: those of their corners multiplied, as looks at one
    thing."""
    corners = [member.corner for members in paired for member in members]
    first = np.cumsum([0, *map(len, paired)])[:-1]
    ranks = np.multiply.reduceat(np.stack([corner.ranks for corner in corners]) + LEAST_RANK, first)
    suits = np.multiply.reduceat(np.stack([corner.suits for corner in corners]) + LEAST_SUIT, first)
    return floats(ranks / ranks.sum(1, keepdims=True)), floats(suits / suits.sum(1, keepdims=True))


def _evidence(ranks: Floats, paired: Sequence[Sequence[Member]]) -> list[tuple[float, float, int]]:
    beliefs = [max(member.corner.found for member in members) for members in paired]
    return list(zip(ranks.max(1).tolist(), beliefs, map(len, paired), strict=True))


def evidence(paired: Sequence[Sequence[Member]]) -> list[tuple[float, float, int]]:
    """What makes each card sure: its likeliest rank's probability, the belief in its surest index, how many were
    seen."""
    return _evidence(_names(paired)[0], paired) if paired else []


def cards_as_paired(
    paired: Sequence[Sequence[Member]], readings: Sequence[CornerReading], sureness: Sureness
) -> list[SeenCard]:
    """The cards from their corners, whose places are those of their ``readings``; ``sureness`` is
    ``Judge.sureness``."""
    if not paired:
        return []
    names = _names(paired)
    cards = []
    given = zip(paired, outlines(paired), _evidence(names[0], paired), face_scores(*names), strict=True)
    for members, quad, known, scores in given:
        confidence = sureness(*known)
        cards.append(
            SeenCard(
                face=scores[0][0],
                confidence=confidence,
                others=tuple((other, score) for other, score in scores[1:6] if score > 0.0005),
                quad=as_quad(quad),
                doubt=None if confidence >= SURE else "low-confidence",
                corners=tuple(readings[member.place] for member in members),
            )
        )
    return cards


def load_reader(engine: str = "onnx", weights: Path = FOLDER, exported: Path | None = None) -> CardReader:
    """The reader with the shipped weights, or with another ``weights`` folder of the same make.

    ``engine`` is ``onnx``, or ``ultralytics`` to run the finder through that library where it is installed, then also
    on another format of it, given as ``exported``.

    Raises:
        WeightsError: weights are missing or not the shipped ones, or the engine is unknown or not installed.
    """
    return CardReader(*load_networks(engine, None, weights, exported))
