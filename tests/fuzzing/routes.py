"""A page with a few games, and random requests to all of its routes."""

from __future__ import annotations

import io
import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import schemathesis
from hypothesis import HealthCheck, Phase, given, settings

from scorer.deck import use_deck_folder
from scorer.faces import JOKER
from scorer.rules import use_folder
from tests.fuzzing.description import describe
from tests.webui.decks.pictures import picture
from tests.webui.helpers.drawn import EAST_TABLE, NORTH_TABLE, DrawnReader, photo
from tests.webui.helpers.evenings import begin, seat
from tests.webui.helpers.played_games import fill
from tests.webui.helpers.playing import Person
from tests.webui.house_rules.own import kept_copy
from webui.app import create_app
from webui.context.services import services_of
from webui.reading.reader_service import ReaderService
from webui.settings import SAMPLES, Settings, rules_folder, use_own_files
from webui.storage.backup.archive import open_archive
from webui.storage.backup.checks.process import NOTHING_LEFT_OUT

GAMES = 3
_DESCRIPTION = "/openapi.json"


class LocalPage:
    """WSGI wrapper: requests come from this machine; also serves the OpenAPI description."""

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
def described_page(folder: Path, unknown: bool = False) -> Iterator[Any]:
    """The loaded description of a page whose paths name what exists or, with ``unknown``, what does not."""
    use_own_files(folder)
    app = create_app(Settings(folder, camera=str(SAMPLES)), ReaderService(DrawnReader))
    app.config["WTF_CSRF_ENABLED"] = False  # requests without a token would end there
    kept = services_of(app)
    fill(kept.store, GAMES)
    kept.store.rounds.begin(GAMES, 3)
    kept_copy("golden-games", rules_folder(folder))
    seat(kept.store, begin(kept.store), 1)
    kept.decks.add("Our jokers", "standard", [(JOKER, picture("joker"))])
    person = Person(app)
    person.photo(f"/game/{GAMES}/round/3/side/0", photo(NORTH_TABLE))
    person.send(f"/game/{GAMES}/first-meld/", round=3, photos=(io.BytesIO(photo(EAST_TABLE)), "meld.jpg"))
    try:
        yield schemathesis.openapi.from_wsgi(_DESCRIPTION, LocalPage(app.wsgi_app, describe(app, unknown)))
        kept.store.backups.export(folder / "all.zip", photos=False)
        with open_archive(folder / "all.zip", folder) as archive:  # what the page took, an import takes
            assert archive.checked == NOTHING_LEFT_OUT, archive.checked
    finally:
        kept.photo_queue.close()
        kept.camera.close()
        kept.store.close()
        use_folder(None)
        use_deck_folder(None)


def operations(page: Any) -> Iterator[Any]:
    """Yields every operation of the page."""
    for result in page.get_all_operations():
        yield result.ok()


def check_operation(operation: Any, examples: int, statuses: Counter[int]) -> None:
    """Sends random requests to one operation; a failure shows the request as a curl command.

    Args:
        operation: what ``operations`` yields.
        examples: the number of requests.
        statuses: counts the status codes of the responses.
    """

    @settings(  # without shrinking, which takes minutes
        max_examples=examples,
        deadline=None,
        database=None,
        suppress_health_check=list(HealthCheck),
        phases=[Phase.generate],
    )
    @given(case=operation.as_strategy())
    def each(case: Any) -> None:
        response = case.call(headers={"Accept-Encoding": "identity"})  # the schema describes what is not compressed
        statuses[response.status_code] += 1
        request = case.as_curl_command()
        assert response.status_code != 500 and (b"Traceback" not in response.content or "Traceback" in request), request
        if response.status_code == 200:
            case.validate_response(response, checks=[schemathesis.checks.response_schema_conformance])

    each()
