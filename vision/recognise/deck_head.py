"""The deck head: which faces of a deck an embedding of the RoI head may show.

It is a linear layer or two in a file of its own, so that another deck needs another file and no other network.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from scorer.faces import JOKER, RANKS, SUITS, Face
from vision.arrays import Floats, floats, softmax
from vision.detect.detections import RANK_COUNT, ROI_EMBEDDING, SUIT_COUNT
from vision.errors import WeightsError

STANDARD = "standard.deck.npz"
"""File name of the standard deck's head in a folder of weights."""
SHARPNESS = 12.0
"""Log odds for each unit of the cosine between an embedding and a face's prototype."""


@dataclass(frozen=True, slots=True, eq=False)
class Linear:
    """A linear layer: ``weight`` (outputs, inputs) and ``bias`` (outputs,)."""

    weight: Floats
    bias: Floats

    def __call__(self, rows: Floats) -> Floats:
        return floats(rows @ self.weight.T + self.bias)


@dataclass(frozen=True, slots=True, eq=False)
class DeckHead:
    """Names the embeddings of a deck.

    Attributes:
        ranks, suits: layers whose outputs are the log odds of ranks and of suits; for the standard deck.
        faces: of a deck that was taught, in place of them: its faces, one for each output of ``prototypes``.
        prototypes: a layer on embeddings of length 1.
    """

    ranks: Linear | None = None
    suits: Linear | None = None
    faces: tuple[Face, ...] = ()
    prototypes: Linear | None = None

    def classify(self, embeddings: Floats) -> tuple[Floats, Floats]:
        """The probabilities of ranks (n, 14) and of suits (n, 4) of ``embeddings`` (n, ROI_EMBEDDING)."""
        if self.ranks and self.suits:
            return softmax(self.ranks(embeddings)), softmax(self.suits(embeddings))
        shares = softmax(self.prototypes(_unit(embeddings))) if self.prototypes else np.zeros((len(embeddings), 0))
        rank_of, suit_of = np.zeros((len(self.faces), RANK_COUNT)), np.zeros((len(self.faces), SUIT_COUNT))
        for n, face in enumerate(self.faces):
            rank_of[n, (*RANKS, JOKER.rank).index(face.rank)] = 1
            suit_of[n] = [suit == face.suit for suit in SUITS] if face.suit in SUITS else 1 / SUIT_COUNT
        return floats(shares @ rank_of), floats(shares @ suit_of)

    def save(self, path: Path) -> None:
        """Writes the head to a file."""
        layers = {"ranks": self.ranks, "suits": self.suits, "prototypes": self.prototypes}
        arrays = {
            f"{name}.{part}": getattr(layer, part)
            for name, layer in layers.items()
            if layer
            for part in ("weight", "bias")
        }
        np.savez(path, faces=np.array([str(face) for face in self.faces], np.str_), **arrays)


def taught(faces: Sequence[Face], embeddings: Floats) -> DeckHead:
    """The head of a deck of which some cards were shown: ``faces`` (n) and the ``embeddings`` (n, ROI_EMBEDDING) of
    their indices. Each face's prototype is the mean of its own."""
    names = tuple(dict.fromkeys(faces))
    rows = np.array([names.index(face) for face in faces])
    means = floats([_unit(embeddings)[rows == n].mean(0) for n in range(len(names))])
    return DeckHead(faces=names, prototypes=Linear(SHARPNESS * _unit(means), np.zeros(len(names), np.float32)))


def load_deck_head(path: Path) -> DeckHead:
    """Reads a deck head.

    Raises:
        WeightsError: the file cannot be read, or belongs to another network.
    """
    try:
        with np.load(path) as file:
            arrays = {name: file[name] for name in file.files}
        layers = {
            name: Linear(floats(arrays[f"{name}.weight"]), floats(arrays[f"{name}.bias"]))
            for name in ("ranks", "suits", "prototypes")
            if f"{name}.weight" in arrays
        }
        head = DeckHead(faces=tuple(Face.parse(str(name)) for name in arrays["faces"]), **layers)
        head.classify(np.zeros((1, ROI_EMBEDDING), np.float32))
    except (OSError, ValueError, KeyError) as error:
        raise WeightsError(f"expected the names of a deck in {path.name}: install the program again") from error
    return head


def _unit(embeddings: Floats) -> Floats:
    """The embeddings (n, ROI_EMBEDDING) scaled to length 1."""
    return floats(embeddings / np.maximum(np.linalg.norm(embeddings, axis=1, keepdims=True), 1e-6))
