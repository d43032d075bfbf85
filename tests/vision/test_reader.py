"""The reader from picture to reading, with the shipped weights."""

from __future__ import annotations

import json
import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest

from datasets.decks.drawn_decks import draw_deck
from datasets.decks.styles import Look
from datasets.scenes.layouts import SceneCard
from datasets.scenes.tables import draw_table
from models.evaluate.metrics import Metrics, score_faces
from scorer.faces import JOKER, Face
from vision.detect.detections import Detections
from vision.detect.detector import Detector
from vision.detect.multi_scale import detect
from vision.engines.load import load_relations
from vision.images.decode import load_photo
from vision.reader import CardReader, load_reader
from vision.teach.match.taught_faces import TaughtFaces
from vision.teach.photos import read_deck_photos
from vision.values import Frame, Pixels, Reading

SAMPLES = Path(__file__).parents[2] / "webui" / "samples"
PHOTOS = Path(__file__).parents[3] / "shared" / "photos"


@pytest.fixture(scope="module")
def reader() -> CardReader:
    return load_reader()


def sample_truth() -> list[dict[str, object]]:
    return [json.loads(row) for row in (SAMPLES / "truth.jsonl").read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize("known", sample_truth(), ids=lambda known: str(known["photo"]))
def test_the_sample_tables_are_read(reader: CardReader, known: dict[str, list[dict[str, str]]]) -> None:
    metrics = Metrics()
    reading = reader.read(load_photo(SAMPLES / str(known["photo"])))
    score_faces(metrics, reading, [card["face"] for card in known["cards"]])
    assert metrics.f1 >= 0.97, metrics.line(str(known["photo"]))


def test_an_empty_table_has_no_cards_and_a_warning(reader: CardReader) -> None:
    reading = reader.read(Frame(np.full((480, 640, 3), 90, np.uint8), datetime.now(UTC), "plain"))
    assert reading.cards == ()
    assert [notice.code for notice in reading.warnings] == ["no-cards"]


def test_black_cards_are_read(reader: CardReader) -> None:
    deck = draw_deck("night", 9005, look=Look(dark=True))
    laid = [
        SceneCard(deck, face, deck.faces[face][0], 75.0 * (place - 2), 0.0, 0.0, 0, "meld")
        for place, face in enumerate(map(Face.parse, ("9H", "KS", "4C", "7D")))
    ]
    rng = np.random.default_rng(5)
    table = draw_table(rng, [deck], (1280, 960), card_pixels=150, max_tilt=0.01, clean=True, cards=laid)
    reading = reader.read(Frame(table.picture, datetime.now(UTC), "black cards"))
    assert {str(card.face) for card in reading.cards} == {"9H", "KS", "4C", "7D"}


def test_a_photo_that_lacks_its_end_mark_is_read_like_the_whole_one_and_said_to_be_short(
    reader: CardReader, tmp_path: Path
) -> None:
    whole = SAMPLES / str(sample_truth()[0]["photo"])
    (tmp_path / "short.jpg").write_bytes(whole.read_bytes()[:-2])
    expected, reading = reader.read(load_photo(whole)), reader.read(load_photo(tmp_path / "short.jpg"))
    assert reading.cards == expected.cards and reading.groups == expected.groups
    assert [one.code for one in reading.warnings] == [*(one.code for one in expected.warnings), "lacks-end"]


@pytest.mark.parametrize("shape", [(40, 40, 3), (33, 2000, 3), (2000, 33, 3)])
def test_pictures_of_odd_shapes_are_read(reader: CardReader, shape: tuple[int, int, int]) -> None:
    pixels = np.random.default_rng(0).integers(0, 255, shape, np.uint8)
    assert isinstance(reader.read(Frame(pixels, datetime.now(UTC), "noise")), Reading)


def test_the_json_output_keeps_its_contract(reader: CardReader) -> None:
    reading = reader.read(load_photo(SAMPLES / str(sample_truth()[0]["photo"])))
    document = json.loads(json.dumps(reading.as_json()))
    assert {"width", "height", "seconds", "cards", "groups", "warnings"} <= document.keys()
    for card in document["cards"]:
        assert {"face", "confidence", "quad", "others", "doubt"} <= card.keys()
        assert len(card["quad"]) == 4
        assert 0 <= card["confidence"] <= 1
    assert sorted(i for group in document["groups"] for i in group["cards"]) == list(range(len(document["cards"])))


# The rest allows for other processors.
@pytest.mark.parametrize(("folder", "bar"), [("webcam", 0.958), ("overlap", 0.98)])
def test_real_photos_reach_the_bar(reader: CardReader, folder: str, bar: float) -> None:
    if not (PHOTOS / "truth.jsonl").is_file():
        pytest.skip("the real photos are not here")
    metrics = Metrics()
    known = [json.loads(row) for row in (PHOTOS / "truth.jsonl").read_text(encoding="utf-8").splitlines()]
    for photo in [one for one in known if one["photo"].startswith(folder + "/")][::5]:
        score_faces(metrics, reader.read(load_photo(PHOTOS / photo["photo"])), photo["cards"])
    assert metrics.f1 >= bar, metrics.line(folder)


ONCE = ("01_tall_7C", "02_tall_3cards", "03_copag_4C", "05_oblique_JH", "06_sizemix")
"""Photos of cards that were read twice, since their size or shape was taken wrongly."""


@pytest.mark.parametrize("name", ONCE)
def test_a_card_of_unusual_size_or_shape_is_counted_once(reader: CardReader, name: str) -> None:
    if not (PHOTOS / "hard" / f"{name}.jpg").is_file():
        pytest.skip("the real photos are not here")
    known = [json.loads(row) for row in (PHOTOS / "hard" / "truth.jsonl").read_text(encoding="utf-8").splitlines()]
    (truth,) = (photo["cards"] for photo in known if photo["photo"] == f"hard/{name}.jpg")
    read = [str(card.face) for card in reader.read(load_photo(PHOTOS / "hard" / f"{name}.jpg")).cards]
    # at the edge of the first lies a card that may be read or not
    assert sorted(face for face in read if face in truth) == sorted(truth)


def test_a_card_too_flat_is_not_passed_over_in_silence(reader: CardReader) -> None:
    if not (PHOTOS / "hard" / "10_lowangle_10H.jpg").is_file():
        pytest.skip("the real photos are not here")
    reading = reader.read(load_photo(PHOTOS / "hard" / "10_lowangle_10H.jpg"))
    assert "unread-cards" in [warning.code for warning in reading.warnings]


def test_jokers_that_two_photos_taught_are_read_in_all_others(reader: CardReader) -> None:
    if not (PHOTOS / "jokers").is_dir():
        pytest.skip("the real photos are not here")
    first, second, *others = (load_photo(path) for path in sorted((PHOTOS / "jokers").glob("*.jpg")))
    shown = read_deck_photos([first, second], reader.read, [JOKER]).cards
    taught = TaughtFaces({JOKER: [card.picture for card in shown]}, ["wizard"])
    read = [[card.face for card in reader.read(photo, taught=taught).cards].count(JOKER) for photo in others]
    assert len(others) == 16 and min(read) == 1 and read.count(1) >= 15, "two of them, in glare, are not read without"


def test_confidence_rises_with_a_clear_rank_a_probable_detection_and_a_second_index() -> None:
    card_confidence = load_relations().card_confidence
    before = card_confidence(0.7, 0.7, 1)
    assert card_confidence(0.99, 0.7, 1) > before
    assert card_confidence(0.7, 0.95, 1) > before
    assert card_confidence(0.7, 0.7, 2) > before
    assert 0 < card_confidence(0.0, 0.0, 1) < card_confidence(1.0, 1.0, 2) < 1


def test_all_pictures_are_read_in_one_thread(reader: CardReader, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each thread that runs the detector would keep 40 MB of its own."""
    threads: set[int] = set()

    def recorded(detector: Detector, pixels: Pixels) -> Detections:
        threads.add(threading.get_ident())
        return detect(detector, pixels)

    monkeypatch.setattr("vision.reader.detect", recorded)
    plain = Frame(np.full((48, 64, 3), 90, np.uint8), datetime.now(UTC), "plain")
    with ThreadPoolExecutor(4) as visitors:
        looks = list(visitors.map(reader.read, [plain] * 8))
    assert len(looks) == 8 and len(threads) == 1
