"""The five printed sheets, each retold as one function."""

from __future__ import annotations

from tests.scorer.independent.paper import Json, Paper, colour_of, hand_and_foot, is_standard, pips, rank_of, spread


def golden_games(side: Json, table: Json) -> Paper:
    """Red threes are laid for 100; a black three is -100 anywhere. One natural more than wilds, three wilds at most."""

    def worth(card: str) -> int:
        return pips(card) if rank_of(card) != "3" else {"red": 100, "black": -100}.get(colour_of(card), 0)

    paper = hand_and_foot(side, worth, lambda n, w, _: not w or (n > w and w <= 3), clean=700, wild=1500)
    paper.outside(worth, laid="red 3")
    paper.left(lambda card: 100 if rank_of(card) == "3" else pips(card))
    paper.went_out(100, paper.number("clean") >= 2 and paper.number("dirty") >= 3)
    paper.events(exact=100, improper=-500)
    return paper


def tournament_play(side: Json, table: Json) -> Paper:
    """Red threes cost 300 when caught, black ones nothing; no wild books."""
    paper = hand_and_foot(side, pips, lambda n, w, _: not w or (n >= w + 1 and w <= 3))
    paper.outside(pips)
    paper.left(lambda card: 300 if card in ("3D", "3H") else pips(card))
    paper.went_out(100, paper.number("clean") >= 2 and paper.number("dirty") >= 3)
    paper.events()
    return paper


def cutting_22(side: Json, table: Json) -> Paper:
    """Half as many wilds as naturals, two at most; 100 for cutting 22."""
    paper = hand_and_foot(side, pips, lambda n, w, _: 2 * w <= n and w <= 2)
    paper.outside(pips)
    paper.left(lambda card: 300 if card in ("3D", "3H") else pips(card))
    paper.went_out(100, paper.number("clean") >= 2 and paper.number("dirty") >= 2)
    paper.events(exact=100)
    return paper


def tanglewood(side: Json, table: Json) -> Paper:
    """4 to 9 are fives; a black three is 5 and melds nowhere; cards are buried; more books with more players."""

    def worth(card: str) -> int:
        return 5 if card in ("3C", "3S") else pips(card, fives_to=9)

    paper = hand_and_foot(side, worth, lambda n, w, _: not w or (n > w and w < 4))
    paper.outside(worth, buries=True)
    paper.left(lambda card: 500 if card in ("3D", "3H") else worth(card))
    clean = 4 if table["players"] >= 8 else 3 if table["players"] >= 6 else 2
    paper.went_out(100, paper.number("clean") >= clean and paper.number("dirty") >= clean + 1)
    paper.events(exact=100)
    return paper


def hand_n_foot(side: Json, table: Json) -> Paper:
    """Its own deck: Jokers and Jesters are wild, Ladies cap clean and wild groups, Villains are thrown away."""
    paper = Paper(side)
    numbers = [str(number) for number in range(1, 13)]

    def worth(card: str) -> int:
        if card.rstrip("?") in numbers:
            return 5 if int(card.rstrip("?")) < 7 else 10
        return {"JOKER": 50, "JESTER": 25, "LORD": 20}.get(card, 0)

    def known(card: str) -> bool:
        return card.rstrip("?") in numbers or not is_standard(card)

    for place, meld in enumerate(side.get("melds", [])):
        heap = spread(meld)
        paper.write(sum(worth(card) for card in heap if known(card)))
        ladies = heap.count("LADY")
        heap = [card for card in heap if card != "LADY"]
        wilds = heap.count("JOKER") + heap.count("JESTER")
        suit_cards = {card.rstrip("?") for card in heap} - {"JOKER", "JESTER"}
        naturals = len(heap) - wilds
        fine = len(heap) >= 3 and all(map(known, heap)) and "VILLAIN" not in suit_cards and len(suit_cards) <= 1
        if naturals:
            fine = fine and naturals >= 2 and wilds <= naturals and wilds <= 3
        kind = "wild" if not naturals else "dirty" if wilds else "clean"
        if ladies and (not fine or len(heap) < 7 or kind == "dirty"):
            fine = False
        if not fine:
            paper.broken.add(place)
        elif len(heap) >= 7:
            paper.books.append((kind, ""))
            paper.write({"clean": 500, "dirty": 300, "wild": 2000}[kind] + (100 if ladies else 0))
    for key in ("laid", "buried"):
        for card in side.get(key, []):
            paper.write(worth(card) if known(card) else 0)
            paper.codes |= {"not-laid-here"} if known(card) else {"not-laid-here", "not-in-deck"}
    for hand in side.get("left", []):
        for card in hand:
            paper.write(-(500 if card == "LADY" else worth(card)) if known(card) else 0)
            paper.codes |= set() if known(card) else {"not-in-deck"}
    paper.went_out(100, paper.number("clean") >= 1 and paper.number("dirty") >= 2)
    paper.events(exact=100)
    return paper
