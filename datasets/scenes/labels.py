"""Ground truth of a table as a JSON object."""

from __future__ import annotations

from typing import Any

import numpy as np

from datasets.scenes.tables import Table, TrueCard


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
