"""Words that several sentences about house rules share: points, cards, lists by round, numbers by players."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from scorer.deck import DeckProfile, load_deck
from scorer.faces import Face
from scorer.rules import RuleSet
from scorer.rules.book_parts import BookCounts
from scorer.rules.card_parts import Reported
from scorer.rules.table_parts import PerPlayers
from webui.translation import N_, _, gettext, ngettext
from webui.wording import OF_SUIT, listed, name_of, one_of, players_text, points_text

_IN_A_ROW = ("1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12", "J", "Q", "K")
"""Ranks of which a run is told by its ends: ``8s through kings``."""
_SHORTEST_RUN = 3

_COLORED = {"red": N_("red %(rank)s"), "black": N_("black %(rank)s")}


def points(value: int) -> str:
    """``1 point``, ``1,500 points``."""
    return ngettext("%(number)s point", "%(number)s points", abs(value), number=points_text(value))


def earns(value: int) -> str:
    """``earns 100 points``, ``costs 100 points``, ``earns nothing``, as the ending of a sentence."""
    if not value:
        return _("earns nothing")
    return _("earns %(points)s", points=points(value)) if value > 0 else _("costs %(points)s", points=points(-value))


def wild_cards(count: int) -> str:
    return ngettext("%(num)s wild card", "%(num)s wild cards", count)


def capital(text: str) -> str:
    """A text with a capital first letter."""
    return text[:1].upper() + text[1:]


def ended(text: str) -> str:
    """A text with one period at its end, unless it ends a sentence already."""
    return text if text.endswith((".", "!", "?")) else f"{text}."


def told(event: Reported, often: str = "") -> str:
    """A bonus or penalty that somebody tells, and how often it counts."""
    name, worth = capital(event.name), points(event.points)
    if not often:
        return ended(_("%(name)s: %(points)s, when %(when)s", name=name, points=worth, when=event.when))
    return ended(
        _("%(name)s: %(points)s, %(often)s, when %(when)s", name=name, points=worth, often=often, when=event.when)
    )


def cards(names: Sequence[str], rules: RuleSet, join: Callable[[Iterable[str]], str] = listed) -> str:
    """Cards that a rule set names: ``4s through 7s and red 3s``, ``aces and 3s of hearts``."""
    deck = load_deck(rules.deck)
    parts: list[str] = []
    at = 0
    while at < len(names):
        run = _run(names[at:], deck)
        parts.append(_plural(names[at], deck))
        if run >= _SHORTEST_RUN:
            parts[-1] = _("%(first)s through %(last)s", first=parts[-1], last=_plural(names[at + run - 1], deck))
            at += run - 1
        at += 1
    return join(parts) if parts else _("none")


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
    color, _blank, rank = name.rpartition(" ")
    if color:
        return gettext(_COLORED.get(color, color + " %(rank)s"), rank=deck.plural(rank))
    rank, suit = name[:-1], name[-1:]
    of_suit = suit in OF_SUIT and Face(rank, suit) in deck.copies
    return gettext(OF_SUIT[suit], rank=deck.plural(rank)) if of_suit else deck.plural(name)


def card(name: str, rules: RuleSet) -> str:
    """One card that a rule set names, with its article: ``a lady``, ``an ace``, ``a 3 of hearts``."""
    deck = load_deck(rules.deck)
    face = next((face for face in deck.faces if str(face) == name), None)
    one = name_of(face) if face else name if " " in name else name_of(Face(name))
    one = deck.plural(name).removesuffix("s") if one in ("a", "j", "q", "k") else one
    return f"{'an' if one[0] in 'a8' or one.startswith('11') else 'a'} {one}"


def by_round(values: Sequence[int], rules: RuleSet, unit: Callable[[int], str] = points_text) -> str:
    """Values listed by round, the last of which stays: ``50``, ``60 in round 1, 90 in round 2 and 120 after that``."""
    if len(values) == 1:
        return unit(values[0])
    in_set, open_end = rules.in_sets, len(values) < _listed_rounds(rules)
    first = N_("%(value)s in hand 1 of a set") if in_set else N_("%(value)s in round 1")
    told = [gettext(first, value=unit(values[0]))]
    for at, value in enumerate(values[1:], 2):
        in_one = N_("%(value)s in hand %(at)s") if in_set else N_("%(value)s in round %(at)s")
        from_one = N_("%(value)s from hand %(at)s on") if in_set else N_("%(value)s from round %(at)s on")
        told.append(gettext(from_one if open_end and at == len(values) else in_one, value=points_text(value), at=at))
    return listed(told)


def _listed_rounds(rules: RuleSet) -> int:
    """How many rounds have a value of their own: those of a set, or those of a game that has as many for everybody."""
    if rules.in_sets:
        return rules.hands_in_set
    many = rules.target is not None or rules.rounds.per_player or rules.rounds.by_players
    return 99 if many else rules.rounds.fixed


def from_round(start: int, rules: RuleSet) -> str:
    """``from round 3 on``, ``from hand 2 of a set on``; empty for the first."""
    if start == 1:
        return ""
    return (
        _("from hand %(start)s of a set on", start=start)
        if rules.in_sets
        else _("from round %(start)s on", start=start)
    )


def amount(value: PerPlayers, unit: Callable[[int], str]) -> str:
    """A number that may depend on how many play: ``5 packs``, ``1 pack for each player and 1 more``."""
    base = unit(value.fixed) if value.fixed and not value.per_player else ""
    if value.per_player:
        each = unit(value.per_player)
        base = _("%(amount)s for each player", amount=each)
        if value.fixed:
            base = _("%(amount)s for each player and %(more)s more", amount=each, more=value.fixed)
    told = [
        _("%(amount)s with %(players)s", amount=unit(count), players=players_text(players))
        for players, count in sorted(value.by_players.items())
    ]
    if told and base:
        return _("%(amounts)s, otherwise %(amount)s", amounts=listed(told), amount=base)
    if told:
        return _("%(amounts)s (for another number, go by the next smaller one)", amounts=listed(told))
    return base


def books_needed(counts: BookCounts, rules: RuleSet) -> str:
    """The books asked for: ``2 clean books and 3 dirty books``; ``no books`` for none."""
    named = [ngettext("%(num)s clean book", "%(num)s clean books", counts.clean)] if counts.clean else []
    named += [ngettext("%(num)s dirty book", "%(num)s dirty books", counts.dirty)] if counts.dirty else []
    named += [ngettext("%(num)s wild book", "%(num)s wild books", counts.wild)] if counts.wild else []
    if counts.runs:
        named.append(ngettext("%(num)s book that is a run", "%(num)s books that are runs", counts.runs))
    ranks = [_("a book of %(cards)s", cards=cards([rank], rules)) for rank in counts.of_ranks]
    if counts.all and named:
        named = [_("%(books)s (%(all)s books in all)", books=listed(named), all=counts.all)]
    elif counts.all:
        named = [ngettext("%(num)s book of any kind", "%(num)s books of any kind", counts.all)]
    if ranks and named:
        first, more = listed(ranks), listed(named)
        if counts.apart:
            return _("%(books)s, and on top of that %(more)s", books=first, more=more)
        return _("%(books)s, with %(more)s", books=first, more=more)
    return listed([*ranks, *named]) if ranks or named else _("no books")


def piles(rules: RuleSet) -> str:
    """Where cards are left over: ``hand``, ``hand or foot``, ``hand, knee or foot``."""
    knee, foot = [_("knee")] if rules.knee_cards else [], [_("foot")] if rules.foot_cards else []
    return one_of([_("hand"), *knee, *foot])
