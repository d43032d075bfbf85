"""The page with a few games kept, asked for everything there is with values made by chance."""

from __future__ import annotations

import io
import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import schemathesis
from hypothesis import given

from scorer.rules import load_rules, use_folder
from tests.fuzzing.description import describe
from tests.fuzzing.targets import trying
from tests.webui.helpers.drawn import EAST_TABLE, NORTH_TABLE, DrawnReader, photo
from tests.webui.helpers.full_house import fill
from tests.webui.helpers.playing import Person
from webui.app import create_app
from webui.context.services import services_of
from webui.house_rules.user_rules import copy_rules
from webui.reading.reader_service import ReaderService
from webui.settings import SAMPLES, Settings, rules_folder

GAMES = 3
_DESCRIPTION = "/openapi.json"


class AtHome:
    """The page as this machine itself asks it, with its own description at one more address."""

    def __init__(self, app: Any, description: dict[str, Any]) -> None:
        self._app, self._description = app, json.dumps(description).encode()

    def __call__(self, environ: dict[str, Any], start: Callable[..., Any]) -> Iterable[bytes]:
        if environ["PATH_INFO"] == _DESCRIPTION:
            start("200 OK", [("Content-Type", "application/json")])
            return [self._description]
        environ.update(REMOTE_ADDR="127.0.0.1", HTTP_HOST="localhost")
        answer: Iterable[bytes] = self._app(environ, start)
        return answer


@contextmanager
def described_page(folder: Path, astray: bool = False) -> Iterator[Any]:
    """The page's description, whose operations ask the page for what is there, or, ``astray``, for what is not."""
    use_folder(rules_folder(folder))
    app = create_app(Settings(folder, camera=str(SAMPLES)), ReaderService(DrawnReader))
    app.config["WTF_CSRF_ENABLED"] = False  # what is fuzzed lies behind it
    kept = services_of(app)
    fill(kept.store, GAMES)
    kept.store.begin_round(GAMES, 3)
    copy_rules(load_rules("golden-games"), rules_folder(folder))
    person = Person(app)
    person.photo(f"/game/{GAMES}/round/3/side/0", photo(NORTH_TABLE))
    person.send(f"/game/{GAMES}/first-meld/", round=3, photos=(io.BytesIO(photo(EAST_TABLE)), "meld.jpg"))
    try:
        yield schemathesis.openapi.from_wsgi(_DESCRIPTION, AtHome(app.wsgi_app, describe(app, astray)))
    finally:
        kept.photo_queue.close()
        kept.camera.close()
        kept.store.close()
        use_folder(None)


def operations(page: Any) -> Iterator[Any]:
    """Everything that the page can be asked."""
    for found in page.get_all_operations():
        yield found.ok()


def ask(operation: Any, examples: int, answers: Counter[int] | None = None) -> None:
    """Asks one operation so many times; a failure says what was asked. ``answers`` counts the answers' status codes."""

    @trying(examples)
    @given(case=operation.as_strategy())
    def each(case: Any) -> None:
        answer = case.call()
        if answers is not None:
            answers[answer.status_code] += 1
        sent = case.as_curl_command()
        assert answer.status_code != 500 and (b"Traceback" not in answer.content or "Traceback" in sent), sent
        if answer.status_code == 200:
            case.validate_response(answer, checks=[schemathesis.checks.response_schema_conformance])

    each()
