"""Places for those who stay: so many in all, and so many for one guest."""

from __future__ import annotations

import threading
from collections import Counter


class Quota:
    """Safe to use from several threads."""

    def __init__(self, most: int, of_one: int) -> None:
        self._most, self._of_one = most, of_one
        self._lock = threading.Lock()
        self._taken: Counter[str | None] = Counter()

    def take(self, guest: str | None) -> bool:
        """Whether there is a place for that guest, which it then has; None may have as many as there are."""
        with self._lock:
            if self._taken.total() >= self._most or (guest is not None and self._taken[guest] >= self._of_one):
                return False
            self._taken[guest] += 1
            return True

    def give_back(self, guest: str | None) -> None:
        """One place of that guest is free again."""
        with self._lock:
            self._taken[guest] -= 1
            self._taken += Counter()  # those who are gone are not kept
