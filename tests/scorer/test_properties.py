"""Properties that hold for every sheet."""

from __future__ import annotations

import json
from random import Random
from typing import Any

from hypothesis import assume, given
from hypothesis import strategies as st
from pydantic import ValidationError

from scorer.data import error_sentence
from scorer.faces import STANDARD_FACES, Face
from scorer.rules import RuleSet, describe, list_rules, load_rules
from scorer.scoring import score
from scorer.scoring.melds import check_meld
from scorer.scoring.tally import SideTally
from scorer.sheets import Pile, RoundSheet, SheetError, read_sheet

RULES = st.sampled_from(list_rules())
ALWAYS_COUNT = st.sampled_from([id for id in list_rules() if load_rules(id).cards_count is None])
"""Rule sets by which a melded card counts whatever else the side has."""


def _ranks(rules: RuleSet) -> list[str]:
    """Ranks that may be melded."""
    return [rank for rank in rules.meldable_ranks if rank not in rules.wilds]


def _of_rank(rules: RuleSet, *ranks: str) -> list[str]:
    return [str(face) for face in rules.cards.faces if face.rank in ranks]


@st.composite
def groups(draw: st.DrawFn, rules: RuleSet) -> list[str]:
    """Melds as players make them: naturals of one rank, some wilds, perhaps a cap; legal or nearly so."""
    rank = draw(st.sampled_from(_ranks(rules)))
    naturals = draw(st.lists(st.sampled_from(_of_rank(rules, rank)), max_size=9))
    wilds = st.sampled_from(_of_rank(rules, *rules.wilds))
    caps = st.lists(st.sampled_from(rules.cap.cards), max_size=2) if rules.cap else st.just([])
    return naturals + draw(st.lists(wilds, max_size=8 if not naturals else 4)) + draw(caps)


@st.composite
def piles(draw: st.DrawFn, rules: RuleSet) -> dict[str, Any]:
    wilds = draw(st.lists(st.sampled_from(_of_rank(rules, *rules.wilds)), max_size=3))
    rank = draw(st.sampled_from(_ranks(rules)))
    return {"rank": rank, "cards": len(wilds) + draw(st.integers(1, 9)), "wilds": wilds}


def sides(rules: RuleSet) -> st.SearchStrategy[dict[str, Any]]:
    cards = st.sampled_from([str(face) for face in rules.cards.faces])
    return st.fixed_dictionaries(
        {
            "name": st.text(st.characters(exclude_categories=["Cs"]), max_size=9),
            "melds": st.lists(groups(rules) | piles(rules) | st.lists(cards, max_size=8), max_size=6),
            "laid": st.lists(st.sampled_from(_of_rank(rules, *rules.never_melded, "8")), max_size=3),
            "buried": st.lists(cards, max_size=2),
            "left": st.lists(st.lists(cards, max_size=8), max_size=3),
            "went_out": st.booleans(),
            "exact_deals": st.integers(0, 3),
            "improper_melds": st.integers(0, 2),
        }
    )


def sheets(id: str) -> st.SearchStrategy[dict[str, Any]]:
    return st.fixed_dictionaries(
        {
            "rules": st.just(id),
            "round": st.integers(1, 9),
            "players": st.integers(1, 8),
            "sides": st.lists(sides(load_rules(id)), max_size=3),
        }
    )


SHEETS = RULES.flatmap(sheets)
CARDS = st.sampled_from([str(face) for face in STANDARD_FACES])
ANY_TEXT = st.text(st.characters(), max_size=8) | st.just("\ud800")
KEYS = st.sampled_from(["rules", "round", "players", "sides", "name", "melds", "left", "rank", "cards", "wilds"])
ANY_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | ANY_TEXT | CARDS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(ANY_TEXT | KEYS, inner, max_size=4),
    max_leaves=15,
)


def _rules(sheet: RoundSheet) -> RuleSet:
    return load_rules(sheet.rules)


def _essence(side: SideTally) -> tuple[object, ...]:
    """A side's tally, independent of the order of its cards and melds."""
    lines = sorted((line.reason, line.points, sorted(line.cards)) for line in side.lines)
    return side.name, side.total, lines, sorted(found.code for found in side.violations)


@given(SHEETS)
def test_a_sheet_comes_back_as_the_same_json(data: dict[str, Any]) -> None:
    assert json.loads(json.dumps(read_sheet(data).as_json())) == data


