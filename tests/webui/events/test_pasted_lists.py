"""Lists of a club evening as they are pasted from spreadsheets, messages and sign-up sheets, and what they mean.

In the expected lines a team is ``Name: one, two``, or ``one & two`` where it has no name of its own.
"""

from __future__ import annotations

import pytest

from webui.events.entry.entrants import Understood, understand

BOTH = ["Ann & Bo", "Cy & Di"]
NAMED = ["Eagles: Ann, Bo", "Owls: Cy, Di"]
WHOLE = ["Ann Smith & Bo Jones", "Cy Low & Di High"]

TEAMS: list[tuple[str, list[str]]] = [
    # spreadsheets
    ("No.\tPlayer 1\tPlayer 2\n1\tAnn\tBo\n2\tCy\tDi", BOTH),
    ("No. / Player 1 / Player 2\n1 / Ann / Bo\n2 / Cy / Di", BOTH),
    ("Team, Name, Name\n1, Ann, Bo\n2, Cy, Di", BOTH),
    ("Team,Name,Name\nEagles,Ann,Bo\nOwls,Cy,Di", NAMED),
    ("Team #;Player A;Player B;Paid\n1;Ann;Bo;yes\n2;Cy;Di;", BOTH),
    ("#\tNames\n1\tAnn & Bo\n2\tCy and Di", BOTH),
    ("Pair\nAnn & Bo\nCy & Di", BOTH),
    ("Pair\tTable\tNames\nA\t3\tAnn & Bo\nB\t4\tCy & Di", ["A: Ann, Bo", "B: Cy, Di"]),
    ("Name\tPartner\tNotes\nAnn\tBo\tfirst time here\nCy\tDi\t", BOTH),
    ("First\tLast\tFirst\tLast\nAnn\tSmith\tBo\tJones\nCy\tLow\tDi\tHigh", WHOLE),
    ("Last name,First name,Partner last name,Partner first name\nSmith,Ann,Jones,Bo\nLow,Cy,High,Di", WHOLE),
    ("Timestamp,Your name,Partner's name\n11/20/2026 9:14:02,Ann,Bo\n11/20/2026 9:15:44,Cy,Di", BOTH),
    ("|No|Player 1|Player 2|\n|---|---|---|\n|1|Ann|Bo|\n|2|Cy|Di|", BOTH),
    ("Pair 1\tAnn\tBo\nPair 2\tCy\tDi", BOTH),
    ("\t\t\nAnn\tBo\tlate\nCy\tDi\t\n\t\t", BOTH),
    ('"Eagles","Ann","Bo"\r\n"Owls","Cy","Di"\r\n', NAMED),
    ("Ann,Bo,ann@example.org,555 123 4567\nCy,Di,cy@example.org,", BOTH),
    # numbers
    ("1. Ann & Bo\n2. Cy & Di", BOTH),
    ("1) Ann / Bo\n2) Cy / Di", BOTH),
    ("(1) Ann & Bo\n(2) Cy & Di", BOTH),
    ("#1 Ann & Bo\n#2 Cy & Di", BOTH),
    ("1 - Ann & Bo\n2 - Cy & Di", BOTH),
    ("1.\tAnn & Bo\n2.\tCy & Di", BOTH),
    ("1 Ann & Bo\n2 Cy & Di", BOTH),
    ("1   Ann Smith   Bo Jones\n2   Cy Low      Di High", WHOLE),
    ("A) Ann & Bo\nB) Cy & Di", BOTH),
    ("Team 3: Ann & Bo\nTeam 4: Cy & Di", BOTH),
    ("Team 1 – Ann, Bo\nTeam 2 – Cy, Di", BOTH),
    ("Table 1: Ann & Bo\nTable 2: Cy & Di", BOTH),
    ("Team 1\nAnn\nBo\n\nTeam 2\nCy\nDi", BOTH),
    ("3 Musketeers: Ann, Bo\n7 Up: Cy, Di", ["3 Musketeers: Ann, Bo", "7 Up: Cy, Di"]),
    # bullets, dashes, boxes
    ("- Ann and Bo\n- Cy and Di", BOTH),
    ("* Ann & Bo\n* Cy & Di", BOTH),
    ("• Ann + Bo\n• Cy + Di", BOTH),
    ("·\tAnn & Bo\n·\tCy & Di", BOTH),
    ("☐ Ann & Bo\n✓ Cy & Di", BOTH),
    ("[ ] Ann & Bo\n[x] Cy & Di", BOTH),
    # two names, however they are joined
    ("Ann and Bo\nCy AND Di", BOTH),
    ("Ann/Bo\nCy /Di", BOTH),
    ("Ann w/ Bo\nCy with Di", BOTH),
    ("Ann - Bo\nCy — Di", BOTH),
    ("Ann Smith &\nBo Jones\nCy Low\n& Di High", WHOLE),
    ("Ann Smith    Bo Jones\nCy Low    Di High", WHOLE),
    ("Eagles - Ann & Bo\nOwls – Cy & Di", NAMED),
    ("Eagles (Ann & Bo)\nOwls (Cy, Di)", NAMED),
    ("“Eagles”: Ann & Bo\n“Owls”: Cy and Di", NAMED),
    ("A. Smith & B. Jones\nJ. R. Low, Jr. & D. High", ["A. Smith & B. Jones", "J. R. Low Jr. & D. High"]),
    # notes behind
    ("– Ann & Bo (late)\n– Cy & Di - paid", BOTH),
    ("Ann & Bo, will be late\nCy & Di, $10", BOTH),
    ("Ann & Bo *\nCy & Di ✓", BOTH),
    ("Ann 555-123-4567 & Bo\nCy & Di 555 123 4567", BOTH),
    # titles and sums
    ("Hand & Foot Friday\n\nAnn & Bo\nCy & Di", BOTH),
    ("Friday, Nov 28\nAnn & Bo\nCy & Di", BOTH),
    ("Teams for the club evening\nAnn & Bo\nCy & Di", BOTH),
    ("Teams:\nAnn & Bo\nCy & Di\n\nTotal: 2 teams", BOTH),
    ("Eagles\nOwls\nTeam 7", ["Eagles", "Owls", "Team 7"]),
]

