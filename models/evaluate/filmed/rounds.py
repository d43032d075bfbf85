"""How well the table's memory knows filmed rounds: ``python -m models.evaluate.filmed.rounds --count 5``.

The frames are drawn as they are needed, so no film need be written. Zones are those of the truth, as if drawn by
finger.
"""

from __future__ import annotations

import argparse
import json
import random
import resource
import time
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from datasets.films import Film, film
from datasets.films.truth import TrueGroup, Truth, totals
from models.evaluate.filmed.kept import is_kept, keep, kept_looks
from scorer.deck import load_deck
from scorer.faces import Face
from scorer.rules import load_rules
from vision.memory.pictures.parts import Read
from vision.memory.table_memory import TableMemory
from vision.memory.watching import Look, Watching
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
        looks: stills that were read; 0 where they were kept.
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
            faults.append(f"{group.kind} {' '.join(group.cards)} ({group.doubt}): {told}")
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


def until(truth: Truth, second: float) -> Truth:
    """The truth of a film that ends at ``second``, from its history; which cards were in plain sight is not told."""
    groups: dict[int, TrueGroup] = {}
    for change in truth.history:
        if change.second > second:
            break
        group = groups.get(change.group)
        if group is None:
            group = TrueGroup(change.group, change.side, "meld", None, None, (), (), None, False)
        cards = Counter(group.cards)
        if change.what in ("laid", "added"):
            cards.update(change.cards)
        elif change.what == "taken-back":
            cards.subtract(change.cards)
        kind = "pile" if change.what == "squared" else group.kind
        if not {face.rstrip("HDCS") for face in cards} - {"3"}:
            kind = "threes"
        groups[change.group] = replace(group, kind=kind, cards=tuple(cards.elements()))
    left = tuple(group for group in groups.values() if group.cards)
    scores = table_totals(truth, [{"side": one.side, "kind": one.kind, "cards": one.cards} for one in left])
    return replace(truth, seconds=min(second, truth.seconds), groups=left, table_scores=scores or truth.table_scores)


def rules_of(truth: Truth) -> HouseRules:
    """The rules of a film as the reader needs them."""
    rules, deck = load_rules(truth.rules), load_deck(truth.deck)
    packs = rules.packs_for(4)
    copies = {face: count * packs for face, count in deck.copies.items()}
    threes = frozenset({"3", *(face.rank for face in deck.faces if rules.called(face).rank == "3")})
    return HouseRules(frozenset(rules.wilds), rules.book_size, copies, threes, frozenset(deck.faces))


def watch_film(made: Film, truth: Truth, read: Read, cost: Cost) -> Iterator[Look]:
    """The looks at a film, each put into the memory of a watching of its own; ``cost`` gets what that took."""
    watching = Watching(read, TableMemory(rules_of(truth), truth.zones))
    for second, pixels in made.frames():
        if second > truth.seconds:
            break
        start = time.process_time()
        look = watching.look(pixels, second)
        if look is not None:
            watching.take(look)
            cost.looks += 1
            cost.reader_seconds += look.reading.seconds
        cost.processor_seconds += time.process_time() - start
        if look is not None:
            yield look


def remember(truth: Truth, looks: Iterable[Look], restarts: Container[int] = ()) -> TableMemory:
    """The memory after all looks of a film; before those of the numbers ``restarts`` it is written and read again.

    So does a program that was killed, which knows no earlier picture and reads the whole of the next.
    """
    house = rules_of(truth)
    memory = TableMemory(house, truth.zones)
    for number, look in enumerate(looks):
        begins = number in restarts
        if begins:
            memory = TableMemory.from_json(json.loads(json.dumps(memory.to_json())), house)
        memory.observe(look.reading, look.second, look.pixels, None if begins else look.parts)
    return memory


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=5, help="so many films")
    parser.add_argument("--seed", type=int, default=0, help="the first film's seed; from 1000 on they are unseen ones")
    parser.add_argument("--rules", help="id of a rule set; by default several in turn")
    parser.add_argument("--changes", type=int, help="so many changes at most, for short films")
    parser.add_argument("--until", type=float, help="the second at which each film ends, for a first look")
    parser.add_argument("--keep", type=Path, help="a folder that keeps what is read, and spares the reader next time")
    parser.add_argument("--restart", action="store_true", help="also with a program that was killed at a random look")
    options = parser.parse_args()
    if options.restart and options.keep is None:
        parser.error("--restart needs --keep")
    reader: CardReader | None = None
    results, went_on = [], 0
    for seed in range(options.seed, options.seed + options.count):
        made = film(seed, rules=options.rules, changes=options.changes)
        truth = made.truth if options.until is None else until(made.truth, options.until)
        cost, looks = Cost(), None
        if options.keep is None or not is_kept(options.keep, seed):
            reader = reader or load_reader()
            looks = watch_film(made, truth, partial(_read, reader, rules_of(truth)), cost)
            if options.keep is not None:
                keep(options.keep, seed, looks)
        if options.keep is not None:
            looks = kept_looks(options.keep, seed)
        assert looks is not None
        found = remember(truth, looks).groups()
        results.append(judge(truth, found, cost))
        print(json.dumps(asdict(results[-1]), ensure_ascii=False), flush=True)
        if options.restart:
            count = sum(1 for _ in kept_looks(options.keep, seed))
            at = random.Random(seed).randrange(1, count)
            again = remember(truth, kept_looks(options.keep, seed), {at}).groups()
            went_on += again == found
            print(f"killed before look {at} of {count}: {'the same' if again == found else 'NOT the same'}", flush=True)
    piles, count = sum(one.piles for one in results), len(results)
    print(
        f"{count} films, {piles} piles: {sum(one.right for one in results)} right without a question, "
        f"{sum(one.guessed for one in results)} but for suits told to be guesses, "
        f"{sum(one.wrong for one in results)} wrong and undoubted (by what a score needs "
        f"{sum(one.scored_right for one in results)} and {sum(one.scored_wrong for one in results)}); "
        f"{sum(one.total_right for one in results)} totals right"
    )
    if options.restart:
        print(f"{went_on} of {count} films end the same after a restart")


def _read(reader: CardReader, house: HouseRules, frame: Frame, /) -> Reading:
    return reader.read(frame, house)


if __name__ == "__main__":
    main()
