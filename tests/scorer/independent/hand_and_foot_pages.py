"""Published pages of Hand and Foot, each retold as one function. What a page leaves out is said in its docstring."""

from __future__ import annotations

from tests.scorer.independent.paper import Json, Paper, Worth, hand_and_foot, pips

RED = ("3D", "3H")
BLACK = ("3C", "3S")


def _costs(red: int, black: int, worth: Worth = pips) -> Worth:
    """The price of a card left in a hand."""
    return lambda card: red if card in RED else black if card in BLACK else worth(card)


def _nines_are_fives(card: str) -> int:
    return pips(card, fives_to=9)


def _has(paper: Paper, clean: int, dirty: int) -> bool:
    return paper.number("clean") >= clean and paper.number("dirty") >= dirty


def good_sams_florida(side: Json, table: Json) -> Paper:
    paper = hand_and_foot(side, _nines_are_fives, lambda n, w, _: not w or (n >= w + 1 and w <= 3))
    paper.outside(_nines_are_fives)
    paper.left(_costs(500, 0, _nines_are_fives))
    paper.went_out(100, _has(paper, 2, 2))
    paper.events(exact=100)
    return paper


def roth_family(side: Json, table: Json) -> Paper:
    """A black book has seven cards, no more; a red one may grow."""
    paper = hand_and_foot(side, _nines_are_fives, lambda n, w, _: n > w and w <= 3 and (w == 0 or n + w <= 7))
    paper.outside(_nines_are_fives)
    paper.left(_costs(500, 0, _nines_are_fives))
    paper.went_out(100, _has(paper, 5, 4))
    paper.events(exact=100, discards_taken_wrongly=-100)
    return paper


def chan_canasta(side: Json, table: Json) -> Paper:
    """Wilds may be as many as naturals; no other limit."""
    paper = hand_and_foot(side, _nines_are_fives, lambda n, w, _: w <= n)
    paper.outside(_nines_are_fives)
    paper.left(_costs(500, 0, _nines_are_fives))
    paper.went_out(100, _has(paper, 4, 3))
    paper.events(exact=100)
    return paper


def grandma_sue(side: Json, table: Json) -> Paper:
    """The page ends before its card points: the usual ones, threes nothing; nothing is named for going out."""
    paper = hand_and_foot(side, pips, lambda n, w, _: w <= n)
    paper.outside(pips)
    paper.left(pips)
    paper.went_out(0, _has(paper, 1, 1))
    paper.events(exact=100)
    return paper


def red_and_black_books(side: Json, table: Json) -> Paper:
    """Three wilds at most and never more than naturals; 4 to 8 are fives; threes count against wherever they are."""

    def worth(card: str) -> int:
        return -500 if card in RED else -300 if card in BLACK else pips(card, fives_to=8)

    paper = hand_and_foot(side, worth, lambda n, w, _: w <= min(3, n))
    paper.outside(worth)
    paper.left(lambda card: abs(worth(card)))
    paper.went_out(0, _has(paper, 1, 1))
    paper.events()
    return paper


def vegas(side: Json, table: Json) -> Paper:
    """Three, three, four and five books of each kind; cards are buried. No ratio of wilds: as many as naturals."""
    paper = hand_and_foot(side, pips, lambda n, w, _: w <= 3 and w <= n)
    paper.outside(pips, buries=True)
    paper.left(_costs(500, 300))
    each = max(3, min(5, table["round"] + 1))
    paper.went_out(0, _has(paper, each, each))
    paper.events(exact=100)
    return paper


def hand_knee_and_foot(side: Json, table: Json) -> Paper:
    """Red threes on the table 100 each, seven 1000; caught, 500. The rest, which is cut off, as at Tanglewood."""

    def worth(card: str) -> int:
        return 100 if card in RED else 5 if card in BLACK else pips(card, fives_to=9)

    paper = hand_and_foot(side, worth, lambda n, w, _: not w or (n > w and w <= 3))
    paper.outside(worth, laid="red 3")
    paper.write(300 * min(2, sum(1 for card in side.get("laid", []) if card in RED) // 7))
    paper.left(_costs(500, 5, _nines_are_fives))
    paper.went_out(100, _has(paper, 1, 1))
    paper.events()
    return paper


def three_and_three(side: Json, table: Json) -> Paper:
    """Red threes 100 each; a score sheet, which names no card points: the usual ones. No ratio: as many as naturals."""

    def worth(card: str) -> int:
        return 100 if card in RED else pips(card)

    paper = hand_and_foot(side, worth, lambda n, w, _: w <= 3 and w <= n)
    paper.outside(worth, laid="red 3")
    paper.left(_costs(100, 0))
    paper.went_out(100, _has(paper, 3, 3))
    paper.events(exact=100)
    return paper


def scoring_guide(side: Json, table: Json) -> Paper:
    paper = hand_and_foot(side, pips, lambda n, w, _: w <= 3 and w <= n)
    paper.outside(pips)
    paper.left(_costs(500, 5))
    paper.went_out(100, _has(paper, 1, 1))
    paper.events()
    return paper


def tour_of_lakes(side: Json, table: Json) -> Paper:
    """A natural set of sevens is 1500. A black three is 5 points as a card."""

    def worth(card: str) -> int:
        return 5 if card in BLACK else pips(card)

    paper = hand_and_foot(side, worth, lambda n, w, _: w <= 3 and w <= n)
    paper.write(1000 * paper.number("clean", of="7"))
    paper.outside(worth)
    paper.left(_costs(500, 5))
    paper.went_out(100, _has(paper, 1, 2))
    paper.events()
    return paper
