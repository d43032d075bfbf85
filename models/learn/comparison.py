"""Whether a standard deck is read better by the networks that learned it than by the shipped ones.

The shipped networks know the numbers and court cards of most decks better than what was learned in minutes, which then
only adds jokers; but not those of a deck with other letters or an unusual hand. Which it is, tables drawn with the
household's own pictures tell.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from datasets.arrays import Picture
from datasets.decks.deck_art import DeckArt
from datasets.scenes.tables import Table
from models.samples.drawn_tables import readable_table
from scorer.faces import Face, is_picture_card
from vision.engines.weights import FOLDER
from vision.reader import LearntNetworks, load_reader
from vision.teach.match.taught_faces import TaughtFaces
from vision.values import DEFAULT_HOUSE_RULES, Frame, SeenCard

TABLES, LEAST_HEIGHT, SEED = 8, 16.0, 890_000
"""Tables drawn of each deck, the smallest height of a rank on them in pixels, and their seed."""


@dataclass(frozen=True, slots=True, eq=False)
class ShownDeck:
    """A standard deck of which all faces were shown: its id, the deck, and the ``pictures`` (height, width, 3) BGR."""

    id: str
    art: DeckArt
    pictures: Mapping[Face, Sequence[Picture]]


def read_better(decks: Sequence[ShownDeck], head: Path, names: Path, weights: Path = FOLDER) -> list[str]:
    """The ids of those ``decks`` of which the RoI head in the file ``head``, with the ``names`` it learned, makes fewer
    mistakes than the shipped networks together with the jokers that it sees.

    Raises:
        WeightsError: weights are missing.
    """
    return [deck.id for deck in decks if _is_read_better(deck, head, names, weights)]


def _is_read_better(deck: ShownDeck, head: Path, names: Path, weights: Path) -> bool:
    own = frozenset([deck.id])
    signs, whole = (
        load_reader(weights=weights, learnt=LearntNetworks(head, names, own, unlike)) for unlike in (frozenset(), own)
    )
    taught = TaughtFaces({face: shown for face, shown in deck.pictures.items() if is_picture_card(face)}, own)
    counts = [0, 0]
    for number in range(TABLES):
        table = readable_table(SEED, number, [deck.art], LEAST_HEIGHT)
        frame = Frame(table.picture, datetime.now(UTC), f"table {number}")
        for place, reader in enumerate((signs, whole)):
            counts[place] += mistakes(table, reader.read(frame, DEFAULT_HOUSE_RULES, taught).cards)
    return counts[1] < counts[0]


def mistakes(table: Table, cards: Sequence[SeenCard]) -> int:
    """Ranks missed and ranks too many on a table, wherever they lie; partly hidden cards may be read or not."""
    true, read = (Counter(card.face.rank for card in some) for some in (table.cards, cards))
    perhaps = Counter(card.face.rank for card in table.partial)
    return (true - read).total() + (read - true - perhaps).total()
