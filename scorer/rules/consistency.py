"""Checks between the fields of a rule set and against its deck. Problems read ``key: expected ..., got ...``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from types import MappingProxyType

from scorer.deck import DeckProfile, load_deck
from scorer.errors import DeckError
from scorer.rules.card_parts import is_one_of, matches, names_of, stands_for
from scorer.rules.fields import RuleFields

_DEFAULT_LEAST_PLAYERS = 2
"""Default of the field ``least_players``."""


def contradictions(rules: RuleFields, kept_decks: Mapping[str, DeckProfile] = MappingProxyType({})) -> Iterator[str]:
    """Yields every problem, most basic first; ``kept_decks`` stand in for decks of the same id."""
    try:
        first = kept_decks.get(rules.deck) or load_deck(rules.deck)
    except DeckError as error:
        yield f"deck: {error}"
        return
    if repeated := [id for id in rules.decks if [rules.deck, *rules.decks].count(id) > 1]:
        yield f"decks: expected each deck once, got {repeated[0]} more often"
        return
    try:
        printed = [first, *(kept_decks.get(id) or load_deck(id) for id in rules.decks)]
    except DeckError as error:
        yield f"decks: {error}"
        return
    deck, *others = (one.with_jokers(rules.jokers) for one in printed)
    yield from _other_decks(rules, deck, others)
    left_out = {face.rank for face in first.jokers} - set(deck.ranks)
    yield from _ranks(rules, deck, left_out)
    yield from _cards(rules, deck, left_out)
    if rules.jokers is not None and not any(one.jokers for one in printed):
        yield f"jokers: expected none, as the deck has no jokers, got {rules.jokers}"
    yield from _sizes(rules)
    yield from _books(rules)
    yield from _runs(rules, printed)
    yield from _bonuses(rules)
    yield from _table(rules)


def _other_decks(rules: RuleFields, deck: DeckProfile, others: Sequence[DeckProfile]) -> Iterator[str]:
    """Whether the rules know every card of the other decks: by its name, or by the card that it stands for."""
    called: dict[str, str] = {}
    for other in others:
        for face in other.faces:
            name = other.called.get(face.rank)
            if face in deck.copies:
                continue
            meant = stands_for(name, deck) if name else face
            if called.setdefault(face.rank, name or "") != (name or ""):
                yield f"decks: expected decks in which {face.rank} stands for one card, got {other.id} with another"
            elif meant is None or not any(is_one_of(meant, entry.cards) for entry in rules.points):
                yield f"decks: expected decks of whose cards these rules know the points, got {other.id} with {face}"
            elif meant.rank in rules.wild_ranks and face.rank not in other.wild_ranks:
                yield f"decks: expected decks with the wilds of these rules, got {other.id} with a natural {face}"
            else:
                continue
            break


def _ranks(rules: RuleFields, deck: DeckProfile, left_out: Set[str]) -> Iterator[str]:
    """Checks of ranks; ``left_out`` are the jokers that these rules leave out of the packs."""
    naturals = [rank for rank in deck.ranks if rank not in rules.wild_ranks]
    faces = [face for face in deck.faces if face.rank in naturals]
    meldable = [rank for rank in naturals if _may_be_melded(rank, rules, deck)]
    rank_books = [rank for entry in rules.books.of_ranks for rank in entry.ranks]
    yield from _no_jokers("wild_ranks", rules.wild_ranks, left_out)
    yield from _among("wild_ranks", [rank for rank in rules.wild_ranks if rank not in left_out], deck.wild_ranks)
    for key, names in (("never_melded", rules.never_melded), ("melded_going_out", rules.melded_going_out)):
        if unknown := [name for name in names if not any(matches(name, face) for face in faces)]:
            yield f"{key}: expected ranks of {', '.join(naturals) or 'none'}, got {', '.join(unknown)}"
    for face in faces:
        if is_one_of(face, rules.never_melded) and is_one_of(face, rules.melded_going_out):
            yield f"melded_going_out: expected no card of never_melded, got {face}"
    yield from _among("books.of_ranks", rank_books, meldable)
    meld_ranks = [rank for entry in rules.melds.of_ranks for rank in entry.ranks]
    yield from _among("melds.of_ranks", meld_ranks, meldable)
    for i, penalty in enumerate(rules.books.unfinished):
        yield from _among(f"books.unfinished[{i}].ranks", penalty.ranks, () if penalty.kind == "wild" else meldable)
    needed = [(f"going_out.books[{i}]", entry.of_ranks) for i, entry in enumerate(rules.going_out.books)]
    needed += [("laid_if", rules.laid_if.of_ranks)] if rules.laid_if else []
    for key, ranks in needed:
        yield from _among(f"{key}.of_ranks", ranks, meldable)
    once = [(f"{key}.of_ranks", ranks) for key, ranks in needed] + [("melds.of_ranks", tuple(meld_ranks))]
    for key, ranks in (("wild_ranks", rules.wild_ranks), ("books.of_ranks", tuple(rank_books)), *once):
        if repeated := {rank for rank in ranks if ranks.count(rank) > 1}:
            yield f"{key}: expected each rank once, got {', '.join(sorted(repeated))} more often"


def _may_be_melded(rank: str, rules: RuleFields, deck: DeckProfile) -> bool:
    return any(not is_one_of(face, rules.never_melded) for face in deck.faces if face.rank == rank)


def _among(key: str, ranks: Iterable[str], allowed: Iterable[str]) -> Iterator[str]:
    allowed = tuple(allowed)
    if others := [rank for rank in ranks if rank not in allowed]:
        yield f"{key}: expected ranks of {', '.join(allowed) or 'none'}, got {', '.join(others)}"


def _no_jokers(key: str, names: Iterable[str], left_out: Set[str]) -> Iterator[str]:
    if jokers := [name for name in names if name in left_out]:
        yield f"{key}: expected no jokers, as the packs have none, got {', '.join(jokers)}"


def _cards(rules: RuleFields, deck: DeckProfile, left_out: Set[str]) -> Iterator[str]:
    named = [("laid", rules.laid), *((f"points[{i}].cards", entry.cards) for i, entry in enumerate(rules.points))]
    named += [(f"laid_sets[{i}].cards", entry.cards) for i, entry in enumerate(rules.laid_sets)]
    named += [("laid_if.cards", rules.laid_if.cards)] if rules.laid_if else []
    named += [("cap.cards", rules.cap.cards)] if rules.cap else []
    named += [("cards_count.cards", rules.cards_count.cards)] if rules.cards_count else []
    for key, names in named:
        yield from _no_jokers(key, names, left_out)
        for name in names:
            if name not in left_out and not any(matches(name, face) for face in deck.faces):
                yield f'{key}: expected a card of the deck such as "8" or "red 3", got "{name}"'
    priced = Counter(name for entry in rules.points for name in entry.cards)
    for face in deck.faces:
        if (times := sum(priced[name] for name in names_of(face))) != 1:
            yield f"points: expected the points of {face} once, got them {times} times"
        if is_one_of(face, rules.laid) and face.rank in rules.wild_ranks:
            yield f"laid: expected no wild, got {face}"
        if rules.cap and is_one_of(face, rules.cap.cards) and not is_one_of(face, rules.never_melded):
            yield f"cap.cards: expected a card of never_melded, which no meld is made of, got {face}"
    of_laid = [(f"laid_sets[{i}].cards", entry.cards) for i, entry in enumerate(rules.laid_sets)]
    of_laid += [("laid_if.cards", rules.laid_if.cards)] if rules.laid_if else []
    for key, names in of_laid:
        if not_laid := [
            str(face)
            for face in deck.faces
            for name in names
            if matches(name, face) and not is_one_of(face, rules.laid)
        ]:
            yield f"{key}: expected cards of laid, got {', '.join(not_laid)}"


def _sizes(rules: RuleFields) -> Iterator[str]:
    needs = rules.melds
    if rules.book_size < needs.least_cards:
        yield f"book_size: expected melds.least_cards ({needs.least_cards}) or more, got {rules.book_size}"
    for key, most in (("most_cards", needs.most_cards), ("most_cards_with_wilds", needs.most_cards_with_wilds)):
        if most is not None and most < rules.book_size:
            yield f"melds.{key}: expected book_size ({rules.book_size}) or more, got {most}"
    if needs.least_naturals > rules.book_size:
        yield f"melds.least_naturals: expected book_size ({rules.book_size}) or less, got {needs.least_naturals}"
    for key in ("clean_a_rank", "dirty_a_rank"):
        if needs.one_a_rank and (most := getattr(needs, key)) is not None:
            yield f"melds.{key}: expected none beside one_a_rank, got {most}"
    if needs.most_wilds and not rules.wild_ranks:
        yield f"melds.most_wilds: expected 0, as no rank is wild, got {needs.most_wilds}"


def _books(rules: RuleFields) -> Iterator[str]:
    wild_books = rules.books.wild is not None
    if wild_books and not rules.wild_ranks:
        yield f"books.wild: expected none, as no rank is wild, got {rules.books.wild}"
    for i, needed in enumerate(rules.going_out.books):
        if needed.wild and not wild_books:
            yield f"going_out.books[{i}].wild: expected 0, as these rules have no wild book, got {needed.wild}"
    if rules.laid_if and rules.laid_if.wild and not wild_books:
        yield f"laid_if.wild: expected 0, as these rules have no wild book, got {rules.laid_if.wild}"
    yield from _book_values(rules, wild_books)
    if rules.first_meld.wilds_alone and not wild_books:
        yield "first_meld.wilds_alone: expected no, as these rules have no wild book, got yes"
    if rules.cap and "wild" in rules.cap.books and not wild_books:
        yield "cap.books: expected books that these rules have, got wild"


def _runs(rules: RuleFields, decks: Sequence[DeckProfile]) -> Iterator[str]:
    """Checks of melds in a row; an ace may stand at both ends of their ranks."""
    runs = rules.runs
    needed = [(f"going_out.books[{i}].runs", entry.runs) for i, entry in enumerate(rules.going_out.books)]
    needed += [("laid_if.runs", rules.laid_if.runs)] if rules.laid_if else []
    if runs is None:
        yield from (f"{key}: expected 0, as these rules have no runs, got {number}" for key, number in needed if number)
        return
    if suitless := [deck.id for deck in decks if not deck.has_suits]:
        yield f"runs: expected decks with suits, got {suitless[0]}"
        return
    suited = {face.rank for face in decks[0].faces if face.suit and not is_one_of(face, rules.never_melded)}
    yield from _among("runs.ranks", runs.ranks, [rank for rank in decks[0].ranks if rank in suited])
    inner = runs.ranks[1:] if runs.ranks[0] == runs.ranks[-1] else runs.ranks
    if repeated := {rank for rank in inner if inner.count(rank) > 1}:
        yield f"runs.ranks: expected each rank once, got {', '.join(sorted(repeated))} more often"
    if runs.least_cards > rules.book_size:
        yield f"runs.least_cards: expected book_size ({rules.book_size}) or less, got {runs.least_cards}"
    if runs.most_cards is not None and runs.most_cards < rules.book_size:
        yield f"runs.most_cards: expected book_size ({rules.book_size}) or more, got {runs.most_cards}"
    if len(runs.ranks) < rules.book_size:
        yield f"runs.ranks: expected book_size ({rules.book_size}) or more of them, got {len(runs.ranks)}"
    if runs.most_wilds and not rules.wild_ranks:
        yield f"runs.most_wilds: expected 0, as no rank is wild, got {runs.most_wilds}"


def _book_values(rules: RuleFields, wild_books: bool) -> Iterator[str]:
    books = rules.books
    if books.of_wilds and not wild_books:
        yield "books.of_wilds: expected none, as these rules have no wild book, got some"
    else:
        yield from _among(
            "books.of_wilds", [rank for entry in books.of_wilds for rank in entry.ranks], rules.wild_ranks
        )
    for i, size in enumerate(books.of_sizes):
        if size.from_cards < rules.book_size:
            least = rules.book_size
            yield f"books.of_sizes[{i}].from_cards: expected book_size ({least}) or more, got {size.from_cards}"
        if size.wild is not None and not wild_books:
            yield f"books.of_sizes[{i}].wild: expected none, as these rules have no wild book, got {size.wild}"
    sizes = [size.from_cards for size in books.of_sizes]
    if sizes != sorted(sizes):
        yield f"books.of_sizes: expected from_cards growing from entry to entry, got {', '.join(map(str, sizes))}"
    for i, penalty in enumerate(books.unfinished):
        if penalty.kind == "wild" and not wild_books:
            yield f"books.unfinished[{i}].kind: expected no wild, as these rules have no wild book, got wild"
    for i, entry in enumerate(rules.melds.of_ranks):
        if entry.most_wilds > rules.melds.most_wilds:
            most = rules.melds.most_wilds
            yield f"melds.of_ranks[{i}].most_wilds: expected melds.most_wilds ({most}) or less, got {entry.most_wilds}"


def _bonuses(rules: RuleFields) -> Iterator[str]:
    names = [event.name for event in (rules.exact_deal, rules.improper_meld, *rules.bonuses) if event]
    if repeated := sorted({name for name in names if names.count(name) > 1}):
        yield f"bonuses: expected each name once, got {', '.join(repeated)} more often"


def _table(rules: RuleFields) -> Iterator[str]:
    if too_small := [count for count in rules.hand_cards if count < 1]:
        yield f"hand_cards: expected 1 card or more, got {too_small[0]}"
    if few := [f"{players} = {count}" for players, count in rules.hand_by_players.items() if players < 1 or count < 1]:
        yield f"hand_by_players: expected numbers of 1 or more, got {few[0]}"
    if rules.seatings and rules.least_players != _DEFAULT_LEAST_PLAYERS:
        yield f"least_players: expected none beside seatings, got {rules.least_players}"
    if rules.laid_needs and not rules.laid:
        yield f"laid_needs: expected none, as no card is laid, got {rules.laid_needs}"
    if rules.laid_if and not rules.laid:
        yield "laid_if: expected none, as no card is laid, got some"
    if rules.going_out.laid_for_books and not rules.laid:
        yield "going_out.laid_for_books: expected no, as no card is laid, got yes"
    if len(set(rules.seatings)) < len(rules.seatings):
        yield "seatings: expected each once, got one twice"
    if rules.event and rules.event.format == "teams" and rules.event.games is None:
        yield "event.games: expected the number of games of an event of teams, got none"
