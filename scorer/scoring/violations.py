"""Rule violations of a round sheet. Violations of single melds come from ``melds.check_meld``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from scorer.deck import spoken
from scorer.faces import Face
from scorer.rules.alike import counts_alike
from scorer.rules.book_parts import Book
from scorer.rules.rule_set import RuleSet
from scorer.scoring.melds import MeldCheck, foreign_faces
from scorer.scoring.tally import Code, Violation
from scorer.sheets import RoundSheet, SideSheet

_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")


def side_violations(
    place: int, checks: tuple[MeldCheck, ...], sheet: RoundSheet, rules: RuleSet
) -> Iterator[Violation]:
    """Yields the violations of the side at a place of the sheet (from 0), regardless of the other sides."""
    side, most = sheet.sides[place], _largest_side(place, sheet, rules)
    for i, check in enumerate(checks):
        yield from (Violation(violation.code, f"melds[{i}]", violation.message) for violation in check.violations)
        yield from _of_one_rank(check, checks[:i], f"melds[{i}]", rules)
    if not_laid := _labels((card for card in side.laid if not rules.is_laid(card)), rules):
        yield Violation(
            "not-laid-here", "laid", f"Under these rules, {not_laid} can’t be laid on the table outside a meld."
        )
    yield from _buried(side, rules)
    if side.went_out:
        yield from _going_out(side, most, checks, sheet, rules)
    yield from _counts(side, most, rules)


def _of_one_rank(check: MeldCheck, before: tuple[MeldCheck, ...], where: str, rules: RuleSet) -> Iterator[Violation]:
    """Yields the violation of a meld of whose rank the side has enough of those before it."""
    if check.rank is None:
        return
    name = rules.cards.plural(check.rank)
    if rules.melds.one_a_rank:
        if any(other.rank == check.rank for other in before):
            yield Violation("same-rank-twice", where, f"A side can have only one meld of {name}. Put them together.")
        return
    most = rules.melds.most_of_kind(check.kind)
    have = 1 + sum((other.rank, other.kind) == (check.rank, check.kind) for other in before)
    if most is not None and have > most:
        melds = f"{most} {check.kind} meld{'' if most == 1 else 's'}"
        yield Violation("too-many-of-rank", where, f"A side can have at most {melds} of {name}. This one has {have}.")


def _buried(side: SideSheet, rules: RuleSet) -> Iterator[Violation]:
    if side.buried and not rules.burying:
        yield Violation("not-laid-here", "buried", "These rules don’t have buried cards.")
    elif never_melded := _labels((card for card in side.buried if rules.is_never_melded(card)), rules):
        yield Violation(
            "not-laid-here", "buried", f"Only cards that could be melded can be buried, not {never_melded}."
        )


def _labels(cards: Iterable[Face], rules: RuleSet) -> str:
    """Cards by what the rules tell apart, ``black 3s, 8s``: nobody may have said their suits."""
    return ", ".join(dict.fromkeys(map(rules.label, cards)))


def _going_out(
    side: SideSheet, most: int, checks: tuple[MeldCheck, ...], sheet: RoundSheet, rules: RuleSet
) -> Iterator[Violation]:
    made = [check.made for check in checks if check.made]
    books = Counter(one.book for one in made)
    needed = rules.going_out.books_for(sheet.players, sheet.round)
    if needed.missing(made):
        kinds: tuple[Book, ...] = ("clean", "dirty", "wild") if rules.books.wild is not None else ("clean", "dirty")
        asked = [kind for kind in kinds if kind != "wild" or books["wild"] or "wild" in needed.needs]
        have = ", ".join(f"{books[kind]} {kind}" for kind in asked)
        have += f", {sum(one.is_run for one in made)} of them runs" if needed.runs else ""
        yield Violation("out-without-books", "went_out", f"Going out needs {needed.needs}. This side has {have}.")
    laid = sum(map(rules.is_laid, side.laid))
    if rules.going_out.laid_for_books and laid < len(made):
        message = f"Going out needs as many cards laid out as the side has books. This one has {laid} for {len(made)}."
        yield Violation("out-without-laid", "went_out", message)
    holding = _players_holding_cards(side)
    # Empty lists beyond the side's number of players belong to nobody.
    if side.left and (holding == len(side.left) or holding >= most):
        yield Violation("out-with-cards", "left", "This side went out, but each of its players has cards left.")


def _counts(side: SideSheet, most: int, rules: RuleSet) -> Iterator[Violation]:
    if side.exact_deals and rules.exact_deal is None:
        yield Violation("no-such-event", "exact_deals", "These rules have no bonus for an exact deal.")
    elif side.exact_deals > most:
        message = f"A side can have at most {_exact_deals(most)}. This one has {side.exact_deals}."
        yield Violation("too-many-exact-deals", "exact_deals", message)
    if side.improper_melds and rules.improper_meld is None:
        yield Violation("no-such-event", "improper_melds", "These rules have no penalty for a low first meld.")
    yield from _bonuses(side, most, rules)
    if (holding := _players_holding_cards(side)) > most:
        message = f"A side has at most {most} players, but {holding} have cards left."
        yield Violation("too-many-hands", "left", message)


def _bonuses(side: SideSheet, players: int, rules: RuleSet) -> Iterator[Violation]:
    known = {bonus.name: bonus for bonus in rules.asked if not bonus.key}
    for name, times in side.bonuses.items():
        if not times:
            continue
        if name not in known:
            listed = ", ".join(known) or "none"
            message = f'These rules have no bonus or penalty called "{name}". They have: {listed}.'
            yield Violation("no-such-event", "bonuses", message)
            continue
        most = known[name].most_for(players)
        if most is not None and times > most:
            message = f'A side can get "{name}" at most {_times(most)}, but it is counted {_times(times)}.'
            yield Violation("too-many-bonuses", "bonuses", message)


def _only(count: int, name: str) -> str:
    """``are only five 5♦``; larger numbers, which stand apart from the rank so: ``are only 20 of the 8s``."""
    if count < len(_NUMBERS):
        return f"{'is' if count == 1 else 'are'} only {_NUMBERS[count]} {name}"
    return f"are only {count} of the {name}"


def _exact_deals(count: int) -> str:
    return f"{count} exact deal{'' if count == 1 else 's'}"


def _times(count: int) -> str:
    return "once" if count == 1 else f"{count} times"


def _players_holding_cards(side: SideSheet) -> int:
    """The number of a side's players with cards left."""
    return sum(bool(cards) for cards in side.left)


