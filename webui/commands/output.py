"""Output of the subcommands: results go to standard output, messages to standard error."""

from __future__ import annotations

import json
import sys
from typing import Any


def print_message(message: str) -> None:
    """Prints a sentence for people on standard error."""
    print(f"handfoot: {message}", file=sys.stderr)


def print_json(document: Any) -> None:
    """Prints a JSON document on one line of standard output."""
    print(json.dumps(document, ensure_ascii=False), flush=True)
