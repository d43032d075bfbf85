"""The practice cards: drawn tables that stand in for photos in games that count nowhere."""

from __future__ import annotations

from vision.errors import PhotoError
from vision.images.decode import load_photo, photos_in
from vision.values import Frame
from webui.context.services import services
from webui.translation import _


def practice_frame(side: int, left: bool) -> Frame:
    """The practice cards of a side: those on its table, or those that are left over.

    Raises:
        PhotoError: there are none for this side.
    """
    tables, place = photos_in(services().settings.samples, _("of the practice cards")), 2 * side + left
    if place >= len(tables):
        raise PhotoError(
            _("there are no practice cards for this side; add a few by hand, or tap “Nothing on the table”")
        )
    return load_photo(tables[place], tables[place].name)
