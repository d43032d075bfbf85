"""Trains the namer from nothing on drawn corners: ``python -m models.train.index_classifier --minutes 15``."""

from __future__ import annotations

import time
from pathlib import Path

import torch
from torch import nn

from datasets.decks.splits import held_out_decks, training_decks
from models.networks.index_classifier import Namer
from models.networks.layers import mixed_precision, restored, training_options
from models.samples.index_classifier import NONE, STORED, Batch, PatchStream, batches
from models.train.loop import follow, learning_rate


def check(net: nn.Module, data: Batch) -> tuple[float, float, float, float]:
    """Share of indices whose rank is named right, of suits named right, and of indexless patches called so; and how far
    the corners are seen from where they are, the median in SHIFT_UNITs."""
    images, ranks, suits, shifts = data
    with torch.no_grad():
        rank_scores, suit_scores, seen, _ = net(images)
    named, real = rank_scores.argmax(1), ranks != NONE
    with_suit = suits >= 0
    return (
        float((named == ranks)[real].float().mean()),
        float((suit_scores.argmax(1) == suits)[with_suit].float().mean()),
        float((named == ranks)[~real].float().mean()),
        float((seen - shifts)[real].norm(dim=1).median()),
    )


def train(
    out: Path,
    minutes: float,
    seed: int = 0,
    batch: int = 256,
    workers: int = 1,
    highest: float = 2e-3,
    resume: Path | None = None,
    steps: int | None = None,
    checked: int = 1000,
    stream: PatchStream | None = None,
) -> Path:
    """Trains for ``minutes`` (or ``steps``) and writes ``out``/index_classifier.pt; returns its path.

    ``stream`` are other patches than the usual ones. Every 50 steps it prints
    how ``checked`` patches of decks never trained on are named.
    """
    out.mkdir(parents=True, exist_ok=True)
    torch.manual_seed(seed)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    net, average = Namer(), Namer().to(device).eval()
    if resume:
        restored(net, resume)
    net.to(device)
    average.load_state_dict(net.state_dict())
    net.to(memory_format=torch.channels_last)
    optimizer = torch.optim.AdamW(net.parameters(), lr=highest, weight_decay=0.03)
    rank_loss = nn.CrossEntropyLoss(label_smoothing=0.03)
    suit_loss = nn.CrossEntropyLoss(ignore_index=-1, label_smoothing=0.03)
    shift_loss = nn.SmoothL1Loss(beta=0.1)
    unseen = next(batches(PatchStream(held_out_decks(), seed + 1000, each=1, store=checked * 3 // 2), checked, 0))
    stream = stream or PatchStream(training_decks(drawn=0), seed, store=STORED * batch)
    start = saved = time.monotonic()
    net.train()
    for step, (images, ranks, suits, shifts) in enumerate(batches(stream, batch, workers), 1):
        share = (step - 1) / steps if steps else (time.monotonic() - start) / (60 * minutes)
        if share >= 1:
            break
        for group in optimizer.param_groups:
            group["lr"] = learning_rate(share, highest)
        images = images.to(device).contiguous(memory_format=torch.channels_last)
        with mixed_precision(device.type):
            rank_scores, suit_scores, seen, _ = net(images)
        real = ranks != NONE
        total = rank_loss(rank_scores.float(), ranks.to(device))
        total = total + 0.5 * suit_loss(suit_scores.float(), suits.to(device))
        total = total + shift_loss(seen.float()[real], shifts[real].to(device))
        optimizer.zero_grad(set_to_none=True)
        total.backward()
        optimizer.step()
        follow(average, net, min(0.997, (1 + step) / (10 + step)))
        if step % 50 == 0:
            rank, suit, none, shift = check(average.cpu(), unseen)
            average.to(device)
            print(
                f"{share:.3f} step {step} loss {float(total):.3f}; "
                f"unseen decks: rank {rank:.4f} suit {suit:.4f} none {none:.4f} shift {shift:.3f}",
                flush=True,
            )
        if time.monotonic() - saved > 120:
            saved = time.monotonic()
            torch.save(average.state_dict(), out / "index_classifier.pt")
    torch.save(average.state_dict(), out / "index_classifier.pt")
    return out / "index_classifier.pt"


def main() -> None:
    parser = training_options(__doc__, minutes=15)
    given = parser.parse_args()
    path = train(given.out, given.minutes, given.seed, given.batch, given.workers, given.highest, resume=given.resume)
    print(f"wrote {path}")


if __name__ == "__main__":
    main()