def _largest_side(place: int, sheet: RoundSheet, rules: RuleSet) -> int:
    """The largest possible number of players on a side of the sheet; all players if the rules cannot seat that many.

    Rules without seatings allow any split that leaves at least one player for every other side. A floater counts on
    their side of the round, once all sides are on the sheet.
    """
    number = len(sheet.sides)
    if not rules.seatings and sheet.players >= rules.least_players:
        return max(sheet.players - max(number, 2) + 1, 1)
    seatings = [seating for seating in rules.seatings if seating.players == sheet.players]
    fitting = [seating for seating in seatings if len(seating.sides) >= number] or seatings
    sizes = (
        seating.in_round(sheet.round)[place]
        if seating.floater and len(seating.sides) == number
        else max(seating.in_round(sheet.round))
        for seating in fitting
    )
    return max(sizes, default=sheet.players)


def sheet_violations(
    sheet: RoundSheet, checks_by_side: Sequence[tuple[MeldCheck, ...]], rules: RuleSet
) -> list[tuple[Violation, ...]]:
    """Returns the violations that concern several sides or the whole sheet, per side in the order of the sheet.

    Args:
        sheet: the round sheet.
        checks_by_side: for each side, its melds as checked.
        rules: the rule set.
    """
    sides_out = sum(side.went_out for side in sheet.sides)
    cards_by_side = [
        list(_located_cards(side, checks, rules)) for side, checks in zip(sheet.sides, checks_by_side, strict=True)
    ]
    wrong_cards = _wrong_cards([card for side in cards_by_side for card in side], sheet.players, rules)
    player_violations = tuple(_player_violations(sheet, rules))
    violations: list[tuple[Violation, ...]] = []
    for side, cards in zip(sheet.sides, cards_by_side, strict=True):
        two_out = Violation("two-went-out", "went_out", f"Only one side can go out, but {sides_out} did.")
        first = (two_out,) if side.went_out and sides_out > 1 else ()
        violations.append((*first, *_card_violations(cards, wrong_cards), *player_violations))
    return violations


