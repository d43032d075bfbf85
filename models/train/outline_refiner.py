"""Trains the settler on what the finder predicts of drawn tables: ``python -m models.train.outline_refiner``."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path

import torch
from torch import nn

from datasets.decks.splits import training_decks
from models.networks.layers import mixed_precision, restored, training_options
from models.networks.outline_refiner import SettlerNet
from models.samples.index_classifier import STORED
from models.samples.outline_refiner import WindowStream, batches
from models.train.loop import follow, learning_rate
from vision.engines.weights import FOLDER


def losses(answers: Sequence[torch.Tensor], truth: Sequence[torch.Tensor]) -> tuple[torch.Tensor, torch.Tensor]:
    """The loss to step on, and for the log: mean shift left (card widths and heights), how often hand and real are
    told right; of what the network ``answers`` and of the shifts (n, 8), right hands and real ones, (n, 1) each."""
    shifts, rights, reals = truth
    shift, right, real = (answer.float() for answer in answers[:3])
    off = (shift - shifts).abs() * reals
    count = reals.sum().clamp(min=1)
    told = nn.functional.binary_cross_entropy_with_logits
    side = (told(right, rights, reduction="none") * reals).sum() / count
    total = off.sum() / count + 0.5 * side + 0.5 * told(real, reals)
    with torch.no_grad():
        right_side = (((right > 0) == (rights > 0)) * reals).sum() / count
        seen = torch.stack([off.sum() / count / 8, right_side, ((real > 0) == (reals > 0)).float().mean()])
    return total, seen


def train(
    out: Path,
    minutes: float,
    seed: int = 0,
    batch: int = 256,
    workers: int = 1,
    highest: float = 2e-3,
    weights: Path = FOLDER,
    resume: Path | None = None,
    steps: int | None = None,
) -> Path:
    """Trains for ``minutes`` (or ``steps``) on what the finder of ``weights`` finds and writes
    ``out``/outline_refiner.pt;
    returns its path."""
    out.mkdir(parents=True, exist_ok=True)
    torch.manual_seed(seed)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    net, average = SettlerNet(), SettlerNet().to(device).eval()
    if resume:
        restored(net, resume)
    net.to(device)
    average.load_state_dict(net.state_dict())
    net.to(memory_format=torch.channels_last)
    optimizer = torch.optim.AdamW(net.parameters(), lr=highest, weight_decay=0.03)
    stream = WindowStream(training_decks(drawn=0), seed, weights, STORED * batch)
    start = saved = time.monotonic()
    shown = torch.zeros(3)
    net.train()
    for step, given in enumerate(batches(stream, batch, workers), 1):
        share = (step - 1) / steps if steps else (time.monotonic() - start) / (60 * minutes)
        if share >= 1:
            break
        for group in optimizer.param_groups:
            group["lr"] = learning_rate(share, highest)
        data = tuple(value.to(device) for value in given)
        with mixed_precision(device.type):
            answers = net(data[0].contiguous(memory_format=torch.channels_last))
        total, seen = losses(answers, data[1:])
        optimizer.zero_grad(set_to_none=True)
        torch.autograd.backward(total)
        nn.utils.clip_grad_norm_(net.parameters(), 5.0)
        optimizer.step()
        follow(average, net, min(0.997, (1 + step) / (10 + step)))
        shown += seen.cpu()
        if step % 25 == 0:
            off, side, real = (shown / 25).tolist()
            print(f"{share:.3f} step {step} off {off:.4f} side {side:.4f} real {real:.4f}", flush=True)
            shown = torch.zeros(3)
        if time.monotonic() - saved > 120:
            saved = time.monotonic()
            torch.save(average.state_dict(), out / "outline_refiner.pt")
    torch.save(average.state_dict(), out / "outline_refiner.pt")
    return out / "outline_refiner.pt"


def main() -> None:
    parser = training_options(__doc__, minutes=25)
    parser.add_argument("--weights", type=Path, default=FOLDER, help="exported weights, for the finder")
    given = parser.parse_args()
    path = train(
        given.out,
        given.minutes,
        given.seed,
        given.batch,
        given.workers,
        given.highest,
        weights=given.weights,
        resume=given.resume,
    )
    print(f"wrote {path}")


if __name__ == "__main__":
    main()
