"""The named bonuses and penalties of a rule set: asked for, counted, told in the log and undone."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from scorer.rules import rules_file, use_folder
from tests.webui.helpers.playing import Person
from webui.corrections.side_sheet import side_sheet
from webui.corrections.side_table import SideTable
from webui.storage.side_facts import SideFacts

ROUND = "/game/1/round/1"
BONUSES = """
[[bonuses]]
name = "no foot"
points = -100
when = "a player never got into the foot"
who = "player"

[[bonuses]]
name = "out concealed"
points = 200
when = "the side went out in one turn"
"""


@pytest.fixture
def played(person: Person, tmp_path: Path) -> Iterator[Person]:
    """A game by rules with named bonuses, whose first round has no cards and nobody out."""
    folder = tmp_path / "data" / "rulesets"
    folder.mkdir(parents=True, exist_ok=True)
    text = rules_file("golden-games").read_text(encoding="utf-8")
    text = text.replace('id = "golden-games"', 'id = "kitchen"').replace('name = "Golden Games doubles"', 'name = "K"')
    (folder / "kitchen.toml").write_text(text + BONUSES, encoding="utf-8")
    use_folder(folder)
    person.begin(rules="kitchen")
    for side in (0, 1):
        person.send(f"{ROUND}/side/{side}/nothing")
        for player in (0, 1):
            person.send(f"{ROUND}/side/{side}/nothing", player=player)
    person.send(f"{ROUND}/facts", went_out="")
    yield person
    use_folder(None)


def test_the_rules_own_bonuses_are_asked_counted_logged_and_undone(played: Person) -> None:
    page = played.open(f"{ROUND}/unseen")
    assert "No foot −100 each" in played.text and "A player never got into the foot." in played.text
    assert page.count('name="bonus-0-no foot"') == 3 and page.count('name="bonus-0-out concealed"') == 2
    played.send(f"{ROUND}/facts", unseen="yes", **{"bonus-0-no foot": "2", "bonus-1-out concealed": "1"})
    assert played.path == f"{ROUND}/check"
    played.open(f"{ROUND}/check")
    assert "no foot: 2 × −100 −200" in played.text.replace("\xa0", " ").replace("-", "−"), played.text
    played.open("/game/1/log")
    assert "North–South: no foot; East–West: out concealed" in played.text
    assert 'value="2" checked' in played.open(f"{ROUND}/unseen")
    played.undo()
    assert 'value="2" checked' not in played.open(f"{ROUND}/unseen")


def test_they_are_on_the_agreed_sheet(played: Person) -> None:
    played.send(f"{ROUND}/facts", unseen="yes", **{"bonus-0-no foot": "2", "bonus-1-out concealed": "1"})
    played.agree(ROUND)
    assert played.path == f"{ROUND}/tally" and "Round 1 −200 200" in played.text
    sheet = json.loads(played.client.get(f"{ROUND}/sheet.json").data)
    assert [side.get("bonuses") for side in sheet["sides"]] == [{"no foot": 2}, {"out concealed": 1}]


def test_a_sheet_without_named_bonuses_is_as_before() -> None:
    table = SideTable(())
    assert "bonuses" not in side_sheet("Us", table, 2, SideFacts(bonuses={"no foot": 0})).document
