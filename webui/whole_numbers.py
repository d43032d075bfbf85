"""Whole numbers in texts that others sent: from addresses, forms, file names and documents."""

from __future__ import annotations

import re

_DIGITS = re.compile(r"\d{1,20}")
"""As many as nanoseconds since 1970 take. Python refuses to convert more than 4,300, which would be an error here."""


def whole_number(text: str) -> int | None:
    """The number that a text of 1 to 20 decimal digits spells; None for any other text."""
    return int(text) if _DIGITS.fullmatch(text) else None
