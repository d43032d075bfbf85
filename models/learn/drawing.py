"""What draws the tables that a household's decks are learnt from.

The drawing process needs no PyTorch, which alone takes a quarter of a gigabyte; so nothing here may import it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from datasets.decks.deck_art import DeckArt
from models.samples.roi_head import RoiSettings, Samples, draw_block
from vision.detect.detector import OnnxDetector
from vision.detect.vocabulary import Vocabulary
from vision.engines.load import onnx_session


@dataclass(frozen=True, slots=True)
class DrawHouseholdBlocks:
    """Makes, in a drawing process, the function that draws blocks with the household's ``decks``, of which those named
    in ``dark`` are seen on negatives."""

    settings: RoiSettings
    detector: Path
    decks: tuple[DeckArt, ...]
    vocabulary: Vocabulary
    dark: frozenset[str] = frozenset()

    def __call__(self) -> Callable[[int], Samples]:
        detector = OnnxDetector(onnx_session(self.detector, 1))
        return lambda number: draw_block(self.settings, number, [], detector, self.decks, self.vocabulary, self.dark)
