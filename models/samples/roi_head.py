"""Samples for the RoI head: two crops of what the detector finds on drawn tables, and of true indices with jittered
outlines.

Samples come in blocks. A block depends on nothing but the settings, its seed and its number, so it can be drawn by any
process, again or on another machine, and is the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.decks.deck_art import DeckArt
from datasets.decks.splits import sample_deck
from datasets.scenes.tables import Table, TrueIndex
from datasets.scenes.world import World, draw_view
from models.samples.simulated import NO_SUIT, box_centre, jitter
from scorer.faces import Face
from vision.arrays import Floats, floats
from vision.crops.pyramid import pyramid
from vision.crops.roi_crops import AROUND_SIZE, INDEX_SIZE, crop_rois, shifts_between
from vision.detect.detections import Detections
from vision.detect.detector import Detector
from vision.detect.multi_scale import BEST_CARD_WIDTH
from vision.detect.vocabulary import STANDARD_VOCABULARY, Vocabulary
from vision.geometry import card_beside, plausible, quad_width
from vision.recognise.plane_fit import align_to_plane
from vision.values import Pixels

MAX_SAME, MIN_DIFFERENT = 0.12, 0.25
"""A detection within MAX_SAME card widths of an index, box to box, shows it; one further than MIN_DIFFERENT from all
shows none."""
MIN_SCORE_FIRST, MIN_SCORE_REST, FIRST = 0.02, 0.04, 120
"""Least detector scores of what is sampled: the lower one holds for the FIRST most confident detections of a table."""
NOTHING, UNCLEAR = -1, -2
"""What a detection shows that shows no index, and one that lies near an index: ``shown_by``."""
MAX_SHIFT = 1.6
"""Largest shift of a corner, in card widths or heights; worse outlines are not used."""
SCALES = (0.7, 1.4)
"""Range of the scale at which the detector looks, against the one that suits the cards."""
ALIGNED_SHARE = 0.7
"""Share of tables whose outlines are first fitted to the table's plane, as in the reader."""
MISSIZED_SHARE, MISSIZED = 0.4, 0.2
"""Share of jittered outlines of a wrong size or proportion, and the standard deviation of the logarithm of either."""
CLOSE_SHARE, CLOSE, WIDE = 0.4, 0.5, 1.4
"""Share of jittered outlines that are as good as a second look has them, and by how much these and the others are off,
in the standard deviations of ``jitter``."""
NO_RANK, NO_IDENTITY, UNKNOWN = -1, -1, 2
"""Rank of a sample without a readable face; face of no deck; and an index about which ``real`` says nothing."""
SAMPLE = np.dtype(
    [
        ("index", np.uint8, (INDEX_SIZE[1], INDEX_SIZE[0], 3)),
        ("around", np.uint8, (AROUND_SIZE[1], AROUND_SIZE[0], 3)),
        ("shifts", np.float32, 8),
        ("right", np.uint8),
        ("real", np.uint8),
        ("rank", np.int8),
        ("suit", np.int8),
        ("identity", np.int64),
    ]
)
"""One sample: the crops (BGR), shifts of the corners, whether the index is in the right-hand corner, whether it is one
that must be read (0, 1, or UNKNOWN), classes of rank and suit, and a number for the face of its deck."""
TRUTH = ("shifts", "right", "real", "rank", "suit", "identity")
Samples = NDArray[np.void]


@dataclass(frozen=True, slots=True)
class RoiSettings:
    """What a block holds.

    Attributes:
        world: shares of what is drawn.
        seed: seed of all blocks.
        tables: tables in a block.
        decks: newly drawn decks that the tables of a block choose from.
        each: jittered outlines of each true index.
        most: largest number of samples from one table.
    """

    world: World = field(default_factory=World)
    seed: int = 0
    tables: int = 12
    decks: int = 6
    each: int = 1
    most: int = 70


def draw_block(
    settings: RoiSettings,
    number: int,
    packaged: Sequence[DeckArt],
    detector: Detector,
) -> Samples:
    """Draws block ``number`` and lets the detector look at it; returns its samples, shuffled.

    Args:
        settings: what a block holds.
        number: the block's number.
        packaged: decks of packages, among which newly drawn ones are mixed.
        detector: says where indices are.
    """
    cv2.setNumThreads(1)
    rng = np.random.default_rng([settings.seed, 71, number])
    pool = [sample_deck(packaged, rng, settings.world.look(rng)) for _ in range(settings.decks)]
    parts = []
    for place in range(settings.tables):
        table = draw_view(rng, packaged, settings.world, pool=pool)
        found = detections_of(rng, table, detector)
        first_identity = (number * settings.tables + place) << 12
        parts.append(table_samples(rng, table, found, settings.each, settings.most, first_identity))
    samples = np.concatenate(parts)
    return samples[rng.permutation(len(samples))]


def detections_of(rng: np.random.Generator, table: Table, detector: Detector) -> Detections:
    """What a detector finds on a table at a scale that more or less suits its cards."""
    width = float(np.median([quad_width(index.quad) for index in table.indices] or [BEST_CARD_WIDTH]))
    scale = float(np.clip(BEST_CARD_WIDTH / width * np.exp(rng.uniform(*np.log(SCALES))), 0.15, 2.0))
    found = likely(detector.detect(table.picture, scale)).snapped_to_boxes()
    return align_to_plane(found, found.scores) if rng.random() < ALIGNED_SHARE else found


