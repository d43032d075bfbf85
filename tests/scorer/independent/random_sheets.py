"""Random round sheets, legal and odd, of any rule set, as JSON."""

from __future__ import annotations

from random import Random
from typing import Any

from tests.scorer.independent.paper import Json, is_suitless, rank_of
from tests.scorer.independent.runs_pages import FOUR_TO_ACE, RUNS
from tests.scorer.independent.table import seats

NATURALS = ["4", "5", "6", "7", "7", "7", "8", "9", "10", "J", "Q", "K", "A", "A"]
"""Sevens and aces more often, as several pages treat them apart."""
SUITS = "CDHS"
OWN_NATURALS = [*map(str, range(1, 13)), "LORD"]
NAMED = {
    "american-canasta": ["three aces held", "three sevens held"],
    "burraco": ["packet not taken"],
    "canasta": ["going out concealed"],
    "canasta-for-two": ["going out concealed"],
    "canasta-to-7500": ["going out concealed", "perfect deal"],
    "pennies-from-heaven": ["going out concealed"],
    "roth-family": ["discards taken wrongly"],
    "trinasta": [
        "going out concealed",
        "perfect deal",
        *(f"deal off by {off}" for off in (1, 2, 3, 4, 5, 7, 8, 9, 10)),
        "deal off by 11 or more",
        "black canasta beside a red one",
    ],
}


class Dealer:
    """Deals whole sheets of one rule set."""

    def __init__(self, rules: str, seed: int) -> None:
        self.rules = rules
        self.own = rules == "hand-n-foot"
        self.random = Random(f"{rules} {seed}")

    def sheet(self) -> Json:
        random = self.random
        allowed = [players for players in range(2, 9) if seats(self.rules, players, 1) != []]
        players = random.choice(allowed) if random.random() < 0.95 else random.randint(1, 9)
        round = random.choices([1, 2, 3, 4, 5], [4, 3, 2, 2, 1])[0]
        splits = seats(self.rules, players, round)
        sides = len(random.choice(splits)) if splits else random.randint(2, max(2, min(players, 3)))
        if random.random() < 0.15:
            sides = random.randint(1, 3)
        out = random.randrange(sides) if random.random() < 0.8 else None
        made = [self.side(players, goes_out=place == out) for place in range(sides)]
        if random.random() < 0.03:
            random.choice(made)["went_out"] = True
        return {"rules": self.rules, "round": round, "players": players, "sides": made}

    def side(self, players: int, *, goes_out: bool) -> Json:
        random = self.random
        number = random.randint(3, 11) if goes_out else random.choices(range(8), [2, 2, 3, 4, 4, 3, 2, 1])[0]
        melds: list[Any] = [self.heap() for _ in range(number)]
        if goes_out and random.random() < 0.6:
            melds += self._needed()
        side: Json = {"melds": melds, "laid": self._laid(), "went_out": goes_out}
        if random.random() < (0.4 if self.rules in ("tanglewood", "vegas") else 0.03):
            side["buried"] = [self.card() for _ in range(random.randint(1, 4))]
        hands = random.randint(1, 3)
        side["left"] = [[self.card() for _ in range(random.choice((0, 0, 2, 5, 11)))] for _ in range(hands)]
        if goes_out and random.random() < 0.8:
            side["left"][0] = []
        if random.random() < 0.25:
            side["exact_deals"] = random.randint(1, 4)
        if random.random() < 0.1:
            side["improper_melds"] = random.randint(1, 2)
        names = NAMED.get(self.rules, []) + (["not of this page"] if random.random() < 0.05 else [])
        if names and random.random() < 0.5:
            side["bonuses"] = {name: random.randint(1, 2) for name in random.sample(names, 1 + (len(names) > 3))}
        return side

    def card(self) -> str:
        """Any card; wilds and threes (Ladies, Villains) more often than a pack has them."""
        random = self.random
        if random.random() < 0.005:
            return random.choice(["8H", "JK"] if self.own else ["LADY", "11"])
        if random.random() < 0.2:
            return random.choice(["LADY", "VILLAIN"]) if self.own else f"3{random.choice(SUITS)}"
        return self.wild() if random.random() < 0.2 else self.natural(random.choice(self._ranks()))

    def wild(self) -> str:
        if self.own:
            return self.random.choice(["JOKER", "JESTER"])
        return self.random.choice(["JK", "2C", "2D", "2H", "2S"])

    def natural(self, rank: str) -> str:
        return rank if self.own else rank + self.random.choice(SUITS)

    def heap(self) -> list[str]:
        """One meld: mostly as people lay them, sometimes wrong."""
        random = self.random
        if self.rules in RUNS and random.random() < 0.4:
            return self._run()
        rank = random.choice(self._ranks())
        kind = random.choices(
            ["clean", "dirty", "wilds", "few", "threes", "mixed", "huge", "single"], [6, 6, 2, 3, 1, 1, 1, 0.5]
        )[0]
        if kind == "clean":
            cards = [self.natural(rank) for _ in range(random.choice((5, 6, 7, 7, 7, 8, 9, 12, 13)))]
        elif kind == "dirty":
            wilds = random.choice((1, 1, 2, 2, 3, 3, 4, 5))
            cards = [self.natural(rank) for _ in range(random.choice((2, 3, 4, 4, 5, 5, 6, 7)))]
            cards += [self.wild() for _ in range(wilds)]
        elif kind == "wilds":
            only = random.choice([None, None, "JK", "2S"]) if not self.own else None
            cards = [only or self.wild() for _ in range(random.choice((1, 3, 5, 6, 7, 7, 7, 8)))]
        elif kind == "threes":
            colour = random.choice(["CS", "DH", SUITS])
            three = "VILLAIN" if self.own else "3"
            cards = [three if self.own else three + random.choice(colour) for _ in range(random.randint(1, 8))]
            cards += [self.wild() for _ in range(random.choice((0, 0, 0, 1)))]
        elif kind == "mixed":
            cards = [self.natural(rank) for _ in range(random.randint(2, 7))] + [self.card()]
        elif kind == "huge":
            cards = [self.natural(rank) for _ in range(random.randint(9, 15))]
            cards += [self.wild() for _ in range(random.choice((0, 2, 3, 6)))]
        else:
            cards = [self.natural(rank) for _ in range(random.randint(1, 4))][: 1 if kind == "single" else 4]
            cards += [self.wild() for _ in range(random.choice((0, 1, 2)))]
        if self.own and random.random() < 0.3:
            cards += ["LADY"] * random.choice((1, 1, 1, 2))
        random.shuffle(cards)
        return cards

    def _run(self) -> list[str]:
        """A run, mostly in order and of one suit, sometimes with a wild or a card that does not fit."""
        random = self.random
        order = ["A", "2", "3", *FOUR_TO_ACE] if self.rules == "burraco" or random.random() < 0.1 else FOUR_TO_ACE
        length = random.choice((2, 3, 4, 6, 7, 7, 7, 8, 14))
        start, suit = random.randrange(max(1, len(order) - length + 1)), random.choice(SUITS)
        cards = [rank + suit for rank in order[start : start + length]]
        for _ in range(random.choice((0, 0, 0, 1, 1, 2))):
            cards[random.randrange(len(cards))] = self.wild() if random.random() < 0.6 else self.card()
        random.shuffle(cards)
        return cards

    def _needed(self) -> list[list[str]]:
        """Books of each kind, enough to go out by most pages."""
        clean = self.random.randint(1, 5)
        ranks = self.random.sample(sorted(set(self._ranks())), min(2 * clean + 2, 11))
        melds = [[self.natural(rank) for _ in range(7)] for rank in ranks[:clean]]
        melds += [[self.natural(rank) for _ in range(6)] + [self.wild()] for rank in ranks[clean:]]
        if self.random.random() < 0.5:
            melds.append([self.wild() for _ in range(7)])
        if not self.own and self.random.random() < 0.7:
            melds.append(["7S", "7C", "7D", "7H", "7S", "7C", "7D"])
        return melds

    def _laid(self) -> list[str]:
        random = self.random
        if self.own:
            return [self.card()] if random.random() < 0.05 else []
        laid = [random.choice(("3H", "3D")) for _ in range(random.choice((0, 0, 1, 2, 3, 4, 4, 7, 8, 14)))]
        if random.random() < 0.3:
            laid += [random.choice(("3C", "3S")) for _ in range(random.randint(1, 4))]
        return laid + ([self.card()] if random.random() < 0.03 else [])

    def _ranks(self) -> list[str]:
        return OWN_NATURALS if self.own else NATURALS


