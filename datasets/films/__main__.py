"""Writes films of whole rounds with their truth: ``python -m datasets.films OUT --count 3 --seed 0``."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import cv2

from datasets.films.render import RATE
from datasets.films.round_film import SIZE, Film, film


def write(made: Film, folder: Path) -> Path:
    """Writes a film as an AVI file, with its truth beside it as JSON; returns the video's path."""
    path = folder / f"film-{made.seed:06d}.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), RATE, made.size)
    for _, picture in made.frames():
        writer.write(picture)
    writer.release()
    path.with_suffix(".json").write_text(json.dumps(made.truth.as_json(path.name)) + "\n", encoding="utf-8")
    return path


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path, help="the folder to write")
    parser.add_argument("--count", type=int, default=1)
    parser.add_argument("--seed", type=int, default=0, help="seed of the first film; from 1000 on they are unseen ones")
    parser.add_argument("--size", type=int, nargs=2, default=SIZE, metavar=("WIDTH", "HEIGHT"))
    parser.add_argument("--rules", help="id of a rule set; by default several in turn")
    parser.add_argument("--changes", type=int, help="so many changes at most, for a short film")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    size = (options.size[0], options.size[1])
    for seed in range(options.seed, options.seed + options.count):
        print(write(film(seed, size, options.rules, options.changes), options.out))


if __name__ == "__main__":
    main()