@given(SHEETS)
def test_the_total_is_the_sum_of_the_lines_and_every_card_is_in_one(data: dict[str, Any]) -> None:
    sheet = read_sheet(data)
    tally = score(sheet, _rules(sheet))
    for side, found, document in zip(sheet.sides, tally.sides, tally.as_json()["sides"], strict=True):
        assert document["total"] == sum(line["points"] for line in document["lines"])
        held = sum(meld.cards if isinstance(meld, Pile) else len(meld) for meld in side.melds)
        held += len(side.laid) + len(side.buried) + sum(map(len, side.left))
        values = [line for line in found.lines if " × " in line.reason]
        assert sum(len(line.cards) for line in values) == held


@given(SHEETS, st.randoms())
def test_the_order_of_cards_melds_and_sides_changes_nothing(data: dict[str, Any], random: Random) -> None:
    def turned(cards: list[Any]) -> list[Any]:
        random.shuffle(cards := list(cards))
        return cards

    floats = any(s.floater for s in load_rules(data["rules"]).seatings if s.players == data["players"])
    other = {
        **data,
        "sides": (list if floats else turned)(  # with a floater, it matters which side is which
            [
                {
                    **side,
                    "melds": turned(
                        [
                            turned(meld) if isinstance(meld, list) else {**meld, "wilds": turned(meld["wilds"])}
                            for meld in side["melds"]
                        ]
                    ),
                    "laid": turned(side["laid"]),
                    "buried": turned(side["buried"]),
                    "left": turned([turned(cards) for cards in side["left"]]),
                }
                for side in data["sides"]
            ]
        ),
    }
    one, two = (score(sheet, _rules(sheet)) for sheet in (read_sheet(data), read_sheet(other)))
    assert sorted(map(_essence, one.sides), key=repr) == sorted(map(_essence, two.sides), key=repr)


@given(ALWAYS_COUNT, st.data())
def test_a_card_moved_from_left_to_a_meld_changes_the_total_by_its_two_values(id: str, data: st.DataObject) -> None:
    rules = load_rules(id)
    faces = _of_rank(rules, data.draw(st.sampled_from(_ranks(rules))))
    card, naturals = data.draw(st.sampled_from(faces)), data.draw(st.integers(3, 5))
    side = data.draw(sides(rules))

    def total(meld: list[str], hand: list[str]) -> int:
        moved = {**side, "laid": [], "melds": [*side["melds"], meld], "left": [*side["left"], hand]}
        sheet = {"rules": id, "round": 1, "players": 4, "sides": [moved]}
        return score(read_sheet(sheet), rules).sides[0].total

    before, after = total(faces[:1] * naturals, [card]), total(faces[:1] * naturals + [card], [])
    face = Face.parse(card)
    assert after - before == rules.played(face) - rules.left(face) > 0


@given(RULES, st.data())
def test_a_legal_book_of_one_card_more_is_worth_the_book_and_the_card(id: str, data: st.DataObject) -> None:
    rules = load_rules(id)
    faces = _of_rank(rules, data.draw(st.sampled_from(_ranks(rules))))
    wilds = data.draw(st.lists(st.sampled_from(_of_rank(rules, *rules.wilds)), max_size=3))
    book = [*data.draw(st.lists(st.sampled_from(faces), min_size=rules.book_size, max_size=11)), *wilds]
    card = data.draw(st.sampled_from(faces))

    sizes = {size.from_cards for size in rules.books.of_sizes}
    assume(len(book) + 1 not in sizes)

    def total_and_check(meld: list[str]) -> tuple[int, Any]:
        sheet = read_sheet({"rules": id, "round": 1, "players": 4, "sides": [{"melds": [meld]}]})
        return score(sheet, rules).sides[0].total, check_meld(sheet.sides[0].melds[0], rules)

    (before, one), (after, other) = total_and_check(book), total_and_check([*book, card])
    assume(one.book and other.book)
    assert other.book == one.book
    assert after - before == rules.played(Face.parse(card))


@given(SHEETS)
def test_points_come_from_the_cards_of_a_broken_meld_and_no_bonus(data: dict[str, Any]) -> None:
    sheet = read_sheet(data)
    rules = _rules(sheet)
    for laid, side in zip(sheet.sides, score(sheet, rules).sides, strict=True):
        checks = [check_meld(meld, rules, laid.went_out) for meld in laid.melds]
        broken = {f"melds[{n}]" for n, check in enumerate(checks) if check.broken}
        for line in side.lines:
            if line.where in broken:
                penalty = line.reason.endswith("without a book") and line.points < 0
                assert " in invalid meld" in line.reason or penalty


