"""Fits what judges the finds, ``models/weights/trees.json``, to drawn tables: ``python -m models.fit_judges``.

First how likely a find, if it is believed, is an index whose rank is read right; then whether two believed finds show
the same printed index; and last, on tables kept for it, how often a card is named right that is named so surely.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.linear_model import LogisticRegression

from models.export import note_hashes
from models.finds import Seen, middles_of, see_many
from models.marks import named_right
from models.namer_data import RANK_CLASSES
from models.settler_data import APART, SAME
from vision.believing import signs
from vision.geometry import Floats, floats
from vision.judging import TREES, WEIGHED, Judges
from vision.pairing import pair
from vision.reader import believed, card_of, evidence, indices_of
from vision.repeats import REPEAT_SIGNS, Corner, repeat_signs
from vision.trees import log_odds, trees_from
from vision.weights import FOLDER

LEAST_BELIEVED = 0.5
"""Finds believed less than this teach nothing of repeats."""
CALIBRATED_ON = 0.25
"""This share of the tables is kept for the calibration, and teaches the trees nothing."""
DEPTH, RATE = 3, 0.05
TREES_OF = {"belief": 300, "repeats": 150}
LEAST_IN_LEAF = 40
LOOKED_AT = 0.4
"""The share of signs that a tree's node may choose from: trees that differ err less together."""
STEADIED = 2.0
"""How much leaves are drawn towards nothing."""
RISING = {
    "belief": ("found", "real", "some", "rank", "suit", "found around", "mate"),
    "repeats": ("rank", "suit"),
}
"""The more of these, the likelier it is, whatever else is said."""
Lesson = tuple[Floats, Floats, Floats]
"""Signs (n, k), whether it is so (n,) and how much that counts (n,)."""


def belief_lesson(seen: Seen) -> Lesson:
    """For each named find whether it is an index whose rank is read right.

    Only the surest find of an index counts. An index that is too much covered to be asked for counts where it is read
    wrongly: read rightly it does no harm.
    """
    table, named, scores = seen.table, seen.named, seen.named.found.scores
    known = [*table.indices, *table.doubtful]
    right, weight = np.zeros(len(named.places), np.float32), np.zeros(len(named.places), np.float32)
    middles, widths = middles_of(known)
    taken: set[int] = set()
    for n in np.argsort(-scores[list(named.places)]):
        box = named.found.boxes[named.places[n]]
        apart = np.hypot(*(middles - (box[:2] + box[2:]) / 2).T) / widths
        nearest = int(apart.argmin()) if len(apart) else -1
        if not len(apart) or apart[nearest] > APART:
            weight[n] = 1
        elif apart[nearest] < SAME and nearest not in taken:
            taken.add(nearest)
            face, readable = known[nearest].face, nearest < len(table.indices)
            read = face is not None and RANK_CLASSES[int(named.names.ranks[n].argmax())] == face.rank
            right[n], weight[n] = read and readable, readable or not read
    return signs(named, seen.real), right, weight


def repeats_lesson(seen: Seen, judges: Judges) -> Lesson:
    """For each two believed finds that lie near each other whether they show one index, or the weaker one shows none.

    A weaker find of an index that nobody is asked to read does not count: it may stay or go.
    """
    corners, _ = believed(seen.named, seen.real, judges, LEAST_BELIEVED)
    if len(corners) < 2:
        return np.zeros((0, len(REPEAT_SIGNS)), np.float32), np.zeros(0, np.float32), np.zeros(0, np.float32)
    one, two, given = repeat_signs(corners)
    shown = _shown(corners, seen)
    same = (shown[two] < 0) | (shown[one] == shown[two])
    weight = np.where((shown[two] >= len(seen.table.indices)) & ~same, 0, 1)
    weight = np.where((shown[one] < 0) & (shown[two] < 0), 0.3, weight)
    return given, floats(same), floats(weight)


def _shown(corners: Sequence[Corner], seen: Seen) -> np.ndarray[tuple[int], np.dtype[np.int_]]:
    """The place among all known indices of that which each corner shows, (n,), -1 where it shows none."""
    known = seen.known()
    middles, widths = middles_of(known)
    owns = floats([index.quad[int(index.right)] for index in known]).reshape(-1, 2)
    shown = np.full(len(corners), -1)
    for n, corner in enumerate(corners):
        apart = np.hypot(*(middles - corner.middle).T) / widths
        score = apart + 0.3 * np.hypot(*(owns - corner.quad[int(corner.right)]).T) / widths
        score[apart > APART] = np.inf
        if len(score) and np.isfinite(score.min()):
            shown[n] = int(score.argmin())
    return shown


