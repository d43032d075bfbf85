"""The fuzzed page waits for its photos and learns no decks, as in all tests of the page."""

from __future__ import annotations

from tests.webui.conftest import nothing_learned, patient

__all__ = ["nothing_learned", "patient"]