PEOPLE: list[tuple[str, list[str]]] = [
    ("1. Ann (w)\n2. Bo (m)", ["Ann, woman", "Bo, man"]),
    ("Women\nAnn\n\nMen:\nBo", ["Ann, woman", "Bo, man"]),
    ("Name,Gender\nAnn,F\nBo,M", ["Ann, woman", "Bo, man"]),
    ("No.\tName\tM/W\tPaid\n1\tAnn\tW\t$5\n2\tBo\tM\t", ["Ann, woman", "Bo, man"]),
    ("Ann - woman\nBo – man", ["Ann, woman", "Bo, man"]),
    ("• Ann, lady\n• Bo, gentleman", ["Ann, woman", "Bo, man"]),
    ("First name;Last name;Group\nAnn;Smith;woman\nBo;Jones;man", ["Ann Smith, woman", "Bo Jones, man"]),
    ("Ann, woman, paid\nBo, man", ["Ann, woman", "Bo, man"]),
]


def written(understood: Understood) -> list[str]:
    """Each team or person on a line."""
    lines = []
    for one in understood.new:
        own = one.players and one.name != " & ".join(one.players)
        beside = f": {', '.join(one.players)}" if own else f", {one.group}" if one.group else ""
        lines.append(one.name + beside)
    return lines


@pytest.mark.parametrize(("text", "expected"), TEAMS)
def test_teams(text: str, expected: list[str]) -> None:
    assert written(understand(text, True, (), ())) == expected


@pytest.mark.parametrize(("text", "expected"), PEOPLE)
def test_people(text: str, expected: list[str]) -> None:
    assert written(understand(text, False, ("man", "woman"), ())) == expected


def test_people_without_groups() -> None:
    for text in ("1. Ann\n2. Bo", "Player\nAnn\nBo", "- Ann (late)\n- Bo", "Name\tPhone\nAnn\t555 1234\nBo\t"):
        assert written(understand(text, False, (), ())) == ["Ann", "Bo"], text


def test_what_was_left_out_is_told() -> None:
    understood = understand("Club night:\nNo.\tNames\tNotes\n1\tAnn & Bo\tlate\n2\tCy & Di\t", True, (), ())
    assert understood.left_out == ("Club night:", "No. Names Notes") and understood.notes == ("late",)
