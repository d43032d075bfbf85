"""How well piles are counted by dealing them through, on drawn films: ``python -m models.evaluate.deals --piles 9``.

A pile counts as exact where every card was counted once and named rightly, without a doubt; as doubted where a person
is asked to look at a card of it; anything else is wrong, which nobody would notice.
"""

from __future__ import annotations

import argparse
from collections import Counter
from datetime import UTC, datetime
from itertools import pairwise

import numpy as np

from datasets.decks.drawn_decks import draw_deck
from datasets.films.film import Film, draw_film
from scorer.faces import Face
from vision.live.deal_counter import DealCounter, DealtCard, top_card
from vision.reader import CardReader, load_reader
from vision.values import Frame

_DECKS = 3


def deal(film: Film, reader: CardReader) -> list[DealtCard]:
    """What is counted of a film."""
    watch, dealt = DealCounter(), []
    for frame in film.frames:
        spot = watch.see(frame.picture, frame.at)
        if spot is not None:
            dealt.append(top_card(reader.read(Frame(spot, datetime.now(UTC), "film")), spot))
    return dealt


def verdict(true: tuple[Face, ...], dealt: list[DealtCard]) -> str:
    """``exact``, ``doubted`` or ``wrong``."""
    if any(one.doubt for one in dealt):
        return "doubted"
    return "exact" if [one.card.face for one in dealt if one.card] == list(true) else "wrong"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--piles", type=int, default=100)
    parser.add_argument("--seed", type=int, default=7)
    given = parser.parse_args()
    reader, decks = load_reader(), [draw_deck("film", number) for number in range(_DECKS)]
    found: Counter[str] = Counter()
    counted = equal = 0
    for number in range(given.piles):
        film = draw_film(np.random.default_rng([given.seed, number]), decks, "dealing")
        dealt = deal(film, reader)
        said = verdict(film.faces, dealt)
        found[said] += 1
        counted += len(dealt) == len(film.faces)
        equal += any(a == b for a, b in pairwise(film.faces))
        if said != "exact":
            seen = " ".join(f"{one.card.face if one.card else '-'}{'?' if one.doubt else ''}" for one in dealt)
            print(f"pile {number}, {said}: {' '.join(map(str, film.faces))} seen as {seen}", flush=True)
        if (number + 1) % 10 == 0:
            sums = ", ".join(f"{found[one]} {one}" for one in ("exact", "doubted", "wrong"))
            print(
                f"{number + 1} piles, {equal} with equal neighbours: {sums}; {counted} of the right number", flush=True
            )


if __name__ == "__main__":
    main()
