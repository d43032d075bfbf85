"""Quotas for connections that stay open: a total, and a part of it for each client."""

from __future__ import annotations

import threading
from collections import Counter


class Quota:
    """Counts what clients hold. Thread-safe.

    Args:
        total: how many may be held at a time by all clients together.
        per_client: how many by one client.
    """

    def __init__(self, total: int, per_client: int) -> None:
        self._total, self._per_client = total, per_client
        self._lock = threading.Lock()
        self._held: Counter[str | None] = Counter()

    def take(self, client: str | None) -> bool:
        """Takes one for a client; returns False if none is left. Client None is this machine itself."""
        with self._lock:
            if self._held.total() >= self._total or self._held[client] >= self._per_client:
                return False
            self._held[client] += 1
            return True

    def release(self, client: str | None) -> None:
        """Gives back one of a client's."""
        with self._lock:
            self._held[client] -= 1
            self._held += Counter()  # drops clients that hold nothing
