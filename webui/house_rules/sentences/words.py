"""Words that several sentences about house rules share: points, cards, lists by round, numbers by players."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from scorer.deck import DeckProfile, load_deck
from scorer.faces import Face
from scorer.rules import RuleSet
from scorer.rules.book_parts import BookCounts
from scorer.rules.card_parts import Event
from scorer.rules.table_parts import PerPlayers
from webui.wording import count_text, listed, name_of

_IN_A_ROW = ("1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12", "J", "Q", "K")
"""Ranks of which a run is told by its ends: ``8s through kings``."""
_SHORTEST_RUN = 3


def number(value: int) -> str:
    """``1,500``, with the sign for minus below 0."""
    return f"{value:,}".replace("-", "−")


def points(value: int) -> str:
    """``1 point``, ``1,500 points``."""
    return f"{number(value)} point{'' if abs(value) == 1 else 's'}"


def earns(value: int) -> str:
    """``earns 100 points``, ``costs 100 points``, ``earns nothing``, as the ending of a sentence."""
    return f"earns {points(value)}" if value > 0 else f"costs {points(-value)}" if value < 0 else "earns nothing"


def capital(text: str) -> str:
    """A text with a capital first letter."""
    return text[:1].upper() + text[1:]


def ended(text: str) -> str:
    """A text with one period at its end, unless it ends a sentence already."""
    return text if text.endswith((".", "!", "?")) else f"{text}."


def told(event: Event, often: str = "") -> str:
    """A bonus or penalty that somebody tells, and how often it counts."""
    return ended(f"{capital(event.name)}: {points(event.points)}{', ' * bool(often)}{often}, when {event.when}")


def choice(parts: Iterable[str]) -> str:
    """``2s``, ``2s or jokers``, ``2s, 3s or jokers``."""
    *others, last = parts
    return f"{', '.join(others)} or {last}" if others else last


def cards(names: Sequence[str], rules: RuleSet, join: Callable[[Iterable[str]], str] = listed) -> str:
    """Cards that a rule set names: ``4s through 7s and red 3s``, ``aces and 3s of hearts``."""
    deck = load_deck(rules.deck)
    parts: list[str] = []
    at = 0
    while at < len(names):
        run = _run(names[at:], deck)
        parts.append(_plural(names[at], deck))
        if run >= _SHORTEST_RUN:
            parts[-1] += f" through {_plural(names[at + run - 1], deck)}"
            at += run - 1
        at += 1
    return join(parts) if parts else "none"


def _run(names: Sequence[str], deck: DeckProfile) -> int:
    """How many of the first names are ranks that follow each other, 1 at least."""
    row = [rank for rank in _IN_A_ROW if rank in deck.ranks]
    if names[0] not in row:
        return 1
    first = row.index(names[0])
    length = 0
    for name, rank in zip(names, row[first:], strict=False):
        if name != rank:
            break
        length += 1
    return length


def _plural(name: str, deck: DeckProfile) -> str:
    color, _, rank = name.rpartition(" ")
    if color:
        return f"{color} {deck.plural(rank)}"
    face = next((face for face in deck.faces if str(face) == name and face.suit), None)
    return f"{deck.plural(face.rank)} of {name_of(face).rpartition(' ')[2]}" if face else deck.plural(name)


def card(name: str, rules: RuleSet) -> str:
    """One card that a rule set names, with its article: ``a lady``, ``an ace``, ``a 3 of hearts``."""
    deck = load_deck(rules.deck)
    face = next((face for face in deck.faces if str(face) == name), None)
    one = name_of(face) if face else name if " " in name else name_of(Face(name))
    one = deck.plural(name).removesuffix("s") if one in ("a", "j", "q", "k") else one
    return f"{'an' if one[0] in 'a8' or one.startswith('11') else 'a'} {one}"


def by_round(values: Sequence[int], rules: RuleSet, unit: Callable[[int], str] = number) -> str:
    """Values listed by round, the last of which stays: ``50``, ``60 in round 1, 90 in round 2 and 120 after that``."""
    if len(values) == 1:
        return unit(values[0])
    one = "hand" if rules.hands_in_set > 1 else "round"
    told = [f"{unit(values[0])} in {one} 1{' of a set' if one == 'hand' else ''}"]
    told += [f"{number(value)} in {one} {at}" for at, value in enumerate(values[1:], 2)]
    if len(values) < _listed_rounds(rules):
        told[-1] = told[-1].replace(" in ", " from ") + " on"
    return listed(told)


def _listed_rounds(rules: RuleSet) -> int:
    """How many rounds have a value of their own: those of a set, or those of a game that has as many for everybody."""
    if rules.hands_in_set > 1:
        return rules.hands_in_set
    many = rules.target is not None or rules.rounds.per_player or rules.rounds.by_players
    return 99 if many else rules.rounds.fixed


def from_round(start: int, rules: RuleSet) -> str:
    """``from round 3 on``, ``from hand 2 of a set on``; empty for the first."""
    if start == 1:
        return ""
    return f"from hand {start} of a set on" if rules.hands_in_set > 1 else f"from round {start} on"


def amount(value: PerPlayers, one: str) -> str:
    """A number that may depend on how many play: ``5 packs``, ``1 pack for each player and 1 more``."""
    many = f"{one}s"
    base = count_text(value.fixed, one, many) if value.fixed and not value.per_player else ""
    if value.per_player:
        base = f"{count_text(value.per_player, one, many)} for each player"
        base += f" and {value.fixed} more" if value.fixed else ""
    told = [
        f"{count_text(count, one, many)} with {count_text(players, 'player')}"
        for players, count in sorted(value.by_players.items())
    ]
    if told and base:
        return f"{listed(told)}, otherwise {base}"
    return f"{listed(told)} (for another number, go by the next smaller one)" if told else base


def books_needed(counts: BookCounts, rules: RuleSet) -> str:
    """The books asked for: ``2 clean books and 3 dirty books``; ``no books`` for none."""
    kinds = (("clean", counts.clean), ("dirty", counts.dirty), ("wild", counts.wild))
    named = [count_text(count, f"{kind} book") for kind, count in kinds if count]
    ranks = [f"a book of {cards([rank], rules)}" for rank in counts.of_ranks]
    if counts.all:
        total = f"{count_text(counts.all, 'book')} of any kind"
        named = [f"{listed(named)} ({counts.all} books in all)"] if named else [total]
    if ranks and named:
        return f"{listed(ranks)}{', and on top of that' if counts.apart else ', with'} {listed(named)}"
    return listed([*ranks, *named]) if ranks or named else "no books"


def piles(rules: RuleSet) -> str:
    """Where cards are left over: ``hand``, ``hand or foot``, ``hand, knee or foot``."""
    return choice(["hand", *(["knee"] if rules.knee_cards else []), *(["foot"] if rules.foot_cards else [])])