def calibration(tables: Sequence[Seen], judges: Judges) -> tuple[float, float, float, float]:
    """What ``Judges.sureness`` weighs, fitted to the cards read on ``tables``."""
    given, right = [], []
    for seen in tables:
        corners, readings = indices_of(seen.named, seen.real, judges)
        groups = pair(corners)
        given += [evidence(members) for members in groups]
        right += named_right(seen.table, [card_of(members, readings, judges) for members in groups])
    shares, found, several = np.array(given).T
    signs_of_cards = np.stack([log_odds(floats(shares)), log_odds(floats(found)), several > 1], 1)
    fitted = LogisticRegression(C=1e3, max_iter=1000).fit(signs_of_cards, np.array(right))
    print(f"calibration: {len(right)} cards, {sum(right)} right")
    constant, (by_share, by_found, by_several) = float(fitted.intercept_[0]), map(float, fitted.coef_[0])
    return constant, by_share, by_found, by_several


def fit(name: str, lessons: Sequence[Lesson]) -> dict[str, Any]:
    """Trees fitted to ``lessons`` of what ``vision.judging.WEIGHED`` calls ``name``, as ``trees_from`` takes them."""
    given, right, weight = (np.concatenate(part) for part in zip(*lessons, strict=True))
    model = HistGradientBoostingClassifier(
        max_depth=DEPTH,
        max_iter=TREES_OF[name],
        learning_rate=RATE,
        l2_regularization=STEADIED,
        min_samples_leaf=LEAST_IN_LEAF,
        max_features=LOOKED_AT,
        monotonic_cst=[int(sign in RISING[name]) for sign in WEIGHED[name]],
        early_stopping=False,
        random_state=0,
    )
    model.fit(given, right, sample_weight=weight)
    # scikit-learn has no open form for its trees; this is the one way to their nodes
    trees = [round_of[0].nodes for round_of in model._predictors]
    held = {"signs": list(WEIGHED[name]), "start": float(model._baseline_prediction.ravel()[0]), **_nodes(trees)}
    weighed, told = trees_from(held)(given), model.predict_proba(given)[:, 1]
    assert np.abs(weighed - told).max() < 1e-3, "what was written weighs otherwise than what was fitted"
    said = np.clip(told, 1e-6, 1 - 1e-6)
    loss = -(weight * np.log(np.where(right > 0, said, 1 - said))).sum() / weight.sum()
    print(f"{name}: {len(given)} examples, {int(right.sum())} so, loss {loss:.4f}")
    return held


def _nodes(trees: Sequence[Any]) -> dict[str, Any]:
    """``trees``, structured arrays of nodes as scikit-learn has them, as ``vision.trees`` reads them.

    Leaves lead to themselves, so that all trees can be gone down together; short ones are filled up with them.
    """
    size = max(len(nodes) for nodes in trees)
    sign, bound, low, high, value = np.zeros((5, len(trees), size))
    for t, nodes in enumerate(trees):
        here, leaf = np.arange(len(nodes)), nodes["is_leaf"].astype(bool)
        sign[t, here] = np.where(leaf, 0, nodes["feature_idx"])
        bound[t, here] = np.where(leaf, 0, nodes["num_threshold"])
        low[t, here] = np.where(leaf, here, nodes["left"])
        high[t, here] = np.where(leaf, here, nodes["right"])
        value[t, here] = np.where(leaf, nodes["value"], 0)
    parts = {"sign": sign.astype(int), "low": low.astype(int), "high": high.astype(int)}
    return {name: part.tolist() for name, part in (parts | {"bound": bound, "value": np.round(value, 6)}).items()}


def fit_all(tables: Sequence[Seen], target: Path) -> None:
    """Fits everything to ``tables`` and writes it to ``target``."""
    taught, kept = (
        tables[: round(len(tables) * (1 - CALIBRATED_ON))],
        tables[round(len(tables) * (1 - CALIBRATED_ON)) :],
    )
    held: dict[str, Any] = {"belief": fit("belief", [belief_lesson(seen) for seen in taught])}
    belief = trees_from(held["belief"])
    none = Judges(belief, belief, (0, 0, 0, 0))
    held["repeats"] = fit("repeats", [repeats_lesson(seen, none) for seen in taught])
    judges = Judges(belief, trees_from(held["repeats"]), (0, 0, 0, 0))
    held["calibration"] = calibration(kept, judges)
    target.write_text(json.dumps(held) + "\n", encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=650)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--weights", type=Path, default=FOLDER, help="where the networks lie and the trees are written")
    args = parser.parse_args()
    fit_all(see_many(args.seed, args.tables, args.weights, args.processes), args.weights / TREES)
    note_hashes(args.weights)


if __name__ == "__main__":
    main()
