"""Draws a data set of tables to a folder: ``python -m datasets.draw OUT --tables 200``.

The folder has the standard YOLO pose layout (images/, labels/, data.yaml; class 0 is an index with its card's corners
as four keypoints), truth.jsonl (a line per picture: every card, its outline, face and group) and manifest.json (source
and licence of every deck).
"""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from datasets.decks.deck_art import DeckArt
from datasets.decks.splits import held_out_decks, training_decks
from datasets.scenes.labels import truth, yolo_lines
from datasets.scenes.tables import Table, draw_table

_decks: list[DeckArt] = []


def _load_decks(held_out: bool, drawn: int) -> None:
    cv2.setNumThreads(1)
    _decks[:] = held_out_decks(drawn) if held_out else training_decks(drawn)


def seeded_table(decks: Sequence[DeckArt], seed: int, number: int, size: tuple[int, int], **options: Any) -> Table:
    """Draws table ``number`` of data set ``seed``: the same on every machine with the same decks and fonts."""
    return draw_table(np.random.default_rng([seed, number]), decks, size, **options)


def _write(number: int, out: Path, seed: int, size: tuple[int, int]) -> dict[str, Any]:
    table = seeded_table(_decks, seed, number, size)
    name = f"{number:06d}.jpg"
    cv2.imwrite(str(out / "images" / name), table.picture, [cv2.IMWRITE_JPEG_QUALITY, 95])
    (out / "labels" / f"{number:06d}.txt").write_text("\n".join(yolo_lines(table)) + "\n", encoding="utf-8")
    return truth(table, f"images/{name}")


def draw(out: Path, tables: int, seed: int, size: tuple[int, int], held_out: bool, workers: int, drawn: int) -> None:
    """Draws ``tables`` pictures of ``size`` (width, height) into ``out``."""
    for folder in ("images", "labels"):
        (out / folder).mkdir(parents=True, exist_ok=True)
    # a forked process hangs if OpenCV's threads already run in its parent
    context = get_context("spawn")
    with ProcessPoolExecutor(workers, context, initializer=_load_decks, initargs=(held_out, drawn)) as pool:
        lines = pool.map(partial(_write, out=out, seed=seed, size=size), range(tables), chunksize=4)
        with (out / "truth.jsonl").open("w", encoding="utf-8") as file:
            for line in lines:
                file.write(json.dumps(line) + "\n")
    _load_decks(held_out, drawn)
    decks = [{"deck": d.name, "source": d.source, "licence": d.licence, "held_out": d.held_out} for d in _decks]
    manifest = {"seed": seed, "tables": tables, "size": list(size), "decks": decks}
    (out / "manifest.json").write_text(json.dumps(manifest, indent=1) + "\n", encoding="utf-8")
    (out / "data.yaml").write_text(
        "path: .\ntrain: images\nval: images\nnames:\n  0: index\n"
        "kpt_shape: [4, 2]\nkpt_oks_sigmas: [1.5, 1.5, 1.5, 1.5]\n",
        encoding="utf-8",
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path, help="the folder to write")
    parser.add_argument("--tables", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--size", type=int, nargs=2, default=(640, 640), metavar=("WIDTH", "HEIGHT"))
    parser.add_argument("--held-out", action="store_true", help="use the decks and fonts held out of training")
    parser.add_argument("--drawn", type=int, default=12, help="number of drawn decks beside the packages' ones")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    options = parser.parse_args()
    size = (options.size[0], options.size[1])
    draw(options.out, options.tables, options.seed, size, options.held_out, options.workers, options.drawn)
    print(f"wrote {options.tables} tables to {options.out}")


if __name__ == "__main__":
    main()
