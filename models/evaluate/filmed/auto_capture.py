"""Evaluates automatic capture on drawn films: ``python -m models.evaluate.filmed.auto_capture --films 50``.

A film counts as good if exactly one picture was taken, after the last card lay still, with no hand in it.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from datasets.decks.drawn_decks import draw_deck
from datasets.films.laying.film import Film, draw_film
from vision.live.motion import StillnessDetector

_DECKS = 3
_ROUNDING = 0.05


@dataclass(frozen=True, slots=True)
class Taken:
    """The pictures taken of one film: when (seconds), how many with a hand in them, and when the cards lay still."""

    at: tuple[float, ...]
    with_hand: int
    settled: float

    @property
    def good(self) -> bool:
        return len(self.at) == 1 and not self.with_hand and self.at[0] >= self.settled - _ROUNDING


def watch(film: Film) -> Taken:
    """Runs the automatic capture on a film."""
    detector, at, hands = StillnessDetector(), [], 0
    for frame in film.frames:
        if detector.see(frame.picture, frame.at).ready >= 1:
            detector.taken(frame.picture)
            at.append(frame.at)
            hands += frame.hand
    return Taken(tuple(at), hands, film.settled)


def films(count: int, seed: int) -> Iterator[Film]:
    """Draws ``count`` films."""
    decks = [draw_deck("film", number) for number in range(_DECKS)]
    for number in range(count):
        yield draw_film(np.random.default_rng([seed, number]), decks)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--films", type=int, default=50, help="number of films (default: 50)")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    results = []
    for number, film in enumerate(films(options.films, options.seed)):
        results.append(watch(film))
        if not results[-1].good:
            print(f"film {number}: settled at {results[-1].settled:.1f} s, taken at {results[-1].at}")
    waits = [taken.at[0] - taken.settled for taken in results if taken.good]
    print(
        f"{sum(taken.good for taken in results)} of {len(results)} films good; "
        f"{sum(taken.with_hand for taken in results)} pictures with a hand; "
        f"{np.median(waits):.1f} s from all still to the picture (median)"
    )


if __name__ == "__main__":
    main()
