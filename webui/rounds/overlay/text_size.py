"""How much room a text takes in a tag, for any font that a browser may choose: as in a wide bold one."""

from __future__ import annotations

import unicodedata

TEXT = 12.0
"""The size of a tag's text in CSS pixels, at the width that a layout is made for."""
LINE = 1.34
"""The height of a tag, by the size of its text."""
_PADDING = 0.5
"""Left and right of the text together, by the size of the text."""

_WIDTHS = {
    **dict.fromkeys("ijlI.,:·’'()|! ", 0.41),
    **dict.fromkeys("frtJs-", 0.6),
    **dict.fromkeys("0123456789", 0.7),
    **dict.fromkeys("mwMW%", 1.12),
    **dict.fromkeys("♣♦♥♠★−", 0.95),
}
_SMALL, _CAPITAL, _OTHER, _WIDE = 0.73, 0.86, 0.95, 1.1


def tag_size(text: str, size: float) -> tuple[float, float]:
    """The width and height of a tag with this text at this size of type, in the same unit."""
    return (sum(map(_width, text)) + _PADDING) * size, LINE * size


def _width(sign: str) -> float:
    """The width of a sign by the size of type."""
    if sign in _WIDTHS:
        return _WIDTHS[sign]
    if unicodedata.combining(sign):
        return 0.0
    if unicodedata.east_asian_width(sign) in "WF":
        return _WIDE
    if not sign.isascii():
        return _OTHER
    return _CAPITAL if sign.isupper() else _SMALL
