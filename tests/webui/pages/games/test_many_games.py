"""Pages that go over all games ask the database as often for many games as for few."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import event

from tests.webui.helpers.played_games import fill
from tests.webui.helpers.playing import Person
from webui.context.services import services_of

PAGES = (
    "/",
    "/new",
    "/statistics",
    "/statistics?by=sides",
    "/games.csv",
    "/games.json",
    "/camera/",
    "/safe/",
    "/rules/",
    "/display",
    "/game/1/",
    "/game/1/log",
    "/game/1/pad",
)


def asked(person: Person, path: str) -> int:
    """How often a page asks the database, where nothing is cached."""
    store = services_of(person.client.application).store
    questions: list[str] = []

    def count(_: Any, __: Any, statement: str, *___: Any) -> None:
        questions.append(statement)

    store._games = (None, [])
    event.listen(store.engine, "before_cursor_execute", count)
    person.open(path)
    event.remove(store.engine, "before_cursor_execute", count)
    assert person.status == 200
    return len(questions)


@pytest.mark.parametrize("path", PAGES)
def test_questions_do_not_grow_with_the_games(person: Person, path: str) -> None:
    store = services_of(person.client.application).store
    fill(store, 2)
    few = asked(person, path)
    fill(store, 6)
    assert asked(person, path) == few
