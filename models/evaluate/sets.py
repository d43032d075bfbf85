"""The fixed sets of drawn tables, and the seal on the one that nobody looks at before the end."""

from __future__ import annotations

import hashlib
import json
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import numpy as np

from datasets.assets.manifest import PARTS, Part
from datasets.decks.deck_art import DeckArt
from datasets.decks.splits import sample_deck
from datasets.scenes.tables import Table
from datasets.scenes.world import VIEWS, World, draw_view
from models.samples.drawn_tables import readable_table

SETS = Path(__file__).with_name("sets.toml")
OPENED = Path(__file__).with_name("opened.jsonl")
"""A line for each time the sealed set was opened; committed."""
SEALED = "sealed"
TABLE = "table"
"""The kind of the usual tables."""
PACKS = (
    *("proportions", "indices", "dark", "foreign", "own_signs", "sizes"),
    *("papers", "rank_alone", "second_index", "prints"),
)
"""The kinds whose packs all have one look or are of unlike size, and that of printed things among the cards."""
KINDS = (TABLE, *VIEWS, *PACKS)
TABLE_HEIGHT, WORLD_HEIGHT = 16.0, 10.0
"""Smallest height of a readable rank, in pixels, on usual tables and on those of the drawn world."""
SIZE, FILLING_SIZES = 960, (1024, 1600, 2400)
"""Width and height of a picture of the drawn world; and of those that one to three cards fill."""


class SealedError(RuntimeError):
    """The sealed set was asked for without leave; the message says how to open it."""


@dataclass(frozen=True, slots=True)
class TableSet:
    """A fixed set of tables.

    Attributes:
        name: its name.
        seed: seed of all its tables.
        part: the part of the manifest that it is drawn from.
        kinds: number of tables of each of KINDS; they take turns, so that the first few are of all kinds.
    """

    name: str
    seed: int
    part: Part
    kinds: Mapping[str, int]

    def order(self) -> list[str]:
        """The kind of each table."""
        places = [((n + 0.5) / count, kind) for kind, count in self.kinds.items() for n in range(count)]
        return [kind for _, kind in sorted(places)]

    def numbers(self, kind: str | None = None) -> list[int]:
        """The numbers of the tables, or of those of one ``kind``.

        Raises:
            ValueError: the set has none of that kind.
        """
        if kind is not None and kind not in self.kinds:
            raise ValueError(f"expected a kind of set {self.name}, {', '.join(self.kinds)}, got {kind}")
        return [number for number, one in enumerate(self.order()) if kind in (None, one)]

    def draw(self, number: int, packaged: Sequence[DeckArt]) -> Table:
        """Draws table ``number`` with decks ``packaged`` of its part and new ones, in the fonts now in use
        (``datasets.assets.manifest.use_part``)."""
        kind, apart = self.order()[number], self.part == SEALED
        rng = np.random.default_rng([self.seed, number])
        if kind == TABLE:
            deck = sample_deck(packaged, rng)
            return readable_table(self.seed, number, [deck], TABLE_HEIGHT, unusual_light=apart)
        views = {kind: 1.0} if kind in VIEWS else {"usual": 1.0}
        looks = {look: float(look == kind) for look in PACKS}
        world = World(views, **looks, apart=apart)
        size = int(rng.choice(FILLING_SIZES)) if kind == "filling" else SIZE
        while True:
            table = draw_view(rng, packaged, world, size)
            if min((index.tall for index in table.indices), default=WORLD_HEIGHT) >= WORLD_HEIGHT:
                return table


def load_set(name: str) -> TableSet:
    """Reads one set.

    Raises:
        ValueError: there is no such set, or it is incomplete.
    """
    sets = tomllib.loads(SETS.read_text(encoding="utf-8"))
    if name not in sets:
        raise ValueError(f"expected a set of {', '.join(sets)}, got {name}")
    found = TableSet(name, **sets[name])
    if found.part not in PARTS or not set(found.kinds) <= set(KINDS):
        raise ValueError(f"expected set {name} with one of the parts {', '.join(PARTS)} and kinds {', '.join(KINDS)}")
    return found


def open_set(name: str, leave: bool, candidates: Mapping[str, str], log: Path = OPENED) -> TableSet:
    """Reads one set. The sealed one only with ``leave``, and each time is written to ``log``, with the hashes of the
    ``candidates`` that are evaluated.

    Raises:
        SealedError: the sealed set was asked for without leave.
        ValueError: there is no such set.
    """
    found = load_set(name)
    if found.part == SEALED:
        if not leave:
            raise SealedError(
                "the sealed set is opened once, when nothing is to be chosen any more: add --open-the-sealed-set"
            )
        line = {"opened": datetime.now(UTC).isoformat(timespec="seconds"), "set": name, **candidates}
        with log.open("a", encoding="utf-8") as file:
            file.write(json.dumps(line) + "\n")
    return found


def fingerprint(table: Table) -> str:
    """A short hash of what lies on a table and where: two machines that draw the same have the same."""
    cards = [(str(card.face), np.round(card.quad).astype(int).tolist()) for card in table.cards]
    return hashlib.sha256(json.dumps(cards).encode()).hexdigest()[:12]
