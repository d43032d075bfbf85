"""What the networks see on drawn tables, kept without the pictures: what the judges are fitted to."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from multiprocessing import get_context
from pathlib import Path

import cv2
import numpy as np

from datasets.decks import training_decks
from datasets.tables import Table, TrueIndex
from models.drawn_set import readable_table
from models.settler_data import box_middle
from vision.engines import load_finder, load_namer, load_settler
from vision.geometry import Floats, floats, width_of
from vision.looking import look
from vision.naming import Named, name_finds

FIRST_SEED = 5_000_000
"""Decks are drawn from this seed on; trainings use lower ones and new decks far higher ones."""
LEAST = (9.0, 20.0)
"""Between these, in pixels, lies the least height of a table's readable ranks."""


@dataclass(frozen=True, slots=True, eq=False)
class Seen:
    """The named finds of one table, the settler's word on all finds, and the table, its picture left out."""

    named: Named
    real: Floats
    table: Table

    def known(self) -> list[TrueIndex]:
        """All true indices: readable, doubtful and covered ones, in this order."""
        return [*self.table.indices, *self.table.doubtful, *self.table.covered]


def middles_of(indices: list[TrueIndex]) -> tuple[Floats, Floats]:
    """Where the boxes of true indices have their middles, (n, 2), and how wide their cards are, (n,), in pixels."""
    middles = floats([box_middle(index) for index in indices]).reshape(-1, 2)
    return middles, floats([width_of(index.quad) for index in indices])


def see(seed: int, first: int, count: int, weights: Path, drawn: int = 90) -> list[Seen]:
    """What the networks of ``weights`` see on ``count`` tables from number ``first`` on, drawn with ``seed``.

    The tables are of decks drawn with seeds that no training uses and of the packages' training decks.
    """
    cv2.setNumThreads(1)
    finder, settler, namer = load_finder(weights=weights), load_settler(weights), load_namer(weights)
    decks = training_decks(drawn, first_seed=FIRST_SEED + 100 * seed)
    tables = []
    for number in range(first, first + count):
        least = float(np.random.default_rng([seed, number, 1]).uniform(*LEAST))
        table = readable_table(FIRST_SEED + seed, number, decks, least)
        closer = settler.settle(table.picture, look(finder, table.picture).settled())
        named = name_finds(namer, table.picture, closer.found)
        tables.append(Seen(named, closer.real, replace(table, picture=table.picture[:0])))
    return tables


def see_many(seed: int, tables: int, weights: Path, processes: int) -> list[Seen]:
    """``see`` for ``tables`` tables, shared between ``processes``."""
    with get_context("spawn").Pool(processes) as pool:
        work = [(seed, first, count, weights) for first, count in _shares(tables, processes)]
        return [table for part in pool.starmap(see, work) for table in part]


def _shares(tables: int, processes: int) -> Iterator[tuple[int, int]]:
    """First number and count of tables for each of the processes."""
    bounds = np.linspace(0, tables, processes + 1).round().astype(int)
    for first, end in pairwise(bounds):
        yield int(first), int(end - first)
