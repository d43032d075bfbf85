"""The live picture and a pile that is dealt are read with the cards of their game, taught jokers among them."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import numpy as np
import pytest
from flask import Flask

from scorer.deck import load_deck
from scorer.faces import JOKER
from tests.webui.decks.pictures import pictures
from tests.webui.helpers.playing import Person
from tests.webui.helpers.teaching import KnowingReader
from vision.teach.match.taught_faces import TaughtFaces
from vision.values import DEFAULT_HOUSE_RULES, Frame
from webui.camera.deal_count import DealCount
from webui.camera.live_reading import LiveReading
from webui.context.services import services_of

Read = Callable[[Frame], object]


@pytest.fixture
def given(monkeypatch: pytest.MonkeyPatch) -> list[Read]:
    """What the camera was given to read with."""
    seen: list[Read] = []

    def cards(_deals: DealCount, read: Read) -> list[Any]:
        seen.append(read)
        return []

    def state(_live: LiveReading, read: Read) -> dict[str, Any]:
        seen.append(read)
        return {}

    monkeypatch.setattr(DealCount, "cards", cards)
    monkeypatch.setattr(LiveReading, "state", state)
    return seen


def test_they_are_read_with_the_cards_of_their_game(app: Flask, reader: KnowingReader, given: list[Read]) -> None:
    person, frame = Person(app), Frame(np.zeros((160, 240, 3), np.uint8), datetime.now(UTC), "camera")
    services_of(app).decks.add("Ours", "standard", pictures([JOKER]))
    round_ = person.begin(rules="tournament-play")
    assert services_of(app).store.games()[0].decks == ("standard", "ours")
    for path in (f"{round_}/side/0/deal/", "/camera/reading?game=1"):
        person.open(path)
        given[-1](frame)
        assert isinstance(reader.taught[-1], TaughtFaces), path
        assert reader.asked[-1][1].faces == frozenset(load_deck("standard").faces), path
    for path in ("/camera/reading", "/camera/reading?game=7", "/camera/reading?game=99999999999"):
        person.open(path)
        given[-1](frame)
        assert reader.taught[-1] is None and reader.asked[-1][1] == DEFAULT_HOUSE_RULES, path
    assert 'data-reading="/camera/reading?game=1"' in person.open("/camera/?game=1&round=1&side=0")
