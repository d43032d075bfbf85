"""Scores readings of a taught deck's tables, and holds the counts of all decks against the bars."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path

from datasets.decks.deck_art import DeckArt
from models.evaluate.metrics import Metrics, misread, score_table
from models.evaluate.paired import wilson
from models.evaluate.taught.decks import profile_of
from models.samples.drawn_tables import readable_table
from scorer.deck import load_deck
from scorer.faces import JOKER
from vision.values import Frame, HouseRules, Reading

TABLES, LEAST_HEIGHT = 20, 16.0
"""Tables of each deck, and the smallest height of a rank on them in pixels."""
TABLE_SEED = 870_000
MANY = 100
"""Copies of a face that may lie on a drawn table, which no pack limits."""
RESULT = "result.json"
NAMED = frozenset({"LORD", "LADY", "VILLAIN", "JESTER", "JOKER"})
EXACT, EXACT_OF_ONE, JOKERS_MISSED, UNDOUBTED = 0.9, 0.7, 0.01, 0.01
"""Bars of the standard decks: tables exactly right of all and of each, jokers missed, tables wrong and undoubted."""
OTHER_F1, OTHER_EXACT = 0.99, 0.85
"""Bars of the other decks: F1 of cards by rank, and tables exactly right."""
Read = Callable[[Frame, HouseRules], Reading]


@dataclass(frozen=True)
class DeckResult:
    """Counts over the tables of one deck.

    Attributes:
        name, profile: the deck, and the id of its profile.
        pictures, exact: its tables, and those read exactly right.
        found, wrong, missed: cards.
        undoubted_wrong: tables with a mistake and no doubt.
        jokers, jokers_missed: jokers that had to be read, and those that were not; of the standard decks alone.
        taken: named cards such as a lady that were taken for another without a doubt, as "LADY>LORD".
        learning_seconds: how long the deck was learnt, 0 where that is not known.
    """

    name: str
    profile: str
    pictures: int
    exact: int
    found: int
    wrong: int
    missed: int
    undoubted_wrong: int
    jokers: int
    jokers_missed: int
    taken: tuple[str, ...] = ()
    learning_seconds: float = 0.0


def house_rules_of(deck: DeckArt) -> HouseRules:
    """What a reading of a table with this deck alone is told."""
    profile = load_deck(profile_of(deck.name))
    threes = frozenset({"R3", "B3"} if profile.id == "remastered" else {"3"})
    return HouseRules(frozenset(profile.wild_ranks), 7, dict.fromkeys(deck.faces, MANY), threes, frozenset(deck.faces))


def score_deck(
    read: Read, number: int, deck: DeckArt, tables: int = TABLES, learning_seconds: float = 0.0
) -> DeckResult:
    """Reads new tables of deck ``number`` of ``decks.NAMES``; they are the same each time."""
    metrics, rules = Metrics(), house_rules_of(deck)
    taken: list[str] = []
    for n in range(tables):
        table = readable_table(TABLE_SEED + number, n, [deck], LEAST_HEIGHT)
        reading = read(Frame(table.picture, datetime.now(UTC), f"{deck.name} {n}"), rules)
        score_table(metrics, reading, table, f"{deck.name} {n}")
        for true, card in misread(table, reading.cards):
            if {true.rank, card.face.rank} <= NAMED and not card.doubt:
                taken.append(f"{true}>{card.face}")
    jokers = metrics.parts["joker"] if JOKER in deck.faces else None
    return DeckResult(
        deck.name,
        profile_of(deck.name),
        metrics.pictures,
        metrics.exact,
        metrics.found,
        metrics.wrong,
        metrics.missed,
        metrics.undoubted_wrong,
        jokers.found + jokers.missed if jokers else 0,
        jokers.missed if jokers else 0,
        tuple(taken),
        learning_seconds,
    )


def save_result(folder: Path, result: DeckResult) -> None:
    """Writes a result to ``folder``."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / RESULT).write_text(json.dumps(asdict(result), indent=1) + "\n", encoding="utf-8")


def load_results(out: Path) -> list[DeckResult]:
    """Reads the results of all decks below ``out``."""
    told = [json.loads(path.read_text(encoding="utf-8")) for path in sorted(out.glob(f"*/{RESULT}"))]
    return [DeckResult(**{**one, "taken": tuple(one["taken"])}) for one in told]


@dataclass(frozen=True)
class Bar:
    """A bar and what was reached: ``value`` for people, with its 95 % interval, and whether it ``holds``."""

    what: str
    bar: str
    value: str
    holds: bool


def bars(results: Sequence[DeckResult]) -> list[Bar]:
    """Holds the results against the bars; those of decks that have no result are left out."""
    standard = [one for one in results if one.profile == "standard"]
    others = [one for one in results if one.profile != "standard"]
    made: list[Bar] = []
    if standard:
        tables = sum(one.pictures for one in standard)
        worst = min(standard, key=lambda one: one.exact / max(one.pictures, 1))
        jokers = sum(one.jokers for one in standard)
        made += [
            _share("standard decks, exactly right", sum(one.exact for one in standard), tables, EXACT, least=True),
            _share(f"the worst of them, {worst.name}", worst.exact, worst.pictures, EXACT_OF_ONE, least=True),
            _share("jokers missed", sum(one.jokers_missed for one in standard), jokers, JOKERS_MISSED),
            _share("wrong and undoubted", sum(one.undoubted_wrong for one in standard), tables, UNDOUBTED),
        ]
    if others:
        found, wrong, missed = (sum(getattr(one, key) for one in others) for key in ("found", "wrong", "missed"))
        f1 = 2 * found / max(2 * found + wrong + missed, 1)
        tables = sum(one.pictures for one in others)
        taken = [pair for one in others for pair in one.taken]
        made += [
            Bar("other decks, card F1", f"≥ {OTHER_F1}", f"{f1:.4f} of {found + missed} cards", f1 >= OTHER_F1),
            _share("other decks, exactly right", sum(one.exact for one in others), tables, OTHER_EXACT, least=True),
            Bar(
                "named cards taken for each other, undoubted", "0", f"{len(taken)} {' '.join(taken)}".strip(), not taken
            ),
        ]
    return made


def _share(what: str, count: int, of: int, bar: float, least: bool = False) -> Bar:
    share = count / max(of, 1)
    low, high = wilson(count, of)
    value = f"{share:.1%} ({count} of {of}; {low:.1%} to {high:.1%})"
    return Bar(what, f"{'≥' if least else '≤'} {bar:.0%}", value, share >= bar if least else share <= bar)


def as_markdown(results: Sequence[DeckResult]) -> str:
    """Formats the bars, and a line for each deck."""
    lines = ["| | bar | reached | holds |", "|---|---|---|---|"]
    lines += [f"| {one.what} | {one.bar} | {one.value} | {'yes' if one.holds else 'no'} |" for one in bars(results)]
    lines += ["", "| deck | exactly right | found | wrong | missed | undoubted | jokers missed | learnt in |"]
    lines += ["|---" * 8 + "|"]
    lines += [
        f"| {one.name} | {one.exact} of {one.pictures} | {one.found} | {one.wrong} | {one.missed} | "
        f"{one.undoubted_wrong} | {one.jokers_missed} of {one.jokers} | {one.learning_seconds:.0f} s |"
        for one in results
    ]
    return "\n".join(lines) + "\n"
