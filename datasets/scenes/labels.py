"""Ground truth of a table as YOLO label lines and as a JSON object."""

from __future__ import annotations

from typing import Any

import numpy as np

from datasets.arrays import floats
from datasets.scenes.tables import Table, TrueCard


def yolo_lines(table: Table) -> list[str]:
    """Returns a line per index: class, box centre and size, four card corners, as fractions of the picture."""
    height, width = table.picture.shape[:2]
    lines = []
    for index in table.indices:
        patch = index.patch.clip(0, (width, height))
        low, high = patch.min(0), patch.max(0)
        box = np.concatenate([(low + high) / 2, high - low]) / floats([width, height] * 2)
        values = np.concatenate([box, (index.quad / floats([width, height])).ravel()])
        lines.append("0 " + " ".join(f"{value:.6f}" for value in values))
    return lines


def _card(card: TrueCard) -> dict[str, Any]:
    quad = np.round(card.quad.astype(float), 1).tolist()
    return {"face": str(card.face), "quad": quad, "group": card.group, "kind": card.kind}


def truth(table: Table, name: str) -> dict[str, Any]:
    """Returns the table's cards as an object for truth.jsonl."""
    height, width = table.picture.shape[:2]
    return {
        "photo": name,
        "width": width,
        "height": height,
        "labels": "quad",
        "cards": [_card(card) for card in table.cards],
        "partial": [_card(card) for card in table.partial],
        "hidden": table.hidden,
    }
