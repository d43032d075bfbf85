"""A side's round counted as on a sheet of paper, from the JSON of a round sheet alone.

Nothing here knows the scorer: cards are texts, and what a card or a heap is worth is said by the functions that retell
one printed page each.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

Json = dict[str, Any]
Worth = Callable[[str], int]
Legal = Callable[[int, int, str], bool]
"""Whether a heap may lie so: numbers of naturals and wilds, and the rank of the naturals ("" for wilds alone)."""

OWN_WORDS = ("LORD", "LADY", "VILLAIN", "JESTER", "JOKER")


REMASTERED = {"R3": "3H", "B3": "3S", "W20": "2S", "W50": "JK"}
"""The suitless cards with words of their own, each with the standard card that it was made to replace."""
SUITLESS_TOO = ("golden-games",)
"""The pages whose game is played with suitless cards as well."""


def is_suitless(card: str) -> bool:
    """Whether a text is a rank alone: ``8``, ``K``; the own deck of 262 cards has such as well."""
    return card in ("4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")


def as_standard(sheet: Json) -> Json:
    """A sheet in suitless cards in the standard cards that they replace; a rank alone is one whose suit is hidden."""

    def card(text: str) -> str:
        return REMASTERED.get(text) or (f"{text}?" if is_suitless(text) else text)

    def heap(meld: Any) -> Any:
        if isinstance(meld, list):
            return list(map(card, meld))
        faces = {key: list(map(card, meld[key])) for key in ("wilds", "caps", "others") if key in meld}
        rank = str(meld.get("rank"))
        return {**meld, **faces, **({"rank": rank_of(REMASTERED[rank])} if rank in REMASTERED else {})}

    def of_side(side: Json) -> Json:
        lists: Json = {key: list(map(card, side[key])) for key in ("laid", "buried") if key in side}
        left = {"left": [list(map(card, hand)) for hand in side["left"]]} if "left" in side else {}
        return {**side, **lists, **left, "melds": list(map(heap, side.get("melds", [])))}

    return {**sheet, "sides": list(map(of_side, sheet["sides"]))}


def rank_of(card: str) -> str:
    """``8`` of ``8H``, of ``8?`` (a card of a squared pile, whose suit is hidden) and of ``8`` (of the own deck)."""
    return card[:-1] if card not in OWN_WORDS and card[-1] in "CDHS?" else card


def colour_of(card: str) -> str:
    return {"D": "red", "H": "red", "C": "black", "S": "black"}.get(card[-1], "") if card not in OWN_WORDS else ""


def is_standard(card: str) -> bool:
    return card == "JK" or (card not in OWN_WORDS and card[-1] in "CDHS?" and rank_of(card) not in ("1", "11", "12"))


def spread(meld: Any) -> list[str]:
    """The cards of a meld; those that a squared pile hides have a rank and no suit."""
    if isinstance(meld, list):
        return list(meld)
    wilds, caps, others = (list(meld.get(key, [])) for key in ("wilds", "caps", "others"))
    rank = str(meld.get("rank") or "")
    hidden = rank if rank in (*OWN_WORDS, "JK") else f"{rank}?"
    return [hidden] * (meld["cards"] - len(wilds)) + wilds + caps + others


def pips(card: str, fives_to: int = 7) -> int:
    """The usual points of a standard card; threes, which each page treats in its own way, are 0 here."""
    rank = rank_of(card)
    if rank.isdigit():
        number = int(rank)
        return {2: 20, 3: 0}.get(number, 5 if number <= fives_to else 10)
    return {"JK": 50, "A": 20}.get(rank, 10)


class Paper:
    """What has been written down of one side."""

    def __init__(self, side: Json) -> None:
        self.side = side
        self.heaps = [spread(meld) for meld in side.get("melds", [])]
        self.total = 0
        self.broken: set[int] = set()
        self.codes: set[str] = set()
        self.books: list[tuple[str, str]] = []
        """Kind and rank of each."""

    def number(self, kind: str, *, of: str = "", but: str = "-") -> int:
        """How many books of a kind there are (of a rank; or of all ranks but one)."""
        return sum(1 for made, rank in self.books if kind in (made, "any") and of in ("", rank) and rank != but)

    def write(self, points: int) -> None:
        self.total += points

    def left(self, worth: Worth) -> None:
        """Takes off what is left in the hands, each card at its own price."""
        for hand in self.side.get("left", []):
            for card in hand:
                self.total -= worth(card) if is_standard(card) else 0
                self.codes |= set() if is_standard(card) else {"not-in-deck"}

    def outside(self, worth: Worth, *, laid: str = "none", buries: bool = False) -> None:
        """Cards that lie outside melds: ``laid`` says which are laid there by the page ("red 3", "3" or none)."""
        for card in self.side.get("laid", []):
            may = rank_of(card) == "3" and laid in ("3", f"{colour_of(card)} 3")
            self._lies(card, worth, may=may)
        for card in self.side.get("buried", []):
            self._lies(card, worth, may=buries and rank_of(card) != "3")

    def _lies(self, card: str, worth: Worth, *, may: bool) -> None:
        if is_standard(card):
            self.total += worth(card)
        else:
            self.codes.add("not-in-deck")
        if not may:
            self.codes.add("not-laid-here")

    def went_out(self, points: int, has_books: bool) -> None:
        """The points for going out are for whoever is out, also without the books, which is another's complaint."""
        if self.side.get("went_out"):
            self.total += points
            if not has_books:
                self.codes.add("out-without-books")

    def events(self, *, exact: int | None = None, improper: int | None = None, **named: int) -> None:
        """What players tell: points of exact deals and improper first melds (None where the page has none) and others.

        Names are given with underscores for their spaces.
        """
        told = {name.replace("_", " "): points for name, points in named.items()}
        happened = [(self.side.get("exact_deals", 0), exact), (self.side.get("improper_melds", 0), improper)]
        happened += [(times, told.get(name)) for name, times in self.side.get("bonuses", {}).items()]
        for times, points in happened:
            self.total += times * (points or 0)
            if times and points is None:
                self.codes.add("no-such-event")


def kind_of(heap: list[str]) -> tuple[int, int, str, bool]:
    """Naturals, wilds, rank of the naturals, and whether that is all there is: cards of one rank from 4 to ace."""
    wilds = sum(1 for card in heap if rank_of(card) in ("2", "JK"))
    ranks = Counter(rank_of(card) for card in heap if rank_of(card) not in ("2", "JK"))
    pure = len(ranks) <= 1 and "3" not in ranks and all(map(is_standard, heap))
    return len(heap) - wilds, wilds, next(iter(ranks), ""), pure


def hand_and_foot(
    side: Json, worth: Worth, legal: Legal, *, clean: int = 500, dirty: int = 300, wild: int = 0
) -> Paper:
    """The melds of a page with books of seven standard cards or more; wilds alone lie where there is a book of them."""
    paper = Paper(side)
    for place, heap in enumerate(paper.heaps):
        naturals, wilds, rank, pure = kind_of(heap)
        paper.write(sum(worth(card) for card in heap if is_standard(card)))
        fine = pure and len(heap) >= 3
        fine = fine and (naturals >= 2 and legal(naturals, wilds, rank) if naturals else wild > 0)
        if not fine:
            paper.broken.add(place)
        elif len(heap) >= 7:
            kind = "wild" if not naturals else "dirty" if wilds else "clean"
            paper.books.append((kind, rank))
            paper.write({"clean": clean, "dirty": dirty, "wild": wild}[kind])
    return paper
