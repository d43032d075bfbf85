"""What a hostile device of a table might try: every page that there is, other tables, and what is over."""

from __future__ import annotations

import html
import io
import re
from collections.abc import Iterator

import pytest
from flask import Flask

from tests.webui.helpers.drawn import NORTH_TABLE, photo
from tests.webui.helpers.evenings import SIXTEEN, begin, evening, score_round, seat
from tests.webui.helpers.playing import Person
from tests.webui.pages.events.test_coordinator import press
from tests.webui.pages.events.test_tables import PHONES, at_table
from webui.context.guard.rights import Right, right_of
from webui.context.services import services_of
from webui.storage.store import Store

OWN = frozenset(
    {
        *("tables.show", "tables.version", "tables.say_names", "tables.call"),
        *("game.show", "game.begin_round", "game.choose_starter", "game.choose_first"),
        *("round.show", "round.out", "round.unseen", "round.check", "round.anyway", "round.save_answers"),
        *("round.tally", "round.sheet"),
        *("side.show", "side.left", "side.look", "side.save_nothing", "side.send_photos", "side.read_again"),
        *("corrections.card", "corrections.add", "corrections.group", "corrections.reset", "corrections.save_change"),
        *("corrections.take_back", "corrections.sort_loose", "corrections.save_count", "corrections.save_looked"),
        *("one_by_one.show", "one_by_one.save_order"),
        *("typed.points", "typed.save_points", "typed.take_back", "typed.cards", "typed.save_cards"),
        *("undo.set_name", "undo.undo_change", "change_log.show"),
        *("first_meld.show", "first_meld.submit", "first_meld.answer", "first_meld.card", "first_meld.correct_card"),
        *("first_meld.crop", "first_meld.view", "follow.live", "follow.version"),
        *("table_now.show", "table_now.live", "table_now.version", "share.show", "share.picture"),
        *("pictures.view", "pictures.card", "pictures.marked", "pictures.around"),
    }
)
"""What a table's device may ask for about its own game. Written out: whoever opens a page to tables adds it here."""
FOR_ALL = frozenset(
    {
        *("static", "health.healthz", "login.show", "login.enter_code", "login.enter_by_link", "tables.enter"),
        *("appearance.show", "appearance.save", "queue.show", "sign.show"),
    }
)
"""What tells nothing of any game or evening: open to strangers, or behind a number that cannot be guessed."""


@pytest.fixture
def app(lan_app: Flask) -> Flask:
    """The page on the network, with a photo at two tables of an evening, and another evening."""
    store = services_of(lan_app).store
    for names in (SIXTEEN[:8], SIXTEEN[8:12]):
        seat(store, begin(store, names), 1)
    for table in (1, 2):
        phone, game = at_table(lan_app, table, PHONES[table - 1]), store.events.game_at(1, table)
        phone.send(f"/game/{game}/round/1/begin")
        phone.photo(f"/game/{game}/round/1/side/0", photo(NORTH_TABLE))
        meld = (io.BytesIO(photo(NORTH_TABLE)), "meld.jpg")
        phone.send(f"/game/{game}/first-meld/", photos=meld, round="1", side="0")
        assert phone.path == f"/game/{game}/first-meld/{table}"
    return lan_app


def of_table(store: Store, event_id: int, table: int) -> dict[str, object]:
    """What addresses name of a table: its game with a photo, where it has one."""
    game = store.game(store.events.game_at(event_id, table) or 0)
    assert game is not None
    photos = [photo.id for record in game.rounds for photo in record.photos]
    melds = [meld for meld in range(1, 3) if (found := store.first_melds.find(meld)) and found.game_id == game.id]
    named = {"game_id": game.id, "photo_id": photos[0] if photos else 99, "meld_id": melds[0] if melds else 99}
    of_round = {"number": 1, "side": 0, "card_id": "p1c0", "group_id": "p1g0"}
    return {**named, **of_round, "event_id": event_id, "table": table}


def pages_of(app: Flask, values: dict[str, object]) -> Iterator[tuple[str, str, str]]:
    """Every page there is, with these values in its address: endpoint, method, path."""
    for rule in app.url_map.iter_rules():
        path = re.sub(r"<(?:\w+:)?(\w+)>", lambda found: str(values.get(found[1], "1")), rule.rule)
        for method in sorted((rule.methods or set()) - {"HEAD", "OPTIONS"}):
            if rule.endpoint not in FOR_ALL:
                yield rule.endpoint, method, path


