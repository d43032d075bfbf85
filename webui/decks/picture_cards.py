"""What a reader is told of taught decks: which are in play, the pictures of their jokers and picture cards, which are
found on a table at once, without any learning, and all pictures of decks with faces of their own, by which their cards
are weighed once they were learned."""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterable, Sequence
from pathlib import Path

from scorer.deck import own_decks
from scorer.deck_profile import DeckProfile
from scorer.faces import Face, is_picture_card
from vision.errors import PhotoError
from vision.images.decode import load_photo
from vision.teach.match.taught_faces import TaughtFaces
from vision.values import Pixels
from webui.decks.in_play import is_unlike
from webui.decks.taught import TaughtDeck, TaughtDecks

_MOST_KEPT = 4
"""Sets of decks whose pictures are kept ready."""
_log = logging.getLogger(__name__)
_State = tuple[str | tuple[Path, int], ...]


def picture_cards(profile: DeckProfile) -> tuple[Face, ...]:
    """The jokers and picture cards of a deck."""
    return tuple(face for face in profile.faces if is_picture_card(face))


class PictureCards:
    """Makes ``TaughtFaces`` of the decks in play, and keeps them until their pictures change. Thread-safe.

    Args:
        decks: the household's decks.
    """

    def __init__(self, decks: TaughtDecks) -> None:
        self._decks = decks
        self._lock = threading.Lock()
        self._made: dict[_State, TaughtFaces] = {}

    def of(self, ids: Iterable[str]) -> TaughtFaces | None:
        """What is looked for where these decks are in play; None where none of them is the household's own."""
        in_play = tuple(dict.fromkeys(ids))
        own = [self._decks.get(id) for id in in_play if id in own_decks()]
        if not own:
            return None
        state: _State = (*in_play, *_files(own))
        with self._lock:
            if state not in self._made:
                while len(self._made) >= _MOST_KEPT:
                    self._made.pop(next(iter(self._made)))
                self._made[state] = _make(own, in_play)
            return self._made[state]


def _files(decks: Iterable[TaughtDeck]) -> Iterable[tuple[Path, int]]:
    for deck in decks:
        for picture in deck.pictures:
            if (is_picture_card(picture.face) or is_unlike(deck.id)) and picture.path.exists():
                yield picture.path, picture.path.stat().st_mtime_ns


def _make(decks: Sequence[TaughtDeck], in_play: Sequence[str]) -> TaughtFaces:
    found: dict[Face, list[Pixels]] = {}
    every: dict[Face, list[Pixels]] = {}
    for deck in decks:
        for picture in deck.pictures:
            kinds = [found] * is_picture_card(picture.face) + [every] * is_unlike(deck.id)
            if kinds:
                try:
                    pixels = load_photo(picture.path).pixels
                except PhotoError as error:
                    _log.warning("a picture of a deck cannot be read: %s", error)
                    continue
                for kind in kinds:
                    kind.setdefault(picture.face, []).append(pixels)
    return TaughtFaces(found, in_play, [deck.id for deck in decks], every)
