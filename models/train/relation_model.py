"""Trains the judge on what the other networks see on drawn tables: ``python -m models.train.relation_model``.

First it draws the tables, part by part, and lets the other networks look at them. Then it trains, writes the judge to
the weights, and fits, on tables kept for it, how often a card is named right that is named so surely. The verifier
comes after it.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from multiprocessing import get_context
from pathlib import Path

import numpy as np
import torch
from torch import nn
from torch.nn.functional import binary_cross_entropy_with_logits as cross_entropy

from models.export.calibration import UNSURE, fit_sureness, note
from models.export.to_onnx import halve
from models.networks import relation_model
from models.networks.layers import mixed_precision, restored
from models.networks.relation_model import JudgeNet
from models.samples.reader_output import Seen, see
from models.samples.relation_model import Lesson, lesson_of, together
from models.train.loop import follow
from vision.engines.load import load_relation_model
from vision.engines.weights import FOLDER
from vision.rescore.relation_model import RELATION_MODEL

TABLES = 100
"""So many tables are a part."""
FEW_FROM = 100
"""Parts of tables with few cards have seeds so much higher."""
RANK_WEIGHT, SAME_WEIGHT = 0.3, 0.5
"""How much it counts which ranks finds have, and which show one index, against which to keep."""
DOUBTFUL_WEIGHT = 0.3
"""How much the rank of an index counts that nobody is asked to read."""
REMEMBERED = 0.999
"""Of the mean of the weights, which is what is shipped, so much stays at each step; the new weights are the rest."""


def seen_on(seed: int, few: bool, weights: Path) -> list[Seen]:
    """What is seen on one part's tables."""
    return see(seed, 0, TABLES, weights, few)


def learnt_from(seed: int, few: bool, weights: Path) -> list[Lesson]:
    """The lessons of one part."""
    return [lesson_of(seen) for seen in seen_on(seed, few, weights) if seen.named.places]


def losses(net: nn.Module, lessons: Sequence[Lesson]) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """How far off the judge is on ``lessons``: in what to keep, in ranks, and in what shows one index; cross entropies.

    Of each index one find is to be kept, of those that name it right, and the judge has the choice: that which it
    believes most. Of an index that nobody is asked to read one find may be kept or not.
    """
    taught = together(lessons)
    with mixed_precision("cpu"):
        kept, ranks, same = (said.float() for said in net(*taught.given))
    of_one, count = taught.shown.clamp(min=0), int(taught.shown.max()) + 2
    right = (taught.rank >= 0) & (ranks.argmax(1) == taught.rank)
    believed = kept.detach().masked_fill(~right, -torch.inf)
    most = torch.full((count,), -torch.inf).scatter_reduce(0, of_one, believed, "amax")
    chosen = right & (believed == most[of_one])
    weight = 1 - (chosen & ~taught.asked).float()
    keeping = cross_entropy(kept, (chosen & taught.asked).float(), weight, reduction="sum") / weight.sum()
    known = taught.rank >= 0
    naming = nn.functional.cross_entropy(ranks[known], taught.rank[known], reduction="none")
    heed = torch.where(taught.asked[known], 1.0, DOUBTFUL_WEIGHT)
    both = taught.both.float()
    pairing = cross_entropy(same, taught.same.float(), both, reduction="sum") / both.sum().clamp(min=1)
    return keeping, (naming * heed).sum() / heed.sum().clamp(min=1), pairing


def check(net: nn.Module, lessons: Sequence[Lesson]) -> list[float]:
    """``losses`` on tables that it was not trained on, by the table."""
    net.eval()
    with torch.no_grad():
        each = [[float(loss) for loss in losses(net, [lesson])] for lesson in lessons]
    net.train()
    return [float(mean) for mean in np.mean(each, axis=0)]


