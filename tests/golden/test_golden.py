"""The shipped weights read the golden pictures as before; after intended changes, ``python -m tests.golden.remake``."""

from __future__ import annotations

import copy
import json

import pytest

from tests.golden.pictures import DRAWN_NAMES, SAMPLE_NAMES, can_draw, picture, signature
from tests.golden.readings import TALLY, Compact, compact, differences, load, to_json
from tests.golden.tally import photo_to_tally, tally_differences
from vision.doubts import DOUBT
from vision.reader import CardReader, load_reader

GOLDEN = load()


@pytest.fixture(scope="module")
def reader() -> CardReader:
    return load_reader()


def test_every_picture_has_a_golden_reading() -> None:
    assert set(GOLDEN) == {*SAMPLE_NAMES, *DRAWN_NAMES}


@pytest.mark.parametrize("name", SAMPLE_NAMES)
def test_a_sample_is_read_as_before(reader: CardReader, name: str) -> None:
    assert differences(GOLDEN[name], compact(reader.read(picture(name)))) == []


@pytest.mark.parametrize("name", DRAWN_NAMES)
def test_a_drawn_table_is_read_as_before(reader: CardReader, name: str) -> None:
    if not can_draw():
        pytest.skip("needs fonts-dejavu, fonts-lato and fonts-liberation")
    frame = picture(name)
    cells = zip(signature(frame.pixels), GOLDEN[name]["picture"], strict=True)
    assert max(abs(now - before) for now, before in cells) <= 1, "the table is drawn differently than before"
    assert differences(GOLDEN[name], compact(reader.read(frame))) == []


def test_photos_come_to_the_same_tally_as_before(reader: CardReader) -> None:
    assert tally_differences(json.loads(TALLY.read_text(encoding="utf-8")), photo_to_tally(reader.read)) == []


def changed(card: int, **keys: object) -> Compact:
    """The first sample's golden reading with one card changed."""
    reading = copy.deepcopy(GOLDEN[SAMPLE_NAMES[0]])
    reading["cards"][card].update(keys)
    return reading


def test_changes_of_face_doubt_outline_group_and_warning_are_found() -> None:
    before = GOLDEN[SAMPLE_NAMES[0]]
    card = before["cards"][5]
    (x, y), *others = card["quad"]
    face, quad = card["face"], card["quad"]
    assert differences(before, changed(5, face="9C")) == [f"card 5 {face}: face {face} -> 9C"]
    assert differences(before, changed(5, doubt="x")) == [f"card 5 {face}: doubt None -> x"]
    assert differences(before, changed(5, quad=[[x + 4, y], *others])) == [
        f"card 5 {face}: outline 4 px off, {quad} -> {[[x + 4, y], *others]}"
    ]
    fewer = copy.deepcopy(before)
    fewer["groups"].pop()
    fewer["warnings"] = ["glare"]
    assert [line.split(":")[0].split(" ")[0] for line in differences(before, fewer)] == ["group", "warnings"]
    assert f"card 37 {before['cards'][37]['face']} at {before['cards'][37]['quad'][0]}: read -> missing" in differences(
        before, {**before, "cards": before["cards"][:37], "groups": []}
    )


def test_what_another_processor_may_change_is_tolerated() -> None:
    before = GOLDEN[SAMPLE_NAMES[0]]
    (x, y), *others = before["cards"][5]["quad"]
    assert differences(before, changed(5, quad=[[x + 3, y - 3], *others])) == []
    assert differences(before, changed(5, confidence=0.996)) == []
    sure, doubted = changed(5, confidence=DOUBT + 0.001), changed(5, confidence=DOUBT - 0.001, doubt="low-confidence")
    assert differences(sure, doubted) == []
    assert differences(changed(5, confidence=0.6), changed(5, confidence=0.6, face="9C")) == []
    assert differences(before, changed(5, confidence=0.996), exact=True) != []


def test_stored_readings_are_json_with_a_card_a_line() -> None:
    assert json.loads(to_json(GOLDEN)) == GOLDEN
    assert max(map(len, to_json(GOLDEN).splitlines())) < 400
