"""What the judge learns from: all finds of a drawn table, and which index each of them shows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from models.samples.index_classifier import RANK_CLASSES
from models.samples.outline_refiner import APART
from models.samples.reader_output import Seen, middles_of
from vision.arrays import floats
from vision.rescore.features import middles_of as middles_of_finds
from vision.rescore.relation_model import INPUT_NAMES, model_inputs

OWN_WEIGHT = 0.3
"""How much the distance of the cards' own corners counts against that of the boxes, where it is told which index a find
shows."""
HIDDEN_PENALTY = (0.0, 0.05, 0.12)
"""Card widths by which a readable index, a doubtful and a covered one seem further off: in a pile the covered ones lie
where the top card's does."""
ON_FILE = {"told": np.float32, "patches": np.float16, "windows": np.float16, "places": np.int16, "between": np.float16}
"""How what the judge takes is kept, to save room."""
BACK = {"places": np.int64, "there": np.bool_}


@dataclass(frozen=True, slots=True, eq=False)
class Lesson:
    """The finds of one table: what the judge takes of them; the number of the index that each shows, ``shown`` (n,), -1
    where it shows none; that index's rank, ``rank`` (n,), -1 where it shows none or one that is covered; and whether
    anybody is asked to read it, ``asked`` (n,)."""

    given: dict[str, Any]
    shown: NDArray[np.int64]
    rank: NDArray[np.int64]
    asked: NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class Taught:
    """The finds of several tables at once: as in ``Lesson``, each index with a number of its own; and which neighbours
    show the same index, ``same`` (n, NEIGHBOURS), and where both show one at all, ``both``."""

    given: list[torch.Tensor]
    shown: torch.Tensor
    rank: torch.Tensor
    asked: torch.Tensor
    same: torch.Tensor
    both: torch.Tensor


def shown_by(seen: Seen) -> NDArray[np.int64]:
    """The place among all known indices of that which each find shows, (n,), -1 where it shows none."""
    known, named = seen.known(), seen.named
    shown = np.full(len(named.places), -1)
    if not known:
        return shown
    middles, widths = middles_of(known)
    owns = floats([index.quad[int(index.right)] for index in known])
    sorts = (seen.table.indices, seen.table.doubtful, seen.table.covered)
    hidden = np.repeat(HIDDEN_PENALTY, [len(sort) for sort in sorts])
    for n, middle in enumerate(middles_of_finds(named)):
        own = named.found.quads[named.places[n]][int(named.rights[n])]
        apart = np.hypot(*(middles - middle).T) / widths
        score = np.where(apart > APART, np.inf, apart + OWN_WEIGHT * np.hypot(*(owns - own).T) / widths + hidden)
        if np.isfinite(score.min()):
            shown[n] = int(score.argmin())
    return shown


def lesson_of(seen: Seen) -> Lesson:
    """The lesson of one table."""
    known, shown = seen.known(), shown_by(seen)
    ranks = [RANK_CLASSES.index(index.face.rank) if index.face else -1 for index in known]
    readable, legible = len(seen.table.indices), len(seen.table.indices) + len(seen.table.doubtful)
    rank = np.array([ranks[place] if 0 <= place < legible else -1 for place in shown], np.int64)
    given = {name: value.astype(ON_FILE.get(name, value.dtype)) for name, value in model_inputs(seen.named).items()}
    return Lesson(given, shown, rank, (shown >= 0) & (shown < readable))


def together(lessons: Sequence[Lesson]) -> Taught:
    """Several lessons at once."""
    finds = np.cumsum([0, *(len(lesson.shown) for lesson in lessons)])
    indices = np.cumsum([0, *(int(lesson.shown.max(initial=-1)) + 1 for lesson in lessons)])
    given = []
    for name in INPUT_NAMES:
        parts = [lesson.given[name].astype(BACK.get(name, np.float32)) for lesson in lessons]
        if name == "places":
            parts = [part + before for part, before in zip(parts, finds, strict=False)]
        given.append(torch.from_numpy(np.concatenate(parts)))
    shown, same, both = [], [], []
    for lesson, before in zip(lessons, indices, strict=False):
        here, other = lesson.shown[:, None], lesson.shown[lesson.given["places"].astype(np.int64)]
        shown.append(np.where(lesson.shown < 0, -1, lesson.shown + before))
        both.append(lesson.given["there"] & (here >= 0) & (other >= 0))
        same.append(both[-1] & (here == other))
    rank, asked = ([getattr(lesson, part) for lesson in lessons] for part in ("rank", "asked"))
    return Taught(given, *(torch.from_numpy(np.concatenate(part)) for part in (shown, rank, asked, same, both)))