def without_suits(sheet: Json) -> Json:
    """A sheet of standard cards in suitless ones; squared piles are left as they are, but for their wilds."""
    words = {"3H": "R3", "3D": "R3", "3C": "B3", "3S": "B3", "JK": "W50"}

    def card(text: str) -> str:
        return words.get(text) or ("W20" if text[0] == "2" else text[:-1] if text[-1] in "CDHS" else text)

    def of_side(side: Json) -> Json:
        lists: Json = {key: list(map(card, side[key])) for key in ("laid", "buried") if key in side}
        melds = [[card(one) for one in meld] for meld in side.get("melds", [])]
        return {**side, **lists, "melds": melds, "left": [list(map(card, hand)) for hand in side.get("left", [])]}

    return {**sheet, "sides": list(map(of_side, sheet["sides"]))}


def squared(meld: list[str], random: Random) -> Json:
    """The same cards as a squared pile: of a rank that lies in it, or of none; threes show their faces."""
    wild_ranks = ("2", "JK", "JOKER", "JESTER", "W20", "W50")
    wilds = [card for card in meld if rank_of(card) in wild_ranks]
    own = any(map(is_suitless, meld)) or any(
        card in ("LORD", "LADY", "VILLAIN", "JOKER", "JESTER") or card.isdigit() for card in meld
    )
    ranks = {rank_of(card) for card in meld if _hides(card, own)} - {*wild_ranks, "3", "LADY", "VILLAIN"}
    rank = random.choice(sorted(ranks)) if ranks else None
    counted = [card for card in meld if rank_of(card) == rank and _hides(card, own)]
    others = [card for card in meld if card not in (*wilds, *counted, "LADY")]
    caps = [card for card in meld if card == "LADY"]
    found: Json = {"rank": rank, "cards": len(wilds) + len(counted), "wilds": wilds, "caps": caps, "others": others}
    return {key: value for key, value in found.items() if value or key in ("rank", "cards", "wilds")}


def _hides(card: str, own: bool) -> bool:
    """Whether a card of a pile may be known by its rank alone: one of the deck that the pile is of."""
    return (card == "LORD" or is_suitless(card) or card.isdigit()) if own else card[-1] in "CDHS"
