"""Pictures of stored photos as responses, and the placeholder for a photo whose file is missing."""

from __future__ import annotations

from flask import Response, send_file
from werkzeug.wrappers import Response as AnyResponse

from vision.errors import PhotoError
from vision.images.decode import load_photo
from vision.images.jpeg import to_jpeg
from webui.context.services import services
from webui.translation import _

YEAR = 365 * 24 * 3600
_SMALL_QUALITY = 80
_MIN_TEXT_WIDTH = 250
"""Pixels; below this width a line of text cannot be read."""


def photo_view(file: str, width: int, height: int, longest: int | None = None) -> AnyResponse:
    """The reduced view of a photo (JPEG) by the name of its file; a placeholder of that size if it is missing.

    Args:
        file: the name of the photo's file.
        width, height: of the whole photo, in pixels.
        longest: the most pixels of the longer side, for a page that shows it small; None for the view as stored.
    """
    path = services().store.files.preview_path(file)
    if not path.exists():
        return missing_photo(width, height)
    response: AnyResponse
    if longest is None:
        response = send_file(path, mimetype="image/jpeg", max_age=YEAR)
    else:
        try:
            pixels = load_photo(path).pixels
        except PhotoError:
            return missing_photo(width, height)
        response = Response(to_jpeg(pixels, longest, _SMALL_QUALITY), mimetype="image/jpeg")
        response.cache_control.max_age = YEAR
    response.cache_control.public = False  # Werkzeug's default: any cache on the way would keep the picture of a home
    response.cache_control.private = True
    return response


def missing_photo(width: int, height: int) -> Response:
    """A placeholder (SVG) of the photo's size, so that outlines drawn over it are still in place."""
    text = _("This photo is gone") if width > _MIN_TEXT_WIDTH else ""
    drawing = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}">'
        '<title>This photo is gone</title><rect width="100%" height="100%" fill="#3a3a3a"/>'
        f'<text x="50%" y="50%" fill="#f0f0f0" font-family="sans-serif" font-size="{width / 16:.1f}" '
        f'text-anchor="middle">{text}</text></svg>'
    )
    response = Response(drawing, mimetype="image/svg+xml")
    response.cache_control.no_store = True
    return response
