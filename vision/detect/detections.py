"""Detections as arrays of one length, and what each stage of the reader adds to them.

Detector -> ``Detections``; RoI head -> ``RefinedDetections``; deck head -> ``ClassifiedDetections``;
relations -> ``ScoredDetections``. Row i of every array describes the same detection: one printed index.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from vision.arrays import Flags, Floats, floats
from vision.detect.vocabulary import STANDARD_VOCABULARY, Vocabulary
from vision.geometry import BOX_SHARE, card_widths, corner_region, plausible, position_on_card

MAX_RESIZE = (0.8, 1.25)
"""Factor by which an outline may be resized to fit its box; limits what a wrong box can do."""
ROI_EMBEDDING = 96
"""Size of the embedding of the RoI head; baked into its weights."""
RANK_COUNT, SUIT_COUNT = len(STANDARD_VOCABULARY.ranks), len(STANDARD_VOCABULARY.suits)
"""Ranks and suits of the standard deck."""

Rows = Flags | NDArray[np.integer] | slice
"""Selects rows: a mask (n,), indices (k,) or a slice."""


class Column(NamedTuple):
    """Shape and type of one row of an array; ``per_row`` marks an (n, n) array over pairs of rows, ``any_width`` an
    array whose rows may have another length, as those of another deck's ranks."""

    shape: tuple[int, ...] = ()
    dtype: type[np.generic] = np.float32
    per_row: bool = False
    any_width: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Columns:
    """Base of frozen dataclasses whose arrays, described by ``COLUMNS``, all have one row per detection.

    Raises:
        ValueError: an array has another shape, type or length than ``COLUMNS`` says.
    """

    COLUMNS: ClassVar[dict[str, Column]] = {}

    def __post_init__(self) -> None:
        count = len(self)
        for name, column in self.COLUMNS.items():
            array = getattr(self, name)
            expected = (count, count) if column.per_row else (count, *column.shape)
            if column.any_width and array.ndim == 2:
                expected = (count, array.shape[1])
            if array.shape != expected or array.dtype != column.dtype:
                raise ValueError(
                    f"expected {name} as {expected} {np.dtype(column.dtype)}, came {array.shape} {array.dtype}"
                )

    def __len__(self) -> int:
        return len(getattr(self, next(iter(self.COLUMNS))))

    @classmethod
    def empty(cls) -> Self:
        """No rows; for classes that have no fields beside their columns."""
        return cls(**{name: np.zeros((0, *column.shape), column.dtype) for name, column in cls.COLUMNS.items()})

    @classmethod
    def concat(cls, parts: Sequence[Self]) -> Self:
        """The rows of all ``parts`` in order; other fields are those of the first part."""
        others = {field.name: getattr(parts[0], field.name) for field in fields(cls) if field.name not in cls.COLUMNS}
        return cls(**others, **{name: np.concatenate([getattr(part, name) for part in parts]) for name in cls.COLUMNS})

    def select(self, rows: Rows) -> Self:
        """Only the given rows."""
        chosen = {name: getattr(self, name)[rows] for name in self.COLUMNS}
        pairs = {name: chosen[name][:, rows] for name, column in self.COLUMNS.items() if column.per_row}
        return replace(self, **{**chosen, **pairs})

    @classmethod
    def extend(cls, earlier: Columns, **added: Any) -> Self:
        """The rows of an ``earlier`` stage with the fields ``added`` or replaced."""
        known = {field.name for field in fields(cls)}
        return cls(**{name: value for name, value in earlier.as_fields().items() if name in known} | added)

    def as_fields(self) -> dict[str, Any]:
        """All fields by name."""
        return {field.name: getattr(self, field.name) for field in fields(self)}


