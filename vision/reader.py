"""Reads one picture: runs all stages from the detector to groups, doubts and warnings. The README lists them."""

from __future__ import annotations

import logging
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from vision.arrays import Floats, floats
from vision.cards.build import build_cards
from vision.cards.missed import hint_missed
from vision.checks.face_down import SEARCH_WIDTH, find_card_candidates
from vision.checks.photo_checks import file_warnings, photo_warnings
from vision.crops.batching import Workers, cores
from vision.crops.pyramid import pyramid
from vision.detect.detections import ClassifiedDetections, Detections, RefinedDetections
from vision.detect.detector import Detector
from vision.detect.multi_scale import detect
from vision.detect.trace import Trace
from vision.engines.load import load_detector, load_relations, load_roi_head, load_standard_head, load_trust
from vision.engines.weights import FOLDER, networks_hash
from vision.groups.rule_prior import apply_rule_prior
from vision.looks.looks import Looks
from vision.looks.trust import Trust
from vision.recognise.deck_head import DeckHead
from vision.recognise.roi_head import OnnxRoiHead
from vision.rescore.relations import Relations
from vision.teach.match.taught_faces import TaughtFaces
from vision.values import DEFAULT_HOUSE_RULES, Frame, HouseRules, Pixels, Reading, SeenCard

WARM_UP_SHAPE = (864, 1152, 3)
"""About the size at which the detector sees a table with many cards."""
_NO_DECKS = frozenset[str]()
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class LearntDecks:
    """What was learned of a household's ``decks``, by their ids: the deck head that names their cards, and ``unlike``,
    those of the decks of which it names all cards; of others it only sees more of the jokers."""

    head: DeckHead
    decks: frozenset[str]
    unlike: frozenset[str] = _NO_DECKS


