"""How long photos stay and how much room they take; apart from the storage itself, which takes long to import."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

_DAY = timedelta(days=1)
DEFAULT_DAYS, DEFAULT_BYTES = 730.0, 5 * 1024**3


@dataclass(frozen=True, slots=True)
class PhotoLimit:
    """The largest age in days and the largest total size in bytes; None is no limit."""

    days: float | None = DEFAULT_DAYS
    bytes: int | None = DEFAULT_BYTES

    def allows(self, age: timedelta, total: int) -> bool:
        """Whether a file of this age may stay while all take so many bytes; one of the last day always may."""
        too_old = self.days is not None and age / _DAY > self.days
        return age < _DAY or not (too_old or (self.bytes is not None and total > self.bytes))
