"""Published pages of games in which runs of one suit are melded, each retold as one function."""

from __future__ import annotations

from collections.abc import Callable

from tests.scorer.independent.paper import Json, Paper, colour_of, is_standard, kind_of, pips, rank_of

FOUR_TO_ACE = ["4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"]
RUNS = ("samba", "bolivia", "burraco")


def stand_ins(heap: list[str], order: list[str]) -> int | None:
    """How many cards of a run stand for others, at the best place along the order; None if they lie in no row."""
    suits = {card[-1] for card in heap if rank_of(card) not in ("2", "JK")}
    if len(suits) != 1 or suits & {"?"} or not all(map(is_standard, heap)):
        return None
    tries = []
    for start in range(len(order)):
        places = order[start : start + len(heap)]
        left, gaps = list(heap), 0
        for place in places:
            card = place + next(iter(suits))
            if card in left:
                left.remove(card)
            else:
                gaps += 1
        if len(places) == len(heap) and all(rank_of(card) in ("2", "JK") for card in left):
            tries.append(gaps)
    return min(tries) if tries else None


def _melds(
    side: Json,
    worth: Callable[[str], int],
    *,
    most: int,
    runs: tuple[list[str], int, int],
    bonus: dict[str, int],
) -> tuple[Paper, int]:
    """Melds of a rank with ``most`` wilds, and runs: their order, most wilds and cards; and how many runs are long."""
    paper, long_runs = Paper(side), 0
    order, run_wilds, run_cards = runs
    for place, heap in enumerate(paper.heaps):
        naturals, wilds, rank, pure = kind_of(heap)
        paper.write(sum(worth(card) for card in heap if is_standard(card)))
        if {rank_of(card) for card in heap} == {"3"} and "samba" in bonus:
            pure = bool(side.get("went_out")) and "red" not in map(colour_of, heap)
        elif rank == "3" and "samba" not in bonus:
            pure = len({rank_of(card) for card in heap if rank_of(card) not in ("2", "JK")}) == 1
        fine = pure and all(map(is_standard, heap)) and len(heap) >= 3
        fine = fine and (naturals >= 2 and wilds <= min(most, naturals) if naturals else "wild" in bonus)
        kind = "wild" if not naturals else "dirty" if wilds else "clean"
        if not fine and (gaps := stand_ins(heap, order)) is not None:
            fine = gaps <= run_wilds and 3 <= len(heap) <= run_cards
            rank, kind = "", "dirty run" if gaps else "clean run"
        if not fine:
            paper.broken.add(place)
        elif len(heap) >= 7:
            paper.books.append((kind, rank))
            paper.write(
                bonus["samba"] if kind == "clean run" and "samba" in bonus else bonus[kind.removesuffix(" run")]
            )
            long_runs += kind.endswith("run")
    return paper, long_runs


def _worth(card: str) -> int:
    return pips(card) if rank_of(card) != "3" else 100 if colour_of(card) == "red" else 5


def _as_samba(side: Json, *, wild: int | None, escaleras: int, black_three: int) -> Paper:
    bonus = {"clean": 500, "dirty": 300, "samba": 1500} | ({"wild": wild} if wild else {})
    paper, long_runs = _melds(side, _worth, most=2, runs=(FOUR_TO_ACE, 0, 7), bonus=bonus)
    before = paper.total
    paper.outside(_worth, laid="red 3")
    buried = sum(_worth(card) for card in side.get("buried", []) if is_standard(card))
    laid = paper.total - before - buried
    if sum(card in ("3D", "3H") for card in side.get("laid", [])) >= 6:
        paper.write(400)
        laid += 400
    if len(paper.books) < 2:
        paper.write(-2 * laid)
    paper.left(lambda card: black_three if colour_of(card) == "black" and rank_of(card) == "3" else _left(card))
    paper.went_out(200, len(paper.books) >= 2 and long_runs >= escaleras)
    paper.events()
    return paper


def _left(card: str) -> int:
    return 0 if card in ("3D", "3H") else _worth(card)


def samba(side: Json, table: Json) -> Paper:
    """Two wilds in a meld, none in a run of up to seven from four to ace, which is 1500 then; two canastas; out 200."""
    return _as_samba(side, wild=None, escaleras=0, black_three=5)


def bolivia(side: Json, table: Json) -> Paper:
    """As Samba; seven wilds are 2500, one of the two canastas is a run, and a black three left costs 100."""
    return _as_samba(side, wild=2500, escaleras=1, black_three=100)


def burraco(side: Json, table: Json) -> Paper:
    """One wild in a meld or run; an ace low or high, a two in its place is no wild; clean 200, dirty 100; out 100."""

    def worth(card: str) -> int:
        return {"JK": 30, "A": 15, "3": 5}.get(rank_of(card), pips(card))

    order = ["A", "2", "3", *FOUR_TO_ACE]
    paper, _ = _melds(side, worth, most=1, runs=(order, 1, 14), bonus={"clean": 200, "dirty": 100})
    paper.outside(worth)
    paper.left(worth)
    paper.went_out(100, len(paper.books) >= 1)
    paper.events(packet_not_taken=-100)
    return paper
