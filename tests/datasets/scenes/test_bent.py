"""Bent cards, a lens of little depth, and printed things that are no cards."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from datasets.arrays import floats
from datasets.decks.deck_art import DeckArt
from datasets.scenes.bent import bent, card_points, outline
from datasets.scenes.camera import Camera, card_outline, sample_camera
from datasets.scenes.card_render import UNIT, lay_card
from datasets.scenes.focus import Focus, blurred, sample_focus
from datasets.scenes.layouts import CARD_MM, Bend, SceneCard
from datasets.scenes.surroundings.clutter import Owner
from datasets.scenes.surroundings.prints import PRINTS, draw_cloth
from datasets.scenes.tables import draw_table
from datasets.scenes.visibility import PATCH, rank_outline
from scorer.faces import Face

SIZE = (400, 300)
NO_SHADOW = (0.0, 0.0, 0.0)


@pytest.fixture
def camera() -> Camera:
    return sample_camera(np.random.default_rng(3), *SIZE, 100, 0.5, tilts=(0.6, 0.6))


@pytest.fixture
def card(deck: DeckArt) -> SceneCard:
    face = Face("7", "H")
    return SceneCard(deck, face, deck.faces[face][0], 5.0, -8.0, 0.4, 0, "single")


def test_points_of_a_flat_card_are_where_its_outline_says(card: SceneCard, camera: Camera) -> None:
    assert card_points(card, camera, UNIT) == pytest.approx(card_outline(card, camera.table)[0], abs=1e-3)


def test_a_barely_bent_card_is_a_flat_one(card: SceneCard, camera: Camera) -> None:
    for raised in (False, True):
        hardly = replace(card, bend=Bend(1e-4, True, raised))
        assert card_points(hardly, camera, UNIT) == pytest.approx(card_outline(card, camera.table)[0], abs=0.05)


@pytest.mark.parametrize("lengthwise", [False, True])
def test_a_bend_keeps_lengths_along_the_card(card: SceneCard, lengthwise: bool) -> None:
    """From straight above and very far away, what is bent looks shorter by sin(a) / a, and what is not stays."""
    above = Camera(np.diag([1.0, 1.0, 1.0]), np.asarray([0.0, 0.0, -1e-9]))
    at = replace(card, x=0.0, y=0.0, turn=0.0, bend=Bend(0.5, lengthwise, True))
    sides = np.ptp(card_points(at, above, UNIT), axis=0) / (CARD_MM, CARD_MM * card.deck.height / 240)
    assert sides[int(lengthwise)] == pytest.approx(np.sin(0.5) / 0.5, abs=1e-3)
    assert sides[1 - int(lengthwise)] == pytest.approx(1.0, abs=1e-3)


def test_a_raised_middle_is_nearer_to_the_camera(card: SceneCard, camera: Camera) -> None:
    def width_of_the_middle(bend: Bend | None) -> float:
        ends = card_points(replace(card, bend=bend), camera, floats([[0, 0.5], [1, 0.5]]))
        return float(np.hypot(*(ends[1] - ends[0])))

    assert width_of_the_middle(Bend(0.6, True, True)) > 1.02 * width_of_the_middle(None)


def test_the_picture_of_a_bent_card_lies_inside_its_outline_with_its_print_where_it_is_said(
    card: SceneCard, camera: Camera
) -> None:
    for bend in (Bend(0.5, True, True), Bend(0.5, False, False)):
        marked = card.picture.copy()
        height, width = marked.shape[:2]
        marked[:, :, :3] = 255
        cv2.circle(marked, (round(0.2 * width), round(0.15 * height)), 12, (0, 0, 255, 255), -1)
        picture, owner = np.zeros((300, 400, 3), np.uint8), np.full((300, 400), -1, np.int16)
        one = replace(card, picture=marked, bend=bend)
        corners = lay_card(picture, owner, one, 4, camera.table, NO_SHADOW, whole=camera)
        assert corners == pytest.approx(card_points(one, camera, UNIT))
        inside = np.zeros((300, 400), np.uint8)
        cv2.fillPoly(inside, [np.round(outline(one, camera)).astype(np.int32)], 1)
        assert abs(int((owner == 4).sum()) - int(inside.sum())) < 0.06 * inside.sum()
        red = np.nonzero((picture[:, :, 2] > 150) & (picture[:, :, 0] < 90))
        said = card_points(one, camera, floats([[0.2, 0.15]]))[0]
        assert np.hypot(red[1].mean() - said[0], red[0].mean() - said[1]) < 2


def test_cards_of_a_low_camera_are_bent_so_little_that_they_hide_nothing_of_themselves(card: SceneCard) -> None:
    low = sample_camera(np.random.default_rng(1), *SIZE, 100, 0.5, tilts=(1.2, 1.2))
    assert low.tilt == pytest.approx(1.2)
    for rng in map(np.random.default_rng, range(20)):
        for one in bent(rng, [card] * 3, 1.0, low):
            assert one.bend and one.bend.angle <= 0.7 * (np.pi / 2 - 1.2)
    assert bent(np.random.default_rng(1), [card], 0.0, low) == [card]


def test_patches_of_bent_cards_follow_the_bend(deck: DeckArt) -> None:
    table = draw_table(np.random.default_rng(5), [deck], (480, 480), 110, clean=True, tilts=(0.5, 0.5), bent_share=1.0)
    off = [np.abs(index.patch - rank_outline(PATCH, index.quad, index.right)).max() for index in table.indices]
    assert len(off) > 5 and max(off) > 1.5
    flat = draw_table(np.random.default_rng(5), [deck], (480, 480), 110, clean=True, tilts=(0.5, 0.5))
    assert all(index.bent_patch is None for index in flat.indices)


def test_a_lens_of_little_depth_is_sharp_at_one_distance_only(camera: Camera) -> None:
    focus = sample_focus(np.random.default_rng(2), camera, SIZE, 400)
    amounts = [focus.blur(floats([200, y])) for y in range(300)]
    sharp = int(np.argmin(amounts))
    assert amounts[sharp] < 0.2 < max(amounts) <= 0.022 * 400
    noise = np.random.default_rng(1).integers(0, 256, (300, 400, 3)).astype(np.uint8)
    seen = blurred(noise, focus)
    blurriest = int(np.argmax(amounts))
    assert seen[sharp].std() > 1.5 * seen[blurriest].std()
    assert np.array_equal(blurred(noise, Focus(floats([0, 0, 0]))), noise)


def test_what_is_out_of_focus_need_not_be_read(deck: DeckArt, monkeypatch: pytest.MonkeyPatch) -> None:
    def readable(blur: float) -> int:
        focus = Focus(floats([0, 0, blur]))
        monkeypatch.setattr("datasets.scenes.tables.sample_focus", lambda *_: focus)
        return len(draw_table(np.random.default_rng(5), [deck], (480, 480), 90, clean=True, shallow=True).indices)

    assert readable(0.0) > 5 and readable(9.0) == 0


@pytest.mark.parametrize("draw", PRINTS)
def test_things_that_are_no_cards_have_print_and_a_mask(draw: object) -> None:
    assert callable(draw)
    for seed in range(3):
        picture, mask = draw(np.random.default_rng(seed), 120)
        assert picture.shape[:2] == mask.shape and picture.dtype == np.uint8 and (mask > 0).mean() > 0.8
    assert draw_cloth(np.random.default_rng(1), 60, 80).shape == (60, 80, 3)


def test_prints_cover_what_lies_under_them() -> None:
    from datasets.scenes.surroundings.clutter import scatter_objects

    picture: np.ndarray[tuple[int, ...], np.dtype[np.uint8]] = np.zeros((200, 200, 3), np.uint8)
    owner: Owner = np.zeros((200, 200), np.int16)
    scatter_objects(np.random.default_rng(1), picture, owner, 100, over=True, count=3, kinds=PRINTS)
    assert (owner == -1).any() and not picture[owner == 0].any()