@dataclass(frozen=True, slots=True, eq=False)
class Detections(Columns):
    """Index corners in frame pixels, as the detector reports them.

    Attributes:
        boxes: (n, 4), x0 y0 x1 y1 around the printed index.
        scores: (n,), the detector's confidence, 0..1.
        quads: (n, 4, 2), outline of the index's card: clockwise from the top left as the index is read.
    """

    COLUMNS: ClassVar[dict[str, Column]] = {"boxes": Column((4,)), "scores": Column(), "quads": Column((4, 2))}
    boxes: Floats
    scores: Floats
    quads: Floats

    def card_widths(self, at_least: float = 0.0) -> Floats:
        """Width of each card, the mean of its two short sides, (n,) pixels."""
        return floats(np.maximum(card_widths(self.quads), np.float32(at_least)))

    def box_centres(self) -> Floats:
        """Centres of the boxes, (n, 2) pixels."""
        return floats((self.boxes[:, :2] + self.boxes[:, 2:]) / 2)

    def index_on_right_by_box(self) -> Flags:
        """Whether each box lies in the right half of its card (decks with four indices), (n,).

        False where the outline cannot be a card.
        """
        on_right = plausible(self.quads)
        on_right[on_right] = position_on_card(self.quads[on_right], self.box_centres()[on_right])[:, 0] > 0.5
        return on_right

    def snapped_to_boxes(self) -> Self:
        """The same detections with outlines moved and resized so that the index lies where its box is.

        A box is small and drawn around something visible, so it is far more exact than the far corners of an outline.
        """
        quads, usable = self.quads.copy(), plausible(self.quads)
        region = corner_region(quads[usable], self.index_on_right_by_box()[usable], BOX_SHARE)
        low, high = region.min(1), region.max(1)
        size = self.boxes[usable, 2:] - self.boxes[usable, :2]
        factor = np.sqrt(size.prod(1) / np.maximum((high - low).prod(1), 1.0)).clip(*MAX_RESIZE)
        predicted, actual = ((low + high) / 2)[:, None], self.box_centres()[usable, None]
        quads[usable] = (quads[usable] - predicted) * factor[:, None, None] + actual
        return replace(self, quads=quads)


@dataclass(frozen=True, slots=True, eq=False)
class RefinedDetections(Detections):
    """Detections with refined outlines.

    Attributes:
        p_index: (n,), probability that there is an index at all.
        right_logit: (n,), log odds that the index stands in the card's right upper corner.
        embedding: (n, ROI_EMBEDDING), what the RoI head saw of the index.
    """

    COLUMNS: ClassVar[dict[str, Column]] = {
        **Detections.COLUMNS,
        "p_index": Column(),
        "right_logit": Column(),
        "embedding": Column((ROI_EMBEDDING,)),
    }
    p_index: Floats
    right_logit: Floats
    embedding: Floats

    def usual_width(self, otherwise: float) -> float:
        """Usual width of the cards in pixels: the median of the probable ones, or else of all; ``otherwise`` without
        any."""
        widths = self.card_widths(at_least=1)
        probable = widths[self.p_index > 0.5]
        return float(np.median(probable if len(probable) else widths)) if len(widths) else otherwise


@dataclass(frozen=True, slots=True, eq=False)
class ClassifiedDetections(RefinedDetections):
    """Refined detections with their names; only outlines that can be a card.

    Attributes:
        ranks: (n, R), probabilities of the ranks of a vocabulary, given that there is an index; each row sums to 1.
        suits: (n, S), probabilities of its suits.
        index_on_right: (n,), whether the index stands in the card's right upper corner; the outline agrees with it.
        picture_size: width and height of the picture in pixels.
        vocabulary: what ``ranks`` and ``suits`` stand for.
    """

    COLUMNS: ClassVar[dict[str, Column]] = {
        **RefinedDetections.COLUMNS,
        "ranks": Column((RANK_COUNT,), any_width=True),
        "suits": Column((SUIT_COUNT,), any_width=True),
        "index_on_right": Column(dtype=np.bool_),
    }
    ranks: Floats
    suits: Floats
    index_on_right: Flags
    picture_size: tuple[int, int]
    vocabulary: Vocabulary = field(default=STANDARD_VOCABULARY, kw_only=True)


@dataclass(frozen=True, slots=True, eq=False)
class ScoredDetections(ClassifiedDetections):
    """Classified detections, scored against each other.

    Attributes:
        p_keep: (n,), probability that this is the one detection to keep of a readable index, with the right rank.
        final_ranks: (n, R), rank probabilities in the light of all other detections.
        p_same: (n, n), probability that two detections show the same printed index.
    """

    COLUMNS: ClassVar[dict[str, Column]] = {
        **ClassifiedDetections.COLUMNS,
        "p_keep": Column(),
        "final_ranks": Column((RANK_COUNT,), any_width=True),
        "p_same": Column(per_row=True),
    }
    p_keep: Floats
    final_ranks: Floats
    p_same: Floats


def index_centres(quads: Floats, index_on_right: Flags) -> Floats:
    """Centres (n, 2) of the indices of the cards outlined by ``quads`` (n, 4, 2), in pixels."""
    return floats(corner_region(quads, index_on_right, BOX_SHARE).mean(1))
