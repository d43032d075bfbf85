"""Texts for people: names of cards, doubts, dates."""

from __future__ import annotations

import time

import pytest

from scorer.faces import Face
from webui import wording


@pytest.mark.parametrize(
    ("text", "name", "short"),
    [
        ("8H", "8 of hearts", "8♥"),
        ("10C", "10 of clubs", "10♣"),
        ("AS", "ace of spades", "A♠"),
        ("JK", "joker", "Joker"),
    ],
)
def test_a_card_has_a_name_and_a_short_one(text: str, name: str, short: str) -> None:
    face = Face.parse(text)
    assert (wording.name_of(face), wording.short_name(face)) == (name, short)


def test_an_unknown_doubt_gets_a_general_sentence() -> None:
    assert wording.card_doubt("seen-upside-down") == "Please look at this card (seen upside down)."
    assert wording.group_doubt("seen-upside-down") == "Please look at this group (seen upside down)."


def test_a_product_in_a_tally_line_does_not_wrap() -> None:
    assert wording.nonbreaking_reason("4s left: 3 × -5") == "4s left: 3\N{NO-BREAK SPACE}×\N{NO-BREAK SPACE}−5"


@pytest.mark.skipif(not hasattr(time, "tzset"), reason="time zones are set so on POSIX alone")
def test_times_are_shown_in_local_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "America/Chicago")
    time.tzset()
    assert wording.local_day("2026-11-21T02:05:00.000+00:00") == "Fri, Nov 20, 2026"
    assert wording.local_time("2026-11-21T02:05:00.000+00:00") == "Nov 20, 2026, 8:05 PM"
    assert wording.local_date("2026-11-21T02:05:00.000+00:00") == "2026-11-20"
    assert wording.local_day("long ago") == "long ago"
    monkeypatch.undo()
    time.tzset()


def test_a_line_under_its_group_does_not_repeat_the_groups_name() -> None:
    group = "Clean book of 8s"
    reasons = ("clean book of 8s", "8s in clean book of 8s: 7 × 10", "7s left: 1 × -5")
    said = [wording.reason_in_group(one, group).replace("\N{NO-BREAK SPACE}", " ") for one in reasons]
    assert said == ["Book bonus", "8s: 7 × 10", "7s left: 1 × −5"]
