"""Output of the subcommands: results go to standard output, messages to standard error.

Nothing else prints here: names, files and errors come from anywhere, and a terminal obeys what it is sent.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from typing import Any

from webui.shown_line import shown_line


def print_lines(lines: Iterable[str]) -> None:
    """Prints lines for people on standard output."""
    for line in lines:
        print(shown_line(line), flush=True)


def print_message(message: str) -> None:
    """Prints a sentence for people on standard error."""
    print(shown_line(f"handfoot: {message}"), file=sys.stderr)


def print_progress(text: str) -> None:
    """Writes a text over the last one on the same line of standard error; an empty one ends the line."""
    print(f"\r{shown_line(text)}   " if text else "", end="" if text else "\n", file=sys.stderr, flush=True)


def print_json(document: Any) -> None:
    """Prints a JSON document on one line of standard output."""
    print(json.dumps(document, ensure_ascii=False), flush=True)
