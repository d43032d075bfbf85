"""Short films of a table with exact truth: hands that lay cards, a pile dealt through, and what disturbs a camera.

    python -m datasets.videos OUT.avi --seed 1 [--kind laying|dealing]

A film is drawn picture by picture from the cards, decks and hands of the drawn tables, and depends on its seed alone.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import cv2
import numpy as np

from datasets.decks.drawn_decks import draw_deck
from datasets.films.film import RATE, SIZE, draw_film


def main() -> None:
    parser = argparse.ArgumentParser(description="Draws one film.")
    parser.add_argument("out", type=Path)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kind", choices=("laying", "dealing"), default="laying")
    given = parser.parse_args()
    film = draw_film(np.random.default_rng(given.seed), [draw_deck("film", given.seed)], given.kind)
    writer = cv2.VideoWriter(str(given.out), cv2.VideoWriter.fourcc(*"MJPG"), RATE, SIZE)
    for moment in film.moments:
        writer.write(moment.picture)
    writer.release()
    print(f"{' '.join(map(str, film.faces))}; settled at {film.settled:.1f} s")


if __name__ == "__main__":
    main()