def likely(found: Detections) -> Detections:
    """The detections of enough score to be sampled, most confident first."""
    order = np.argsort(-found.scores, kind="stable")
    least = np.where(np.arange(len(order)) < FIRST, MIN_SCORE_FIRST, MIN_SCORE_REST)
    return found.select(order[found.scores[order] >= least])


def missized(rng: np.random.Generator, quad: Floats) -> Floats:
    """Scales some of the outlines (4, 2) about their first corner, in width and height, as where a card is taken for
    one of another size or proportion."""
    if rng.random() > MISSIZED_SHARE:
        return quad
    both, own = rng.normal(0, MISSIZED), rng.normal(0, MISSIZED, 2) * 0.6
    along, down = np.exp(both + own)
    origin, right, below = quad[0], quad[1] - quad[0], quad[3] - quad[0]
    rest = quad[2] - quad[1] - below
    return floats(
        [
            origin,
            origin + along * right,
            origin + along * right + down * below + along * down * rest,
            origin + down * below,
        ]
    )


def table_samples(
    rng: np.random.Generator,
    table: Table,
    found: Detections,
    each: int,
    most: int,
    first_identity: int,
) -> Samples:
    """Returns the samples of one table: of what was ``found``, and ``each`` jittered outlines of every true index.

    ``first_identity`` begins the numbers of its faces.
    """
    known = [*table.indices, *table.doubtful, *table.covered]
    kinds = [1] * len(table.indices) + [UNKNOWN] * len(table.doubtful) + [0] * len(table.covered)
    chosen: list[tuple[Floats, int]] = []  # outlines with the index on the left, and the index they show or NOTHING
    rights, shown = found.index_on_right_by_box(), shown_by(table, found)
    for i in map(int, np.flatnonzero(plausible(found.quads) & (shown != UNCLEAR))):
        chosen.append((card_beside(found.quads[i]) if rights[i] else found.quads[i], int(shown[i])))
    for n, index in enumerate([*table.indices, *table.doubtful]):
        for _ in range(each):
            true = card_beside(index.quad) if index.right else index.quad
            spread = float(np.exp(rng.normal(0, 0.5)))
            close = rng.random() < CLOSE_SHARE
            off = jitter(rng, true, spread * (CLOSE if close else WIDE))
            chosen.append((off if close else missized(rng, off), n))
    if len(chosen) > most:
        chosen = [chosen[i] for i in rng.permutation(len(chosen))[:most]]
    rows = [_row(quad, known[n] if n >= 0 else None, kinds[n] if n >= 0 else 0, first_identity) for quad, n in chosen]
    kept = [(quad, row) for (quad, _), row in zip(chosen, rows, strict=True) if row is not None]
    return _cropped(pyramid(table.picture), kept)


def shown_by(table: Table, found: Detections) -> NDArray[np.intp]:
    """The index that each detection shows (n,): its place among the table's ``indices``, ``doubtful`` and ``covered``
    ones, NOTHING or UNCLEAR."""
    known = [*table.indices, *table.doubtful, *table.covered]
    if not known:
        return np.full(len(found), NOTHING)
    centres = floats([box_centre(index) for index in known])
    widths = floats([quad_width(index.quad) for index in known])
    covered = np.arange(len(known)) >= len(known) - len(table.covered)
    apart = np.hypot(*(centres - found.box_centres()[:, None]).transpose(2, 0, 1)) / widths
    apart = apart + 0.05 * covered  # in a pile the covered lie where the top one is
    nearest, least = apart.argmin(1), apart.min(1)
    return np.where(least < MAX_SAME, nearest, np.where(least > MIN_DIFFERENT, NOTHING, UNCLEAR))


def _row(quad: Floats, index: TrueIndex | None, real: int, first_identity: int) -> tuple[Any, ...] | None:
    """Returns the truth of an outline in the order of SAMPLE, after the crops; None if the outline is unusable."""
    if not plausible(quad[None])[0]:
        return None
    if index is None or real == 0:
        return np.zeros(8, np.float32), 0, 0, NO_RANK, NO_SUIT, NO_IDENTITY
    shift = shifts_between(quad, card_beside(index.quad) if index.right else index.quad)
    if not np.abs(shift).max() < MAX_SHIFT:
        return None
    rank, suit = classes_of(index.face)
    identity = first_identity + rank * 8 + suit + 1 if rank != NO_RANK else NO_IDENTITY
    return shift.ravel(), int(index.right), real, rank, suit, identity


def classes_of(face: Face | None, vocabulary: Vocabulary = STANDARD_VOCABULARY) -> tuple[int, int]:
    """Position of a face's rank and suit in a vocabulary; NO_RANK and NO_SUIT for what it does not have."""
    if face is None or face.rank not in vocabulary.ranks:
        return NO_RANK, NO_SUIT
    suit = vocabulary.suits.index(face.suit) if face.suit and face.suit in vocabulary.suits else NO_SUIT
    return vocabulary.ranks.index(face.rank), suit


def _cropped(levels: list[Pixels], kept: Sequence[tuple[Floats, tuple[Any, ...]]]) -> Samples:
    samples = np.zeros(len(kept), SAMPLE)
    if kept:
        samples["index"], samples["around"] = crop_rois(levels, floats([quad for quad, _ in kept]))
        for name, values in zip(TRUTH, zip(*(row for _, row in kept), strict=True), strict=True):
            samples[name] = np.stack([np.asarray(value) for value in values])
    return samples
