"""Evaluates the counting of dealt piles on drawn films: ``python -m models.evaluate.filmed.deals --piles 9``.

A pile is exact if every card was counted once with its face and without a doubt; doubted if the user is asked about a
card; anything else is wrong, and goes unnoticed.
"""

from __future__ import annotations

import argparse
from collections import Counter
from datetime import UTC, datetime
from itertools import pairwise

import numpy as np

from datasets.decks.drawn_decks import draw_deck
from datasets.films.laying.film import Film, draw_film
from scorer.faces import Face
from vision.live.deal_counter import DealCounter, DealtCard, top_card
from vision.reader import CardReader, load_reader
from vision.values import Frame

_DECKS = 3


def deal(film: Film, reader: CardReader) -> list[DealtCard]:
    """Counts the cards of a film."""
    watch, dealt = DealCounter(), []
    for frame in film.frames:
        spot = watch.see(frame.picture, frame.at)
        if spot is not None:
            dealt.append(top_card(reader.read(Frame(spot, datetime.now(UTC), "film"))))
    return dealt


def verdict(true: tuple[Face, ...], dealt: list[DealtCard]) -> str:
    """Returns ``exact``, ``doubted`` or ``wrong``."""
    if any(top.doubt for top in dealt):
        return "doubted"
    return "exact" if [top.card.face for top in dealt if top.card] == list(true) else "wrong"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--piles", type=int, default=100, help="number of piles (default: 100)")
    parser.add_argument("--seed", type=int, default=7)
    options = parser.parse_args()
    reader, decks = load_reader(), [draw_deck("film", number) for number in range(_DECKS)]
    results: Counter[str] = Counter()
    counted = equal = 0
    for number in range(options.piles):
        film = draw_film(np.random.default_rng([options.seed, number]), decks, "dealing")
        dealt = deal(film, reader)
        result = verdict(film.faces, dealt)
        results[result] += 1
        counted += len(dealt) == len(film.faces)
        equal += any(a == b for a, b in pairwise(film.faces))
        if result != "exact":
            counted_as = " ".join(f"{top.card.face if top.card else '-'}{'?' if top.doubt else ''}" for top in dealt)
            print(f"pile {number}, {result}: {' '.join(map(str, film.faces))} seen as {counted_as}", flush=True)
        if (number + 1) % 10 == 0:
            sums = ", ".join(f"{results[kind]} {kind}" for kind in ("exact", "doubted", "wrong"))
            print(
                f"{number + 1} piles, {equal} with equal neighbours: {sums}; {counted} of the right number", flush=True
            )


if __name__ == "__main__":
    main()