def _player_violations(sheet: RoundSheet, rules: RuleSet) -> Iterator[Violation]:
    """Yields violations about numbers of players and sides. A sheet may hold fewer sides than play."""
    seatings = rules.sides_for(sheet.players)
    most_sides = max((len(sides) for sides in seatings), default=sheet.players)
    if not seatings:
        counts = sorted({seating.players for seating in rules.seatings})
        known = ", ".join(map(str, counts)) or f"{rules.least_players} or more"
        yield Violation(
            "wrong-players", "players", f"These rules are for {known} players. This game has {sheet.players}."
        )
    for bonus in rules.bonuses:
        told = [side.bonuses[bonus.name] for side in sheet.sides if side.bonuses.get(bonus.name)]
        if bonus.who == "one side" and len(told) > 1:
            yield Violation("too-many-bonuses", "sides", f'Only one side can get "{bonus.name}", but {len(told)} did.')
        elif bonus.who == "player" and sum(told) > sheet.players * bonus.most:
            most = sheet.players * bonus.most
            message = f'"{bonus.name}" can be counted at most {_times(most)} here, not {_times(sum(told))}.'
            yield Violation("too-many-bonuses", "sides", message)
    exact_deals = sum(side.exact_deals for side in sheet.sides)
    if rules.exact_deal and exact_deals > sheet.players:
        message = (
            f"{sheet.players} players can have at most {sheet.players} exact deals, but {exact_deals} are counted."
        )
        yield Violation("too-many-exact-deals", "sides", message)
    if len(sheet.sides) > most_sides:
        message = f"{sheet.players} players make at most {most_sides} sides, but there are {len(sheet.sides)}."
        yield Violation("too-many-sides", "sides", message)


@dataclass(frozen=True, slots=True)
class _LocatedCard:
    """A card of a side: its location on the sheet, and whether it is of another deck."""

    where: str
    face: Face
    foreign: bool

    @property
    def kind(self) -> tuple[Face, bool]:
        """What it has in common with its copies."""
        return self.face, self.foreign


def _located_cards(side: SideSheet, checks: tuple[MeldCheck, ...], rules: RuleSet) -> Iterator[_LocatedCard]:
    """Yields every card of a side. Those of another deck in a meld are left out: they are violations of the meld."""
    for i, check in enumerate(checks):
        yield from (_LocatedCard(f"melds[{i}]", card, False) for card in check.cards if card not in check.foreign)
    others = [("laid", side.laid), ("buried", side.buried), *((f"left[{i}]", held) for i, held in enumerate(side.left))]
    for where, cards in others:
        foreign = foreign_faces(cards, rules)
        yield from (_LocatedCard(where, card, card in foreign) for card in cards)


def _wrong_cards(cards: list[_LocatedCard], players: int, rules: RuleSet) -> dict[tuple[Face, bool], tuple[Code, str]]:
    """Returns the kinds of card that are not in the deck or more frequent than in the packs, with code and sentence.

    Cards of a squared pile are known by rank alone; they are reported only if the whole rank is too frequent. So are
    cards of a deck without suits, with those of another deck that they stand for. Of all cards that count alike one
    sentence is said where together they are too many, as people may have said no suits.
    """
    deck, packs = rules.cards, rules.packs.for_players(players)
    counts = Counter(card.face for card in cards if not card.foreign)
    wrong: dict[tuple[Face, bool], tuple[Code, str]] = {}
    for (face, foreign), count in Counter(card.kind for card in cards).items():
        if foreign:
            wrong[face, True] = ("not-in-deck", f"The deck for these rules has no {spoken(face)}.")
            continue
        copies, name = deck.copies.get(face, 0), face.shown if face.suit else deck.plural(face.rank)
        if not face.suit:
            alike = rules.alike(face)
            count, copies = sum(counts[one] for one in alike | {face}), rules.most_of(alike)
        if face.suit and count > copies * packs:
            alike = frozenset(one for one in deck.faces if counts_alike(rules.called(one), rules.called(face), rules))
            together, most = sum(counts[one] for one in alike), rules.most_of(alike)
            if together > most * packs:
                count, copies, name = together, most, rules.label(face)
        if count > copies * packs:
            held = "1 pack" if packs == 1 else f"{packs} packs"
            message = f"There {_only(copies * packs, name)} in {held}, but {count} are counted. Check them."
            wrong[face, False] = ("too-many-copies", message)
    return wrong


def _card_violations(
    cards: list[_LocatedCard], wrong: dict[tuple[Face, bool], tuple[Code, str]]
) -> Iterator[Violation]:
    """Yields each sentence about wrong cards of a side once, at the first of them."""
    first_location: dict[tuple[Code, str], str] = {}
    for card in cards:
        if card.kind in wrong:
            first_location.setdefault(wrong[card.kind], card.where)
    for (code, message), where in first_location.items():
        yield Violation(code, where, message)
