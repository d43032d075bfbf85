"""Places, cuts and prizes, with ties."""

from __future__ import annotations

from scorer.events.standings import Cut, Place, Prize, award, make_cut, rank

TOTALS = {"A": 50, "B": 70, "C": 50, "D": 10}


def test_equal_totals_share_a_place_and_the_next_is_counted_after_them() -> None:
    assert rank(TOTALS) == (Place(1, ("B",), 70), Place(2, ("A", "C"), 50), Place(4, ("D",), 10))
    assert [place.tied for place in rank(TOTALS)] == [False, True, False]
    assert rank({}) == ()


def test_further_points_decide_between_equal_totals_and_what_is_equal_then_is_a_tie() -> None:
    breaks = {"A": (3, 9), "C": (4, 0), "B": (0, 0), "D": (99,)}
    ranked = rank(TOTALS, breaks=breaks)
    assert ranked == (Place(1, ("B",), 70), Place(2, ("C",), 50), Place(3, ("A",), 50), Place(4, ("D",), 10))
    assert make_cut(ranked, 2) == Cut(("B", "C"))
    assert rank(TOTALS, [("C", "A")], "D", {**breaks, "C": (3, 9)}) == (
        Place(1, ("B",), 70),
        Place(2, ("C",), 50),
        Place(3, ("A",), 50),
        Place(0, ("D",), 10),
    )


def test_a_cut_between_totals_is_clear() -> None:
    assert make_cut(rank(TOTALS), 3) == Cut(("B", "A", "C"))
    assert make_cut(rank(TOTALS), 1) == Cut(("B",))
    assert make_cut(rank(TOTALS), 4) == Cut(("B", "A", "C", "D"))


def test_a_cut_through_a_tie_leaves_open_places() -> None:
    found = make_cut(rank(TOTALS), 2)
    assert found == Cut(("B",), ("A", "C"), 1)
    assert found.allows(("B", "A")) and found.allows(("C", "B"))
    for wrong in (("A",), ("B",), ("A", "C"), ("B", "A", "C"), ("B", "D"), ("B", "A", "A")):
        assert not found.allows(wrong)


def test_prizes_go_down_the_places_and_ties_stand_for_each_prize_they_touch() -> None:
    assert award(rank({"A": 3, "B": 2, "C": 1}), ("gold", "silver")) == (
        Prize("gold", ("A",), 3),
        Prize("silver", ("B",), 2),
    )
    two_in_front = award(rank({"A": 3, "B": 3, "C": 1}), ("gold", "silver", "bronze"))
    assert [prize.names for prize in two_in_front] == [("A", "B"), ("A", "B"), ("C",)]
    assert [prize.tied for prize in two_in_front] == [True, True, False]
    assert [prize.names for prize in award(rank(TOTALS), ("gold", "silver", "bronze"))] == [
        ("B",),
        ("A", "C"),
        ("A", "C"),
    ]
    assert len(award(rank({"A": 3}), ("gold", "silver"))) == 1
