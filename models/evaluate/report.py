"""Output of the evaluation: a line, a Markdown report, JSON, and a contact sheet of the worst pictures."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import cv2
import numpy as np

from models.evaluate.metrics import Metrics
from vision.images.overlay import annotate
from vision.values import Pixels, Reading

_CELL = (640, 480)
_ACROSS = 3


def line(name: str, metrics: Metrics) -> str:
    """Formats the most important figures as one line."""
    pictures = max(metrics.pictures, 1)
    text = (
        f"{name}: {metrics.pictures} pictures, {metrics.found + metrics.missed} cards: "
        f"found {metrics.found}, wrong {metrics.wrong}, missed {metrics.missed}; F1 by rank {metrics.f1:.4f}; "
        f"exactly right {metrics.exact} ({metrics.exact / pictures:.1%}), counted right {metrics.counted}; "
        f"on those exactly right {metrics.right_doubts} doubts and {metrics.right_warnings} warnings, "
        f"{metrics.right_quiet} unasked; "
        f"wrong and undoubted {metrics.undoubted_wrong} ({metrics.undoubted_wrong / pictures:.1%}); "
        f"{metrics.seconds / pictures:.2f} s each"
    )
    if metrics.identical_pairs:
        text += f"; identical neighbours counted right {metrics.identical_pairs_right} of {metrics.identical_pairs}"
    if metrics.melds:
        text += f"; melds grouped right {metrics.melds_right} of {metrics.melds}"
    if metrics.found and metrics.right_suit:
        text += f"; suit right {metrics.right_suit / metrics.found:.2%} of found"
    if metrics.confused:
        text += "; most confused (truth>read): " + ", ".join(f"{k} {n}" for k, n in metrics.confused.most_common(8))
    return text


def as_json(name: str, metrics: Metrics) -> dict[str, Any]:
    """Returns all counts as values for JSON."""
    return {
        "name": name,
        "pictures": metrics.pictures,
        "exact": metrics.exact,
        "counted": metrics.counted,
        "found": metrics.found,
        "wrong": metrics.wrong,
        "missed": metrics.missed,
        "f1_by_rank": metrics.f1,
        "f1_by_face": metrics.f1_by_face if metrics.right_suit else None,
        "wrong_and_undoubted": metrics.undoubted_wrong,
        "right_and_undoubted": metrics.right_quiet,
        "doubts_on_exact": metrics.right_doubts,
        "warnings_on_exact": metrics.right_warnings,
        "identical_neighbours": {"all": metrics.identical_pairs, "right": metrics.identical_pairs_right},
        "melds_grouped": {"all": metrics.melds, "right": metrics.melds_right},
        "seconds": metrics.seconds,
        "confused": dict(metrics.confused.most_common()),
        "parts": {sort: {"found": part.found, "missed": part.missed} for sort, part in sorted(metrics.parts.items())},
        "reliability": [
            {"from": low, "to": high, "cards": cards, "right": right}
            for low, high, cards, right in metrics.reliability()
        ],
        "trade_off": [
            {"doubted_under": bound, "pictures_doubted": doubted, "wrong_and_undoubted": silent}
            for bound, doubted, silent in metrics.trade_off()
        ],
        "mistakes": {picture.name: picture.mistakes for picture in metrics.results if picture.mistakes},
    }


def _table(head: Sequence[str], rows: Sequence[Sequence[object]]) -> list[str]:
    return [
        "| " + " | ".join(head) + " |",
        "|---" * len(head) + "|",
        *("| " + " | ".join(str(value) for value in row) + " |" for row in rows),
        "",
    ]


def readable(name: str, metrics: Metrics) -> str:
    """Formats a Markdown section: the line of figures, mistakes by part, and reliability of the confidence."""
    text = [f"## {name}", "", line(name, metrics), ""]
    if metrics.parts:
        parts = sorted(metrics.parts.items())
        shares = [f"{part.found / (part.found + part.missed):.1%}" for _, part in parts]
        rows = [(sort, part.found, part.missed, share) for (sort, part), share in zip(parts, shares, strict=True)]
        text += _table(("cards", "read right", "not", "recall"), rows)
    if metrics.read:
        ranges = [
            (f"{low:.2f} to {high:.2f}", cards, f"{right / cards:.3f}" if cards else "–")
            for low, high, cards, right in metrics.reliability()
        ]
        text += _table(("confidence", "cards", "of these right"), ranges)
    curve = [(bound, f"{doubted:.1%}", f"{silent:.1%}") for bound, doubted, silent in metrics.trade_off()]
    text += _table(("doubted under", "pictures with a doubt", "wrong without a doubt"), curve)
    return "\n".join(text)


def contact_sheet(worst: Sequence[tuple[str, Pixels, Reading]]) -> Pixels:
    """Draws pictures with what was read, side by side; (height, width, 3) BGR."""
    cells = []
    for name, pixels, reading in worst:
        cell = np.zeros((_CELL[1] + 24, _CELL[0], 3), np.uint8)
        drawn = annotate(pixels, reading)
        shrink = min(_CELL[0] / drawn.shape[1], _CELL[1] / drawn.shape[0])
        small = cv2.resize(drawn, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA)
        cell[24 : 24 + small.shape[0], : small.shape[1]] = small
        cv2.putText(cell, name, (4, 17), cv2.FONT_HERSHEY_SIMPLEX, 0.5, (255, 255, 255), 1, cv2.LINE_AA)
        cells.append(cell)
    while len(cells) % _ACROSS:
        cells.append(np.zeros_like(cells[0]))
    rows = [np.hstack(cells[i : i + _ACROSS]) for i in range(0, len(cells), _ACROSS)]
    return np.vstack(rows)