class CardReader:
    """Reads pictures with detector, RoI head and relations; safe to share between threads, one picture at a time.

    All reading is done in one thread of its own: the detector needs some 40 MB for a moment, which the C library would
    keep for every thread that allocated them.

    What was learned of a household's decks may come from anybody. Where it fails it is set aside, and all further
    pictures are read without it.
    """

    def __init__(
        self,
        detector: Detector,
        roi_head: OnnxRoiHead,
        standard: DeckHead,
        relations: Relations,
        networks: str = "",
        trust: Trust | None = None,
        learnt: LearntDecks | None = None,
    ) -> None:
        """
        Args:
            detector: finds indices.
            roi_head: looks at them.
            standard: names what it sees of standard cards.
            relations: weighs all of a picture against each other.
            networks: a hash of what makes the embeddings.
            trust: how far looks of agreed rounds are believed.
            learnt: what was learned of a household's decks.
        """
        self._detector, self._roi_head, self._standard, self._relations = detector, roi_head, standard, relations
        self._networks, self._trust, self._learnt = networks, trust, learnt
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
        return self.read_traced(frame, house_rules, taught, looks)[0]

    def read_traced(
        self,
        frame: Frame,
        house_rules: HouseRules = DEFAULT_HOUSE_RULES,
        taught: TaughtFaces | None = None,
        looks: Looks | None = None,
    ) -> tuple[Reading, Trace]:
        """Reads one picture and also returns what each stage produced. ``looks`` that other networks made count for
        nothing."""
        return self._thread.submit(self._read, frame, house_rules, taught, looks).result()

    def warm(self) -> None:
        """Runs the networks once on an empty picture, since their first run is slow."""
        self._thread.submit(self._warm).result()

    def _warm(self) -> None:
        empty = np.zeros(WARM_UP_SHAPE, np.uint8)
        self._detector.detect(empty, 1.0)
        card = floats([[[100.0, 100.0], [200.0, 100.0], [200.0, 240.0], [100.0, 240.0]]])
        one = Detections(floats([[100.0, 100.0, 118.0, 140.0]]), floats([1.0]), card)
        looked = self._roi_head.look(pyramid(empty), one)
        for head in (self._standard, *([self._learnt.head] if self._learnt else [])):
            self._relations.score(_named(looked, head, DEFAULT_HOUSE_RULES, empty))

    def _read(
        self, frame: Frame, house_rules: HouseRules, taught: TaughtFaces | None, looks: Looks | None
    ) -> tuple[Reading, Trace]:
        start, pixels, trace = time.perf_counter(), frame.pixels, Trace(self._networks)
        trace.detected = detect(self._detector, pixels).snapped_to_boxes()
        looked = self._roi_head.look(pyramid(pixels), trace.detected)
        # on a second core, which has nothing to do from here on
        candidates = self._second_thread.submit(find_card_candidates, pixels, looked.usual_width(SEARCH_WIDTH))
        try:
            weak = self._name(pixels, looked, house_rules, taught, looks, self._learnt, trace)
        except Exception as error:
            if self._learnt is None:
                raise
            decks = ", ".join(sorted(self._learnt.decks))
            _log.warning("what was learned of %s fails and is set aside until the next start: %s", decks, error)
            self._learnt = None
            weak = self._name(pixels, looked, house_rules, taught, looks, None, trace)
        trace.ruled, groups = apply_rule_prior(trace.built, house_rules)
        trace.hinted, missed = hint_missed(trace.ruled, weak)
        hints = trace.detected.box_centres()
        warnings = photo_warnings(pixels, trace.hinted, (), candidates.result(), missed, hints)
        warnings += file_warnings(frame)
        seconds = time.perf_counter() - start
        return Reading(frame.width, frame.height, seconds, tuple(trace.hinted), groups, warnings), trace

    def _name(
        self,
        pixels: Pixels,
        looked: RefinedDetections,
        house_rules: HouseRules,
        taught: TaughtFaces | None,
        looks: Looks | None,
        learnt: LearntDecks | None,
        trace: Trace,
    ) -> Sequence[Floats]:
        """Makes cards of what was seen, before the house rules; returns outlines of cards that may have been missed."""
        in_play = taught.decks if taught else _NO_DECKS
        is_own = learnt is not None and bool(in_play & learnt.unlike)
        head = learnt.head if learnt and is_own else self._standard
        likeness = taught.likeness if taught and is_own else None
        confidence = self._relations.card_confidence
        trace.classified = _named(looked, head, house_rules, pixels)
        trace.scored = scored = self._relations.score(trace.classified)
        trace.paired, weak = build_cards(scored, confidence, pixels, every=likeness is not None)
        trace.built = trace.paired
        if self._trust and looks and looks.networks == self._networks and not is_own:
            trace.built = self._trust.applied(trace.paired, scored, looks)
        if likeness:
            trace.built, unlike = likeness.applied(pixels, trace.detected or looked, trace.built)
            weak = [*weak, *unlike]
        # of decks whose cards the learned head names the pictures tell nothing more
        if taught and not (learnt and is_own and taught.pictured <= learnt.decks):
            jokers: list[SeenCard] = []
            if learnt and not is_own and in_play & learnt.decks:
                other = self._relations.score(_named(looked, learnt.head, house_rules, pixels))
                jokers = build_cards(other, confidence, pixels)[0]
            seen = [scored, trace.detected] if trace.detected else [scored]
            trace.built = taught.applied(pixels, seen, trace.built, jokers)
        return weak


def _named(looked: RefinedDetections, head: DeckHead, house_rules: HouseRules, pixels: Pixels) -> ClassifiedDetections:
    """What the head calls that which was seen in a picture (height, width, 3), of the faces in play."""
    chosen = head.restricted_to(house_rules.copies) if house_rules.copies else head
    return chosen.named(looked, (pixels.shape[1], pixels.shape[0]))


def load_reader(
    engine: str = "onnx",
    weights: Path = FOLDER,
    *,
    made: Path | None = None,
    learnt: LearntDecks | None = None,
) -> CardReader:
    """Loads the networks and makes a reader.

    Args:
        engine: one of ``vision.engines.kinds.ENGINES``, for the detector.
        weights: the folder of the weights.
        made: the folder of what was made for that engine.
        learnt: what was learned of a household's decks.

    Raises:
        WeightsError: weights are missing or not the shipped ones, or the engine is unknown or not installed.
    """
    return CardReader(
        load_detector(engine, weights, made),
        load_roi_head(weights, Workers(cores())),
        load_standard_head(weights),
        load_relations(weights),
        networks_hash(("roi_head",), weights),
        load_trust(weights),
        learnt,
    )
