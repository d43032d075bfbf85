"""What the verifier learns from: views of the finds on drawn tables, above all of those the judge is not sure of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from models.samples.index_classifier import RANK_CLASSES
from models.samples.reader_output import looks
from models.samples.relation_model import Lesson, lesson_of
from vision.arrays import Flags
from vision.crops.pyramid import pyramid
from vision.engines.load import load_relation_model
from vision.rescore.crop_verifier import VIEW, doubtful_indices
from vision.rescore.features import quads_of
from vision.rescore.relation_model import ScoredDetections
from vision.values import Pixels

EASY = 0.2
"""Of the finds that the judge judges rightly and surely so many are shown."""
JOKER = RANK_CLASSES.index("JK")


@dataclass(frozen=True, slots=True, eq=False)
class Shown:
    """``views`` (n, size, size, 3) BGR of finds; whether anybody is asked to read the index that each shows, ``asked``
    (n,), and its ``rank`` (n,), -1 where it shows none or one that is covered."""

    views: NDArray[np.uint8]
    asked: Flags
    rank: NDArray[np.int64]


def chosen_of(judged: ScoredDetections, lesson: Lesson) -> Flags:
    """Which finds are to be kept (n,): of each index that anybody is asked to read the one that the judge believes
    most, of those that it names right."""
    right: Flags = np.asarray(lesson.asked & (judged.ranks.argmax(1) == lesson.rank), bool)
    most = np.full(lesson.shown.max(initial=-1) + 1, -np.inf)
    np.maximum.at(most, lesson.shown[right], judged.kept[right])
    chosen = right.copy()
    chosen[right] = judged.kept[right] == most[lesson.shown[right]]
    return chosen


def worth_showing(judged: ScoredDetections, lesson: Lesson, rng: np.random.Generator) -> NDArray[np.intp]:
    """The finds to learn from, (m,): those the judge is not sure of or wrong about, jokers, and a few of the others."""
    worth = rng.random(len(judged.kept)) < EASY
    worth[doubtful_indices(judged)] = True
    ranks = judged.ranks.argmax(1)
    worth |= ((judged.kept > 0.5) != chosen_of(judged, lesson)) & ((judged.kept > 0.5) | lesson.asked)
    return np.flatnonzero(worth | (ranks == JOKER) | (lesson.rank == JOKER))


def show(seed: int, count: int, few: bool, weights: Path, folder: Path) -> Path:
    """Writes views of the finds on ``count`` tables, drawn as ``finds.see`` does, to a file in ``folder`` and what they
    show beside it; returns its path. What is there already is kept."""
    target, judge = folder / f"views-{seed}.npy", load_relation_model(weights)
    truth = target.with_suffix(".npz")
    if truth.exists():
        return target
    rng = np.random.default_rng([seed, 11])
    views: list[Pixels] = []
    asked, rank = [], []
    for picture, seen in looks(seed, 0, count, weights, few):
        if not seen.named.places:
            continue
        judged, lesson = judge.score(seen.named), lesson_of(seen)
        places = worth_showing(judged, lesson, rng)
        quads, rights = quads_of(seen.named)[0][places], np.array(seen.named.rights, bool)[places]
        views += [*VIEW.cut(pyramid(picture), quads, rights)]
        asked.append(lesson.asked[places])
        rank.append(lesson.rank[places])
    folder.mkdir(parents=True, exist_ok=True)
    np.save(target, np.stack(views))
    np.savez(truth, asked=np.concatenate(asked), rank=np.concatenate(rank))
    return target


def shown_in(files: Sequence[Path]) -> list[Shown]:
    """What ``show`` has written, its views left on disk until they are needed."""
    parts = []
    for path in files:
        with np.load(path.with_suffix(".npz")) as truth:
            parts.append(Shown(np.load(path, mmap_mode="r"), truth["asked"], truth["rank"]))
    return parts
