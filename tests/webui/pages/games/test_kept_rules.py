"""Agreed rounds keep the rules they were agreed under; only people decide to score them again."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from scorer.rules import load_rules, use_folder
from scorer.rules.library import rules_file
from tests.webui.helpers.drawn import NORTH_TABLE, photo
from tests.webui.helpers.played_games import play_round
from tests.webui.helpers.playing import Person, without_tokens
from tests.webui.pages.games.test_games import sums
from webui.context.services import services_of
from webui.house_rules.user_rules import save_rules
from webui.storage.store import Store

_SHIPPED = rules_file("golden-games")


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path) -> Iterator[Path]:
    folder = tmp_path / "data" / "rulesets"
    folder.mkdir(parents=True)
    use_folder(folder)
    yield folder
    use_folder(None)


def store_of(person: Person) -> Store:
    return services_of(person.client.application).store


def write(folder: Path, rules_id: str, bonus: int) -> None:
    """A rule set of the user's own: golden-games with another bonus for a clean book."""
    text = _SHIPPED.read_text(encoding="utf-8").replace('id = "golden-games"', f'id = "{rules_id}"')
    (folder / f"{rules_id}.toml").write_text(text.replace("clean = 700", f"clean = {bonus}"), encoding="utf-8")


def played(person: Person, rules: str, rounds: int = 2) -> int:
    person.send("/new", rules=rules, players="4")
    game_id = int(person.path.split("/")[2])
    for number in range(1, rounds + 1):
        play_round(store_of(person), game_id, number, random.Random(number))
    return game_id


def everything(person: Person, game_id: int) -> list[str]:
    """Every page and file that tells points of agreed rounds."""
    own = ("pad", "game.csv", "game.json", "round/1/tally", "television", "log")
    paths = [*(f"/game/{game_id}/{path}" for path in own), "/statistics", "/games.csv", "/"]
    return [without_tokens(person.open(path)) for path in paths]


def mark(page: str) -> str:
    found = re.search(r'name="mark" value="([^"]+)"', page)
    assert found
    return found[1]


def test_a_file_named_like_a_shipped_one_changes_no_agreed_round(person: Person, own_folder: Path) -> None:
    game_id = played(person, "golden-games")
    before, pages = sums(person, game_id), everything(person, game_id)
    write(own_folder, "golden-games", 7)
    assert load_rules("golden-games").books.clean == 7 and sums(person, game_id) == before
    assert "has changed since you agreed on rounds 1 and 2" in person.text
    assert everything(person, game_id) == pages


def test_a_changed_file_changes_agreed_rounds_only_by_a_decision(person: Person, own_folder: Path) -> None:
    write(own_folder, "ours", 700)
    game_id = played(person, "ours")
    before = sums(person, game_id)
    assert "has changed since" not in person.text
    save_rules(load_rules("ours").model_copy(update={"source": "in better words"}), own_folder)
    assert sums(person, game_id) == before and "has changed since" not in person.text, "no points would change"
    (own_folder / "ours.toml").unlink()
    write(own_folder, "ours", 7)
    assert load_rules("ours").books.clean == 7
    assert sums(person, game_id) == before
    assert "has changed since you agreed on rounds 1 and 2. They keep their points." in person.text
    page = person.open(f"/game/{game_id}/rules?to=ours")
    foot = re.findall(r'<span class="points[^"]*">([^<]+)', page[page.index("<tfoot>") : page.index("</tfoot>")])
    assert foot[0::2] == before and foot[1::2] != before
    person.send(f"/game/{game_id}/rules", to="ours", anew="yes", mark=mark(page))
    assert sums(person, game_id) == foot[1::2] and "has changed since" not in person.text
    assert "rounds 1 and 2 scored again" in " ".join(person.open(f"/game/{game_id}/log").split())
    entry = store_of(person).log(game_id)[-1]
    person.send(f"/game/{game_id}/undo/{entry.id}")
    assert sums(person, game_id) == before, "back under the rules as they were"


def test_a_decision_holds_for_the_points_that_were_shown(person: Person, own_folder: Path) -> None:
    write(own_folder, "ours", 700)
    game_id = played(person, "ours")
    before = sums(person, game_id)
    shown = mark(person.open(f"/game/{game_id}/rules?to=golden-games"))
    play_round(store_of(person), game_id, 2, random.Random(9))
    now = sums(person, game_id)
    person.send(f"/game/{game_id}/rules", to="golden-games", anew="yes", mark=shown)
    assert "look again before you decide" in person.text and sums(person, game_id) == now != before


def test_switching_the_rules_leaves_agreed_rounds_as_they_are(person: Person) -> None:
    game_id = played(person, "golden-games")
    before = sums(person, game_id)
    person.send(f"/game/{game_id}/rules", to="tanglewood")
    assert sums(person, game_id) == before and "Tanglewood, 4 players" in person.text
    game = store_of(person).game(game_id)
    assert game is not None and [(held.agreed_sheet or {})["rules"] for held in game.rounds] == ["golden-games"] * 2


def test_exports_pad_and_statistics_name_the_rules_of_each_round(person: Person) -> None:
    game_id = played(person, "golden-games")
    person.send(f"/game/{game_id}/rules", to="tournament-play")
    rows = [line.split(",") for line in person.open(f"/game/{game_id}/game.csv").splitlines()]
    assert {row[rows[0].index("rules")] for row in rows[1:]} == {"golden-games"}
    person.open(f"/game/{game_id}/pad")
    assert "Golden Games doubles" in person.text and "Laid threes" in person.text
    assert "first meld 60" in person.text and "first meld 50" not in person.text
    played(person, "tanglewood", rounds=1)
    page = person.open("/statistics")
    assert '<option value="golden-games"' in page and '<option value="tournament-play"' not in page


def test_a_corrected_round_stays_under_the_rules_it_was_agreed_under(person: Person, own_folder: Path) -> None:
    write(own_folder, "ours", 700)
    round_one = person.begin(rules="ours", players="4")
    person.photo(f"{round_one}/side/0", photo(NORTH_TABLE))
    person.send(f"{round_one}/facts", went_out="0")
    person.agree(round_one)
    game_id = int(round_one.split("/")[2])
    before = sums(person, game_id)
    (own_folder / "ours.toml").unlink()
    write(own_folder, "ours", 7)
    person.open(f"{round_one}/check")
    assert "saved as shown" in person.text, "other rules are no change of the round"
    person.send(f"{round_one}/facts", went_out="1")
    person.agree(round_one)
    person.send(f"{round_one}/facts", went_out="0")
    person.agree(round_one)
    assert sums(person, game_id) == before


def test_sides_agree_to_the_same_rules(person: Person, own_folder: Path) -> None:
    """Where the rules change between two sides' agreement, the first one has not agreed to these points."""
    write(own_folder, "ours", 700)
    round_one = person.begin(rules="ours", players="4")
    person.photo(f"{round_one}/side/0", photo(NORTH_TABLE))
    person.send(f"{round_one}/facts", went_out="0")
    person.agree(round_one, 0)
    (own_folder / "ours.toml").unlink()
    write(own_folder, "ours", 7)
    person.agree(round_one, 1)
    game = store_of(person).game(int(round_one.split("/")[2]))
    assert game is not None and game.rounds[0].agreed_sheet is None
