"""Random evenings of Tournament Play from the page alone, by forms and pages, equal to those kept on paper.

Scores are corrected, people lose and get points, and others play for them.
"""

from __future__ import annotations

import html
import random
import re

import pytest

from scorer.events.event import standings
from tests.webui.helpers.evenings import evening
from tests.webui.helpers.playing import Person
from tests.webui.pages.events.test_coordinator import press, store_of
from tests.webui.pages.events.tournament.paper import HANDS, Paper, PaperSet, Table
from webui.events.ranking import event_of

SETS, PEOPLE = 4, 18
GROUPS = {f"P{at:02}": "woman" if at % 2 else "man" for at in range(PEOPLE)}


@pytest.mark.parametrize("sets", [2, pytest.param(SETS, marks=pytest.mark.by_hand)])
def test_an_evening_of_eighteen_is_on_the_page_what_it_is_on_paper(person: Person, sets: int) -> None:
    play(person, 1, sets)


@pytest.mark.by_hand
@pytest.mark.parametrize("seed", range(100, 300))
def test_two_hundred_evenings(person: Person, seed: int) -> None:
    play(person, seed)


def play(person: Person, seed: int, sets: int = SETS) -> None:
    """An evening from its names to the winners; each page is compared with the paper."""
    rng = random.Random(seed)
    step = rng.choice((5, 5, 500))  # now and then so coarse that there are ties
    person.open("/evenings/new?how=tournament-play")
    people = "\n".join(f"{name}, {group}" for name, group in GROUPS.items())
    press(person, "/evenings/new", people=people, stages=str(sets), name="Friday")
    paper, called = Paper(GROUPS), {name: name for name in GROUPS}
    for number in range(1, sets + 1):
        for one in ("draw", "confirm", "release"):
            press(person, f"/evening/1/{number}/{one}")
        tables, out = seats(person)
        now = paper.take_seats(tables, out)
        for table in range(1, len(tables) + 1):
            for hand in range(1, HANDS + 1):
                score(person, now, table, hand, rng, step)
        score(person, now, rng.randint(1, len(tables)), rng.randint(1, HANDS), rng, step)  # a mistake, corrected
        penalise(person, paper, called, number, rng)
        substitute(person, called, number, rng)
        compare(person, paper, called)
        person.open("/evening/1/")
        if number < sets:
            for table in now.tied():
                now.decided[table] = rng.randrange(2)
                press(person, f"/evening/1/{number}/table/{table}/winner", side=str(now.decided[table]))
    compare_winners(person, paper)


def penalise(person: Person, paper: Paper, called: dict[str, str], number: int, rng: random.Random) -> None:
    """Two people lose or get points, and one of them gets them back at once now and then."""
    for name in rng.sample(sorted(called), 2):
        way, points = rng.choice(("off", "off", "extra")), rng.choice((5, 100, 500))
        person.open(f"/evening/1/roster/?name={called[name]}")
        press(
            person,
            "/evening/1/roster/adjust",
            way=way,
            points=str(points),
            stage=str(number),
            reason="conduct",
            words="",
        )
        if rng.random() < 0.25:
            press(person, "/evening/1/undo")
        else:
            paper.adjusted[name] = paper.adjusted.get(name, 0) + (points if way == "extra" else -points)


def substitute(person: Person, called: dict[str, str], number: int, rng: random.Random) -> None:
    """Somebody else plays a person's next set; the card stays that person's."""
    name, by = rng.choice(sorted(called)), f"S{number}"
    if number == SETS or called[name] != name:
        return
    person.open(f"/evening/1/roster/?name={name}")
    stage = str(number + 1) if f"<option >{number + 1}</option>" in person.page else str(number)
    press(person, "/evening/1/roster/substitute", by=by, stage=stage, round="1", counts="substitute")
    called[name] = f"{by} for {name}"
    assert called[name] in html.unescape(person.page)


def plain(page: str) -> str:
    """A page with each person under their own name, whoever plays for them."""
    return re.sub(r"S\d for (P\d\d)", r"\1", html.unescape(page))


