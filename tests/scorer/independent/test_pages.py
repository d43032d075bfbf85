"""Every shipped rule set against its page: random sheets, counted once more by functions that retell the pages."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from scorer.rules import list_rules, load_rules
from scorer.scoring import score
from scorer.scoring.first_meld import check_first_meld
from scorer.scoring.tally import SideTally
from scorer.sheets import read_sheet
from tests.scorer.independent.compare import differences, page_of
from tests.scorer.independent.paper import SUITLESS_TOO, Json, kind_of, rank_of, spread
from tests.scorer.independent.random_sheets import Dealer, squared, without_suits
from tests.scorer.independent.runs_pages import FOUR_TO_ACE, RUNS, stand_ins
from tests.scorer.independent.table import packs, seats, to_come_in

FEW, FEW_PILES, MANY = 15, 5, 300
RULES = pytest.mark.parametrize("rules", list_rules())


def _page_agrees(rules: str, number: int) -> None:
    dealer = Dealer(rules, seed=1)
    for _ in range(number):
        sheet = dealer.sheet()
        assert differences(sheet) == [], sheet


def _pile_is_spread(rules: str, number: int) -> None:
    dealer, random = Dealer(rules, seed=2), Random(rules)
    for _ in range(number):
        sheet = dealer.sheet()
        piled = {**sheet, "sides": [_squared_here_and_there(side, random, rules) for side in sheet["sides"]]}
        assert differences(piled) == [], piled
        assert _essence(piled) == _essence(sheet), piled


def _squared_here_and_there(side: Json, random: Random, rules: str) -> Json:
    """Some melds as piles; runs stay spread, since a pile hides the suits."""
    melds = [
        squared(meld, random) if random.random() < 0.7 and not _is_row(meld, rules) else meld for meld in side["melds"]
    ]
    return {**side, "melds": melds}


def _is_row(meld: list[str], rules: str) -> bool:
    return rules in RUNS and stand_ins(meld, ["A", "2", "3", *FOUR_TO_ACE]) is not None


def _essence(sheet: Json) -> list[Any]:
    """Lines without the faces of their cards, and violations but that of copies: a pile hides which faces lie in it."""

    def of_side(side: SideTally) -> tuple[Any, ...]:
        lines = sorted((line.where or "", line.reason, line.points, len(line.cards)) for line in side.lines)
        return (
            side.total,
            lines,
            sorted((one.where, one.code) for one in side.violations if one.code != "too-many-copies"),
        )

    return [of_side(side) for side in score(read_sheet(sheet), load_rules(sheet["rules"])).sides]


def _first_melds_agree(rules: str, number: int) -> None:
    dealer, loaded = Dealer(rules, seed=3), load_rules(rules)
    for _ in range(number):
        melds, round = [dealer.heap() for _ in range(3)], dealer.random.randint(1, 6)
        total = dealer.random.choice((-5, 0, 495, 500, 1000, 1495, 1500, 2500, 2995, 3000, 5000, 7500))
        sheet: Json = {"rules": rules, "round": round, "players": 4, "sides": [{"melds": melds}]}
        broken = page_of(rules)(sheet["sides"][0], sheet).broken
        legal = [meld for place, meld in enumerate(melds) if place not in broken and _has_a_natural(meld)]
        alone = [{**sheet, "sides": [{"melds": [meld]}]} for meld in legal]
        points = sum(_cards_alone(rules, one) for one in alone)
        clean = any(all(rank_of(card) not in ("2", "JK") for card in meld) for meld in legal)
        needed = to_come_in(rules, round, total)
        found = check_first_meld(read_sheet(sheet).sides[0].melds, loaded, round, total)
        enough = points >= needed and (clean or rules != "american-canasta")
        assert (found.points, found.needed, found.enough) == (points, needed, enough), sheet


def _has_a_natural(meld: list[str]) -> bool:
    """Whether a meld is not of wilds alone; a 2 of the own deck has no suit and is no wild."""
    return any(card[0] != "2" or card == "2" for card in meld if card not in ("JK", "JOKER", "JESTER", "LADY"))


def _cards_alone(rules: str, sheet: Json) -> int:
    """What the cards of one meld are worth by the page, without what they earn or cost as a book."""
    cards = [card for card in spread(sheet["sides"][0]["melds"][0]) if card != "LADY"]
    singly = [{"melds": [[card]]} for card in cards]
    worth = sum(abs(page_of(rules)(side, sheet).total) for side in singly)
    if rules == "american-canasta":  # a seven or an ace alone is a meld without a canasta, which costs 2500
        worth -= sum(2500 for card in cards if rank_of(card) in ("7", "A"))
        worth -= sum(2000 for card in cards if not kind_of([card])[0])
    return worth


@RULES
def test_the_page_counts_random_sheets_as_the_scorer_does(rules: str) -> None:
    _page_agrees(rules, FEW)


@RULES
def test_a_squared_pile_is_the_same_cards_spread(rules: str) -> None:
    _pile_is_spread(rules, FEW_PILES)


@RULES
def test_first_melds_need_what_the_page_says(rules: str) -> None:
    _first_melds_agree(rules, FEW)


@pytest.mark.parametrize("rules", SUITLESS_TOO)
def test_suitless_cards_count_as_the_page_says(rules: str) -> None:
    _suitless_agrees(rules, FEW)


def _suitless_agrees(rules: str, number: int) -> None:
    dealer, random = Dealer(rules, seed=4), Random(rules)
    for _ in range(number):
        sheet = without_suits(dealer.sheet())
        assert differences(sheet) == [], sheet
        piled = {**sheet, "sides": [_squared_here_and_there(side, random, rules) for side in sheet["sides"]]}
        assert differences(piled) == [], piled


@pytest.mark.parametrize("rules", SUITLESS_TOO)
@pytest.mark.by_hand
def test_many_suitless_sheets(rules: str) -> None:
    _suitless_agrees(rules, MANY)


@RULES
@pytest.mark.parametrize("check", [_page_agrees, _pile_is_spread, _first_melds_agree])
@pytest.mark.by_hand
def test_many_random_sheets(rules: str, check: Any) -> None:
    check(rules, MANY)


@RULES
def test_the_table_is_the_one_of_the_page(rules: str) -> None:
    loaded = load_rules(rules)
    for players in range(1, 10):
        for round in range(1, 5):
            allowed = seats(rules, players, round)
            if allowed is None:
                assert loaded.sides_for(players, round) and not loaded.seatings
            else:
                assert sorted(loaded.sides_for(players, round)) == sorted(allowed)
            if allowed != []:
                assert loaded.packs.for_players(players) == packs(rules, players)
