"""How tables drawn with a household's own pictures are read by what was learned, and by what else there is.

The shipped networks know the numbers and court cards of most standard decks better than what was learned in minutes,
which then only adds jokers; but not those of a deck with other letters or an unusual hand.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from datasets.arrays import Picture
from datasets.decks.deck_art import DeckArt
from datasets.scenes.tables import Table, TrueCard
from models.samples.drawn_tables import readable_table
from scorer.faces import STANDARD_FACES, Face, is_picture_card
from vision.engines.weights import FOLDER
from vision.reader import LearntDecks, load_reader
from vision.recognise.deck_head import DeckHead
from vision.teach.match.taught_faces import TaughtFaces
from vision.values import DEFAULT_HOUSE_RULES, Frame, SeenCard

TABLES, LEAST_HEIGHT, SEED = 8, 16.0, 890_000
"""Tables drawn of each deck, the smallest height of a rank on them in pixels, and their seed."""
ASKED = 1 / 2
"""With a larger share of its cards in doubt, a face is asked about often."""

_STANDARD, _NONE = frozenset(STANDARD_FACES), frozenset[str]()


@dataclass(frozen=True, slots=True, eq=False)
class ShownDeck:
    """A deck of which all faces were shown: its id, the deck, and the ``pictures`` (height, width, 3) BGR."""

    id: str
    art: DeckArt
    pictures: Mapping[Face, Sequence[Picture]]


@dataclass(frozen=True, slots=True)
class DrawnReading:
    """How drawn tables of a deck are read best: the number of cards ``read`` of those ``there``, the faces ``unseen``
    whose ranks were read half of the time or less, and those ``asked``: of many of their cards the reader was in doubt.

    ``by_itself`` says that what was learned reads them with fewer mistakes than the shipped networks together with the
    jokers that it sees.
    """

    id: str
    by_itself: bool
    read: int
    there: int
    unseen: tuple[Face, ...] = ()
    asked: tuple[Face, ...] = ()


def read_drawn(deck: ShownDeck, head: DeckHead, weights: Path = FOLDER) -> DrawnReading:
    """Reads drawn tables of a deck with the ``head`` that was learned.

    Raises:
        WeightsError: weights are missing.
    """
    own = frozenset([deck.id])
    standard = _STANDARD.issuperset(deck.art.faces)  # the shipped networks do not know any others
    readers = {
        by_itself: load_reader(weights=weights, learnt=LearntDecks(head, own, own if by_itself else _NONE))
        for by_itself in ((False, True) if standard else (True,))
    }
    shown = {face: pictures for face, pictures in deck.pictures.items() if is_picture_card(face)}
    taught = TaughtFaces(shown, own, every={} if standard else deck.pictures)
    wrong, there = Counter[bool](), Counter[str]()
    read = {by_itself: Counter[str]() for by_itself in readers}
    seen, doubted = ({by_itself: Counter[str]() for by_itself in readers} for _ in range(2))
    for number in range(TABLES):
        table = readable_table(SEED, number, [deck.art], LEAST_HEIGHT)
        frame = Frame(table.picture, datetime.now(UTC), f"table {number}")
        there += _ranks(table.cards)
        for by_itself, reader in readers.items():
            cards = reader.read(frame, DEFAULT_HOUSE_RULES, taught).cards
            wrong[by_itself] += mistakes(table, cards)
            read[by_itself] += _ranks(table.cards) & _ranks(cards)
            seen[by_itself] += _ranks(cards)
            doubted[by_itself] += _ranks([card for card in cards if card.doubt is not None])
    best = min(readers, key=lambda by_itself: wrong[by_itself])
    unseen = tuple(face for face in deck.art.faces if 2 * read[best][face.rank] <= there[face.rank] > 0)
    asked = tuple(face for face in deck.art.faces if doubted[best][face.rank] > ASKED * seen[best][face.rank])
    return DrawnReading(deck.id, best, read[best].total(), there.total(), unseen, asked)


def mistakes(table: Table, cards: Sequence[SeenCard]) -> int:
    """Ranks missed and ranks too many on a table, wherever they lie; partly hidden cards may be read or not."""
    true, read = _ranks(table.cards), _ranks(cards)
    return (true - read).total() + (read - true - _ranks(table.partial)).total()


def _ranks(cards: Sequence[TrueCard] | Sequence[SeenCard]) -> Counter[str]:
    return Counter(card.face.rank for card in cards)