def seats(person: Person) -> tuple[list[Table], list[str]]:
    """The tables and who sits out, as everybody's page shows them."""
    page = plain(person.open("/evening/1/results/"))
    pair = r"(P\d\d) & (P\d\d)"
    found = re.findall(rf"<h3>Table (\d+)</h3><p>{pair}<br>against {pair}</p>", page)
    assert [int(number) for number, *_ in found] == list(range(1, len(found) + 1))
    out = re.search(r"<h3>Sitting out</h3><p>(.*?)</p>", page)
    return [((a, b), (c, d)) for _, a, b, c, d in found], re.findall(r"P\d\d", out[1]) if out else []


def score(person: Person, now: PaperSet, table: int, hand: int, rng: random.Random, step: int) -> None:
    """Both pairs' totals of a hand typed at the table's page, agreed by both, and written down."""
    now.points[table, hand] = (rng.randrange(-1000, 4000, step), rng.randrange(-1000, 4000, step))
    game = re.search(r"/game/\d+/", person.open(f"/evening/1/table/{table}/"))
    assert game
    round_, token = f"{game[0]}round/{hand}", re.search(r'name="token" value="([^"]+)"', person.page)
    assert token
    person.send(f"{round_}/begin", token=token[1])
    for side, total in enumerate(now.points[table, hand]):
        person.send(f"{round_}/side/{side}/typed/points", way="total", total=str(total), token=token[1])
    for side in (0, 1):
        person.agree(round_, side)


def numbers(texts: list[str]) -> list[int]:
    return [int(text.replace(",", "").replace("−", "-")) for text in texts]


def cells(row: str) -> list[str]:
    """The texts of a row of a table."""
    texts = re.split(r"</t[dh]>", row)
    return [" ".join(html.unescape(re.sub(r"<[^>]*>", " ", text)).split()) for text in texts]


def compare(person: Person, paper: Paper, called: dict[str, str]) -> None:
    """The standings by the functions alone and on everybody's page, and each person's own card."""
    places = {name: one for one in standings(event_of(evening(store_of(person), 1))) for name in map(plain, one.names)}
    assert {name: (one.place, one.total) for name, one in places.items()} == {
        name: (paper.places()[name], total) for name, total in paper.totals().items()
    }
    page = plain(person.open("/evening/1/results/"))
    rows = re.findall(r"<tr class=\"\">(<td>\d+.*?)</tr>", page, re.DOTALL)
    assert len(rows) == PEOPLE
    totals, at = paper.totals(), paper.places()
    for row in rows:
        place, name, total, *sets = cells(row)
        name = name.split()[0]
        assert int(place.split()[0]) == at[name] and numbers([total]) == [totals[name]], name
        card = paper.card(name)
        assert numbers([of.split()[0] for of in sets[: len(card)]]) == [sum(of) for of in card], name
    for name in paper.groups:
        text = person.open(f"/evening/1/results/card?name={called[name]}") and person.text
        for number, (one, hands) in enumerate(zip(paper.sets, paper.card(name), strict=True), 1):
            own = text.partition(f"Set {number} ")[2].partition(f"Set {number + 1} ")[0]
            if name in one.out:
                assert own.startswith("Sits out") and numbers(re.findall(r"average ([−\d,]+)", own)) == [sum(hands)]
            else:
                assert numbers(re.findall(r"(?:Hand \d|Total) ([−\d,]+)", own)) == [*hands, sum(hands)], (name, own)


def compare_winners(person: Person, paper: Paper) -> None:
    """The highest man and the highest woman; where several have the same, the page asks who it is."""
    person.open("/evening/1/")
    totals = paper.totals()
    for group in ("man", "woman"):
        best = paper.highest(group)
        said = re.search(rf"<b>highest {group}</b>: (.*?)</li>", person.page)
        assert said and set(re.findall(r"P\d\d", said[1])) == best
        points = re.search(r'<span class="points[^>]*>([−\d,]+)<', said[1])
        assert points and numbers([points[1]]) == [totals[next(iter(best))]]
        assert (f"tied for highest {group}. Put them in order." in person.text) == (len(best) > 1)
