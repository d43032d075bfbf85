"""Teaching a deck on the page: one question at a time, nothing lost by bad photos, saved in the data folder."""

from __future__ import annotations

import io
import re
from collections.abc import Callable

import pytest
from flask import Flask

from datasets.decks.drawn_decks import draw_deck
from datasets.decks.styles import Look
from datasets.scenes.teaching_photos import Bad
from scorer.faces import JOKER, Face
from tests.vision.teach.drawn import photos
from tests.webui.helpers.playing import Person
from tests.webui.helpers.teaching import KnowingReader, cards_photo, faces_of, file_of, jokers_photo
from tests.webui.pages.decks.conftest import Show
from vision.teach.match.taught_faces import TaughtFaces
from webui.context.services import services_of
from webui.decks.learning import DeckLearning
from webui.decks.lesson import Lesson

GOOD = cards_photo(1)


@pytest.fixture(autouse=True)
def started(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The decks of which learning was begun, which takes a minute of its own."""
    begun: list[str] = []
    monkeypatch.setattr(DeckLearning, "renew", lambda one: begun.extend(deck.id for deck in one._decks.all()))
    return begun


def lesson(app: Flask, deck: str = "ours") -> Lesson:
    return services_of(app).lessons.of(deck)


def notices(person: Person) -> list[str]:
    return [
        " ".join(re.sub("<[^>]*>", "", text).split())
        for text in re.findall(r'<p class="notice[^>]*>(.*?)</p>', person.page)
    ]


def question(person: Person) -> int:
    found = re.search(r'<form class="answers"[^>]*>.*?name="card" value="(\d+)"', person.page, re.DOTALL)
    assert found, person.text
    return int(found[1])


def answer(person: Person, face: str, card: int | None = None) -> None:
    seen = re.search(r'name="seen" value="(\d+)"', person.page)
    assert seen
    asked = question(person) if card is None else card
    person.send("/decks/ours/teach/answer", card=asked, face=face, seen=seen[1])
    assert person.status == 200


def test_cards_that_are_known_are_proposed_and_saved_with_one_tap(app: Flask, show: Show, started: list[str]) -> None:
    person = show(GOOD)
    assert person.path == "/decks/ours/teach"
    assert len(lesson(app).cards) == 6 and "Save these 6 cards" in person.text
    assert "Still missing" in person.text, "the deck has more faces"
    person.send("/decks/ours/teach/save")
    deck = services_of(app).decks.get("ours")
    assert {str(face) for face in deck.faces} == set(faces_of(GOOD)) and person.path == "/decks/ours/"
    assert started == ["ours"], "the camera gets to know them by itself"
    assert "6 cards are saved." in person.text and lesson(app).photos == ()
    assert {path.name for path in deck.folder.iterdir()} == {"deck.toml", "faces"}, "the photos are gone"


def test_jokers_are_asked_about_one_by_one_and_two_of_a_kind_are_refused_unless_told(app: Flask, show: Show) -> None:
    person = show(jokers_photo(3))
    first = question(person)
    assert "Which card is this?" in person.text and "2 to go" in person.text
    answer(person, "JK")
    assert question(person) != first and "1 to go" in person.text
    answer(person, "JK")
    assert "Two pictures of the joker" in person.text and "different kinds" in person.text
    assert "Save these" not in person.text
    person.send("/decks/ours/teach/save")
    assert "There is still a question to answer first." in person.text, "pressing Save elsewhere does not skip it"
    person.send("/decks/ours/teach/kinds", face="JK", keep="all")
    assert "Save these 3 cards" in person.text
    person.send("/decks/ours/teach/again", what="back")
    assert "Two pictures of the joker" in person.text
    person.send("/decks/ours/teach/kinds", face="JK", keep=str(first))
    assert "Save these 2 cards" in person.text and "not used" in person.text
    person.send("/decks/ours/teach/save")
    assert len(services_of(app).decks.get("ours").faces[JOKER]) == 1


def test_a_card_can_be_skipped_left_out_turned_and_changed(app: Flask, show: Show) -> None:
    person = show(jokers_photo(3))
    first = question(person)
    answer(person, "skip")
    second = question(person)
    assert second != first
    answer(person, "no-card")
    assert "Name the card you skipped" in person.text
    person.send("/decks/ours/teach/again", what="skipped")
    assert question(person) == first
    before = services_of(app).lessons.picture_bytes("ours", lesson(app).cards[first])
    person.send("/decks/ours/teach/turn", card=first)
    assert services_of(app).lessons.picture_bytes("ours", lesson(app).cards[first]) != before
    answer(person, "JK", first)
    person.open(f"/decks/ours/teach?card={second}")
    assert question(person) == second
    answer(person, "no-card")
    assert lesson(app).answers.left_out == {second: "no-card"}
    person.send("/decks/ours/teach/answer", card=99, face="JK")
    assert "That card is gone." in person.text
    person.send("/decks/ours/teach/answer", card=first, face="W50")
    assert "That card is gone." in person.text and lesson(app).answers.told == {first: "JK"}


@pytest.mark.parametrize(
    ("bad", "sentence"),
    [
        ("blurred", "is blurred: hold the phone still and take it once more."),
        ("cut off", "cut off at the edge of photo 2: move back a little."),
        pytest.param(
            "twice",
            "A card seems to be here twice. You will be asked which picture to keep.",
            marks=pytest.mark.by_hand,
        ),
        ("overlapping", "partly covered: lay the cards side by side"),
    ],
)
def test_a_bad_photo_gets_one_sentence_and_nothing_is_lost(app: Flask, show: Show, bad: Bad, sentence: str) -> None:
    person = show(jokers_photo(3))
    answer(person, "JK")
    told = lesson(app).answers.told
    show(cards_photo(3 if bad == "cut off" else 1, 12 if bad == "cut off" else 6, bad))
    said = [text for text in notices(person) if sentence in text]
    assert len(said) == 1, notices(person)
    assert lesson(app).answers.told == told and len(lesson(app).photos) == 2
    person.send("/decks/ours/teach/photo/2/remove")
    assert lesson(app).answers.told == told and len(lesson(app).photos) == 1
    assert not [text for text in notices(person) if sentence in text]


def test_a_blurred_photo_taken_once_more_asks_nothing_again(app: Flask, show: Show) -> None:
    person = show(cards_photo(1, 6, "blurred"))
    assert any("is blurred" in text for text in notices(person))
    show(cards_photo(2))
    said = ["6 cards are in more than one photo. The sharper picture of each is used."]
    assert notices(person) == said and "Save these 6 cards" in person.text, person.text
    deck = services_of(app).decks.get("ours")
    settled = lesson(app).assignment(deck.profile, ()).settled()
    assert {lesson(app).cards[n].photo for n in settled} == {2} and person.text.count("not used") == 6
    person.send("/decks/ours/teach/save")
    assert "6 cards are saved." in person.text


def test_an_upside_down_photo_is_read_as_it_is(app: Flask, show: Show) -> None:
    upside_down = cards_photo(1, 6, "upside down")
    person = show(upside_down)
    assert "Save these 6 cards" in person.text
    assert sorted(lesson(app).assignment(services_of(app).decks.get("ours").profile, ()).settled().values()) == sorted(
        Face.parse(text) for text in faces_of(upside_down)
    )


def test_three_cards_only_are_told(app: Flask, show: Show) -> None:
    person = show(cards_photo(1, 3, "three cards"))
    assert sum("Only 3 cards found: lay out all the cards of the deck" in text for text in notices(person)) == 1
    show(cards_photo(4))
    assert not any("Only 3 cards" in text for text in notices(person)), "with another photo there are more"


def test_two_decks_mixed_are_told(app: Flask, show: Show) -> None:
    dark = draw_deck("dark", 5002, look=Look(dark=True))
    person = show(photos(1, 8, bad="two decks", other=dark)[0])
    assert sum("These look like cards of two decks" in text for text in notices(person)) == 1
    assert len(lesson(app).cards) > 5, "nothing is lost"


def test_what_is_no_photo_or_one_too_many_is_refused_in_a_sentence(app: Flask, show: Show) -> None:
    person = show(GOOD)
    before = lesson(app)
    person.send("/decks/ours/teach/photos", photos=[(io.BytesIO(b"no photo at all"), "holiday.jpg")])
    assert len(notices(person)) == 1 and "holiday.jpg" in notices(person)[0]
    assert lesson(app) == before
    show(GOOD)
    assert "is already here, so it was not added again." in person.text and lesson(app) == before
    person.send("/decks/ours/teach/photos")
    assert "No photo was chosen." in person.text
    show(jokers_photo(3), cards_photo(4, 3), cards_photo(5, 3), cards_photo(6, 3))
    assert "Up to 4 photos fit." in person.text and len(lesson(app).photos) == 4


def test_a_restart_at_any_point_goes_on_with_the_same_question(
    app: Flask, show: Show, make_app: Callable[[], Flask]
) -> None:
    person = show(jokers_photo(3))
    answer(person, "JK")
    asked, page = question(person), lesson(app)
    again = Person(make_app())
    again.open("/decks/ours/teach")
    assert question(again) == asked and lesson(again.client.application) == page
    assert "Go on where you stopped" in again.open("/decks/ours/")
    assert "Go on where you stopped" in again.open("/decks/")


def test_another_device_that_answered_meanwhile_is_told(app: Flask, show: Show) -> None:
    person = show(jokers_photo(3))
    first, seen = question(person), lesson(app).version
    answer(person, "JK")
    person.send("/decks/ours/teach/answer", card=first, face="no-card", seen=seen)
    assert "Someone else answered meanwhile." in person.text and lesson(app).answers.told == {first: "JK"}


def test_just_the_jokers_help_at_once_in_a_game_that_is_played_with_them(
    app: Flask, show: Show, reader: KnowingReader
) -> None:
    person = show(jokers_photo(3, 2, 0), what="jokers")
    assert "Is this the joker?" in person.text
    answer(person, "JK")
    answer(person, "JK")
    person.send("/decks/ours/teach/kinds", face="JK", keep="all")
    round_ = person.begin(rules="tournament-play")
    person.send("/decks/ours/teach/save")
    person.open("/decks/ours/")
    assert "Play with these cards" in person.text
    decks = re.findall(r'name="deck" value="([^"]+)"', person.page)
    assert decks == ["standard", "ours"]
    side = f"{round_}/side/0"
    person.photo(side, file_of(GOOD), "a.jpg")
    assert reader.taught[-1] is None, "not played with them yet"
    person.send("/game/1/decks/", deck=decks)
    assert "is played with these cards" in person.open("/decks/ours/")
    person.photo(side, file_of(cards_photo(4)), "b.jpg")
    assert isinstance(reader.taught[-1], TaughtFaces)
    person.begin(rules="tournament-play")
    assert services_of(app).store.games()[0].decks == ("standard", "ours"), "a new game has them by itself"


def test_jokers_shown_again_are_better_pictures_or_another_kind(app: Flask, show: Show) -> None:
    for keep, pictures in (("0", 1), ("all", 2), ("old", 2)):
        person = show(jokers_photo(3, 1, 1))
        answer(person, "JK", next(n for n, card in enumerate(lesson(app).cards) if not card.proposals))
        if "From before" in person.page:
            own = re.findall(r'name="keep" value="(\d+)"', person.page)
            person.send("/decks/ours/teach/kinds", face="JK", keep=own[0] if keep == "0" else keep)
        person.send("/decks/ours/teach/save")
        assert len(services_of(app).decks.get("ours").faces[JOKER]) == pictures, keep
        person.send("/decks/ours/teach/begin", what="all")


def test_the_cards_of_an_unusual_deck_can_be_typed(app: Flask) -> None:
    person = Person(app)
    for typed, sentence in (
        ("", "Type the cards of one pack"),
        ("1, 2, 1", "1 is in the list twice."),
        ("1, $$$", "“$$$” can’t be the name of a card."),
        ("200 x Lady", "A pack can have 1 to 99 of each card."),
    ):
        person.send("/decks/new", kind="typed", faces=typed, name="Odd")
        assert person.status == 400 and sentence in person.text, typed
    person.send("/decks/new", kind="typed", faces="1, 2\n3 x Old Maid, Joker", name="Odd", copies="4")
    profile = services_of(app).decks.get("odd").profile
    assert {str(face): number for face, number in profile.copies.items()} == {"1": 4, "2": 4, "OLDMAID": 3, "JOKER": 4}
    assert profile.names == {"OLDMAID": "old maid"} and profile.wild_ranks == ("JOKER",)
    person.send("/decks/new", kind="typed", faces="8H, Joker", name="Short")
    assert [str(face) for face in services_of(app).decks.get("short").profile.faces] == ["8H", "JK"]
