"""Teams and people as they are typed, pasted or read from a spreadsheet."""

from __future__ import annotations

import contextlib
import random

import pytest

from webui.events.entry.entrants import understand
from webui.events.evening import Entrant
from webui.events.ranking import RefusedError
from webui.storage.events.facts import Enter

GROUPS = ("man", "woman")
KNOWN = (Entrant("Cy & Di", ("Cy", "Di")), Entrant("Owls", ("Ed", "Fay")))


@pytest.mark.parametrize(
    ("line", "name", "players"),
    [
        ("Ann & Bo", "Ann & Bo", ("Ann", "Bo")),
        ("Ann and Bo", "Ann & Bo", ("Ann", "Bo")),
        ("Ann, Bo", "Ann & Bo", ("Ann", "Bo")),
        ("Ann\tBo", "Ann & Bo", ("Ann", "Bo")),
        ("  Ann ;Bo ", "Ann & Bo", ("Ann", "Bo")),
        ("Eagles: Ann, Bo", "Eagles", ("Ann", "Bo")),
        ("Eagles: Ann & Bo", "Eagles", ("Ann", "Bo")),
        ('"Eagles",Ann,Bo', "Eagles", ("Ann", "Bo")),
        ("Eagles", "Eagles", ()),
        ("Eagles; Ann & Bo", "Eagles", ("Ann", "Bo")),
        ("Andy Sand & Bo", "Andy Sand & Bo", ("Andy Sand", "Bo")),
    ],
)
def test_a_team_is_understood_however_it_is_written(line: str, name: str, players: tuple[str, ...]) -> None:
    assert understand(f"\n{line}\n\n", True, (), ()).new == (Enter(name=name, players=players),)


@pytest.mark.parametrize(
    ("line", "group"),
    [("Ann, woman", "woman"), ("Ann;W", "woman"), ("Ann (women)", "woman"), ("Ann\tMan", "man"), ("Ann (m)", "man")],
)
def test_a_person_is_ranked_in_a_group(line: str, group: str) -> None:
    assert understand(line, False, GROUPS, ()).new == (Enter(name="Ann", group=group),)


def test_headings_of_a_spreadsheet_are_left_out() -> None:
    text = "\ufeffTeam,Player 1,Player 2\r\nEagles,Ann,Bo\r\nOwls,Cy,Di\r\n"
    assert [enter.name for enter in understand(text, True, (), ()).new] == ["Eagles", "Owls"]


@pytest.mark.parametrize(
    ("text", "teams", "sentence"),
    [
        ("", True, "at least one name"),
        ("Ann & Bo\nann & bo", True, "Line 2: ann & bo is listed twice"),
        ("Cy & Di", True, "Cy & Di takes part already."),
        ("Di & Cy\nOwls: Ed, Fay", True, "Nobody is new: Cy & Di and Owls take part already."),
        ("Ann & Bo\nBo & Ann", True, "Line 2: Bo & Ann is listed twice, also in line 1."),
        ("Owls: Ann, Bo", True, "Line 1: a team Owls (Ed and Fay) takes part already. Give this one another name."),
        ("Team, Player 1, Player 2", True, "No names were found, only “Team, Player 1, Player 2”."),
        ("x" * 60_001, True, "That list is too long"),
        ("Ann & Bo, man", False, "Line 1 names several people"),
        ("Ann, Bo, man", False, "Line 1 names several people"),
        ("Ann & Ann", True, "Ann cannot play with Ann"),
        ("Ann, Bo, Cy, Di", True, "a team has two players"),
        ("Ann & Bo, Cy & Di", True, "Line 1 has several teams: give each a line of its own"),
        ("Ann & Bo, Cy", True, "a team has two players"),
        ("Ann", False, "say who Ann is ranked with"),
        ("Ann, martian", False, "man or woman"),
        ("\n".join(f"P{n} & Q{n}" for n in range(401)), True, "room for 400"),
    ],
)
def test_what_is_not_understood_is_said_with_its_line(text: str, teams: bool, sentence: str) -> None:
    with pytest.raises(RefusedError) as refused:
        understand(text, teams, GROUPS, KNOWN)
    assert sentence in str(refused.value)


def test_a_list_that_is_pasted_again_adds_who_is_new() -> None:
    understood = understand("1. Cy & Di\n2. Owls\tEd\tFay\n3. Gus & Hal", True, (), KNOWN[:1])
    assert [one.name for one in understood.new] == ["Owls", "Gus & Hal"] and understood.known == ("Cy & Di",)
    assert understand("Ann\nBo\nCy", False, (), (Entrant("Bo"), Entrant("Ann"))).new == (Enter(name="Cy"),)


def test_who_is_in_two_teams_is_asked_about_and_nothing_is_stored_before_the_answer() -> None:
    understood = understand("Ann & Bo\nCy & Gus\nHal & ann", True, (), KNOWN)
    assert understood.twice == {"Cy": ("Cy & Di", "Cy & Gus"), "ann": ("Ann & Bo", "Hal & ann")}
    assert not understood.is_agreed({"understood": understood.mark})
    assert understood.is_agreed({"understood": understood.mark, "different": "yes"})
    assert not understand("Ann & Bo\nCy & Gus", True, (), KNOWN).is_agreed(
        {"understood": understood.mark, "different": "yes"}
    )
    assert understand("Cy & Gus", True, (), KNOWN).twice and not understand("Gus & Hal", True, (), KNOWN).twice


def test_one_line_that_is_kept_as_it_was_written_needs_no_look() -> None:
    for line in ("Ann & Bo", "Eagles: Ann, Bo"):
        assert understand(f"{line}\n", True, (), ()).is_agreed({}), line
    for text in ("Ann and Bo", "1. Ann & Bo", "Ann & Bo\nGus & Hal", "Pairs\nAnn & Bo", "Ann & Bo (late)"):
        understood = understand(text, True, (), ())
        assert not understood.is_agreed({}) and understood.is_agreed({"understood": understood.mark}), text


def test_no_list_is_too_odd_or_takes_long() -> None:
    """Whatever is pasted is understood or refused by a sentence; long runs of one sign need no more than others."""
    signs = [*"ab1&/+-–,;:\t|()[]\"'#. \n", "and ", "Team ", "Player ", "paid ", "Name\t", "First\t", "Last\t"]
    rng = random.Random(3)
    texts = ["".join(rng.choices(signs, k=rng.randrange(60))) for _ in range(2000)]
    texts += [
        part * (60_000 // len(part)) for part in ("&\n", " ", "- ", "[", "(\n", "team ", "a,", '"\n', "a/", "1.\n")
    ]
    for text in texts:
        for teams in (True, False):
            with contextlib.suppress(RefusedError):
                assert understand(text, teams, GROUPS, ()).new
