"""Fields for rules that no shipped rule set has: each changes the tally as it says, and by its default nothing."""

from __future__ import annotations

from typing import Any

import pytest

from scorer.faces import Face
from scorer.rules import RuleSet, describe, load_rules, rules_from_text
from scorer.scoring.first_meld import check_first_meld
from tests.scorer.scoring.test_further_rules import rules_with, total, under
from tests.scorer.tables import CLEAN_8S, CLEAN_9S, DIRTY_4S, DIRTY_5S, DIRTY_6S, codes, faces, side

BOOKS = [CLEAN_8S, CLEAN_9S, DIRTY_4S, DIRTY_5S, DIRTY_6S]


def without_jokers() -> RuleSet:
    data = load_rules("golden-games").model_dump(mode="json")
    data["points"] = [entry for entry in data["points"] if entry["cards"] != ["JK"]]
    return RuleSet.model_validate({**data, "jokers": 0, "wild_ranks": ["2"], "decks": []})


def test_the_side_that_goes_out_may_pay_nothing_for_its_partner_s_cards() -> None:
    rules = rules_with(going_out={"partners_free": True})
    went, stayed = under(
        rules,
        {"melds": BOOKS, "went_out": True, "left": [[], ["AH", "AS", "3D"]]},
        {"left": [["AH", "AS", "3D"], []]},
    )
    before = under(load_rules("golden-games"), {"melds": BOOKS, "went_out": True, "left": [[], ["AH", "AS", "3D"]]})
    assert went.total == before[0].total + 40 + 100
    assert [(line.reason, line.points) for line in went.lines][-2:] == [
        ("aces left with a partner: 2 × 0", 0),
        ("red 3s left with a partner: 1 × 0", 0),
    ]
    assert stayed.total == -140


def test_what_people_typed_as_left_is_free_as_well() -> None:
    rules = rules_with(going_out={"partners_free": True})
    typed: dict[str, Any] = {"typed": {"books": [{"book": "clean", "count": 2}], "left": -85}}
    assert total(rules, **typed) == 1400 - 85
    (went,) = under(rules, {**typed, "went_out": True})
    assert (went.total, went.lines[1].reason) == (1400 + 100, "left with a partner, typed: free")


def test_going_out_may_need_as_many_red_threes_as_books() -> None:
    rules = rules_with(going_out={"laid_for_books": True})
    (enough,) = under(rules, {"melds": BOOKS, "laid": ["3D", "3H"] * 2 + ["3D"], "went_out": True})
    (few,) = under(rules, {"melds": BOOKS, "laid": ["3D", "3H"] * 2 + ["3S"], "went_out": True})
    assert codes(enough) == []
    assert codes(few) == ["not-laid-here", "out-without-laid"]
    message = "Going out needs as many cards laid out as the side has books. This one has 4 for 5."
    assert (few.violations[1].message, few.violations[1].where) == (message, "went_out")
    assert rules.going_out.also_for(1)[0] == "as many cards laid out as the side has books"
    (stays,) = under(rules, {"melds": BOOKS})
    assert codes(stays) == []
    typed = {"books": [{"book": "clean", "count": 2}, {"book": "dirty", "count": 3}], "laid": ["3D"]}
    (counted,) = under(rules, {"typed": typed, "went_out": True})
    assert codes(counted) == ["out-without-laid"]


@pytest.mark.parametrize(("jokers", "copies"), [(None, 10), (4, 20), (1, 5)])
def test_a_pack_may_have_another_number_of_jokers(jokers: int | None, copies: int) -> None:
    rules = rules_with(jokers=jokers)
    (right,) = under(rules, {"left": [["JK"] * copies]})
    (wrong,) = under(rules, {"left": [["JK"] * (copies + 1)]})
    assert (codes(right), codes(wrong)) == ([], ["too-many-copies"])
    assert (right.total, wrong.total) == (-50 * copies, -50 * (copies + 1))
    (wilds,) = under(rules, {"left": [["W50"] * copies, ["JK"]]})
    assert codes(wilds) == ["too-many-copies"] * 2, "a 50-point wild stands for a joker"


def test_without_jokers_a_joker_is_a_card_of_another_deck() -> None:
    rules = without_jokers()
    (found,) = under(rules, {"left": [["JK", "AH"]]})
    assert (found.total, codes(found)) == (-20, ["not-in-deck"])
    assert found.violations[0].message == "The deck for these rules has no joker."
    assert Face("JK") not in rules.cards.copies and sum(rules.cards.copies.values()) == 52
    assert rules_from_text(rules.text) == rules


