"""Random evenings of Golden Games on the page, equal to those kept on paper and to the pure functions.

Teams come late, go home, play with substitutes, lose and get points; scores are corrected, also after the cut.
"""

from __future__ import annotations

import html
import random
import re

import pytest

from scorer.events.event import standings
from tests.webui.helpers.evenings import begin, evening, score_round, seat
from tests.webui.helpers.playing import Person
from tests.webui.pages.events.paper import ROUNDS, Paper, PaperGame
from tests.webui.pages.events.test_coordinator import store_of
from webui.events.entry.roster import substitute
from webui.events.ranking import event_of
from webui.events.steps import actions, hall


@pytest.mark.parametrize("seed", [1, pytest.param(2, marks=pytest.mark.by_hand)])
def test_evenings_are_on_the_page_what_they_are_on_paper(person: Person, seed: int) -> None:
    play(person, seed)


@pytest.mark.by_hand
@pytest.mark.parametrize("seed", range(100, 300))
def test_two_hundred_evenings(person: Person, seed: int) -> None:
    play(person, seed)


def play(person: Person, seed: int) -> None:
    """An evening from its names to the medals; each page is compared with the paper."""
    rng = random.Random(seed)
    step = rng.choice((5, 5, 500))  # now and then so coarse that there are ties
    names = [f"T{at:02}" for at in range(rng.randint(6, 17))]
    store = store_of(person)
    begin(store, tuple(f"{name}: {name}a, {name}b" for name in names))
    seat(store, 1, 1, "")
    if rng.random() < 0.5:
        actions.enter(store, 1, "T99: T99a, T99b")
        seat(store, 1, 1, "")
    paper = Paper([seats(person)])
    play_game(person, paper, 1, rng, step)
    compare(person, paper)
    chosen = choose(person, paper, rng)
    seat(store, 1, 2, "")
    paper.games.append(seats(person))
    assert set(paper.games[1].teams) == set(chosen)
    play_game(person, paper, 2, rng, step)
    if rng.random() < 0.5:  # a wrong score is found after the cut; the tables stay as they were played
        correct(person, paper, 1, rng, step)
    compare(person, paper)
    person.open("/evening/1/")
    said = re.findall(r"<li><b>(?:gold|silver|bronze)</b>: (.*?)</li>", person.page)
    assert [set(re.findall(r"T\d\d", one)) for one in said] == paper.medals()
    assert ("Put them in order." in person.text) == any(len(of) > 1 for of in paper.medals())


def seats(person: Person) -> PaperGame:
    """The tables and who sits out, as everybody's page shows them."""
    page = html.unescape(person.open("/evening/1/results/"))
    found = re.findall(r"<h3>Table \d+</h3><p>(T\d\d)<br>against (T\d\d)</p>", page)
    out = re.search(r"<h3>Sitting out</h3><p>(.*?)</p>", page)
    return PaperGame(found, re.findall(r"T\d\d", out[1]) if out else [])


def play_game(person: Person, paper: Paper, number: int, rng: random.Random, step: int) -> None:
    """Every table plays; one breaks off now and then. A score is corrected, a team is penalised, a substitute plays."""
    game, store = paper.games[-1], store_of(person)
    breaks, after = (rng.randint(1, len(game.tables)), rng.randrange(ROUNDS)) if rng.random() < 0.5 else (0, 0)
    if len(game.tables) < 2:
        breaks = 0  # there would be nobody of whom to take the average
    for table in range(1, len(game.tables) + 1):
        for round in range(1, ROUNDS + 1):
            if table != breaks or round <= after:
                game.points[table, round] = (rng.randrange(-1000, 4000, step), rng.randrange(-1000, 4000, step))
                score_round(store, 1, number, table, round, game.points[table, round])
    if breaks:
        gone = rng.choice(game.tables[breaks - 1])
        actions.leave(store, 1, gone)
        game.gone.add(gone)
    correct(person, paper, number, rng, step)
    for team in rng.sample(game.teams, 2):
        way, points = rng.choice(("off", "off", "extra")), rng.choice((5, 100, 500))
        points = points if way == "extra" else -points
        hall.adjust(store, 1, team, number, points, "because")
        paper.adjusted[team] = paper.adjusted.get(team, 0) + points
        if rng.random() < 0.25:
            hall.take_back_adjustment(store, 1, max(evening(store, 1).adjusted))
            paper.adjusted[team] -= points
    if paper.gone != set(paper.teams):
        team = rng.choice([one for one in game.teams if one not in paper.gone])
        player = evening(store, 1).entrants[team].now[0]
        substitute(store, 1, team, player, f"{player}s", number, 2, counts=False)


def correct(person: Person, paper: Paper, number: int, rng: random.Random, step: int) -> None:
    """A score that was agreed is corrected and agreed again."""
    game = paper.games[number - 1]
    table, round = rng.choice(sorted(game.points))
    game.points[table, round] = (rng.randrange(-1000, 4000, step), rng.randrange(-1000, 4000, step))
    score_round(store_of(person), 1, number, table, round, game.points[table, round])


def choose(person: Person, paper: Paper, rng: random.Random) -> list[str]:
    """Who plays game 2: by the paper; ties and odd halves are decided on the page. Returns them."""
    through, tied, open_ = paper.play_on()
    person.open("/evening/1/")
    size = len(through) + open_
    if size % 2:
        picked = sorted(paper.places(), key=lambda team: paper.places()[team])[: size - 1]
        picked = picked or sorted(paper.places())[:2]
        through = []
        assert f"The better half would be {size} teams, and one would have no opponent." in person.text
    elif open_:
        picked = rng.sample(tied, open_)
        assert f"last {open_} places" in person.text if open_ > 1 else "for the last place in game 2" in person.text
    else:
        assert "Choose who plays" not in person.text
        return through
    actions.decide_cut(store_of(person), 1, 2, tuple(picked))
    return [*through, *picked]


def compare(person: Person, paper: Paper) -> None:
    """The standings by the functions alone, on everybody's page, and in the file."""
    totals, places, gone = paper.totals(), paper.places(), paper.gone
    pure = {name: one for one in standings(event_of(evening(store_of(person), 1))) for name in one.names}
    assert {name: (one.place, one.total) for name, one in pure.items()} == {
        name: (places.get(name, 0), total) for name, total in totals.items()
    }
    page = html.unescape(person.open("/evening/1/results/"))
    rows = re.findall(r"<tr class=\"(?:gone)?\">(<td>.*?)</tr>", page, re.DOTALL)
    assert len(rows) == len(totals)
    for row in rows:
        place, name, total, *games = cells(row)
        name = name.split()[0]
        assert place.split()[:1] == ([] if name in gone else [str(places[name])]), name
        assert numbers([total]) == [totals[name]], name
        for game, shown in zip(paper.games, games, strict=False):
            score = game.score(name)
            assert (shown in ("", "–")) == (score is None) and (
                score is None or numbers(shown.split()[:1]) == [score]
            ), name
    lines = [line.split(",") for line in person.open("/evening/1/results/standings.csv").splitlines()[1:]]
    assert {line[1]: int(line[-2]) for line in lines} == totals


def numbers(texts: list[str]) -> list[int]:
    return [int(text.replace(",", "").replace("−", "-")) for text in texts]


def cells(row: str) -> list[str]:
    """The texts of a row of a table."""
    texts = re.split(r"</t[dh]>", row)
    return [" ".join(html.unescape(re.sub(r"<[^>]*>", " ", text)).split()) for text in texts]
