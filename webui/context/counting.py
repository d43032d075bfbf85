"""How far the first count of all rounds is, after a start: pages over all games say so instead of waiting for it."""

from __future__ import annotations

from flask import render_template

from webui.context.services import services

_SOON = 200
"""So many games are counted in the time that a page may take."""
_EVERY = 2
"""Seconds after which the page is asked for again."""


def counting_page() -> str | None:
    """The page that tells how far the count is; None where the page that was asked for need not wait for it."""
    counting = services().counting
    if counting.games - counting.done <= _SOON:
        return None
    percent = 100 * counting.done // counting.games
    return render_template("statistics/counting.html", percent=percent, games=counting.games, every=_EVERY)
