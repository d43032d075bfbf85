"""The fuzzed page waits for its photos, as in all tests of the page."""

from __future__ import annotations

from tests.webui.conftest import patient

__all__ = ["patient"]
