"""The page that is fuzzed waits for its photos as in all other tests."""

from __future__ import annotations

from tests.webui.conftest import patient

__all__ = ["patient"]
