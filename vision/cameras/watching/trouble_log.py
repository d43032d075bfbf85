"""Writes into the log what the page says of the camera, so that a night without pictures can be explained later."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable

_AGAIN_AFTER = 60.0
"""Seconds before the same sentence is written again; a camera that fails now and then would fill the log."""
_log = logging.getLogger(__name__)


class TroubleLog:
    """One camera's troubles: each is written when it begins, and once more that it is over. Not thread-safe.

    Args:
        clock: seconds that only ever go forward.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._written: dict[str, float] = {}
        self._sentence: str | None = None

    def begins(self, sentence: str) -> None:
        """A trouble, in a sentence without addresses."""
        now = self._clock()
        if sentence == self._sentence or now - self._written.get(sentence, -_AGAIN_AFTER) < _AGAIN_AFTER:
            return
        self._sentence = sentence
        self._written = {said: at for said, at in self._written.items() if now - at < _AGAIN_AFTER} | {sentence: now}
        _log.warning("%s", sentence)

    def ends(self) -> None:
        """There are pictures."""
        if self._sentence is not None:
            self._sentence = None
            _log.info("The camera is working again.")
