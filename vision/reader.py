"""Reads one picture: runs all stages from the detector to groups, doubts and warnings. The README lists them."""

from __future__ import annotations

import hashlib
import logging
import time
from collections.abc import Collection, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from vision.arrays import floats
from vision.cards.build import build_cards
from vision.cards.conflicts import joined
from vision.cards.missed import hint_missed
from vision.checks.face_down import SEARCH_WIDTH, find_card_candidates
from vision.checks.photo_checks import file_warnings, photo_warnings
from vision.crops.batching import Workers, cores
from vision.crops.pyramid import pyramid
from vision.detect.detections import Detections, ScoredDetections
from vision.detect.detector import Detector
from vision.detect.multi_scale import detect
from vision.detect.trace import Trace
from vision.engines.learnt_head import load_learnt_roi_head
from vision.engines.load import (
    load_detector,
    load_relations,
    load_roi_networks,
    load_small_networks,
    load_trust,
    reads_learnt,
)
from vision.engines.weights import FOLDER, has_network, networks_hash
from vision.groups.rule_prior import apply_rule_prior
from vision.looks.looks import Looks
from vision.looks.trust import Trust
from vision.recognise.index_classifier import OnnxIndexClassifier
from vision.recognise.outline_refiner import OnnxOutlineRefiner
from vision.recognise.pipeline import RefinerAndClassifier, recognise
from vision.recognise.roi_head import OnnxRoiHead
from vision.rescore.corner_side import OnnxCornerSide
from vision.rescore.crop_verifier import OnnxCropVerifier
from vision.rescore.relation_model import RelationModel
from vision.rescore.relations import Relations
from vision.teach.match.likeness import Likeness
from vision.teach.match.taught_faces import TaughtFaces
from vision.values import DEFAULT_HOUSE_RULES, Frame, HouseRules, Pixels, Reading, SeenCard

WARM_UP_SHAPE = (864, 1152, 3)
"""About the size at which the detector sees a table with many cards."""
SURE_OF_NEGATIVE, ENOUGH_ON_NEGATIVE = 0.9, 3
"""A negative is believed if it has so many cards of such confidence: an empty table must not show any."""
_NO_DECKS = frozenset[str]()
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class _Given:
    """What a reader is told beside the picture, as by ``CardReader.read_traced``; ``likeness`` weighs its cards."""

    house_rules: HouseRules
    taught: TaughtFaces | None
    learnt: RoiReader | None = None
    also: Sequence[SeenCard] = ()
    looks: Looks | None = None
    likeness: Likeness | None = None


