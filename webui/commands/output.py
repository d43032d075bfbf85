"""How every subcommand speaks: results to standard output, sentences to standard error."""

from __future__ import annotations

import json
import sys
from typing import Any


def say(message: str) -> None:
    """One sentence for a person, on standard error."""
    print(f"handfoot: {message}", file=sys.stderr)


def print_json(document: Any) -> None:
    """One JSON document on one line of standard output."""
    print(json.dumps(document, ensure_ascii=False), flush=True)
