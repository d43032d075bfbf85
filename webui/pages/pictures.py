"""The photos as pictures for the page: whole, one card cut out, and the surroundings of a point."""

from __future__ import annotations

import threading
from functools import lru_cache
from pathlib import Path

from flask import Blueprint, Response, abort, request, send_file
from werkzeug.wrappers import Response as AnyResponse

from vision.errors import PhotoError
from vision.overlay import cut_around, cut_out, to_jpeg
from vision.photos import load_photo
from vision.values import Pixels
from webui.house import asked_point, house
from webui.readings import read_back
from webui.storage.records import PhotoRecord

page = Blueprint("pictures", __name__, url_prefix="/photo/<int:photo_id>")

_YEAR = 365 * 24 * 3600
_WIDEST_CROP = 420
_decoding = threading.Lock()


@page.get("/view.jpg")
def view(photo_id: int) -> AnyResponse:
    """The photo upright, small enough to look at."""
    path = house().store.files.view_path(_record(photo_id).file)
    if not path.exists():
        abort(404, "The file of this photo is not there any more.")
    return send_file(path, mimetype="image/jpeg", max_age=_YEAR)


@page.get("/card/<int:index>.jpg")
def card(photo_id: int, index: int) -> Response:
    """One card as the reader outlined it, upright and square on."""
    record = _record(photo_id)
    reading = read_back(record.reading) if record.reading else None
    if reading is None or index >= len(reading.cards):
        abort(404, "There is no such card in this photo.")
    width = min(_WIDEST_CROP, max(60, request.args.get("w", _WIDEST_CROP, type=int)))
    return _jpeg(cut_out(_pixels(record), reading.cards[index].quad, width))


@page.get("/around.jpg")
def around(photo_id: int) -> Response:
    """The photo round a point, where a person says that there is one card more."""
    record = _record(photo_id)
    x, y = asked_point()
    return _jpeg(cut_around(_pixels(record), x, y, max(120, max(record.width, record.height) // 6)))


def _record(photo_id: int) -> PhotoRecord:
    record = house().store.photo(photo_id)
    if record is None:
        abort(404, "There is no such photo.")
    return record


def _pixels(record: PhotoRecord) -> Pixels:
    try:
        with _decoding:  # many cards of one photo are asked for at once, and it is decoded once
            return _decoded(house().store.files.path(record.file))
    except PhotoError:
        abort(404, "The file of this photo is not there any more.")


@lru_cache(maxsize=3)
def _decoded(path: Path) -> Pixels:
    """A page asks for many cards of one photo at a time; files are named by their content, so this never goes stale."""
    return load_photo(path).pixels


def _jpeg(pixels: Pixels) -> Response:
    response = Response(to_jpeg(pixels), mimetype="image/jpeg")
    response.cache_control.private = True
    response.cache_control.max_age = _YEAR
    return response