def all_but_first_table(store: Store) -> list[object]:
    """Everything of both evenings but the game of the first one's first table."""
    games = [game for event in (1, 2) for game in store.event_games(event)][1:]
    return [*games, *(store.log(game.id) for game in games), evening(store, 2).record, store.devices.all()]


@pytest.mark.parametrize(
    "viewers", [pytest.param(False, id="alone", marks=pytest.mark.by_hand), pytest.param(True, id="with viewers")]
)
def test_no_page_is_open_to_a_table_but_those_of_its_own_game(app: Flask, viewers: bool) -> None:
    store = services_of(app).store
    phone = at_table(app, 1)
    phone.open("/display")
    token = phone.token()
    services_of(app).access_code.set_open_to_viewers(viewers)

    def is_refused(method: str, path: str) -> bool:
        data = {"token": token} if method == "POST" else None
        with phone.client.open(path, method=method, data=data) as answer:  # of which some would go on for long
            return answer.status_code == 403

    def anybody_may(endpoint: str, method: str) -> bool:
        return endpoint == "home.show" or (viewers and method == "GET" and right_of(endpoint, app) is Right.VIEWER)

    first = of_table(store, 1, 1)
    no_such: dict[str, object] = dict.fromkeys(first, 399)
    of_others = [of_table(store, 1, 2), of_table(store, 2, 1), no_such]
    mixed = [{**first, "event_id": 2}, {**first, "table": 2}]  # its own game by the address of another table
    before = [*all_but_first_table(store), evening(store, 1).record, store.game(1), store.log(1)]
    asked = 0
    for values in (*of_others, *mixed):
        for endpoint, method, path in pages_of(app, values):
            is_own = values in mixed and endpoint in OWN and not endpoint.startswith("tables.")
            if not is_own and not anybody_may(endpoint, method):
                assert is_refused(method, path), (method, path)
                asked += 1
    assert asked > 500
    assert [*all_but_first_table(store), evening(store, 1).record, store.game(1), store.log(1)] == before
    opened = set[str]()
    for endpoint, method, path in pages_of(app, first):
        if not anybody_may(endpoint, method):
            assert is_refused(method, path) == (endpoint not in OWN), (method, path)
            opened.add(endpoint)
    assert opened >= {name for name in OWN if not (viewers and right_of(name, app) is Right.VIEWER)}
    assert all_but_first_table(store) == before[:-3]


def test_what_is_of_another_table_is_not_had_by_way_of_the_own_game(app: Flask) -> None:
    store = services_of(app).store
    phone, theirs = at_table(app, 1), of_table(store, 1, 2)
    values = {**of_table(store, 1, 1), **{name: theirs[name] for name in ("photo_id", "meld_id")}}
    paths = [path for _endpoint, method, path in pages_of(app, values) if method == "GET"]
    asked = [path for path in paths if re.search("photo/|meld/.", path)]
    assert len(asked) > 7
    for path in asked:
        assert phone.client.get(path).status_code in (403, 404), path
    added = phone.client.get(f"/game/1/round/1/side/0/add?photo={theirs['photo_id']}&x=9&y=9")
    assert f"/photo/{theirs['photo_id']}/" not in added.text


def test_nothing_that_a_table_is_offered_is_refused(app: Flask) -> None:
    """Every link and every form of the pages that its phone comes by."""
    phone = at_table(app, 1)
    press(phone, "/evening/1/table/1/names")
    phone.send("/game/1/first", first="")
    score_round(services_of(app).store, 1, 1, 1, 2, (100, 200))
    ahead, seen = (
        ["/evening/1/table/1/", "/game/1/", "/game/1/round/1/check", "/game/1/round/1/anyway?side=0"],
        set[str](),
    )
    while ahead:
        path = ahead.pop()
        answer = phone.client.get(path, follow_redirects=True)
        assert answer.status_code == 200, path
        page = answer.text if answer.mimetype == "text/html" else ""
        for link in re.findall(r'(?:href|src)="(/[^"#]*)', page):
            if link not in seen and not link.startswith("/static"):
                seen.add(link)
                ahead.append(html.unescape(link))
        for action in re.findall(r'<form[^>]*method="post"[^>]*action="([^"]+)"', page):
            endpoint = app.url_map.bind("localhost").match(action, "POST")[0]
            assert endpoint in OWN | FOR_ALL, (path, action)
    assert len(seen) > 30


