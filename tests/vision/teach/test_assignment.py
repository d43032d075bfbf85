"""Faces go to cards by a person's list or by answers, and what is missing or there twice is known."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from scorer.faces import JOKER, Face
from vision.teach.assignment import CERTAIN, Assignment, assign_listed
from vision.teach.proposals import face_proposals
from vision.teach.taught import DeckPhotos, TaughtCard
from vision.values import SeenCard

SQUARE = ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0))
EIGHT, NINE, KING = Face("8", "H"), Face("9", "H"), Face("K", "S")
Proposals = tuple[tuple[Face, float], ...]


def shown(*proposals: Proposals, photo: int = 0) -> list[TaughtCard]:
    picture = np.zeros((10, 10, 3), np.uint8)
    return [TaughtCard(photo, 0, n, SQUARE, picture, 100, 1, 200, own) for n, own in enumerate(proposals)]


def deck(cards: Sequence[TaughtCard]) -> DeckPhotos:
    return DeckPhotos(tuple(cards), (), ())


def tell(assigned: Assignment, told: dict[int, Face]) -> Assignment:
    """With what a person said of cards."""
    return replace(assigned, told={**assigned.told, **told})


def leave_out(assigned: Assignment, card: int) -> Assignment:
    """Without one card, such as a double."""
    return replace(
        assigned, told={n: face for n, face in assigned.told.items() if n != card}, left_out=frozenset({card})
    )


def is_complete(assigned: Assignment) -> bool:
    return not assigned.missing() and not assigned.doubled()


def test_a_list_gives_every_card_its_face() -> None:
    cards = deck([*shown((), ()), *shown((), photo=1)])
    assigned, notes = assign_listed(cards, [EIGHT, NINE, JOKER], [[EIGHT, JOKER], [NINE]])
    assert notes == ()
    assert list(assigned.pictures()) == [EIGHT, NINE, JOKER]
    assert assigned.pictures()[JOKER][0] is cards.cards[1]
    assert is_complete(assigned)


def test_a_list_of_another_length_assigns_nothing_of_that_photo_and_says_so() -> None:
    cards = deck([*shown((), ()), *shown((), photo=1)])
    assigned, notes = assign_listed(cards, [EIGHT, NINE], [[EIGHT], [NINE]])
    assert [note.code for note in notes] == ["count"]
    assert assigned.missing() == (EIGHT,)


def test_certain_proposals_need_no_question_and_cards_are_asked_about_as_they_lie() -> None:
    cards = deck(shown(((EIGHT, 0.999),), ((NINE, 0.4), (EIGHT, 0.3)), ((KING, 0.7),), ()))
    assigned = Assignment(cards, (EIGHT, NINE, KING, JOKER))
    assert assigned.settled() == {0: EIGHT}
    question = assigned.next_question()
    assert question and (question.card, question.options[0]) == (1, NINE)
    assigned = tell(assigned, {2: KING})
    question = assigned.next_question()
    assert question and question.card == 1
    assert question.options == (NINE, JOKER, EIGHT, KING)
    question = tell(assigned, {1: NINE}).next_question()
    assert question and question.card == 3
    assigned = tell(assigned, {1: NINE, 3: JOKER})
    assert assigned.next_question() is None
    assert is_complete(assigned)


def test_two_cards_that_are_certainly_one_face_are_asked_about() -> None:
    cards = deck(shown(((EIGHT, 0.999),), ((EIGHT, 0.999),)))
    assigned = Assignment(cards, (EIGHT, NINE))
    assert assigned.settled() == {}
    assigned = tell(assigned, {0: EIGHT, 1: EIGHT})
    assert assigned.doubled() == (EIGHT,)
    assert assigned.notes()[0].message.startswith("The 8♥ is there twice (row 1, card 1 and row 1, card 2)")
    assert replace(assigned, variants=frozenset({EIGHT})).doubled() == ()
    assert leave_out(assigned, 1).doubled() == ()


def test_a_card_that_a_second_photo_shows_again_is_not_asked_about() -> None:
    first, second = shown(((EIGHT, 0.999),), ((NINE, 0.999),)), shown(((EIGHT, 0.999),), ((NINE, 0.999),), photo=1)
    cards = [*first, replace(second[0], sharpness=2), replace(second[1], sharpness=0.5)]
    assigned = Assignment(DeckPhotos(tuple(cards), (), ((0, 2), (1, 3))), (EIGHT, NINE))
    assert assigned.settled() == {1: NINE, 2: EIGHT} and assigned.repeated() == {0: EIGHT, 3: NINE}
    assert assigned.next_question() is None and is_complete(assigned)
    assert leave_out(assigned, 2).settled() == {0: EIGHT, 1: NINE}, "the other picture steps in"
    assert tell(assigned, {0: EIGHT}).settled() == {0: EIGHT, 1: NINE}, "a person's word goes before sharpness"
    assert tell(assigned, {0: EIGHT, 2: EIGHT}).doubled() == (EIGHT,)


def test_cards_that_do_not_look_alike_or_jokers_are_asked_about_in_two_photos_too() -> None:
    unlike = deck([*shown(((EIGHT, 0.999),)), *shown(((EIGHT, 0.999),), photo=1)])
    jokers = [*shown(((JOKER, 0.999),)), *shown(((JOKER, 0.999),), photo=1)]
    for photos in (unlike, DeckPhotos(tuple(jokers), (), ((0, 1),))):
        assigned = Assignment(photos, (EIGHT, JOKER))
        assert assigned.settled() == {} and assigned.repeated() == {} and assigned.next_question()


def test_missing_faces_are_named_once_all_cards_have_theirs() -> None:
    cards = deck(shown((), ()))
    assigned = tell(Assignment(cards, (EIGHT, NINE, KING)), {0: EIGHT})
    assert assigned.notes() == ()
    assert "9♥" in leave_out(assigned, 1).notes()[0].message


def test_a_deck_without_suits_gets_the_sum_of_the_suits_and_picture_cards_share_the_joker() -> None:
    red = SeenCard(Face("3", "H"), 0.6, ((Face("3", "D"), 0.3), (Face("3", "C"), 0.05)), SQUARE)
    assert face_proposals(red, [Face("R3"), Face("B3"), Face("8")]) == ((Face("R3"), 0.9), (Face("B3"), 0.05))
    joker = SeenCard(JOKER, 1.0, (), SQUARE)
    assert face_proposals(joker, [Face("LADY"), Face("LORD"), Face("8")]) == ((Face("LADY"), 0.5), (Face("LORD"), 0.5))
    assert face_proposals(None, [Face("8")]) == ()


def test_a_number_that_the_reader_does_not_know_is_not_settled_as_one_that_it_knows() -> None:
    numbers = [Face(str(number)) for number in range(1, 13)]
    shares = dict[str, dict[Face, float]]()
    for text in ("10", "7", "8", "2"):
        card = SeenCard(Face(text, "S"), 0.999, (), ((0, 0), (1, 0), (1, 1), (0, 1)), None)
        shares[text] = dict(face_proposals(card, numbers))
    assert set(shares["10"]) == {Face(text) for text in ("10", "1", "11", "12")} and shares["10"][Face("10")] < CERTAIN
    assert set(shares["7"]) == {Face("7"), Face("1")} and set(shares["2"]) == {Face("2"), Face("12")}
    assert shares["8"] == {Face("8"): 0.999}, "no unknown number looks like it"
    assert all(0.99 < sum(one.values()) <= 1 for one in shares.values())
