"""Pictures of a household's cards, and of the photos that teach them, as responses."""

from __future__ import annotations

from pathlib import Path

from flask import Response, abort, request, send_file
from werkzeug.wrappers import Response as AnyResponse

from vision.errors import PhotoError
from vision.images.decode import load_photo
from vision.images.jpeg import shrunk, to_webp
from webui.context.responses.photo_responses import YEAR
from webui.translation import _

_WIDTHS = (120, 240)
"""Pixels. Few, so that a browser keeps few."""
_QUALITY = 85


def picture_of(path: Path) -> AnyResponse:
    """A card's picture (WebP); with ``w`` in the address, reduced to the smallest of a few sizes that is as wide."""
    wanted = request.args.get("w", type=int)
    width = None if wanted is None else next((one for one in _WIDTHS if one >= wanted), None)
    if width is None:
        return view_of(path)
    try:
        pixels = load_photo(path).pixels
    except PhotoError:
        abort(404, _("This picture is gone."))
    longest = width * max(pixels.shape[:2]) // pixels.shape[1]
    return _kept(Response(to_webp(shrunk(pixels, longest), _QUALITY), mimetype="image/webp"))


def view_of(path: Path) -> AnyResponse:
    """A picture as it is stored."""
    if not path.is_file():
        abort(404, _("This picture is gone."))
    return _kept(send_file(path, max_age=YEAR))


def _kept(response: AnyResponse) -> AnyResponse:
    """Kept by the browser, as an address has the version of its picture, and by nobody on the way."""
    response.cache_control.max_age = YEAR
    response.cache_control.public = False
    response.cache_control.private = True
    return response