class CardReader:
    """Reads pictures with one set of networks; safe to share between threads, one picture at a time.

    All reading is done in one thread of its own: the detector needs some 40 MB for a moment, which the C library would
    keep for every thread that allocated them.
    """

    def __init__(
        self,
        detector: Detector,
        refiner: OnnxOutlineRefiner,
        classifier: OnnxIndexClassifier,
        relation_model: RelationModel,
        verifier: OnnxCropVerifier,
        corner_side: OnnxCornerSide,
        networks: str = "",
        trust: Trust | None = None,
    ) -> None:
        """``networks`` is a hash of those that make the embeddings, ``trust`` how far their looks are believed."""
        self._refiner, self._classifier, self._verifier, self._corner_side = refiner, classifier, verifier, corner_side
        self._start(detector, relation_model, networks, trust)

    def _start(self, detector: Detector, relation_model: RelationModel, networks: str, trust: Trust | None) -> None:
        self._detector, self._relation_model, self._networks, self._trust = detector, relation_model, networks, trust
        self._thread, self._second_thread = ThreadPoolExecutor(1, "reader"), ThreadPoolExecutor(1, "outlines")

    def read(
        self,
        frame: Frame,
        house_rules: HouseRules = DEFAULT_HOUSE_RULES,
        taught: TaughtFaces | None = None,
        looks: Looks | None = None,
    ) -> Reading:
        """Reads one picture under the given house rules, with the jokers and picture cards that were ``taught``, and
        with the ``looks`` of agreed rounds."""
        return self.read_traced(frame, house_rules, taught, looks=looks)[0]

    def read_traced(
        self,
        frame: Frame,
        house_rules: HouseRules = DEFAULT_HOUSE_RULES,
        taught: TaughtFaces | None = None,
        learnt: RoiReader | None = None,
        also: Sequence[SeenCard] = (),
        looks: Looks | None = None,
    ) -> tuple[Reading, Trace]:
        """Reads one picture and also returns what each stage produced.

        ``learnt`` has learned the faces that were ``taught``, and sees more of them in what the detector found.
        ``also`` are cards that were seen in another way; they count where no card is read. ``looks`` that other
        networks made count for nothing.
        """
        given = _Given(house_rules, taught, learnt, also, looks)
        return self._thread.submit(self._read_either, frame, given).result()

    def warm(self) -> None:
        """Runs the detector once on an empty picture, since its first run is slow."""
        self._thread.submit(self._detector.detect, np.zeros(WARM_UP_SHAPE, np.uint8), 1.0).result()

    def _read_either(self, frame: Frame, given: _Given) -> tuple[Reading, Trace]:
        """Reads a picture, and where nothing is found its negative, in which black cards look like any others."""
        found = self._read(frame, frame.pixels, given)
        if found[0].cards:
            return found
        negative = self._read(frame, np.bitwise_not(frame.pixels), replace(given, also=()))
        sure = sum(card.confidence >= SURE_OF_NEGATIVE for card in negative[0].cards)
        return negative if sure >= ENOUGH_ON_NEGATIVE else found

    def _read(self, frame: Frame, pixels: Pixels, given: _Given) -> tuple[Reading, Trace]:
        start, trace = time.perf_counter(), Trace(self._networks)
        house_rules, taught, learnt = given.house_rules, given.taught, given.learnt
        detections = self._detections(pixels, house_rules, trace)
        # on a second core, which has nothing to do from here on
        candidates = self._second_thread.submit(
            find_card_candidates, frame.pixels, detections.usual_width(SEARCH_WIDTH)
        )
        likeness, confidence = given.likeness, self._relation_model.card_confidence
        trace.paired, weak = build_cards(detections, confidence, pixels, every=likeness is not None)
        trace.built = trace.paired
        if self._trust and given.looks and given.looks.networks == self._networks:
            trace.built = self._trust.applied(trace.paired, detections, given.looks)
        if likeness:
            trace.built, unlike = likeness.applied(frame.pixels, trace.detected or detections, trace.built)
            weak = [*weak, *unlike]
        if taught:
            looked = [detections, trace.detected] if trace.detected else [detections]
            seen = learnt.cards_of(pixels, trace.detected, house_rules) if learnt and trace.detected else []
            trace.built = taught.applied(frame.pixels, looked, trace.built, seen)  # taught by pictures as they are
        trace.built = joined(trace.built, given.also)
        trace.ruled, groups = apply_rule_prior(trace.built, house_rules)
        trace.hinted, missed = hint_missed(trace.ruled, weak)
        hints = trace.detected.box_centres() if trace.detected else None
        warnings = photo_warnings(frame.pixels, trace.hinted, (), candidates.result(), missed, hints)
        warnings += file_warnings(frame)
        seconds = time.perf_counter() - start
        return Reading(frame.width, frame.height, seconds, tuple(trace.hinted), groups, warnings), trace

    def _detections(self, pixels: Pixels, house_rules: HouseRules, trace: Trace) -> ScoredDetections:
        """All detections of the picture, refined, classified and scored."""
        trace.detected = detect(self._detector, pixels).snapped_to_boxes()
        levels = pyramid(pixels)
        classified = recognise(RefinerAndClassifier(self._refiner, self._classifier), levels, trace.detected, trace)
        trace.related = self._relation_model.score(classified)
        trace.verified = self._verifier.verify(levels, trace.related)
        trace.sides_corrected = self._corner_side.correct_sides(levels, trace.verified)
        return trace.sides_corrected


class RoiReader(CardReader):
    """Reads with three networks in place of six: detector, RoI head and relations."""

    def __init__(
        self,
        detector: Detector,
        roi_head: OnnxRoiHead,
        relations: Relations,
        retries: Collection[str] = (),
        networks: str = "",
        trust: Trust | None = None,
    ) -> None:
        self._roi_head, self._retries = roi_head, retries
        self._start(detector, relations, networks, trust)

    def _detections(self, pixels: Pixels, house_rules: HouseRules, trace: Trace) -> ScoredDetections:
        trace.detected = detect(self._detector, pixels).snapped_to_boxes()
        trace.related = self._scored(pixels, trace.detected, house_rules, trace)
        return trace.related

    def _scored(
        self, pixels: Pixels, detected: Detections, house_rules: HouseRules, trace: Trace | None = None
    ) -> ScoredDetections:
        recogniser = self._roi_head.naming(house_rules.copies)
        return self._relation_model.score(recognise(recogniser, pyramid(pixels), detected, trace, self._retries))

    def warm(self) -> None:
        """Runs the detector, and the RoI head on an empty picture."""
        super().warm()
        card = floats([[[100.0, 100.0], [200.0, 100.0], [200.0, 240.0], [100.0, 240.0]]])
        one = Detections(floats([[100.0, 100.0, 118.0, 140.0]]), floats([1.0]), card)
        self._thread.submit(self.cards_of, np.zeros(WARM_UP_SHAPE, np.uint8), one, DEFAULT_HOUSE_RULES).result()

    def read_given(self, frame: Frame, given: _Given, negative: bool = False) -> tuple[Reading, Trace]:
        """Reads one picture, or its ``negative``, with all that is ``given``."""
        if negative:
            return self._thread.submit(self._read, frame, np.bitwise_not(frame.pixels), given).result()
        return self._thread.submit(self._read_either, frame, given).result()

    def cards_of(self, pixels: Pixels, detected: Detections, house_rules: HouseRules) -> list[SeenCard]:
        """The cards of a picture (height, width, 3) BGR in which a detector found these."""
        scored = self._scored(pixels, detected, house_rules)
        return build_cards(scored, self._relation_model.card_confidence, pixels)[0]