def test_the_scores_of_an_evening_that_is_over_stay_as_they_are(app: Flask) -> None:
    store, owner = services_of(app).store, Person(app)
    phone = at_table(app, 1)
    phone.open("/display")
    token = phone.token()
    stream = phone.client.get("/game/1/live", buffered=False)
    parts = stream.iter_encoded()
    assert next(parts).startswith(b"retry")
    for state in ("finished", "removed"):
        owner.open("/evening/1/")
        owner.send("/evening/1/state", state=state)
        before = store.game(1), store.log(1), evening(store, 1).record
        for endpoint, method, path in pages_of(app, of_table(store, 1, 1)):
            if method == "POST" and not endpoint.startswith("tables."):
                answer = phone.client.post(path, data={"token": token})
                assert answer.status_code == 403 and "This evening is over" in answer.text, path
        for path in ("/game/1/", "/game/1/round/1/check", "/"):
            phone.open(path)
            assert phone.path == "/evening/1/table/1/" and "This evening is over." in phone.text
        for path in ("call", "names"):
            phone.send(f"/evening/1/table/1/{path}", token=token)
            assert phone.notices()[0] == "This evening is over."
        assert (store.game(1), store.log(1), evening(store, 1).record) == before
        late = Person(app, "192.168.1.77")
        for key in (store.events.key(1, 1), store.events.key(1, 2)):
            late.open(f"/t/{key}")
            assert late.status == 403 and "This evening is over" in late.text
        assert late.client.get("/evening/1/table/1/").status_code == 303, "and is not let in"
    assert b"event: here" not in b"".join(parts), "what was open ends too"
    owner.send("/evening/1/state", state="")
    phone.open("/game/1/")
    assert phone.path == "/game/1/" and phone.status == 200, "an evening that goes on is scored again"


def test_one_press_does_not_agree_for_both_sides(app: Flask) -> None:
    store = services_of(app).store
    for who in (at_table(app, 2), Person(app)):
        for side in (0, 1):
            who.send(f"/game/2/round/1/side/{side}/typed/points", way="total", total=str(100 + side))
        who.open("/game/2/round/1/anyway?side=0")
        assert "agree anyway" in who.text and "Everyone agrees" not in who.text
        who.open("/game/2/round/1/check")
        who.agree("/game/2/round/1")
        assert who.notices()[0].startswith("At a club evening each side agrees for itself.")
        assert evening(store, 1).results[1, 2] == {}


def test_a_table_cannot_look_through_the_camera_over_another_table(app: Flask) -> None:
    phone, before = at_table(app, 1), services_of(app).store.first_melds.find(3)
    assert "Table camera" not in phone.open("/game/1/first-meld/")
    phone.send("/game/1/first-meld/", round="1", side="0", shoot="yes")
    assert phone.status == 403 and "cannot use the table camera" in phone.text
    assert services_of(app).store.first_melds.find(3) == before is None
    owner = Person(app)
    owner.send("/game/1/first-meld/", round="1", side="0", shoot="yes")
    assert owner.path == "/game/1/first-meld/3"


def test_a_table_does_not_choose_who_plays_there(app: Flask) -> None:
    """Totals of a season go by the names of a game."""
    phone, store = at_table(app, 1), services_of(app).store
    before = store.game(1)
    phone.send("/game/1/names", **{"player0.0": "Champion"})
    assert phone.status == 403 and store.game(1) == before
    phone.open("/evening/1/table/1/")
    assert "Change the names" not in phone.text and "whoever runs the evening can change the names" in phone.text
    owner = Person(app)
    owner.open("/evening/1/table/1/")
    assert "Change the names" in owner.text


def test_a_table_is_named_in_the_history_whatever_it_calls_itself(app: Flask) -> None:
    phone, store = at_table(app, 1), services_of(app).store
    phone.send("/game/1/who", who="table 2")
    phone.send("/game/1/round/1/facts", went_out="0")
    press_call = phone.open("/evening/1/table/1/")
    assert "Call for help" in press_call
    press(phone, "/evening/1/table/1/call")
    assert store.log(1)[-1].who == evening(store, 1).record.facts[-1].who == "table 2 (table 1)"
