"""The deck head: which faces of a deck an embedding of the RoI head may show.

It is one linear layer, or two, in a file of its own, so that another deck needs another file and no other network.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from scorer.faces import STANDARD_FACES, Face
from vision.arrays import Floats, floats, softmax
from vision.detect.detections import ROI_EMBEDDING, ClassifiedDetections, RefinedDetections
from vision.detect.vocabulary import NO_SUIT, Vocabulary
from vision.errors import MisfitError
from vision.stored_arrays import Stored, read_arrays

STANDARD = "standard.deck.npz"
"""File name of the standard deck's head in a folder of weights."""
MOST_NAMED, LONGEST_NAME, MOST_BYTES = 2_000, 12, 2 * 1024**2
"""Bounds of a file: names of one kind, letters of a name, and bytes of the whole."""
LARGEST = 1e4
"""No number of a layer is larger, so that none that it makes of an embedding is endless."""
_TEXTS = ("rank_names", "suit_names", "faces")


@dataclass(frozen=True, slots=True, eq=False)
class Linear:
    """A linear layer: ``weight`` (outputs, inputs) and ``bias`` (outputs,)."""

    weight: Floats
    bias: Floats

    def __call__(self, rows: Floats) -> Floats:
        return floats(rows @ self.weight.T + self.bias)

    def rows(self, outputs: Sequence[int]) -> Linear:
        """The layer with these of its outputs, in this order."""
        return Linear(self.weight[list(outputs)], self.bias[list(outputs)])


@dataclass(frozen=True, slots=True, eq=False)
class DeckHead:
    """Names the embeddings of the cards of one or more decks.

    Attributes:
        vocabulary: what its outputs stand for.
        ranks, suits: layers whose outputs are the log odds of ranks and of suits; no ``suits`` for decks without any.
    """

    vocabulary: Vocabulary
    ranks: Linear
    suits: Linear | None = None

    def classify(self, embeddings: Floats) -> tuple[Floats, Floats]:
        """The probabilities of ranks (n, R) and of suits (n, S) of ``embeddings`` (n, ROI_EMBEDDING)."""
        suits = softmax(self.suits(embeddings)) if self.suits else np.ones((len(embeddings), 1))
        return softmax(self.ranks(embeddings)), floats(suits)

    def named(self, looked: RefinedDetections, picture_size: tuple[int, int]) -> ClassifiedDetections:
        """What the RoI head saw in a picture of this width and height in pixels, with its names."""
        ranks, suits = self.classify(looked.embedding)
        return ClassifiedDetections.extend(
            looked,
            ranks=ranks,
            suits=suits,
            index_on_right=looked.right_logit > 0,
            picture_size=picture_size,
            vocabulary=self.vocabulary,
        )

    def restricted_to(self, faces: Collection[Face]) -> DeckHead:
        """The head that tells these faces apart and names no other.

        The whole head where it does not know every one of them: what it cannot name would be taken for what it can.
        """
        known = self.vocabulary
        kept = [n for n, face in enumerate(known.faces) if face in faces]
        if len(kept) < len(set(faces)) or len(kept) == len(known.faces):
            return self
        less = Vocabulary.of(known.faces[n] for n in kept)
        ranks = self.ranks.rows([known.ranks.index(rank) for rank in less.ranks])
        with_suits = self.suits and less.suits != NO_SUIT
        suits = self.suits.rows([known.suits.index(suit) for suit in less.suits]) if with_suits and self.suits else None
        return DeckHead(less, ranks, suits)

    def save(self, path: Path) -> None:
        """Writes the head to a file."""
        layers = {"ranks": self.ranks, "suits": self.suits}
        arrays: dict[str, Any] = {
            f"{name}.{part}": getattr(layer, part)
            for name, layer in layers.items()
            if layer
            for part in ("weight", "bias")
        }
        known = self.vocabulary
        for name, texts in (("rank_names", known.ranks), ("suit_names", known.suits), ("faces", known.faces)):
            arrays[name] = np.array([str(text) for text in texts], np.str_)
        np.savez(path, **arrays)


def load_deck_head(path: Path, faces: Collection[Face] | None = None) -> DeckHead:
    """Reads a deck head, which may come from anybody.

    Args:
        path: its file.
        faces: those that it may name besides the standard deck's; None for any.

    Raises:
        MisfitError: the file cannot be read, belongs to another network, or names other faces.
    """
    try:
        arrays = read_arrays(path, MOST_BYTES, _fits)
        layers = {
            name: Linear(floats(arrays[f"{name}.weight"]), floats(arrays[f"{name}.bias"]))
            for name in ("ranks", "suits")
            if f"{name}.weight" in arrays
        }
        if any(
            np.abs(part).max(initial=0) > LARGEST for layer in layers.values() for part in (layer.weight, layer.bias)
        ):
            raise ValueError(f"expected layers of numbers of {LARGEST:.0f} or less, got larger ones")
        ranks, suits = (tuple(map(str, arrays[name])) for name in ("rank_names", "suit_names"))
        named = tuple(Face.parse(str(name)) for name in arrays["faces"])
        if faces is not None and (other := [face for face in named if face not in {*STANDARD_FACES, *faces}]):
            raise ValueError(f"expected cards of its decks, got {other[0]}")
        return DeckHead(Vocabulary(ranks, suits, named), **layers)
    except (OSError, ValueError) as error:
        raise MisfitError(f"{path.name} does not fit: {error}") from error


def _fits(stored: Mapping[str, Stored]) -> None:
    """Whether these are the arrays of a deck head, of sizes that go together."""
    counts: dict[str, int] = {}
    for name in _TEXTS:
        text = stored.get(name)
        if text is None or text.type[:2] != "<U" or len(text.shape) != 1:
            raise ValueError(f"expected a list of names {name}, got none")
        if text.shape[0] > MOST_NAMED or int(text.type[2:]) > LONGEST_NAME:
            raise ValueError(f"expected {MOST_NAMED} {name} or fewer, of {LONGEST_NAME} letters at most")
        counts[name] = text.shape[0]
    outputs = {"ranks": counts["rank_names"], "suits": counts["suit_names"]}
    layers = {name.partition(".")[0] for name in stored.keys() - {*_TEXTS}}
    if layers not in ({"ranks"}, {"ranks", "suits"}):
        raise ValueError("expected the layers of ranks and suits, got others")
    expected = {f"{layer}.weight": Stored("<f4", (outputs[layer], ROI_EMBEDDING)) for layer in layers}
    expected |= {f"{layer}.bias": Stored("<f4", (outputs[layer],)) for layer in layers}
    if {name: found for name, found in stored.items() if name not in _TEXTS} != expected:
        raise ValueError("expected layers of as many outputs as there are names, got others")
