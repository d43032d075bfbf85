"""Text from anywhere as a terminal may be sent it. Imports nothing that takes long or may be missing."""

from __future__ import annotations

import unicodedata

_OBEYED = {"Cc", "Cf", "Cs", "Zl", "Zp"}
"""Categories of characters that a terminal obeys instead of showing them: controls, marks of direction, line ends."""
_JOINERS = "\u200c\u200d"
"""Part of how some scripts and emoji are written."""


def shown_line(text: str) -> str:
    r"""A text as one line that a terminal only shows: what it would obey is spelled out, such as ``\x1b``."""
    return "".join(
        sign if sign in _JOINERS or unicodedata.category(sign) not in _OBEYED else repr(sign)[1:-1] for sign in text
    )
