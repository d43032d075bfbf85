"""Published pages of Canasta and what descends from it, each retold as one function."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from tests.scorer.independent.paper import Json, Legal, Paper, colour_of, is_standard, kind_of, pips, rank_of


def _worth(card: str) -> int:
    """A black three is 5, and so is a three whose colour is hidden, as only black ones are melded; a red one is 100."""
    return pips(card) if rank_of(card) != "3" else 100 if colour_of(card) == "red" else 5


@dataclass
class Canastas:
    """What the page says a canasta is worth."""

    legal: Legal
    natural: Callable[[str, int], int]
    """By rank and number of cards."""
    mixed: Callable[[str], int]
    wild: Callable[[list[str]], int] | None = None
    most_cards: int = 99
    black_threes: bool = True
    """Whether whoever goes out melds black threes."""


def _melds(side: Json, page: Canastas) -> Paper:
    paper = Paper(side)
    for place, heap in enumerate(paper.heaps):
        naturals, wilds, rank, pure = kind_of(heap)
        cards = [card for card in heap if is_standard(card)]
        paper.write(sum(map(_worth, cards)))
        if page.black_threes and {rank_of(card) for card in heap} == {"3"}:
            pure = bool(side.get("went_out")) and "red" not in map(colour_of, heap)
        fine = pure and 3 <= len(heap) <= page.most_cards
        fine = fine and (naturals >= 2 and page.legal(naturals, wilds, rank) if naturals else page.wild is not None)
        if not fine:
            paper.broken.add(place)
        elif len(heap) >= 7:
            paper.books.append(("wild" if not naturals else "dirty" if wilds else "clean", rank))
            if not naturals:
                paper.write(page.wild(heap) if page.wild else 0)
            else:
                paper.write(page.mixed(rank) if wilds else page.natural(rank, len(heap)))
    return paper


def _one_a_rank(paper: Paper) -> None:
    ranks = [
        rank
        for heap, (_, _, rank, pure) in zip(paper.heaps, map(kind_of, paper.heaps), strict=True)
        if rank and (pure or {rank_of(card) for card in heap} <= {"3", "2", "JK"})
    ]
    if len(set(ranks)) < len(ranks):
        paper.codes.add("same-rank-twice")


def _red_threes(paper: Paper, *, all_of_them: int, then: int, counts: bool) -> None:
    """Red threes on the table: 100 each, and ``then`` in all for all of them; off again if they do not count for it."""
    red = sum(1 for card in paper.side.get("laid", []) if card in ("3D", "3H"))
    before = paper.total
    paper.outside(_worth, laid="red 3")
    if red >= all_of_them:
        paper.write(then - 100 * all_of_them)
    if not counts:
        laid = paper.total - before - sum(_worth(card) for card in paper.side.get("buried", []) if is_standard(card))
        paper.write(-2 * laid)


def _melded(paper: Paper) -> bool:
    return len(paper.broken) < len(paper.heaps)


def _left(paper: Paper) -> None:
    paper.left(lambda card: 0 if card in ("3D", "3H") else _worth(card))


def _as_many_naturals(naturals: int, wilds: int, rank: str) -> bool:
    return wilds <= naturals and wilds <= 3


def canasta(side: Json, table: Json) -> Paper:
    """As many naturals as wilds, three wilds at most, one meld of a rank, wild canastas 1000; out concealed 200."""
    page = Canastas(_as_many_naturals, lambda rank, cards: 500, lambda rank: 300, lambda wilds: 1000)
    paper = _melds(side, page)
    _one_a_rank(paper)
    _red_threes(paper, all_of_them=4, then=800, counts=_melded(paper))
    _left(paper)
    paper.went_out(100, paper.number("any") >= 1)
    paper.events(going_out_concealed=100)
    return paper


def canasta_for_two(side: Json, table: Json) -> Paper:
    """Two naturals at least and three wilds at most; no wild canastas; two canastas; out concealed 200 in all."""
    page = Canastas(lambda n, w, _: w <= 3, lambda rank, cards: 500, lambda rank: 300)
    paper = _melds(side, page)
    _one_a_rank(paper)
    _red_threes(paper, all_of_them=4, then=800, counts=_melded(paper))
    _left(paper)
    paper.went_out(100, paper.number("any") >= 2)
    paper.events(going_out_concealed=100)
    return paper


def canasta_to_7500(side: Json, table: Json) -> Paper:
    """More cards than wilds; four red threes 800; a perfect deal 50. Cut off after that: going out as in Canasta."""
    page = Canastas(lambda n, w, _: not w or (n > w and w <= 3), lambda rank, cards: 500, lambda rank: 300)
    paper = _melds(side, page)
    _red_threes(paper, all_of_them=4, then=800, counts=_melded(paper))
    _left(paper)
    paper.went_out(100, paper.number("any") >= 1)
    paper.events(perfect_deal=50, going_out_concealed=100)
    return paper


def pennies_from_heaven(side: Json, table: Json) -> Paper:
    """Seven cards and no more; sevens 1500, wild 1000; eight red threes 1000, off without a canasta of sevens."""
    page = Canastas(
        _as_many_naturals,
        lambda rank, cards: 1500 if rank == "7" else 500,
        lambda rank: 1500 if rank == "7" else 300,
        lambda wilds: 1000,
        most_cards=7,
    )
    paper = _melds(side, page)
    _red_threes(paper, all_of_them=8, then=1000, counts=paper.number("any", of="7") > 0)
    _left(paper)
    paper.went_out(100, _four_canastas(paper))
    paper.events(going_out_concealed=100)
    return paper


def _four_canastas(paper: Paper) -> bool:
    """One of sevens, one wild, one natural, one mixed: four different canastas."""
    sevens = [made for made, rank in paper.books if rank == "7"]
    others = [made for made, rank in paper.books if rank != "7"]
    return any(
        {"wild", "clean", "dirty"} <= {*others, *sevens[:place], *sevens[place + 1 :]} for place in range(len(sevens))
    )


def pierson_canasta(side: Json, table: Json) -> Paper:
    """Wild 2500, sevens 1500; the count of threes and the number of wilds are not told: none, and as in Canasta."""
    page = Canastas(
        _as_many_naturals,
        lambda rank, cards: 1500 if rank == "7" else 500,
        lambda rank: 1500 if rank == "7" else 300,
        lambda wilds: 2500,
        black_threes=False,
    )
    paper = _melds(side, page)
    paper.outside(pips, laid="red 3")
    paper.left(pips)
    paper.write(-sum(_worth(card) for heap in paper.heaps for card in heap if rank_of(card) == "3"))
    paper.went_out(0, _four_canastas(paper))
    paper.events()
    return paper


def trinasta(side: Json, table: Json) -> Paper:
    """All twelve of a rank 1000; two canastas, one of them red; the deal graded by how far it is off."""
    page = Canastas(_as_many_naturals, lambda rank, cards: 1000 if cards >= 12 else 500, lambda rank: 300)
    paper = _melds(side, page)
    _red_threes(paper, all_of_them=99, then=0, counts=_melded(paper))
    _left(paper)
    paper.went_out(100, paper.number("clean") >= 1 and paper.number("any") >= 2)
    graded = {f"deal_off_by_{off}": 60 - 10 * off for off in range(1, 11) if off != 6}
    beside = {"deal_off_by_11_or_more": -50, "black_canasta_beside_a_red_one": 500 - 300}
    paper.events(perfect_deal=100, going_out_concealed=100, **graded, **beside)
    return paper


def american_canasta(side: Json, table: Json) -> Paper:
    """Two wilds at most and none with sevens, seven cards; everything hangs on how many canastas there are."""

    def wild(heap: list[str]) -> int:
        jokers = heap.count("JK")
        return 3000 if jokers == 0 else 2500 if jokers >= 4 else 2000

    page = Canastas(
        lambda n, w, rank: w <= (0 if rank == "7" else 2),
        lambda rank, cards: 2500 if rank in ("A", "7") else 500,
        lambda rank: 300,
        wild,
        most_cards=7,
        black_threes=False,
    )
    paper = _melds(side, page)
    _one_a_rank(paper)
    melded = sum(_any_three_100(card) for heap in paper.heaps for card in heap if is_standard(card))
    paper.write(melded - sum(_worth(card) for heap in paper.heaps for card in heap if is_standard(card)))
    canastas = paper.number("any")
    if not canastas:
        paper.write(-2 * melded)
    made = _book_places(paper)
    for place, heap in enumerate(paper.heaps):
        naturals, wilds, rank, pure = kind_of(heap)
        if pure and place not in made and heap:
            paper.write(-2500 if rank == "7" or (rank == "A" and not wilds) else 0 if naturals else -2000)
    _threes_of_both_colours(paper, canastas)
    paper.left(lambda card: 5 if rank_of(card) == "3" else pips(card))
    paper.went_out(100, canastas >= 2)
    paper.events(three_aces_held=-1500, three_sevens_held=-1500)
    return paper


def _any_three_100(card: str) -> int:
    return 100 if rank_of(card) == "3" else pips(card)


def _book_places(paper: Paper) -> set[int]:
    return {place for place, heap in enumerate(paper.heaps) if len(heap) >= 7 and place not in paper.broken}


def _threes_of_both_colours(paper: Paper, canastas: int) -> None:
    """100, 300, 500 and 1000 for one to four of a colour: off without a canasta, nothing with one, on with two.

    What else is laid, wrongly, goes with them.
    """
    before = paper.total
    paper.outside(_any_three_100, laid="3")
    buried = sum(_any_three_100(card) for card in paper.side.get("buried", []) if is_standard(card))
    laid = paper.total - before - buried
    for colour in ("red", "black"):
        number = sum(1 for card in paper.side.get("laid", []) if rank_of(card) == "3" and colour_of(card) == colour)
        laid += [0, 0, 100, 200, 600][min(4, number)]
    paper.total = before + buried + laid * (1 if canastas >= 2 else 0 if canastas else -1)
