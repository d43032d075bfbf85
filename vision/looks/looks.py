"""Looks: the embeddings of detections, first as one picture showed them, then with what each turned out to be."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from vision.arrays import Flags, Floats, floats
from vision.detect.detections import ROI_EMBEDDING, ScoredDetections
from vision.stored_arrays import Stored, read_arrays

Halves = NDArray[np.float16]
Labels = NDArray[np.int16]
NO_INDEX = -1
"""Label of a detection that showed no index."""
MAX_RANKS = 200
MOST_LOOKS = 5_000
"""So many looks count at most: on drawn households 250 say as much as all of up to 900, and each costs time."""
EMBEDDINGS = (ROI_EMBEDDING, 320)
"""Sizes of embeddings: of the RoI head, and of the two networks before it, whose looks count no more."""
_MOST_BYTES = 4 * 1024 * 1024
MOST_SAVED, LARGEST_FILE = 500, 1024**2
"""So many looks, in so many bytes at most, are in a file for another computer."""
_LONGEST_NAME = 12
_SAVED = ("networks", "ranks", "labels", "embeddings")
_MEMBERS = ("networks", "ranks", "boxes", "widths", "p_keep", "likeliest", "embeddings")


class LooksError(ValueError):
    """A file of looks is damaged; the message says what was expected."""


@dataclass(frozen=True, slots=True, eq=False)
class SeenIndices:
    """All detections of one picture, as they are kept beside it until a round is agreed on.

    Attributes:
        networks: hash of the networks that made the embeddings; those of others are never compared.
        ranks: names of the ranks.
        boxes: (n, 4), x0 y0 x1 y1 around each index, in pixels of the picture.
        widths: (n,), the width of each card in pixels.
        p_keep: (n,), as in ``ScoredDetections``.
        likeliest: (n,), position in ``ranks`` of the likeliest rank.
        embeddings: (n, E), of length 1.
    """

    networks: str
    ranks: tuple[str, ...]
    boxes: Floats
    widths: Floats
    p_keep: Halves
    likeliest: Labels
    embeddings: Halves

    def __len__(self) -> int:
        return len(self.boxes)

    @classmethod
    def of(cls, detections: ScoredDetections, networks: str) -> Self:
        """What is kept of the ``detections`` of a picture."""
        return cls(
            networks,
            detections.vocabulary.ranks,
            detections.boxes,
            detections.card_widths(at_least=1),
            detections.p_keep.astype(np.float16),
            detections.final_ranks.argmax(1).astype(np.int16) if len(detections) else np.zeros(0, np.int16),
            embeddings_of(detections).astype(np.float16),
        )

    def centres(self) -> Floats:
        """Centres of the boxes, (n, 2) pixels."""
        return floats((self.boxes[:, :2] + self.boxes[:, 2:]) / 2)

    def cropped(self, x: float, y: float, width: float, height: float) -> SeenIndices:
        """Those in a part of the picture, in pixels of that part."""
        centres = self.centres()
        inside = ((centres >= (x, y)) & (centres < (x + width, y + height))).all(1)
        part = self.select(np.asarray(inside, bool))
        return replace(part, boxes=floats(part.boxes - floats([x, y, x, y])))

    def select(self, which: Flags) -> SeenIndices:
        """Those of them that ``which`` (n,) names."""
        return replace(self, **{name: getattr(self, name)[which] for name in _MEMBERS[2:]})

    def to_bytes(self) -> bytes:
        """As a file: some 600 bytes a detection."""
        buffer = io.BytesIO()
        members: dict[str, Any] = {name: np.array(getattr(self, name), order="C") for name in _MEMBERS}
        np.savez(buffer, **members)
        return buffer.getvalue()

    @classmethod
    def from_bytes(cls, data: bytes) -> Self:
        """What ``to_bytes`` wrote.

        Raises:
            LooksError: it is damaged.
        """
        try:
            members = read_arrays(data, _MOST_BYTES, lambda _: None)  # only this program writes such files
            networks, ranks, *arrays = (members[name] for name in _MEMBERS)
        except (ValueError, KeyError) as error:
            raise LooksError("expected the looks of a photo, the file is damaged") from error
        return cls(str(networks), tuple(map(str, ranks)), *arrays)


@dataclass(frozen=True, slots=True, eq=False)
class Looks:
    """Embeddings of indices, and what each turned out to be.

    Attributes:
        networks: as in ``SeenIndices``.
        ranks: names of the ranks.
        labels: (m,), positions in ``ranks``, or NO_INDEX.
        embeddings: (m, E), of length 1.
    """

    networks: str
    ranks: tuple[str, ...]
    labels: Labels
    embeddings: Floats

    def __len__(self) -> int:
        return len(self.labels)

    def to_bytes(self) -> bytes:
        """The first ``MOST_SAVED`` of them as a file for another computer."""
        buffer = io.BytesIO()
        embeddings = self.embeddings[:MOST_SAVED].astype(np.float16)
        np.savez(
            buffer,
            networks=np.array(self.networks),
            ranks=np.array(self.ranks),
            labels=self.labels[:MOST_SAVED].astype(np.int16),
            embeddings=embeddings,
        )
        return buffer.getvalue()

    @classmethod
    def from_bytes(cls, data: bytes) -> Self:
        """What ``to_bytes`` wrote; it may come from anybody.

        Raises:
            LooksError: it is damaged, or holds something else.
        """
        try:
            members = read_arrays(data, LARGEST_FILE, _check_saved)
        except ValueError as error:
            raise LooksError("expected what rounds taught of the cards, the file is damaged") from error
        ranks, labels, embeddings = (members[name] for name in _SAVED[1:])
        if not (labels.min(initial=0) >= -1 and labels.max(initial=0) < len(ranks) and np.isfinite(embeddings).all()):
            raise LooksError("expected what rounds taught of the cards, the file holds something else")
        return cls(str(members["networks"].item()), tuple(map(str, ranks)), labels, _unit(floats(embeddings)))


def joined(parts: Sequence[Looks], most: int = MOST_LOOKS) -> Looks | None:
    """The looks of several rounds, the newest first, ``most`` of them at most; None where there are none.

    Only those of the networks of the first are taken.
    """
    parts = [part for part in parts if part.networks == parts[0].networks and len(part)]
    if not parts:
        return None
    ranks = tuple(dict.fromkeys(rank for part in parts for rank in part.ranks))
    labels = []
    for part in parts:
        places = np.array([*map(ranks.index, part.ranks), NO_INDEX], np.int16)  # the last one is NO_INDEX itself
        labels.append(places[part.labels])
    embeddings = np.concatenate([part.embeddings for part in parts])
    return Looks(parts[0].networks, ranks, np.concatenate(labels)[:most], floats(embeddings[:most]))


def embeddings_of(detections: ScoredDetections) -> Floats:
    """The embeddings of detections (n, ROI_EMBEDDING), each of length 1."""
    return _unit(detections.embedding)


def _check_saved(found: Mapping[str, Stored]) -> None:
    if found.keys() != {*_SAVED}:
        raise ValueError("expected the arrays of looks, got others")
    networks, ranks, labels, embeddings = (found[name] for name in _SAVED)
    texts = {f"<U{length}" for length in range(1, _LONGEST_NAME + 1)}
    if not (
        networks.shape == ()
        and networks.type in {f"<U{length}" for length in range(1, 65)}
        and len(ranks.shape) == 1
        and 0 < ranks.shape[0] <= MAX_RANKS
        and ranks.type in texts
        and labels == Stored("<i2", labels.shape[:1])
        and len(labels.shape) == 1
        and labels.shape[0] <= MOST_SAVED
        and embeddings.type == "<f2"
        and embeddings.shape in {(labels.shape[0], width) for width in EMBEDDINGS}
    ):
        raise ValueError("expected looks of the right shapes, got others")


def _unit(rows: Floats) -> Floats:
    return floats(rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-6))