def _squared(meld: list[str], rank: str | None, rules: RuleSet) -> dict[str, Any]:
    """A spread meld as a squared pile of a rank; threes, of which a pile hides the color, keep their faces."""
    cards = [Face.parse(card) for card in meld]
    wilds = [card for card in cards if rules.is_wild(card)]
    counted = [card for card in cards if card.rank == rank and not rules.is_wild(card)]
    caps = [card for card in cards if rules.is_cap(card)]
    others = [card for card in cards if card not in (*wilds, *counted, *caps)]
    pile = {"wilds": wilds, "caps": caps, "others": others}
    text = {key: [str(card) for card in found] for key, found in pile.items()}
    return {"rank": rank if counted else None, "cards": len(wilds) + len(counted), **text}


@given(RULES, st.data())
def test_a_squared_pile_scores_as_the_same_cards_spread_out(id: str, data: st.DataObject) -> None:
    rules = load_rules(id)
    cards = st.sampled_from([str(face) for face in rules.cards.faces])
    threes = st.lists(st.sampled_from(_of_rank(rules, *rules.never_melded, "3", "8")), max_size=8)
    melds = data.draw(st.lists(groups(rules) | threes | st.lists(cards, max_size=9) | _mixed(rules), max_size=5))
    counted = [rank for rank in _ranks(rules) if len({rules.played(Face.parse(c)) for c in _of_rank(rules, rank)}) == 1]
    ranks = [[rank for rank in counted if rank in {Face.parse(card).rank for card in meld}] for meld in melds]
    piles = [
        meld  # a pile hides the suits, by which a run is one
        if check_meld(tuple(map(Face.parse, meld)), rules).is_run
        else _squared(meld, data.draw(st.sampled_from(present)) if present else None, rules)
        for meld, present in zip(melds, ranks, strict=True)
    ]
    others = data.draw(sides(rules))

    def essence(made: list[Any]) -> tuple[object, ...]:
        sheet = {"rules": id, "round": 1, "players": 4, "sides": [{**others, "melds": made}]}
        (found,) = score(read_sheet(sheet), rules).sides
        lines = sorted((line.reason, line.points, len(line.cards), line.where or "") for line in found.lines)
        # a pile hides the suits, and with them how often each face lies there
        return found.total, lines, sorted(found.code for found in found.violations if found.code != "too-many-copies")

    assert essence(piles) == essence(melds)


@st.composite
def _mixed(draw: st.DrawFn, rules: RuleSet) -> list[str]:
    """A meld with cards that do not belong, or with too many wilds."""
    cards = [str(face) for face in rules.cards.faces]
    return [*draw(groups(rules)), *draw(st.lists(st.sampled_from(cards), min_size=1, max_size=3))]


def _damaged(data: dict[str, Any], at: list[int], value: object) -> object:
    """A sheet with one value replaced by anything."""
    if not at:
        return value
    step, *rest = at
    if isinstance(data, dict) and data:
        key = sorted(data)[step % len(data)]
        return {**data, key: _damaged(data[key], rest, value)}
    if isinstance(data, list) and data:
        place = step % len(data)
        return [*data[:place], _damaged(data[place], rest, value), *data[place + 1 :]]
    return value


@given(ANY_JSON | st.builds(_damaged, SHEETS, st.lists(st.integers(0, 9), max_size=5), ANY_JSON))
def test_any_json_is_a_sheet_that_scores_or_one_sentence(data: object) -> None:
    try:
        sheet = read_sheet(data)
    except SheetError as error:
        assert str(error) and "\n" not in str(error)
        str(error).encode("utf-8")
    else:
        json.dumps(score(sheet, load_rules("golden-games")).as_json(), allow_nan=False)


@given(RULES, st.lists(st.integers(0, 50), min_size=1, max_size=4), ANY_JSON | st.integers(-2, 9))
def test_a_damaged_rule_set_is_valid_or_gives_one_sentence(id: str, at: list[int], value: object) -> None:
    assume("\\ud800" not in json.dumps(value))  # no TOML file can spell half a character
    try:
        rules = RuleSet.model_validate(_damaged(load_rules(id).model_dump(mode="json"), at, value))
    except ValidationError as error:
        sentence = error_sentence(error, RuleSet)
        assert sentence and "\n" not in sentence
        sentence.encode("utf-8")
    else:
        assert describe(rules)
        sheet = read_sheet({"rules": id, "round": 2, "players": 4, "sides": [{"went_out": True, "left": [["4C"]]}]})
        json.dumps(score(sheet, rules).as_json(), allow_nan=False)
