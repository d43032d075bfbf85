"""The judges are fitted to what the networks see, and judge."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from datasets.drawn_decks import draw_deck
from datasets.fonts import NoFontsError, fonts
from datasets.tables import Table, TrueIndex, draw_table
from models.export import note_hashes
from vision.finder import Found
from vision.geometry import Floats, floats
from vision.judging import TREES, load_judges
from vision.namer import Names
from vision.naming import Named
from vision.reader import cards_of

pytest.importorskip("sklearn", reason="the extra train is not installed")
from models.finds import Seen
from models.fit_judges import belief_lesson, fit_all, repeats_lesson
from models.marks import named_right
from models.namer_data import RANK_CLASSES
from models.settler_data import box_middle

try:
    fonts(held_out=False)
except NoFontsError as problem:
    pytest.skip(str(problem), allow_module_level=True)


def drawn(seed: int) -> Table:
    table = draw_table(np.random.default_rng(seed), [draw_deck("toy", seed)], (640, 640), card_pixels=110, clean=True)
    return replace(table, picture=table.picture[:0])


def seen(table: Table, indices: list[TrueIndex], scores: Floats, ranks: list[int], off: Floats) -> Seen:
    """Finds of ``indices``, moved by ``off`` (n, 2), believed and named as told."""
    middles = floats([box_middle(index) for index in indices]) + off
    quads = floats([index.quad for index in indices]) + off[:, None]
    found = Found(np.concatenate([middles - 8, middles + 8], 1), scores, quads)
    count = len(indices)
    names = Names(
        np.where(np.eye(14, dtype=bool)[ranks], 0.96, 0.003).astype(np.float32),
        np.full((count, 4), 0.25, np.float32),
        np.full(count, 0.05, np.float32),
        np.zeros((count, 2), np.float32),
    )
    rights = [index.right for index in indices]
    return Seen(Named(found, range(count), rights, names), floats(scores), table)


def rank_of(index: TrueIndex) -> int:
    assert index.face is not None
    return RANK_CLASSES.index(index.face.rank)


def clumsy(seed: int) -> Seen:
    """Every index found surely, a few misread, many found once more near by, and weak finds where nothing is."""
    rng = np.random.default_rng(seed)
    table = drawn(seed)
    sure = list(table.indices)
    again = [index for index in sure if rng.random() < 0.6]
    nothing = sure[:6]
    ranks = [(rank_of(index) + int(rng.random() < 0.02)) % 14 for index in (*sure, *again)]
    ranks += rng.integers(0, 13, len(nothing)).tolist()
    scores = np.concatenate(
        [rng.uniform(0.6, 0.95, len(sure)), rng.uniform(0.4, 0.6, len(again)), rng.uniform(0.05, 0.3, len(nothing))]
    )
    off = np.concatenate([rng.normal(0, 0.5, (len(sure), 2)), rng.normal(0, 3, (len(again), 2)), np.full((6, 2), 3000)])
    return seen(table, [*sure, *again, *nothing], floats(scores), ranks, floats(off))


def test_what_is_fitted_believes_indices_and_counts_each_once(tmp_path: Path) -> None:
    fit_all([clumsy(seed) for seed in range(24)], tmp_path / TREES)
    note_hashes(tmp_path)
    judges = load_judges(tmp_path)
    read, right, lying = 0, 0, 0
    for seed in range(100, 104):
        new = clumsy(seed)
        cards = cards_of(new.named, new.real, judges)
        read, right = read + len(cards), right + sum(named_right(new.table, cards))
        lying += len(new.table.cards)
    assert right > 0.93 * lying, "hardly an index is taken for another, or for nothing"
    assert read - right < 0.08 * lying, "hardly one counts twice"
    assert judges.sureness(0.99, 0.99, 2) > judges.sureness(0.6, 0.6, 1)


def test_the_surest_find_of_an_index_counts_and_a_covered_one_only_where_it_is_misread() -> None:
    table = drawn(5)
    index = table.indices[0]
    covered = replace(index, card=-1, quad=index.quad + floats([400, 0]))
    table = replace(table, indices=(index,), doubtful=(covered,), covered=())
    # the index twice, the covered one, something else; then all of it misread
    four, off = [index, index, covered, index], floats([[0, 0], [2, 2], [0, 0], [2000, 2000]])
    scores, read = floats([0.6, 0.9, 0.8, 0.7]), rank_of(index)
    for rank, right, weight in ((read, [0, 1, 0, 0], [0, 1, 0, 1]), ((read + 1) % 13, [0, 0, 0, 0], [0, 1, 1, 1])):
        given = belief_lesson(seen(table, four, scores, [rank] * 4, off))
        assert [part.tolist() for part in given[1:]] == [right, weight]


def test_a_repeat_is_the_same_index_or_none_and_a_neighbour_is_another() -> None:
    table = drawn(5)
    index = table.indices[0]
    neighbour = replace(index, quad=index.quad + floats([14, 0]))
    table = replace(table, indices=(index, neighbour), doubtful=(), covered=())
    three, off = [index, neighbour, index], floats([[0, 0], [0, 0], [2, 1]])
    judged = seen(table, three, floats([0.99, 0.98, 0.97]), [rank_of(index)] * 3, off)
    given, same, weight = repeats_lesson(judged, load_judges())
    # the surest comes first: with its neighbour, with its repeat, and those two with each other
    assert same.tolist() == [0, 1, 0] and weight.tolist() == [1, 1, 1]
    assert given.shape[0] == 3


def test_trees_of_other_signs_are_refused(tmp_path: Path) -> None:
    import json

    from vision.errors import WeightsError
    from vision.weights import FOLDER

    held = json.loads((FOLDER / TREES).read_text())
    held["repeats"]["signs"].pop()
    (tmp_path / TREES).write_text(json.dumps(held))
    note_hashes(tmp_path)
    with pytest.raises(WeightsError, match="install the program again"):
        load_judges(tmp_path)
