"""From one picture to everything on it: find, settle, name, pair, group, and say what is doubtful."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np

from vision.cards.build import build_cards
from vision.cards.missed import hint_missed
from vision.checks.face_down import SEARCH_WIDTH, find_card_candidates
from vision.checks.photo_checks import photo_warnings
from vision.crops.pyramid import pyramid
from vision.detect.detector import Detector
from vision.detect.multi_scale import detect
from vision.engines.load import load_networks
from vision.engines.weights import FOLDER
from vision.groups.rule_prior import apply_rule_prior
from vision.recognise.classify import ClassifiedDetections
from vision.recognise.index_classifier import OnnxIndexClassifier
from vision.recognise.outline_refiner import OnnxOutlineRefiner
from vision.recognise.pipeline import recognise
from vision.rescore.corner_side import OnnxCornerSide
from vision.rescore.crop_verifier import OnnxCropVerifier
from vision.rescore.features import quads_of
from vision.rescore.relation_model import RelationModel, ScoredDetections
from vision.values import ANY_HOUSE, Frame, HouseRules, Pixels, Reading

WARMING = (864, 1152, 3)
"""About what the finder is shown of a table with many cards."""


class CardReader:
    """Reads pictures with one set of networks; safe to share between threads (one picture at a time).

    Reads in a thread of its own: what the finder needs for a moment, some 40 MB, is held on to by the C library for
    every thread that it was taken in.
    """

    def __init__(
        self,
        finder: Detector,
        settler: OnnxOutlineRefiner,
        namer: OnnxIndexClassifier,
        judge: RelationModel,
        verifier: OnnxCropVerifier,
        placer: OnnxCornerSide,
    ) -> None:
        self._finder, self._settler, self._namer = finder, settler, namer
        self._judge, self._verifier, self._placer = judge, verifier, placer
        self._thread, self._beside = ThreadPoolExecutor(1, "reader"), ThreadPoolExecutor(1, "outlines")

    def read(self, frame: Frame, house: HouseRules = ANY_HOUSE) -> Reading:
        """Reads one picture, under the rules of the ``house``."""
        return self._thread.submit(self._read, frame, house).result()

    def warm(self) -> None:
        """Has the finder look at an empty picture: what it does only the first time is done then."""
        self._thread.submit(self._finder.detect, np.zeros(WARMING, np.uint8), 1.0).result()

    def _read(self, frame: Frame, house: HouseRules) -> Reading:
        start = time.perf_counter()
        named, judged = self._seen(frame.pixels)
        # a second core has nothing to do from here on
        outlines = self._beside.submit(find_card_candidates, frame.pixels, _wide(named))
        cards, weak = build_cards(named, judged, self._judge.card_confidence)
        cards, groups = apply_rule_prior(cards, house)
        cards = hint_missed(cards, weak)
        warnings = photo_warnings(frame.pixels, cards, candidates=outlines.result())
        seconds = time.perf_counter() - start
        return Reading(frame.width, frame.height, seconds, tuple(cards), groups, warnings)

    def _seen(self, pixels: Pixels) -> tuple[ClassifiedDetections, ScoredDetections]:
        """All finds in the picture, and what is believed of them."""
        found = detect(self._finder, pixels).snapped_to_boxes()
        levels = pyramid(pixels)
        named = recognise(self._settler, self._namer, levels, found)
        judged = self._verifier.verify(levels, named, self._judge.score(named))
        return self._placer.correct_sides(levels, named, judged), judged


def _wide(named: ClassifiedDetections) -> float:
    """How wide cards are, in pixels: the median of the finds that the settler holds for real, or else of all."""
    widths = quads_of(named)[1]
    real = widths[named.real > 0.5]
    return float(np.median(real if len(real) else widths)) if len(widths) else SEARCH_WIDTH


def load_reader(engine: str = "onnx", weights: Path = FOLDER, exported: Path | None = None) -> CardReader:
    """The reader with the shipped weights, or with another ``weights`` folder of the same make.

    ``engine`` is ``onnx``, or ``ultralytics`` to run the finder through that library where it is installed, then also
    on another format of it, given as ``exported``.

    Raises:
        WeightsError: weights are missing or not the shipped ones, or the engine is unknown or not installed.
    """
    return CardReader(*load_networks(engine, None, weights, exported))
