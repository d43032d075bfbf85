"""The self-test after learning: how tables drawn with a household's pictures are read by what was learned.

The shipped networks know the numbers and court cards of most standard decks better than what was learned in minutes,
which then only adds jokers; but not those of a deck with other letters or an unusual hand.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from datasets.arrays import Picture
from datasets.decks.deck_art import DeckArt
from datasets.scenes.tables import Table, TrueCard
from models.samples.drawn_tables import readable_table
from scorer.deck import spoken
from scorer.faces import STANDARD_FACES, Face, is_picture_card
from vision.reader import LearntDecks, load_reader
from vision.recognise.deck_head import DeckHead
from vision.teach.match.taught_faces import TaughtFaces
from vision.values import DEFAULT_HOUSE_RULES, Frame, SeenCard

TABLES, LEAST_HEIGHT, SEED = 8, 16.0, 890_000
"""Tables drawn of each deck, the smallest height of a rank on them in pixels, and their seed."""
ASKED = 1 / 2
"""With a larger share of its cards in doubt, a face is asked about often."""
MOST_NAMED = 8
"""So many cards at most are named in a list."""

_STANDARD, _NONE = frozenset(STANDARD_FACES), frozenset[str]()


@dataclass(frozen=True, slots=True, eq=False)
class DeckToLearn:
    """A deck to learn: its id, the ``pictures`` of each face that was shown, (height, width, 3) BGR, and whole decks to
    draw: one of these pictures, or several of its kind that contain them where faces were not shown."""

    id: str
    pictures: Mapping[Face, Sequence[Picture]]
    arts: Sequence[DeckArt]

    @property
    def is_whole(self) -> bool:
        return all(set(art.faces) <= set(self.pictures) for art in self.arts)

    @property
    def is_standard(self) -> bool:
        return all(_STANDARD.issuperset(art.faces) for art in self.arts)


@dataclass(frozen=True, slots=True)
class DrawnReading:
    """How drawn tables of a deck are read best: the number of cards ``read`` of those ``there``, the faces ``unseen``
    whose ranks were read half of the time or less, and those ``asked``: of many of their cards the reader was in doubt.
    Only faces count that were shown; of a standard deck that is not read ``by_itself``, its picture cards.

    ``by_itself`` says that what was learned reads them with fewer mistakes than the shipped networks together with the
    jokers that it sees.
    """

    id: str
    by_itself: bool
    read: int
    there: int
    unseen: tuple[Face, ...] = ()
    asked: tuple[Face, ...] = ()


def read_drawn(deck: DeckToLearn, head: DeckHead) -> DrawnReading:
    """Reads drawn tables of a deck with the ``head`` that was learned.

    Raises:
        WeightsError: weights are missing.
    """
    own = frozenset([deck.id])
    # the shipped networks do not know other faces than standard ones; jokers alone are no deck to read by itself
    ways = ((False, True) if deck.is_whole else (False,)) if deck.is_standard else (True,)
    readers = {way: load_reader(learnt=LearntDecks(head, own, own if way else _NONE)) for way in ways}
    shown = {face: pictures for face, pictures in deck.pictures.items() if is_picture_card(face)}
    taught = TaughtFaces(shown, own, every={} if deck.is_standard else deck.pictures)
    wrong, there = Counter[bool](), Counter[str]()
    read, seen, doubted = ({way: Counter[str]() for way in ways} for _ in range(3))
    for number in range(TABLES):
        table = readable_table(SEED, number, deck.arts, LEAST_HEIGHT)
        frame = Frame(table.picture, datetime.now(UTC), f"table {number}")
        there += _ranks(table.cards)
        for way, reader in readers.items():
            cards = reader.read(frame, DEFAULT_HOUSE_RULES, taught).cards
            wrong[way] += mistakes(table, cards)
            read[way] += _ranks(table.cards) & _ranks(cards)
            seen[way] += _ranks(cards)
            doubted[way] += _ranks([card for card in cards if card.doubt is not None])
    best = min(ways, key=lambda way: wrong[way])
    counted = tuple(deck.pictures if best else shown)
    ranks = {face.rank for face in counted}
    return DrawnReading(
        deck.id,
        best,
        sum(read[best][rank] for rank in ranks),
        sum(there[rank] for rank in ranks),
        unseen=tuple(face for face in counted if 2 * read[best][face.rank] <= there[face.rank] > 0),
        asked=tuple(face for face in counted if doubted[best][face.rank] > ASKED * seen[best][face.rank]),
    )


def mistakes(table: Table, cards: Sequence[SeenCard]) -> int:
    """Ranks missed and ranks too many on a table, wherever they lie; partly hidden cards may be read or not."""
    true, read = _ranks(table.cards), _ranks(cards)
    return (true - read).total() + (read - true - _ranks(table.partial)).total()


def _ranks(cards: Sequence[TrueCard] | Sequence[SeenCard]) -> Counter[str]:
    return Counter(card.face.rank for card in cards)


def sentence(readings: Sequence[DrawnReading]) -> str:
    """The result for people: ``On practice tables 310 of 320 cards were read right. …``."""
    read, there = (sum(getattr(one, name) for one in readings) for name in ("read", "there"))
    unseen = dict.fromkeys(face for one in readings for face in one.unseen)
    asked = dict.fromkeys(face for one in readings for face in one.asked if face not in unseen)
    told = [f"On practice tables {read} of {there} cards were read right"] if there else []
    if asked:
        told.append(f"It asks about these often: {_listed(asked)}")
    if unseen:
        told.append(f"It hardly finds these, type them: {_listed(unseen)}")
    return ". ".join(told) or "The camera reads these cards as it did before"


def _listed(faces: Collection[Face]) -> str:
    names = [spoken(face) for face in faces][:MOST_NAMED]
    if len(faces) > MOST_NAMED:
        names.append(f"{len(faces) - MOST_NAMED} more")
    return f"{', '.join(names[:-1])} and {names[-1]}" if len(names) > 1 else names[0]
