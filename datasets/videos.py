"""Draws a film of a table: ``python -m datasets.videos OUT.avi --seed 1 [--kind laying|dealing]``.

Hands lay cards side by side or deal a pile; lamps, lenses and shakes disturb the picture. A film depends on its seed
alone.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import cv2
import numpy as np

from datasets.decks.drawn_decks import draw_deck
from datasets.films.laying.film import RATE, SIZE, draw_film


def main() -> None:
    parser = argparse.ArgumentParser(description="Draws one film.")
    parser.add_argument("out", type=Path, help="the video file to write (AVI)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kind", choices=("laying", "dealing"), default="laying")
    options = parser.parse_args()
    film = draw_film(np.random.default_rng(options.seed), [draw_deck("film", options.seed)], options.kind)
    writer = cv2.VideoWriter(str(options.out), cv2.VideoWriter.fourcc(*"MJPG"), RATE, SIZE)
    for frame in film.frames:
        writer.write(frame.picture)
    writer.release()
    print(f"{' '.join(map(str, film.faces))}; settled at {film.settled:.1f} s")


if __name__ == "__main__":
    main()
