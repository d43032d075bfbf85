"""Events as pages show them, worked out once for each change: at each one, everybody who looks on asks again."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any

from scorer.rules import load_rules
from webui.events.evening import Evening
from webui.events.stored import evening_of
from webui.storage.store import Store

_MOST = 500
"""The most events, texts and versions of tables that are held; those of one night are few."""
_HEARD_SECONDS = 1.0
"""For so long a version holds that nothing here has changed; in that time other machines are heard of, too."""


class KeptEvenings:
    """The events of a storage as they stand, and texts that show them, kept until they change. Thread-safe."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._found: dict[int, Evening] = {}
        self._texts: dict[tuple[int, str], tuple[Evening, str]] = {}
        self._versions: dict[tuple[int, int | None], tuple[int, float, int]] = {}
        self._lock = threading.RLock()  # what makes a text may ask for the event that it shows

    def version(self, event_id: int, table: int | None = None) -> int:
        """As ``Events.version``, for pages that ask again and again: other machines' changes may come a second late."""
        place, changes, now = (event_id, table), self._store.change_signal.count, time.monotonic()
        kept = self._versions.get(place)
        if kept and kept[0] == changes and now - kept[1] < _HEARD_SECONDS:
            return kept[2]
        version = self._store.events.version(event_id, table)
        with self._lock:
            _make_room(self._versions)
            self._versions[place] = changes, now, version
        return version

    def find(self, event_id: int) -> Evening | None:
        """The event as it stands, None where there is none. It is shared: nothing in it may be changed.

        Raises:
            RulesError: its rule set cannot be loaded.
        """
        version = self._store.events.version(event_id)
        with self._lock:  # of many who ask at once, one works it out
            kept = self._found.get(event_id)
            if kept and kept.version == version and load_rules(kept.record.rules) is kept.rules:
                return kept
            found = evening_of(self._store, event_id)
            if found is not None:
                _make_room(self._found)
                self._found[event_id] = found
            return found

    def text(self, evening: Evening, name: str, make: Callable[[], str]) -> str:
        """A text that shows nothing but an event as it stands; it is made where it is not kept."""
        place = evening.record.id, name
        with self._lock:
            kept = self._texts.get(place)
            if kept is None or kept[0] is not evening:
                _make_room(self._texts)
                self._texts[place] = kept = evening, make()
            return kept[1]


def _make_room(kept: dict[Any, Any]) -> None:
    if len(kept) >= _MOST:
        kept.clear()
