"""The pictures of photos that the pages show: a whole photo, one card cut out, the surroundings of a point."""

from __future__ import annotations

import threading
from functools import lru_cache
from pathlib import Path

from flask import Blueprint, Response, abort, request
from werkzeug.wrappers import Response as AnyResponse

from vision.errors import PhotoError
from vision.images.decode import load_photo
from vision.images.jpeg import to_jpeg
from vision.images.overlay import cut_marked, cut_out, mark_place
from vision.values import Pixels
from webui.context.guard.rights import viewer
from webui.context.lookups import requested_point
from webui.context.responses.photo_responses import YEAR, missing_photo, photo_view
from webui.context.services import services
from webui.rounds.stored_reading import parse_reading
from webui.storage.records import PhotoRecord
from webui.translation import _
from webui.whole_numbers import whole_number

page = Blueprint("pictures", __name__, url_prefix="/photo/<int:photo_id>")

_MAX_CARD_WIDTH, _MAX_MARKED_WIDTH = 420, 480
_MOST_MARKED = 200
_VIEW_WIDTHS = (640, 1280)
"""Pixels. Few, so that a browser keeps few; 1280 are sharp on a phone, and beside the cards on a desk."""
_decode_lock = threading.Lock()


@page.get("/view.jpg")
@viewer
def view(photo_id: int) -> AnyResponse:
    """The photo upright, reduced for viewing; with ``w``, to the smallest of a few sizes that is as wide as that."""
    record = _find(photo_id)
    wanted = request.args.get("w", type=int)
    width = None if wanted is None else next((one for one in _VIEW_WIDTHS if one >= wanted), None)
    longest = None if width is None else max(width, width * record.height // record.width)
    return photo_view(record.file, record.width, record.height, longest)


@page.get("/card/<int:index>.jpg")
@viewer
def card(photo_id: int, index: int) -> Response:
    """One card of the reading, rectified: upright and seen from above."""
    record = _find(photo_id)
    reading = parse_reading(record.reading) if record.reading else None
    if reading is None or index >= len(reading.cards):
        abort(404, _("There is no such card in this photo."))
    width = min(_MAX_CARD_WIDTH, max(60, request.args.get("w", _MAX_CARD_WIDTH, type=int)))
    pixels = _pixels(record)
    if pixels is None:
        return missing_photo(width, width * 7 // 5)
    return _jpeg(cut_out(pixels, reading.cards[index].quad, width))


@page.get("/marked.jpg")
def marked(photo_id: int) -> Response:
    """Some cards of the reading, ``cards=3-4-7``, outlined in their surroundings; with ``close`` the index of the
    first, so large that it can be read, where one was found."""
    record = _find(photo_id)
    reading = parse_reading(record.reading) if record.reading else None
    indices = [whole_number(part) for part in request.args.get("cards", "").split("-")[:_MOST_MARKED]]
    cards = reading.cards if reading else ()
    chosen = [cards[index] for index in indices if index is not None and 0 <= index < len(cards)]
    if not chosen:
        abort(404, _("There is no such card in this photo."))
    width = min(_MAX_MARKED_WIDTH, max(60, request.args.get("w", _MAX_MARKED_WIDTH, type=int)))
    pixels, corners = _pixels(record), chosen[0].corners if "close" in request.args else ()
    index = max(corners, key=lambda corner: corner.p_keep).box if corners else None
    return (
        missing_photo(width, width)
        if pixels is None
        else _jpeg(cut_marked(pixels, [card.quad for card in chosen], width, index))
    )


@page.get("/around.jpg")
def around(photo_id: int) -> Response:
    """The surroundings of a point, where a person adds a card, with a ring around it."""
    record = _find(photo_id)
    x, y = requested_point()
    pixels, size = _pixels(record), max(120, max(record.width, record.height) // 6)
    return missing_photo(size, size) if pixels is None else _jpeg(mark_place(pixels, x, y, size))


def _find(photo_id: int) -> PhotoRecord:
    record = services().store.rounds.find_photo(photo_id)
    if record is None:
        abort(404, _("There is no such photo."))
    return record


def _pixels(record: PhotoRecord) -> Pixels | None:
    """The photo, (height, width, 3) BGR; None if its file is gone: too old, or on another machine."""
    try:
        with _decode_lock:  # a page asks for many cards of one photo at once, which is decoded once
            return _decode(services().store.files.path(record.file))
    except PhotoError:
        return None


@lru_cache(maxsize=3)
def _decode(path: Path) -> Pixels:
    """Decodes a photo; cached, as files are named by their content and never change."""
    return load_photo(path).pixels


def _jpeg(pixels: Pixels) -> Response:
    response = Response(to_jpeg(pixels), mimetype="image/jpeg")
    response.cache_control.private = True
    response.cache_control.max_age = YEAR
    return response
