"""How well the table's memory knows filmed rounds: ``python -m models.evaluate.filmed --count 5``.

The frames are drawn as they are needed, so no film need be written. Zones are those of the truth, as if drawn by
finger.
"""

from __future__ import annotations

import argparse
import json
import resource
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import partial
from typing import Any

from datasets.films import Film, film
from datasets.films.truth import TrueGroup, Truth, totals
from scorer.deck import load_deck
from scorer.faces import Face
from scorer.rules import load_rules
from vision.memory.pictures.parts import Read
from vision.memory.table_memory import TableMemory
from vision.memory.watching import Watching
from vision.reader import CardReader, load_reader
from vision.values import Frame, HouseRules, Reading


@dataclass(frozen=True)
class FilmResult:
    """What one film came to.

    Attributes:
        seed: of the film.
        piles: squared books in truth.
        right: of them, those that are told exactly and without a doubt.
        guessed: of them, those that bear no doubt and are right but for suits that are told to be guesses.
        wrong: of them, those that bear no doubt and of which something else is wrong.
        scored_right, scored_wrong: the same by what a score needs: ranks, and the colours of threes.
        groups, groups_right: the same of all groups.
        total_right: whether each side's points from the table are right.
        film_seconds, reader_seconds, processor_seconds: the film's length, how long was read, and the processor's time
            for all.
        looks: stills that were read.
        memory_mb: the most memory that the process has used until then, in MB, with what draws the film.
        faults: what was said of the groups that are not right.
    """

    seed: int
    piles: int
    right: int
    guessed: int
    wrong: int
    scored_right: int
    scored_wrong: int
    groups: int
    groups_right: int
    total_right: bool
    film_seconds: float
    reader_seconds: float
    processor_seconds: float
    looks: int
    memory_mb: int
    faults: tuple[str, ...]


@dataclass
class Cost:
    """What watching a film took; see ``FilmResult``."""

    reader_seconds: float = 0.0
    processor_seconds: float = 0.0
    looks: int = 0


def match(truth: Sequence[TrueGroup], found: Sequence[dict[str, Any]]) -> list[tuple[TrueGroup, dict[str, Any] | None]]:
    """Each true group with the one that was found with most of its cards on the same side; each once."""
    shared = [
        (sum((Counter(group.cards) & Counter(other["cards"])).values()), i, j)
        for i, group in enumerate(truth)
        for j, other in enumerate(found)
        if other["side"] in (None, group.side)
    ]
    pairs: dict[int, int] = {}
    for common, i, j in sorted(shared, key=lambda one: -one[0]):
        if common and i not in pairs and j not in pairs.values():
            pairs[i] = j
    return [(group, found[pairs[i]] if i in pairs else None) for i, group in enumerate(truth)]


def table_totals(truth: Truth, found: Sequence[dict[str, Any]]) -> tuple[int, ...] | None:
    """Each side's points from the groups that were found; None if the scoring engine refuses them."""
    sides = [
        {
            "name": f"Side {side + 1}",
            "melds": [group["cards"] for group in found if group["side"] == side and group["kind"] != "threes"],
            "laid": [face for g in found if g["side"] == side and g["kind"] == "threes" for face in g["cards"]],
        }
        for side in range(len(truth.table_scores))
    ]
    try:
        return totals({**truth.sheet, "sides": sides})
    except ValueError:
        return None


