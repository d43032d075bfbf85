"""The single values of an archive: numbers within what the tables hold, texts of bounded length, faces, times."""

from __future__ import annotations

import re
from datetime import datetime
from typing import Annotated, Literal

from pydantic import AfterValidator, Field, StrictBool, StrictInt, StrictStr

from scorer.data import Frozen
from scorer.deck import known_faces
from scorer.faces import Face
from scorer.sheets import Text

LARGEST_ID = 10**9
"""Well below the largest integer of a column (2**31 - 1), so that ids given after an import find room."""
_OLDEST, _NEWEST = 1970, 9000
"""A clock may be wrong, so other years than those of any game are taken, as far as every time zone can show them."""
_DECK_ID, _MOST_DECKS = re.compile(r"[\w-]{1,60}", re.ASCII), 6
_UTC_TIME = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}(T[0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]{3}|\.[0-9]{6})?\+00:00)?")


def _face(text: str) -> str:
    if Face.parse(text) not in known_faces():
        raise ValueError(f"expected a card of a known deck, got {text!r}")
    return text


def _without_nul(text: str) -> str:
    if "\0" in text:  # which PostgreSQL does not take
        raise ValueError("expected text without a character 0, got one")
    return text


def _stamp(text: str) -> str:
    """Checks that a text is a time as ``datetime.isoformat`` writes one in UTC, or a date, as an old game may have."""
    if not _UTC_TIME.fullmatch(text):
        raise ValueError(f"expected a time in UTC such as 2026-01-02T03:04:05+00:00, got {text!r}")
    year = datetime.fromisoformat(text).year  # refuses a 32nd of January
    if not _OLDEST <= year <= _NEWEST:
        raise ValueError(f"expected a year between {_OLDEST} and {_NEWEST}, got {year}")
    return text


def _deck_ids(text: str) -> str:
    if not all(_DECK_ID.fullmatch(id) for id in text.split(",")) or text.count(",") >= _MOST_DECKS:
        raise ValueError(f"expected up to {_MOST_DECKS} ids of decks, got {text!r}")
    return text


Id = Annotated[StrictInt, Field(ge=1, le=LARGEST_ID)]
LoggedId = Annotated[StrictInt, Field(ge=0, le=LARGEST_ID)]
"""The id of something that the log tells of. Earlier versions wrote 0 for what was not there any more."""
RoundNumber = Annotated[StrictInt, Field(ge=1, le=999)]
RoundKey = Annotated[StrictStr, Field(pattern=r"^[1-9][0-9]{0,2}$")]
"""The number of a round as a key of a document."""
Seat = Annotated[StrictInt, Field(ge=0, le=98)]
"""The index of a side, or of a player of a side."""
Few = Annotated[StrictInt, Field(ge=0, le=999)]
Pixels = Annotated[StrictInt, Field(ge=1, le=100_000)]
Place = Annotated[float, Field(strict=True, ge=-1e6, le=1e6, allow_inf_nan=False)]
"""A coordinate in photo pixels; outlines may reach beyond the photo."""
Probability = Annotated[float, Field(strict=True, ge=0, le=1, allow_inf_nan=False)]
Name = Annotated[Text, Field(max_length=200), AfterValidator(_without_nul)]
Word = Annotated[StrictStr, Field(max_length=60)]
Sentence = Annotated[Text, Field(max_length=1000)]
Stamp = Annotated[StrictStr, Field(max_length=64), AfterValidator(_stamp)]
FaceText = Annotated[StrictStr, Field(max_length=20), AfterValidator(_face)]
RulesId = Annotated[StrictStr, Field(pattern=r"^[\w-]{1,60}$")]
DeckIds = Annotated[StrictStr, Field(max_length=366), AfterValidator(_deck_ids)]
"""The decks of a game, up to six."""
Hash = Annotated[StrictStr, Field(pattern=r"^[0-9a-f]{1,64}$")]
FileName = Annotated[StrictStr, Field(pattern=r"^\w[\w.-]{0,99}$")]


class ZonesDocument(Frozen):
    """The parts of the marked table, as ``webui.reading.zones`` writes them."""

    first: Literal["left", "right", "top", "bottom"] | None
    strip: StrictBool
