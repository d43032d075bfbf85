"""The photos as pictures for the page: whole, one card cut out, and the surroundings of a point."""

from __future__ import annotations

import threading
from functools import lru_cache
from pathlib import Path

from flask import Blueprint, Response, abort, request, send_file
from werkzeug.wrappers import Response as AnyResponse

from vision.errors import PhotoError
from vision.images.decode import load_photo
from vision.images.jpeg import to_jpeg
from vision.images.overlay import cut_around, cut_out
from vision.values import Pixels
from webui.context.lookups import asked_point
from webui.context.services import services
from webui.rounds.stored_reading import parse_reading
from webui.storage.records import PhotoRecord

page = Blueprint("pictures", __name__, url_prefix="/photo/<int:photo_id>")

_YEAR = 365 * 24 * 3600
_WIDEST_CROP = 420
_READABLE = 250  # pixels across in which a line of text can be read
_decoding = threading.Lock()


@page.get("/view.jpg")
def view(photo_id: int) -> AnyResponse:
    """The photo upright, small enough to look at."""
    record = _record(photo_id)
    return view_of(record.file, record.width, record.height)


def view_of(file: str, width: int, height: int) -> AnyResponse:
    """A photo's view by the name of its file, or what stands in its place where that is not here (any more)."""
    path = services().store.files.preview_path(file)
    return send_file(path, mimetype="image/jpeg", max_age=_YEAR) if path.exists() else _gone(width, height)


@page.get("/card/<int:index>.jpg")
def card(photo_id: int, index: int) -> Response:
    """One card as the reader outlined it, upright and square on."""
    record = _record(photo_id)
    reading = parse_reading(record.reading) if record.reading else None
    if reading is None or index >= len(reading.cards):
        abort(404, "There is no such card in this photo.")
    width = min(_WIDEST_CROP, max(60, request.args.get("w", _WIDEST_CROP, type=int)))
    pixels = _pixels(record)
    return _gone(width, width * 7 // 5) if pixels is None else _jpeg(cut_out(pixels, reading.cards[index].quad, width))


@page.get("/around.jpg")
def around(photo_id: int) -> Response:
    """The photo round a point, where a person says that there is one card more."""
    record = _record(photo_id)
    x, y = asked_point()
    pixels, size = _pixels(record), max(120, max(record.width, record.height) // 6)
    return _gone(size, size) if pixels is None else _jpeg(cut_around(pixels, x, y, size))


def _record(photo_id: int) -> PhotoRecord:
    record = services().store.rounds.find_photo(photo_id)
    if record is None:
        abort(404, "There is no such photo.")
    return record


def _pixels(record: PhotoRecord) -> Pixels | None:
    """The photo, None where its file is not here: it made room for newer ones, or another device has it."""
    try:
        with _decoding:  # many cards of one photo are asked for at once, and it is decoded once
            return _decoded(services().store.files.path(record.file))
    except PhotoError:
        return None


def _gone(width: int, height: int) -> Response:
    """A picture that says that there is none; cards are still outlined on it where they lay."""
    drawn = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}">'
        '<title>The photo is not here any more</title><rect width="100%" height="100%" fill="#3a3a3a"/>'
        f'<text x="50%" y="50%" fill="#f0f0f0" font-family="sans-serif" font-size="{width / 16:.1f}" '
        f'text-anchor="middle">{"The photo is not here any more" if width > _READABLE else ""}</text></svg>'
    )
    response = Response(drawn, mimetype="image/svg+xml")
    response.cache_control.no_store = True
    return response


@lru_cache(maxsize=3)
def _decoded(path: Path) -> Pixels:
    """A page asks for many cards of one photo at a time; files are named by their content, so this never goes stale."""
    return load_photo(path).pixels


def _jpeg(pixels: Pixels) -> Response:
    response = Response(to_jpeg(pixels), mimetype="image/jpeg")
    response.cache_control.private = True
    response.cache_control.max_age = _YEAR
    return response