def test_only_some_of_the_laid_cards_may_need_something() -> None:
    both = {"laid": ["red 3", "black 3"], "laid_sets": [{"cards": ["red 3"], "count": 2, "points": 50}]}
    rules = rules_with(**both, laid_if={"all": 1, "cards": ["red 3"]})
    laid: dict[str, Any] = {"laid": ["3D", "3H", "3S"]}
    (without,) = under(rules, laid)
    assert [(line.reason, line.points) for line in without.lines] == [
        ("red 3s laid without 1 book of any kind: 2 × -100", -200),
        ("black 3s laid: 1 × -100", -100),
        ("2 of red 3 laid without 1 book of any kind", -50),
    ]
    assert total(rules, **laid, melds=[CLEAN_8S]) == 770 + 200 + 50 - 100
    nothing = rules_with(**both, laid_if={"all": 1, "cards": ["red 3"], "otherwise": "nothing"})
    assert total(nothing, **laid) == -100
    many = rules_with(**both, laid_if={"laid": 2, "cards": ["red 3"]})
    assert total(many, laid=["3D", "3S", "3S"]) == -100 - 200
    assert total(many, laid=["3D", "3D", "3S"]) == 200 + 50 - 100


def test_melds_of_a_rank_may_be_limited_by_kind() -> None:
    rules = rules_with(melds={"clean_a_rank": 1, "dirty_a_rank": 2})
    clean, dirty = ["8H", "8S", "8D"], ["8H", "8S", "2D"]
    (right,) = under(
        rules, {"melds": [clean, dirty, dirty, ["9H", "9S", "9D"], ["2H", "2D", "2C"], ["2H", "2D", "2C"]]}
    )
    assert codes(right) == []
    (wrong,) = under(rules, {"melds": [clean, dirty, clean, dirty, dirty]})
    assert [(found.code, found.where, found.message) for found in wrong.violations] == [
        ("too-many-of-rank", "melds[2]", "A side can have at most 1 clean meld of 8s. This one has 2."),
        ("too-many-of-rank", "melds[4]", "A side can have at most 2 dirty melds of 8s. This one has 3."),
    ]
    (free,) = under(load_rules("golden-games"), {"melds": [clean] * 2 + [dirty] * 3})
    assert codes(free) == []


def test_wilds_alone_may_count_for_a_first_meld() -> None:
    wilds = [faces("2H 2S JK")]
    counted = check_first_meld(wilds, rules_with(first_meld={"wilds_alone": True}), 1)
    assert (counted.points, counted.enough, counted.left_out) == (90, True, ())
    assert check_first_meld(wilds, rules_with(), 1).points == 0


def test_cards_of_several_decks_are_counted_together() -> None:
    """Five packs have ten red threes, whichever of them say so: R3, 3D and 3H."""
    assert codes(side("golden-games", laid=["R3"] * 4 + ["3H"] * 3 + ["3D"] * 3)) == []
    found = side("golden-games", laid=["R3"] * 5 + ["3H"] * 3 + ["3D"] * 3)
    assert codes(found) == ["too-many-copies"]
    message = "There are only ten red 3s in 5 packs, but 11 are counted. Check them."
    assert found.violations[0].message == message
    assert codes(side("golden-games", left=[["W20"] * 16, ["2S"] * 4])) == []
    assert codes(side("golden-games", left=[["W20"] * 17, ["2S"] * 4])) == ["too-many-copies"]
    assert codes(side("golden-games", left=[["8"] * 17, ["8S"] * 4])) == ["too-many-copies"]
    assert codes(side("golden-games", left=[["B3"] * 6, ["3S"] * 5])) == ["too-many-copies"]
    assert codes(side("golden-games", left=[["B3"] * 6, ["3H"] * 5])) == []


def test_the_fields_are_described() -> None:
    told = describe(
        rules_with(
            jokers=4,
            going_out={"partners_free": True, "laid_for_books": True},
            laid_if={"all": 1, "cards": ["red 3"]},
            first_meld={"wilds_alone": True},
        )
    )
    for line in (
        "jokers in a pack (leave empty for two): 4",
        "  going out needs as many cards laid out, such as red 3s, as the side has books: yes",
        "  the side that goes out pays nothing for the cards left in its partners' hands and feet: yes",
        "what else a side needs for its cards laid out to count: red 3 need 1 book of any kind, "
        "else they count against",
        "points a side's first meld of a round needs: 60, 90, 120, 150; wilds alone count",
    ):
        assert line in told.splitlines()


@pytest.mark.parametrize("key", ["jokers", "partners_free", "laid_for_books", "wilds_alone", "clean_a_rank"])
def test_a_default_is_not_kept_with_a_round(key: str) -> None:
    """So that the text of rules that were kept with agreed rounds stays as it was."""
    texts: dict[str, Any] = {id: load_rules(id).text for id in ("golden-games", "canasta", "pennies-from-heaven")}
    assert [id for id, text in texts.items() if f'"{key}"' in text] == []
