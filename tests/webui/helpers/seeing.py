"""A reader of the drawn tables that tells where it saw each index, and what that looks like."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from tests.webui.helpers.drawn import DrawnReader
from vision.arrays import floats
from vision.detect.detections import RANK_COUNT, ScoredDetections
from vision.detect.trace import Trace
from vision.detect.vocabulary import STANDARD_VOCABULARY
from vision.values import DEFAULT_HOUSE_RULES, CornerReading, Frame, HouseRules, Reading, SeenCard

NETWORKS = "drawn"


class SeeingReader(DrawnReader):
    """Sees one index of each card, in its upper left corner; indices of one rank look alike. ``told`` are the looks
    that it was given with each picture."""

    def __init__(self) -> None:
        super().__init__()
        self.told: list[object] = []

    def read_traced(
        self,
        frame: Frame,
        house_rules: HouseRules = DEFAULT_HOUSE_RULES,
        taught: object = None,
        *,
        looks: object = None,
    ) -> tuple[Reading, Trace]:
        self.told.append(looks)
        found = self.read(frame, house_rules, taught)
        cards = tuple(_with_index(card) for card in found.cards)
        return replace(found, cards=cards), Trace(NETWORKS, scored=_detected(frame, cards))


def _with_index(card: SeenCard) -> SeenCard:
    x, y = card.quad[0]
    return replace(card, corners=(CornerReading((), (x + 4, y + 4, x + 20, y + 34), card.quad, 1),))


def _detected(frame: Frame, cards: tuple[SeenCard, ...]) -> ScoredDetections:
    count, ranks = len(cards), STANDARD_VOCABULARY.ranks
    columns: dict[str, Any] = {
        name: np.zeros((count, count) if column.per_row else (count, *column.shape), column.dtype)
        for name, column in ScoredDetections.COLUMNS.items()
    }
    rank = np.array([ranks.index(card.face.rank) for card in cards], int)
    columns["boxes"] = floats([card.corners[0].box for card in cards]).reshape(-1, 4)
    columns["quads"] = floats([card.quad for card in cards]).reshape(-1, 4, 2)
    columns["p_keep"] = np.full(count, 0.99, np.float32)
    columns["final_ranks"] = np.eye(RANK_COUNT, dtype=np.float32)[rank]
    columns["embedding"] = np.eye(columns["embedding"].shape[1], dtype=np.float32)[rank]
    return ScoredDetections(**columns, picture_size=(frame.width, frame.height))
