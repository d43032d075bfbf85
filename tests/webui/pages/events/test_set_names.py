"""What the sets of an evening of changing partners are called on the pages of their tables' games."""

from __future__ import annotations

import re
from gettext import NullTranslations

from tests.webui.helpers.evenings import begin, evening, play_stage, played, score_round, seat
from tests.webui.helpers.playing import Person
from tests.webui.pages.events.test_coordinator import best_first, store_of
from webui.events.shown.history import history
from webui.storage.records import SideRecord
from webui.storage.store import Store
from webui.translation import choose

EIGHT = tuple(f"P{at}, {'woman' if at % 2 else 'man'}" for at in range(8))


def test_a_later_set_is_called_by_its_own_number_on_every_page(person: Person) -> None:
    store = store_of(person)
    begin(store, EIGHT, "tournament-play")
    seat(store, 1, 1)
    play_stage(store, 1, 1, lambda name, _: 100 + ord(name[1]))
    seat(store, 1, 2)
    game = store.events.game_at(1, 1)
    score_round(store, 1, 2, 1, 1, (100, 200))
    score_round(store, 1, 2, 1, 2, (100, 250))
    for path in ("", "round/1/tally", "round/2/tally", "television", "pad", "log", "first-meld/", "round/1/check"):
        person.open(f"/game/{game}/{path}")
        assert person.status == 200 and "Set 1" not in person.text and "set 1" not in person.text, path
    assert "Set 2, hand 2" in person.open(f"/game/{game}/television")
    assert "Set 2 total" in person.open(f"/game/{game}/")
    first = store.event_games(1)[0].id
    assert "Set 1 total" in person.open(f"/game/{first}/") and "Set 2" not in person.text


def test_what_is_played_at_a_table_is_called_a_hand(person: Person) -> None:
    """As the printed rules of Tournament Play call it: a set has two hands."""
    store = store_of(person)
    begin(store, EIGHT, "tournament-play")
    seat(store, 1, 1)
    assert "0 of 2 hands" in person.open("/evening/1/")
    score_round(store, 1, 1, 1, 1, (100, 200))
    assert "Playing hand 2 of 2." in person.open("/evening/1/table/1/") and "Hand 1" in person.text
    for path in ("", "table/1/", "results/", "score-cards", "1/draw"):
        person.open(f"/evening/1/{path}")
        assert person.status == 200 and "1 of 2 rounds" not in person.text, path
        assert "Round" not in person.text.replace("Only rounds", ""), path
    score_round(store, 1, 1, 1, 2, (100, 200))
    person.open("/evening/1/table/1/")
    assert "All hands are agreed." in person.text and "round" not in person.text.casefold()


def headings(person: Person, path: str) -> list[str]:
    return person.open(path).lstrip("\ufeff").splitlines()[0].split(",")


def test_its_files_and_the_league_say_hands_too_and_data_keeps_its_keys(person: Person) -> None:
    store = store_of(person)
    begin(store, EIGHT, "tournament-play", stages=1)
    seat(store, 1, 1)
    play_stage(store, 1, 1, lambda name, _: 100 + ord(name[1]))
    assert headings(person, "/evening/1/results/results.csv")[:3] == ["set", "table", "hand"]
    assert [one for one in headings(person, "/evening/1/results/score-cards.csv") if "1" in one] == ["hand 1"]
    results = person.client.get("/evening/1/results/results.json").json
    assert results is not None and "round" in results[0]
    assert "Scores of every hand" in person.open("/evening/1/results/")
    person.open("/league/")
    assert "A hand" in person.text and "Only hands that" in person.text and "round" not in person.text.casefold()
    assert {"hands", "average hand"} <= set(headings(person, "/league/league.csv"))
    person.open("/players/person?name=P1")
    _before, section = person.page.split("Club evenings, Tournament play")
    told, _after = section.split("</section>", 1)
    assert "Average hand" in told and "2 hands" in told and "Average round" not in told and "2 rounds" not in told

    begin(store, ("Aa & Ao", "Ba & Bo"), stages=1)
    seat(store, 2, 1)
    play_stage(store, 2, 1, best_first)
    person.open("/league/")
    assert "Only rounds and hands that" in person.text and "average round or hand" in person.text
    assert {"rounds or hands", "average round or hand"} <= set(headings(person, "/league/league.csv"))
    data = person.client.get("/league/league.json").json
    assert data is not None and all("rounds" in one for league in data for one in league["people"])
    assert headings(person, "/evening/2/results/results.csv")[:3] == ["game", "table", "round"]


def test_players_statistics_and_lists_of_games_say_hands_where_there_are_sets_of_hands(person: Person) -> None:
    store = store_of(person)
    begin(store, EIGHT, "tournament-play", stages=2)
    for stage in (1, 2):
        seat(store, 1, stage)
        play_stage(store, 1, stage, lambda name, round: 100 * round + ord(name[1]))
    for path in ("/players/", "/players/person?name=P1", "/statistics"):
        person.open(path)
        assert person.status == 200 and "hand" in person.text and "round" not in person.text.casefold(), path
    assert "Best hand" in person.open("/statistics") and "Most clean books in a hand" not in person.text
    assert {"hands", "average hand", "game of the best hand"} <= set(headings(person, "/players/season.csv"))
    person.open("/players/person?name=P1")
    assert re.search(r"Best hand \d+ set [12], hand 2", person.text), person.text

    store.add_game("tournament-play", 4, (SideRecord("Ann & Bo", ("Ann", "Bo")), SideRecord("Cy & Di", ("Cy", "Di"))))
    assert "0 of 2 hands" in person.open("/")
    begin(store, ("Aa & Ao", "Ba & Bo"), stages=1)
    seat(store, 2, 1)
    play_stage(store, 2, 1, best_first)
    person.open("/players/")
    assert "average round or hand" in person.page and "Best round" in person.text and "Best hand" in person.text
    assert "Best round" in person.open("/statistics"), "of all games together"
    assert "Best hand" in person.open("/statistics?rules=tournament-play")


class Brackets(NullTranslations):
    """A language that puts every sentence in brackets."""

    def gettext(self, message: str) -> str:
        return f"[{message}]"

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return f"[{msgid1 if n == 1 else msgid2}]"


def test_history_decisions_and_reasons_are_translated(store: Store) -> None:
    teams = begin(store, ("Ann & Bo", "Cy & Di", "Ed & Flo", "Gus & Hal"))
    people = begin(store, tuple(f"P{at}, man" for at in range(10)), "tournament-play")
    for event_id in (teams, people):
        seat(store, event_id, 1)
        play_stage(store, event_id, 1, lambda *_: 100)
    choose(Brackets())
    try:
        for event_id in (teams, people):
            now, told = evening(store, event_id), played(store, event_id)
            sentences = [line.sentence for line in history(now)]
            sentences += [one.sentence for one in told.decisions()]
            sentences += [told.reason(1, sides) for sides in now.stage(1).tables]
            sentences += [told.out_reason(1, name) for name in now.stage(1).out]
            assert len(sentences) >= 10 and all(one.startswith("[") and one.endswith("]") for one in sentences), (
                sentences
            )
    finally:
        choose(NullTranslations())
