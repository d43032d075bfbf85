"""Trains the finder from nothing on drawn tables: ``python -m models.train.detector --minutes 60``."""

from __future__ import annotations

import argparse
import copy
import os
import time
from pathlib import Path

import torch
import torch.distributed as dist

from datasets.decks.splits import training_decks
from models.networks.detector import build, loss, save_for_export
from models.networks.layers import restored
from models.samples.detector import STORED, TableStream, batches
from models.train.loop import follow, learning_rate


def join_processes() -> tuple[int, int]:
    """This process's place and how many train together: one, unless started by torchrun.

    Several processes of one thread each use several cores better than one process of several threads.
    """
    if "WORLD_SIZE" not in os.environ:
        return 0, 1
    dist.init_process_group("gloo")
    return dist.get_rank(), dist.get_world_size()


def share_gradients(net: torch.nn.Module, processes: int) -> None:
    """Gives every process the mean of all their gradients."""
    gradients = [p.grad for p in net.parameters() if p.grad is not None]
    flat = torch.cat([gradient.flatten() for gradient in gradients])
    dist.all_reduce(flat)
    start = 0
    for gradient in gradients:
        gradient.copy_(flat[start : start + gradient.numel()].view_as(gradient) / processes)
        start += gradient.numel()


def agreed(share: float, processes: int) -> float:
    """The first process's value, in all of them: clocks differ, and all must stop together."""
    if processes == 1:
        return share
    value = torch.tensor([share], dtype=torch.float64)
    dist.broadcast(value, 0)
    return float(value)


def train(
    out: Path,
    minutes: float,
    seed: int = 0,
    batch: int = 16,
    size: int = 640,
    workers: int = 1,
    highest: float = 2e-3,
    resume: Path | None = None,
    steps: int | None = None,
    begin: float = 0.0,
    freeze: int = 0,
) -> Path:
    """Trains for ``minutes`` (or ``steps``) and writes ``out``/detector.pt, also every few minutes on the way.

    ``resume`` is a detector-state.pt to go on from, ``begin`` the share of the whole training that it had behind it, so
    that the learning rate goes on where it was. The first ``freeze`` layers stay as they are, which saves
    time: they see the picture at its largest. Returns the checkpoint's path.
    """
    out.mkdir(parents=True, exist_ok=True)
    place, processes = join_processes()
    torch.manual_seed(seed)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    net = build()
    if resume:
        restored(net, resume)
    net.to(device, memory_format=torch.channels_last)
    average = copy.deepcopy(net).eval()
    net.train()
    for layer in net.model[:freeze]:
        layer.requires_grad_(False).eval()
    trained = [p for p in net.parameters() if p.requires_grad]
    decayed = [p for p in trained if p.ndim > 1]
    plain = [p for p in trained if p.ndim <= 1]
    optimizer = torch.optim.AdamW(
        [{"params": decayed, "weight_decay": 0.02}, {"params": plain, "weight_decay": 0.0}],
        lr=highest,
        betas=(0.9, 0.98),
    )
    stream = TableStream(training_decks(drawn=0), seed * 100 + place, size, store=STORED * batch)
    start, saved, sums, counted = time.monotonic(), 0.0, torch.zeros(5), 0
    for step, data in enumerate(batches(stream, batch, workers), 1):
        done = (step - 1) / steps if steps else (time.monotonic() - start) / (60 * minutes)
        share = agreed(begin + (1 - begin) * done, processes)
        if share >= 1:
            break
        for group in optimizer.param_groups:
            group["lr"] = learning_rate(share, highest)
        data = {key: value.to(device, non_blocking=True) for key, value in data.items()}
        images = (data["img"].float() / 255).contiguous(memory_format=torch.channels_last)
        total, parts = loss(net, images, data)
        optimizer.zero_grad(set_to_none=True)
        torch.autograd.backward(total / batch)
        if processes > 1:
            share_gradients(net, processes)
        torch.nn.utils.clip_grad_norm_(net.parameters(), 10.0)
        optimizer.step()
        follow(average, net, min(0.996, (1 + step) / (10 + step)))
        sums, counted = sums + parts[:5].cpu(), counted + 1
        if step % 25 == 0 and place == 0:
            shown = " ".join(f"{value:.3f}" for value in sums / counted)
            rate = step * batch * processes / (time.monotonic() - start)
            print(f"{share:.3f} step {step} {rate:.1f} img/s box pose kobj cls dfl {shown}", flush=True)
            sums, counted = torch.zeros(5), 0
        if place == 0 and time.monotonic() - saved > 240:
            saved = time.monotonic()
            _save(average, out)
    return _save(average, out) if place == 0 else out / "detector.pt"


def _save(average: torch.nn.Module, out: Path) -> Path:
    torch.save({key: value.half() for key, value in average.state_dict().items()}, out / "detector-state.pt")
    clean = copy.deepcopy(average)
    clean.criterion = None  # type: ignore[assignment]  # holds data of this run
    save_for_export(clean, out / "detector.pt")
    return out / "detector.pt"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=Path("runs"))
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--batch", type=int, default=16)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--highest", type=float, default=2e-3, help="highest learning rate")
    parser.add_argument("--resume", type=Path, help="a detector-state.pt to go on from")
    parser.add_argument("--begin", type=float, default=0.0, help="share of the training that checkpoint had done")
    parser.add_argument(
        "--freeze", type=int, default=0, help="so many first layers stay as they are (5: 1.6 times as fast)"
    )
    given = parser.parse_args()
    path = train(
        given.out,
        given.minutes,
        given.seed,
        given.batch,
        workers=given.workers,
        highest=given.highest,
        resume=given.resume,
        begin=given.begin,
        freeze=given.freeze,
    )
    print(f"wrote {path}")


if __name__ == "__main__":
    main()