def train(
    lessons: Sequence[Lesson],
    unseen: Sequence[Lesson],
    out: Path,
    epochs: int,
    seed: int = 0,
    tables: int = 12,
    highest: float = 2e-3,
    resume: Path | None = None,
) -> Path:
    """Trains on ``lessons``, so many ``tables`` in a batch, each ``epochs`` times; writes ``out``/relation_model.pt,
    the
    mean of the last weights; returns its path. After each epoch it prints how that does on ``unseen`` ones."""
    torch.manual_seed(seed)
    rng = np.random.default_rng(seed)
    net, average = JudgeNet(), JudgeNet()
    if resume:
        restored(net, resume)
    else:
        told = np.concatenate([lesson.given["told"] for lesson in lessons])
        net.mean.copy_(torch.from_numpy(told.mean(0)))
        net.spread.copy_(torch.from_numpy(told.std(0) + 1e-3))
    average.load_state_dict(net.state_dict())
    batches = max(len(lessons) // tables, 1)
    optimizer = torch.optim.AdamW(net.parameters(), lr=highest, weight_decay=0.02)
    rates = torch.optim.lr_scheduler.OneCycleLR(optimizer, highest, total_steps=epochs * batches, pct_start=0.1)
    start, step = time.monotonic(), 0
    for epoch in range(epochs):
        for some in np.array_split(rng.permutation(len(lessons)), batches):
            keeping, naming, pairing = losses(net, [lessons[i] for i in some])
            optimizer.zero_grad()
            torch.autograd.backward(keeping + RANK_WEIGHT * naming + SAME_WEIGHT * pairing)
            nn.utils.clip_grad_norm_(net.parameters(), 1.0)
            optimizer.step()
            rates.step()
            step += 1
            follow(average, net, min(REMEMBERED, (1 + step) / (10 + step)))
        kept, ranks, same = check(average, unseen)
        figures = f"unseen tables kept {kept:.4f}, ranks {ranks:.4f}, same {same:.4f}"
        print(f"epoch {epoch + 1}, {(time.monotonic() - start) / 60:.1f} minutes: {figures}", flush=True)
    out.mkdir(parents=True, exist_ok=True)
    torch.save(average.state_dict(), out / "relation_model.pt")
    return out / "relation_model.pt"


def install(checkpoint: Path, kept: Sequence[Seen], weights: Path) -> None:
    """Exports the judge saved at ``checkpoint`` to ``weights``, and how sure cards are, fitted to the tables ``kept``.

    The belief stays the judge's until ``train_verifier`` has fitted what the verifier's word counts beside it.
    """
    relation_model.export_onnx(checkpoint, weights / RELATION_MODEL)
    halve(weights / RELATION_MODEL)
    note(weights, UNSURE)
    judge = load_relation_model(weights)
    note(weights, fit_sureness([(seen, judge.score(seen.named)) for seen in kept]))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--parts", type=int, default=89, help=f"of {TABLES} tables each")
    parser.add_argument("--few", type=int, default=10, help="parts beside them of tables with few cards")
    parser.add_argument("--kept", type=int, default=2, help="parts beside them, kept for the calibration")
    parser.add_argument("--seed", type=int, default=301, help="of the first part")
    parser.add_argument("--epochs", type=int, default=14)
    parser.add_argument("--highest", type=float, default=2e-3, help="highest learning rate")
    parser.add_argument("--resume", type=Path, help="a relation_model.pt to go on from")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--out", type=Path, default=Path("runs"))
    parser.add_argument("--weights", type=Path, default=FOLDER, help="the other networks; the judge is written there")
    given = parser.parse_args()
    seeds = [given.seed + part for part in range(given.parts + given.kept)]
    taught = [(seed, False, given.weights) for seed in seeds[: given.parts]]
    taught += [(given.seed + FEW_FROM + part, True, given.weights) for part in range(given.few)]
    with get_context("spawn").Pool(given.processes) as pool:
        lessons = [lesson for part in pool.starmap(learnt_from, taught, chunksize=1) for lesson in part]
        kept = [(seed, False, given.weights) for seed in seeds[given.parts :]]
        for_calibration = [seen for part in pool.starmap(seen_on, kept, chunksize=1) for seen in part]
    print(f"{len(lessons)} tables, {sum(len(lesson.shown) for lesson in lessons)} finds")
    unseen = [lesson_of(seen) for seen in for_calibration if seen.named.places]
    checkpoint = train(lessons, unseen, given.out, given.epochs, highest=given.highest, resume=given.resume)
    install(checkpoint, for_calibration, given.weights)


if __name__ == "__main__":
    main()