def judge(truth: Truth, found: Sequence[dict[str, Any]], cost: Cost | None = None) -> FilmResult:
    """Holds the groups that were found against the truth."""
    cost = cost or Cost()
    right = guessed = wrong = scored_right = scored_wrong = groups_right = 0
    faults = []
    for group, other in match(truth.groups, found):
        exact = other is not None and Counter(group.cards) == Counter(other["cards"])
        doubted = other is not None and other["doubt"] is not None
        groups_right += exact
        if group.kind == "pile":
            right += exact and not doubted
            claimed = other is not None and _claims_right(group.cards, other)
            guessed += claimed and not exact and not doubted
            wrong += not claimed and not exact and not doubted
            scored = other is not None and _scored(group.cards) == _scored(other["cards"])
            scored_right += scored and not doubted
            scored_wrong += not scored and not doubted
        if not exact or doubted:
            told = "nothing" if other is None else f"{' '.join(other['cards'])} ({other['doubt']})"
            faults.append(f"{group.kind} {' '.join(group.cards)}: {told}")
    extra = len(found) - sum(other is not None for _, other in match(truth.groups, found))
    if extra:
        faults.append(f"{extra} groups too many")
    return FilmResult(
        truth.seed,
        sum(group.kind == "pile" for group in truth.groups),
        right,
        guessed,
        wrong,
        scored_right,
        scored_wrong,
        len(truth.groups),
        groups_right,
        table_totals(truth, found) == truth.table_scores,
        truth.seconds,
        round(cost.reader_seconds, 1),
        round(cost.processor_seconds, 1),
        cost.looks,
        resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
        tuple(faults),
    )


def _claims_right(cards: Sequence[str], other: dict[str, Any]) -> bool:
    """Whether a group has these cards, whatever the suits that it tells to be guesses."""
    known = Counter(card for place, card in enumerate(other["cards"]) if place not in other["guessed"])
    rest = Counter(cards) - known
    ranks = Counter(Face.parse(other["cards"][place]).rank for place in other["guessed"])
    return not known - Counter(cards) and Counter(Face.parse(card).rank for card in rest.elements()) == ranks


def _scored(cards: Sequence[str]) -> Counter[str]:
    """Cards by what they count as: in a meld no suit changes the score, but red and black threes count otherwise."""
    faces = [Face.parse(card) for card in cards]
    return Counter(f"{face.rank} {face.is_red}" if face.rank == "3" else face.rank for face in faces)


def rules_of(truth: Truth) -> HouseRules:
    """The rules of a film as the reader needs them."""
    rules, deck = load_rules(truth.rules), load_deck(truth.deck)
    packs = rules.packs.for_players(4)
    copies = {face: count * packs for face, count in deck.copies.items()}
    threes = frozenset({"3", *(face.rank for face in deck.faces if rules.called(face).rank == "3")})
    return HouseRules(frozenset(rules.wilds), rules.book_size, copies, threes, frozenset(deck.faces))


def watch_film(made: Film, read: Read) -> FilmResult:
    """Watches a film, with a memory of its own, and holds what is known at its end against the truth."""
    watching, cost = Watching(read, TableMemory(rules_of(made.truth), made.truth.zones)), Cost()
    for second, pixels in made.frames():
        start = time.process_time()
        look = watching.look(pixels, second)
        if look is not None:
            watching.take(look)
            cost.looks += 1
            cost.reader_seconds += look.reading.seconds
        cost.processor_seconds += time.process_time() - start
    return judge(made.truth, watching.memory.groups(), cost)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=5, help="so many films")
    parser.add_argument("--seed", type=int, default=0, help="the first film's seed; from 1000 on they are unseen ones")
    parser.add_argument("--rules", help="id of a rule set; by default several in turn")
    parser.add_argument("--changes", type=int, help="so many changes at most, for short films")
    options = parser.parse_args()
    reader, results = load_reader(), []
    for seed in range(options.seed, options.seed + options.count):
        made = film(seed, rules=options.rules, changes=options.changes)
        results.append(watch_film(made, partial(_read, reader, rules_of(made.truth))))
        print(json.dumps(asdict(results[-1]), ensure_ascii=False), flush=True)
    print(
        f"{len(results)} films, {sum(one.piles for one in results)} piles: "
        f"{sum(one.right for one in results)} right without a question, "
        f"{sum(one.guessed for one in results)} but for suits told to be guesses, "
        f"{sum(one.wrong for one in results)} wrong and undoubted (by what a score needs "
        f"{sum(one.scored_right for one in results)} and {sum(one.scored_wrong for one in results)}); "
        f"{sum(one.total_right for one in results)} totals right"
    )


def _read(reader: CardReader, house: HouseRules, frame: Frame, /) -> Reading:
    return reader.read(frame, house)


if __name__ == "__main__":
    main()
