"""Teams and people as they are typed, pasted or read from a spreadsheet."""

from __future__ import annotations

import pytest

from webui.events.entry.entrants import read_entrants
from webui.events.ranking import RefusedError
from webui.storage.events.facts import Enter

GROUPS = ("man", "woman")


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
    assert read_entrants(f"\n{line}\n\n", True, (), ()) == (Enter(name=name, players=players),)


@pytest.mark.parametrize(
    ("line", "group"),
    [("Ann, woman", "woman"), ("Ann;W", "woman"), ("Ann (women)", "woman"), ("Ann\tMan", "man"), ("Ann (m)", "man")],
)
def test_a_person_is_ranked_in_a_group(line: str, group: str) -> None:
    assert read_entrants(line, False, GROUPS, ()) == (Enter(name="Ann", group=group),)


def test_headings_of_a_spreadsheet_are_left_out() -> None:
    text = "\ufeffTeam,Player 1,Player 2\r\nEagles,Ann,Bo\r\nOwls,Cy,Di\r\n"
    assert [enter.name for enter in read_entrants(text, True, (), ())] == ["Eagles", "Owls"]


@pytest.mark.parametrize(
    ("text", "teams", "sentence"),
    [
        ("", True, "at least one name"),
        ("Ann & Bo\nann & bo", True, "Line 2: ann & bo is in there twice"),
        ("Cy & Di", True, "Line 1: Cy & Di is in there twice"),
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
        read_entrants(text, teams, GROUPS, ("Cy & Di",))
    assert sentence in str(refused.value)