class HouseholdReader(CardReader):
    """Reads with the shipped networks, and with others that learned the household's decks.

    Where one of the decks in play has faces that the shipped networks do not know, or a hand that they read badly, the
    others read it all. Numbers and court cards of most standard decks are known well; there they only see more of the
    jokers. Decks on dark paper, of which the detector finds nothing, are read on the negative of the picture.

    What was learned may come from anybody. Where it fails on a picture that the shipped networks read, it is set aside,
    and all further pictures are read without it.

    Args:
        shipped: reads standard cards.
        learnt: has learned ``decks``.
        decks: ids of these decks.
        unlike: those of them that ``learnt`` reads by itself.
        dark: those that it learned on negatives.
    """

    def __init__(
        self,
        shipped: CardReader,
        learnt: RoiReader,
        decks: Collection[str],
        unlike: Collection[str] = (),
        dark: Collection[str] = (),
    ) -> None:
        self._shipped, self._learnt = shipped, learnt
        self._decks, self._unlike = frozenset(decks), frozenset(unlike)
        self._dark = self._unlike.intersection(dark)
        self._fails = False

    def read_traced(
        self,
        frame: Frame,
        house_rules: HouseRules = DEFAULT_HOUSE_RULES,
        taught: TaughtFaces | None = None,
        learnt: RoiReader | None = None,
        also: Sequence[SeenCard] = (),
        looks: Looks | None = None,
    ) -> tuple[Reading, Trace]:
        """Reads one picture and also returns what each stage produced."""
        given = _Given(house_rules, taught, learnt, also, looks)
        if not self._fails:
            try:
                return self._read_with_learnt(frame, given)
            except Exception as error:  # whatever numbers that anybody made lead to
                found = self._shipped.read_traced(frame, house_rules, taught, learnt, also, looks)
                decks = ", ".join(sorted(self._decks))
                _log.warning(
                    "what was learned of %s fails in reading and is set aside until the next start: %s", decks, error
                )
                self._fails = True
                return found
        return self._shipped.read_traced(frame, house_rules, taught, learnt, also, looks)

    def _read_with_learnt(self, frame: Frame, given: _Given) -> tuple[Reading, Trace]:
        house_rules, taught, also = given.house_rules, given.taught, given.also
        in_play = taught.decks if taught else _NO_DECKS
        light = in_play - self._dark
        # of what was learned the pictures tell nothing more: numbers on dark cards were taken for Villains by them
        by_pictures = taught if taught and taught.pictured - self._decks else None
        own = replace(given, taught=by_pictures, learnt=None, likeness=taught.likeness if taught else None)
        if in_play & self._dark:
            negative = self._learnt.read_given(frame, replace(own, also=(), looks=None), negative=True)
            if not light:
                return negative
            also = [*also, *negative[1].built]
        if light & self._unlike:
            return self._learnt.read_given(frame, replace(own, also=also))
        jokers = self._learnt if light & self._decks else given.learnt
        return self._shipped.read_traced(frame, house_rules, taught, jokers, also, given.looks)

    def warm(self) -> None:
        """Warms both up."""
        self._shipped.warm()
        self._learnt.warm()


@dataclass(frozen=True, slots=True)
class LearntNetworks:
    """What was learned of a household's ``decks``, by their ids: the file of the RoI head's last layers, ``names``.

    ``unlike`` are those of the decks that it reads by itself, ``dark`` those that it learned on negatives.
    """

    names: Path
    decks: frozenset[str]
    unlike: frozenset[str] = _NO_DECKS
    dark: frozenset[str] = _NO_DECKS


def load_reader(
    engine: str = "onnx",
    weights: Path = FOLDER,
    *,
    exported: Path | None = None,
    converted: Path | None = None,
    learnt: LearntNetworks | None = None,
) -> CardReader:
    """Loads the networks and makes a reader: of the six networks where the folder has them, else of the three.

    Args:
        engine: one of ``vision.engines.load.ENGINES``; all but ``onnx`` need a library.
        weights: the folder of the weights.
        exported: the detector in another format, for the engine ``ultralytics``.
        converted: the folder of the networks that were converted for NCNN.
        learnt: what was learned of a household's decks; not where the folder has no RoI head.

    Raises:
        WeightsError: weights are missing or not the shipped ones, what was learned does not fit, or the engine is
            unknown or not installed.
    """
    detector = load_detector(engine, weights, exported, converted)
    if has_network("outline_refiner", weights):
        networks = networks_hash(("outline_refiner", "index_classifier"), weights)
        shipped = CardReader(detector, *load_small_networks(engine, weights, converted), networks, load_trust(weights))
    else:
        networks = networks_hash(("roi_head",), weights)
        shipped = RoiReader(detector, *load_roi_networks(weights), networks=networks, trust=load_trust(weights))
    if learnt is None or not reads_learnt(weights):
        return shipped
    head = load_learnt_roi_head(learnt.names, Workers(cores()))
    networks = hashlib.sha256(learnt.names.read_bytes()).hexdigest()[:16]
    taught = RoiReader(detector, head, load_relations(weights), networks=networks)
    return HouseholdReader(shipped, taught, learnt.decks, learnt.unlike, learnt.dark)
