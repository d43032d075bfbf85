"""Which faces lie together."""

from __future__ import annotations

from collections import Counter

import numpy as np

from datasets.decks.play import BOOK, STANDARD_PLAY, ProfilePlay, play_of
from datasets.decks.unsuited.draw import SUITLESS_FACES, SUITLESS_PLAY
from scorer.deck import DeckProfile, load_deck
from scorer.faces import Face

SHOTS = 300


def test_the_standard_deck_draws_the_same_from_a_seed_for_ever() -> None:
    """The fixed sets of tables that figures are reported on depend on it."""
    assert play_of(load_deck("standard")) is STANDARD_PLAY
    rng = np.random.default_rng(4)
    melds = [" ".join(map(str, STANDARD_PLAY.meld(rng))) for _ in range(3)]
    assert melds == ["KD KD KD KD KD KD KD KD", "AS AC AH AS AH AS AD AS AS AD", "JK 8S JK 8D"]
    hand = " ".join(str(STANDARD_PLAY.any_face(rng)) for _ in range(12))
    assert hand == "KC 4C 7C 7S 10H 3D 5S 3C QH JK 10D 7S"


def test_hand_n_foot_melds_as_its_rules_say() -> None:
    play, rng = play_of(load_deck("hand-n-foot")), np.random.default_rng(1)
    assert isinstance(play, ProfilePlay)
    assert play.melded == (*map(str, range(1, 13)), "LORD") and play.caps == (Face("LADY"),)
    capped = 0
    for _ in range(SHOTS):
        faces = play.meld(rng)
        capped += faces[-1] == Face("LADY")
        cards = faces[:-1] if faces[-1] == Face("LADY") else faces
        ranks = {face.rank for face in cards} - {"JESTER", "JOKER"}
        assert len(ranks) <= 1 and not ranks & {"LADY", "VILLAIN"}
        if faces[-1] == Face("LADY"):  # a cap needs a finished book, and no natural book with wilds in it
            assert len(cards) >= BOOK and len({face.rank in ("JESTER", "JOKER") for face in cards}) == 1
    assert capped > 10
    hand = Counter(play.any_face(rng).rank for _ in range(3000))
    assert set(hand) == {face.rank for face in play.copies} and hand["LORD"] > hand["LADY"]
    assert {play.rare(rng).rank for _ in range(SHOTS)} == {"LORD", "LADY", "VILLAIN", "JESTER", "JOKER"}


def test_remastered_lays_red_threes_and_melds_no_three() -> None:
    play = play_of(load_deck("remastered"))
    assert isinstance(play, ProfilePlay)
    assert set(play.melded) == {"A", *map(str, range(4, 11)), "J", "Q", "K"} and play.alone == (Face("R3"),)
    assert {face.rank for face in play.wilds} == {"W20", "W50"}
    assert set(play.copies) == set(SUITLESS_FACES) and play.copies == SUITLESS_PLAY.copies


def test_a_deck_without_rules_of_its_own_melds_all_but_its_wilds() -> None:
    profile = DeckProfile.model_validate(
        {
            "id": "club",
            "name": "The club's",
            "cards": [{"ranks": ["4", "5"], "suits": ["C", "D"], "copies": 2}, {"ranks": ["W20"], "copies": 4}],
            "wild_ranks": ["W20"],
        }
    )
    play, rng = play_of(profile), np.random.default_rng(2)
    melds = [play.meld(rng) for _ in range(SHOTS)]
    assert {face for faces in melds for face in faces} == set(profile.faces)
    assert any({face.suit for face in faces} == {"C", "D"} for faces in melds)
    assert all(len(play.laid_alone(rng)) < 5 for _ in range(20))
