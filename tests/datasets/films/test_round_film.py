"""A short film of a round: what is drawn is what its truth says."""

from __future__ import annotations

from itertools import islice

import cv2
import numpy as np
import pytest

from datasets.arrays import Floats, Picture, floats
from datasets.decks.deck_art import DeckArt
from datasets.decks.drawn_decks import draw_deck
from datasets.films import FIRST_UNSEEN, Film, film, round_film
from datasets.films.playing.play import lying_at
from scorer.rules.library import load_rules
from scorer.scoring import score
from scorer.sheets import read_sheet

SIZE = (960, 540)


@pytest.fixture(scope="module")
def short() -> Film:
    return film(3, SIZE, changes=24)


def test_the_same_seed_gives_the_same_film(short: Film) -> None:
    again = film(3, SIZE, changes=24)
    assert again.play == short.play and again.truth == short.truth
    for (at, picture), (other_at, other) in zip(islice(short.frames(), 3), islice(again.frames(), 3), strict=True):
        assert at == other_at and picture.shape == (540, 960, 3) and np.array_equal(picture, other)
    assert film(4, SIZE, changes=24).play != short.play


def test_every_group_holds_the_cards_that_were_laid_and_not_taken_back(short: Film) -> None:
    counts: dict[int, int] = {}
    for change in short.truth.history:
        sign = {"laid": 1, "added": 1, "taken-back": -1}.get(change.what, 0)
        counts[change.group] = counts.get(change.group, 0) + sign * len(change.cards)
    assert counts and {group.group: len(group.cards) for group in short.truth.groups} == counts


def test_the_points_are_those_of_the_sheet_by_the_rules(short: Film) -> None:
    sheet = read_sheet(short.truth.sheet)
    sides = score(sheet, load_rules(short.truth.rules)).sides
    assert tuple(side.total for side in sides) == short.truth.table_scores
    melded = [face for side in sheet.sides for meld in side.melds if isinstance(meld, tuple) for face in meld]
    laid = [face for side in sheet.sides for face in side.laid]
    assert sorted(map(str, melded + laid)) == sorted(face for group in short.truth.groups for face in group.cards)


def test_melded_cards_lie_on_the_table_face_up(short: Film) -> None:
    lying = lying_at(short.play, short.truth.seconds)
    melded = {face for group in short.truth.groups for face in group.cards}
    assert {str(short.play.faces[card]) for card, one in lying.items() if one.up} >= melded


def _as_card(picture: Picture, quad: list[list[float]], height: int) -> Floats:
    """The card cut out of the picture, grey, of mean 0 and length 1."""
    size = (60, round(height / 4))
    corners = floats([[0, 0], [size[0], 0], [size[0], size[1]], [0, size[1]]])
    cut = cv2.warpPerspective(picture, cv2.getPerspectiveTransform(floats(quad), corners), size)
    return _alike(np.asarray(cut, np.uint8))


def _resized(picture: Picture, height: int) -> Picture:
    return np.asarray(cv2.resize(picture[:, :, :3], (60, round(height / 4))), np.uint8)


def _alike(picture: Picture) -> Floats:
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY).astype(np.float32)
    grey -= grey.mean()
    return floats(grey / np.linalg.norm(grey))


def test_the_cards_on_top_lie_where_the_truth_says(short: Film) -> None:
    """Each is more like its own picture than like any other of its deck."""
    at, picture = next(short.frames(short.play.ends - 1))
    quads, lying = short.quads(at), lying_at(short.play, at)
    deck = short.decks[0]
    art = {face: [_alike(_resized(one, deck.height)) for one in pictures] for face, pictures in deck.faces.items()}
    groups = {change.group: change.lying[-1].card for change in short.play.changes if change.group is not None}
    checked = 0
    for card in groups.values():
        if card not in lying or any(cover.begins < at < cover.ends for cover in short.play.covers):
            continue
        seen = _as_card(picture, quads[card], deck.height)
        best = max(art, key=lambda face: max(float((seen * one).sum()) for one in art[face]))
        checked += 1
        assert best == short.play.faces[card]
    assert checked >= 2


def test_films_for_reporting_have_decks_held_out_of_training(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[object] = []

    def drawn(*given: object) -> DeckArt:
        asked.append(given[2])
        return draw_deck("film", 0)

    monkeypatch.setattr(round_film, "draw_deck", drawn)
    monkeypatch.setattr(round_film, "PACKAGED_SHARE", 0)
    for seed, held_out in ((1, False), (FIRST_UNSEEN, True)):
        film(seed, (320, 180), changes=3)
        assert asked and set(asked) == {held_out}
        asked.clear()


def test_a_film_of_hand_n_foot_has_its_deck() -> None:
    made = film(2, (320, 180), rules="hand-n-foot", changes=3)
    assert made.truth.deck == "hand-n-foot" and next(made.frames())[1].shape == (180, 320, 3)
