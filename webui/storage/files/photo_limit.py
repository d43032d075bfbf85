"""How long photos stay and how much room they take; apart from the storage itself, which takes long to import."""

from __future__ import annotations

from dataclasses import dataclass

DEFAULT_DAYS, DEFAULT_BYTES = 730.0, 5 * 1024**3


@dataclass(frozen=True, slots=True)
class PhotoLimit:
    """The largest age in days and the largest total size in bytes; None is no limit."""

    days: float | None = DEFAULT_DAYS
    bytes: int | None = DEFAULT_BYTES
