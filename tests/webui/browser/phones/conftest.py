"""A browser with a camera."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.webui.helpers.browsing import CHROMIUM, QUIET
from tests.webui.helpers.drawn import NORTH_TABLE, photo


@pytest.fixture(scope="module")
def browser(browser: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """A Chromium whose camera is a film of the first side's table, which lies still."""
    film = tmp_path_factory.mktemp("film") / "table.mjpeg"
    film.write_bytes(photo(NORTH_TABLE) * 3)
    camera = (
        "--use-fake-device-for-media-stream",
        "--use-fake-ui-for-media-stream",
        f"--use-file-for-fake-video-capture={film}",
    )
    own = browser.browser_type.launch(executable_path=CHROMIUM, args=[*QUIET, *camera])
    yield own
    own.close()
