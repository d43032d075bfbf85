"""In a made-up language that puts every sentence in brackets, no text of the main pages stands outside of brackets."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache
from html.parser import HTMLParser
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from flask import Flask

from scorer.deck import use_deck_folder
from scorer.faces import STANDARD_FACES
from scorer.rules import load_rules, shipped_rules
from tests.webui.decks.pictures import pictures
from tests.webui.helpers.drawn import NO_CARDS, NORTH_LEFT, NORTH_TABLE, photo
from tests.webui.helpers.played_games import fill
from tests.webui.helpers.playing import Person
from tests.webui.wording.test_catalogue import listed
from webui.context.services import services_of
from webui.context.texts import language
from webui.settings import decks_folder

_LANGUAGE = "eo"
_NAMES = (
    r"Hand & Foot|\b(North|South|East|West|Player \d|Ann|Bo|Cy|Di|Eva|Fred)\b",
    r"\b(Mon|Tue|Wed|Thu|Fri|Sat|Sun|Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)\b|\b[AP]M|\d [MG]B",
)
"""Names of people, days and sizes. Those of rule sets, and what their files say, are added."""
_OF_SCORER = (
    r"(A meld can hold only one rank|Under these rules|Going out needs).*|\d clean and \d dirty books;.*",
    r"[\w ]+ (in [\w ]+|laid|left): \d+\xa0×\xa0−?[\d,]+|exact \d+: \d+\xa0×\xa0\d+|going out",
    r"round \d+|not a valid meld yet|((clean|dirty|wild) )?(book|meld)s?( of \w+)?",
    r"\b(ace|king|queen|jack|joker)s?\b|\bJK\b",
)
"""What `scorer` says in English: names of rounds, ranks and melds, lines of the tally, violations."""


class _Texts(HTMLParser):
    """Collects what is outside of brackets, which may reach over several elements."""

    def __init__(self) -> None:
        super().__init__()
        self.bare: list[str] = []
        self._depth = 0
        self._unseen = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._unseen += tag in ("script", "style", "code")
        for name, value in attrs:
            if name in ("aria-label", "alt", "title", "placeholder", "data-busy", "data-label"):
                self.bare += _outside(value or "", 0)[0]

    def handle_endtag(self, tag: str) -> None:
        self._unseen -= tag in ("script", "style", "code")

    def handle_data(self, data: str) -> None:
        if not self._unseen:
            found, self._depth = _outside(data, self._depth)
            self.bare += found


def _outside(text: str, depth: int) -> tuple[list[str], int]:
    """The pieces of a text that stand outside of brackets, and how deep it ends."""
    found = [""]
    for sign in text:
        depth += (sign == "⟦") - (sign == "⟧")
        if depth == 0 and sign != "⟧":
            found[-1] += sign
        elif found[-1]:
            found.append("")
    return [piece for piece in found if re.search(r"[^\W\d_]{2}", _without_names(piece))], depth


def _without_names(text: str) -> str:
    for told in _told_by_rules():
        text = text.replace(told, "")
    for pattern in (*_OF_SCORER, *_NAMES):
        text = re.sub(pattern, "", text, flags=re.IGNORECASE)
    return text


@cache
def _told_by_rules() -> tuple[str, ...]:
    """Texts of rule files and decks, the longest first."""
    every = [load_rules(name) for name in shipped_rules()]
    events = [event for rules in every for event in rules.asked]
    texts = [*(rules.name for rules in every), *(rules.source for rules in every)]
    texts += [rules.main_source for rules in every]
    texts += [text[:1].upper() + text[1:] for event in events for text in (event.name, event.when)]
    texts += [deck.name for rules in every for deck in rules.all_decks]
    return tuple(sorted(texts, key=len, reverse=True))


def _bare(page: str) -> list[str]:
    texts = _Texts()
    texts.feed(page)
    assert texts._depth == 0
    return texts.bare


@pytest.fixture
def app(tmp_path: Path, make_app: Callable[[], Flask], monkeypatch: pytest.MonkeyPatch) -> Iterator[Flask]:
    """The page with a catalogue of the made-up language beside English."""
    catalogue = Catalog(locale=_LANGUAGE)
    for message in listed():
        if isinstance(message.id, str):
            catalogue.add(message.id, f"⟦{message.id}⟧")
        else:
            catalogue.add(message.id, tuple(f"⟦{text}⟧" for text in message.id))
    folder = tmp_path / "translations" / _LANGUAGE / "LC_MESSAGES"
    folder.mkdir(parents=True)
    with (folder / "messages.mo").open("wb") as file:
        write_mo(file, catalogue)
    monkeypatch.setattr(language, "TRANSLATIONS", tmp_path / "translations")
    use_deck_folder(decks_folder(tmp_path / "data"))
    yield make_app()
    use_deck_folder(None)


@pytest.fixture
def foreigner(app: Flask) -> Person:
    """A visitor whose browser asks for the made-up language."""
    person = Person(app)
    person.client.environ_base["HTTP_ACCEPT_LANGUAGE"] = f"{_LANGUAGE},en;q=0.5"
    return person


def test_no_text_of_the_main_pages_is_bare(app: Flask, foreigner: Person) -> None:
    fill(services_of(app).store, 3)
    round_ = foreigner.begin()
    side = f"{round_}/side/0"
    for taken, player in ((NORTH_TABLE, None), (NO_CARDS, None), (NORTH_LEFT, 1)):
        foreigner.photo(side, photo(taken), player=player)
    services_of(app).decks.add("Ann", "standard", pictures(STANDARD_FACES[40:]))
    services_of(app).decks.add("Bo", "standard")
    game = round_.partition("/round")[0]
    pages = [
        *("/", "/new", "/statistics", "/players/", "/rules/", "/rules/golden-games", "/safe/", "/display", "/join"),
        *("/report/", "/camera/", "/camera/setup", f"{game}/", f"{game}/log", f"{game}/names", f"{game}/join"),
        *(f"{side}/", f"{side}/left", f"{side}/card/p1c17", f"{side}/group/p1g0", f"{side}/typed/points"),
        *(f"{round_}/out", f"{round_}/unseen", f"{round_}/check", f"{round_}/anyway", f"{round_}/side/1/"),
        *("/decks/", "/decks/new", "/decks/ann/", "/decks/bo/", "/decks/bo/teach"),
        *("/game/1/", "/game/1/pad", "/game/1/television", "/game/1/round/1/tally", "/nothing"),
    ]
    bare = {path: found for path in pages if (found := _bare(foreigner.open(path)))}
    assert bare == {}
    assert '<html lang="eo"' in foreigner.page and foreigner.page.count("⟦") > 10


def test_bare_text_is_found() -> None:
    assert _bare("<p>⟦Games⟧</p><p>Players</p>") == ["Players"]
    assert _bare("<p>⟦<b>Ann</b> went out⟧ first</p>") == [" first"]
    assert _bare('<img alt="A card"><p>5 ♥</p>') == ["A card"]
    assert _bare("<p>⟦Round <b>1</b>⟧</p>") == []


def test_other_browsers_get_english(app: Flask) -> None:
    person = Person(app)
    assert "⟦" not in person.open("/") and '<html lang="en"' in person.page
