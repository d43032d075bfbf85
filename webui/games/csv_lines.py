"""Lines of data as a table for spreadsheets."""

from __future__ import annotations

import csv
import io
from typing import Any

from webui.games.season.round_words import heading

Lines = list[dict[str, Any]]
_FORMULAS = ("=", "+", "-", "@", "\t", "\r")
"""First characters that make a spreadsheet take a cell for a formula."""


def as_csv(lines: Lines, word: str = "round") -> str:
    """Lines as a table for spreadsheets; empty without any. Headings call a round by this word; data keeps its keys."""
    text = io.StringIO()
    table = csv.DictWriter(text, keys := list(lines[0]) if lines else [])
    table.writerow({key: heading(key, word) for key in keys})
    table.writerows({key: plain(of) if isinstance(of, str) else of for key, of in line.items()} for line in lines)
    return text.getvalue()


def plain(text: str) -> str:
    """Text that a spreadsheet does not take for a formula."""
    return f"'{text}" if text.startswith(_FORMULAS) else text
