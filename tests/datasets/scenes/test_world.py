"""Tables of every kind, and the looks of packs that the usual ones lack."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from datasets.decks.deck_art import CARD_WIDTH, DeckArt
from datasets.decks.drawn_decks import draw_deck
from datasets.decks.styles import INDEX_WIDTHS, PROPORTIONS, USUAL_LOOK, Look
from datasets.scenes import world as world_module
from datasets.scenes.tables import Table, draw_table
from datasets.scenes.world import VIEWS, World, draw_view
from scorer.faces import JOKER, Face


@pytest.mark.parametrize("view", VIEWS)
def test_a_view_has_readable_cards_and_depends_on_its_seed_alone(view: str, deck: DeckArt) -> None:
    one, two = (draw_view(np.random.default_rng([1, 5]), [], World({view: 1.0}), 320, pool=[deck]) for _ in range(2))
    assert one.cards or view == "no_cards"
    assert one.picture.shape == (320, 320, 3) and np.array_equal(one.picture, two.picture)


def test_a_view_that_does_not_exist_is_refused() -> None:
    with pytest.raises(ValueError, match="expected weights of some of the views usual, "):
        World({"sideways": 1.0})
    with pytest.raises(ValueError, match="expected weights"):
        World({"usual": 0.0})


def angles(view: str, monkeypatch: pytest.MonkeyPatch, deck: DeckArt) -> list[tuple[float, float] | None]:
    given: list[tuple[float, float] | None] = []

    def noted(*args: object, **how: object) -> Table:
        given.append(how["tilts"])  # type: ignore[arg-type]
        return draw_table(*args, **how)  # type: ignore[arg-type]

    monkeypatch.setattr(world_module, "draw_table", noted)
    draw_view(np.random.default_rng(3), [], World({view: 1.0}), 240, pool=[deck])
    return given


def test_cameras_look_straight_down_or_from_low_down(monkeypatch: pytest.MonkeyPatch, deck: DeckArt) -> None:
    assert angles("straight_down", monkeypatch, deck)[0] == (0.0, 0.04)
    low, high = (np.degrees(value) for value in angles("oblique", monkeypatch, deck)[0] or ())
    assert 49 < low < 51 and 64 < high < 66


def test_a_low_camera_foreshortens_cards(deck: DeckArt) -> None:
    def height_to_width(tilts: tuple[float, float]) -> float:
        table = draw_table(np.random.default_rng(2), [deck], (480, 480), card_pixels=70, clean=True, tilts=tilts)
        sides = [np.ptp(card.quad, axis=0) for card in table.cards]
        return float(np.median([side[1] / side[0] for side in sides]))

    assert height_to_width((1.0, 1.0)) < 0.8 * height_to_width((0.0, 0.01))


def test_filling_cards_are_large_and_a_fan_has_eleven_to_thirteen(deck: DeckArt) -> None:
    large = draw_view(np.random.default_rng(4), [], World({"filling": 1.0}), 320, pool=[deck])
    assert len(large.cards) <= 3 and np.ptp(large.cards[0].quad[:, 0]) > 0.25 * 320
    fan = draw_view(np.random.default_rng(4), [], World({"fan": 1.0}), 320, pool=[deck])
    laid = len(fan.cards) + fan.hidden
    assert 11 <= laid <= 13


def test_columns_have_four_to_twelve_cards_at_even_steps(deck: DeckArt) -> None:
    for seed in range(4):
        table = draw_view(np.random.default_rng(seed), [], World({"columns": 1.0}), 320, pool=[deck])
        sizes = [sum(card.group == group for card in table.cards) for group in {card.group for card in table.cards}]
        assert max(sizes) <= 12


def test_tables_of_things_that_are_no_cards_have_few_cards_or_none(deck: DeckArt) -> None:
    counts = [
        len(draw_view(np.random.default_rng(seed), [], World({"no_cards": 1.0}), 160, pool=[deck]).cards)
        for seed in range(12)
    ]
    assert 0 in counts and 0 < max(counts) < 5


def test_only_ranks_show_where_that_is_asked(deck: DeckArt, monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[object] = []

    def noted(*args: object, **how: object) -> Table:
        given.append((how["tight_share"], how["bent_share"], how["shallow"], how["prints_share"]))
        return draw_table(*args, **how)  # type: ignore[arg-type]

    monkeypatch.setattr(world_module, "draw_table", noted)
    for view in ("rank_only", "bent", "shallow", "usual"):
        draw_view(np.random.default_rng(3), [], World({view: 1.0}, prints=1.0), 240, pool=[deck])
        assert given[-1] == (
            1.0 if view == "rank_only" else world_module.TIGHT_SHARE,
            world_module.BENT_SHARE if view == "bent" else 0.0,
            view == "shallow",
            1.0,
        )


def test_a_small_second_index_is_read_where_it_is_large_enough() -> None:
    second = draw_deck("toy", 6, look=Look(second_index=True))

    def heights(across: float) -> list[float]:
        cards = [world_module._card(np.random.default_rng(2), second, 0, 0, 0.1)]
        cards = [replace(cards[0], face=Face("8", "S"), picture=second.faces[Face("8", "S")][0])]
        table = draw_table(np.random.default_rng(1), [second], (400, 400), across, 0.0, clean=True, cards=cards)
        return sorted(index.tall for index in table.indices if index.right)

    assert heights(180) and not heights(40)


def test_packs_of_unlike_size_lie_on_one_table(deck: DeckArt) -> None:
    table = draw_table(np.random.default_rng(1), [deck, deck], (480, 480), 60, 0.0, clean=True, sizes=(0.7, 1.4))
    widths = {round(float(np.hypot(*(card.quad[1] - card.quad[0]))) / 60, 1) for card in table.cards}
    assert min(widths) < 0.85 and max(widths) > 1.2


def test_looks_change_proportion_index_paper_letters_and_jokers() -> None:
    usual = draw_deck("toy", 6)
    tall = [draw_deck("toy", seed, look=Look(any_proportion=True)).height / CARD_WIDTH for seed in range(6)]
    assert min(tall) < 1.4 < 1.6 < max(tall) and PROPORTIONS[0] <= min(tall) and max(tall) <= PROPORTIONS[1] + 0.01
    dark = draw_deck("toy", 6, look=Look(dark=True)).faces[Face("8", "S")][0]
    inside = dark[dark[:, :, 3] > 200][:, :3]
    assert np.median(inside) < 100 < 150 < inside.max()
    foreign = draw_deck("toy", 6, look=Look(foreign=True))
    corner = (slice(0, 80), slice(0, 60))
    assert not np.array_equal(foreign.faces[Face("J", "S")][0][corner], usual.faces[Face("J", "S")][0][corner])
    assert np.array_equal(foreign.faces[Face("7", "S")][0], usual.faces[Face("7", "S")][0])
    signed = draw_deck("toy", 6, look=Look(own_signs="training"))
    assert not np.array_equal(signed.faces[JOKER][0], draw_deck("toy", 6, look=Look(own_signs="apart")).faces[JOKER][0])
    assert signed.index_box(JOKER, signed.faces[JOKER][0], False) is not None


def test_indices_are_from_a_tenth_to_a_third_of_a_card_wide() -> None:
    boxes = [draw_deck("toy", seed, look=Look(any_index=True)).rank_box for seed in range(8)]
    widths = [box[2] - box[0] for box in boxes]
    assert max(widths) <= INDEX_WIDTHS[1] + 0.01 and max(widths) > 1.5 * min(widths)


def test_the_usual_look_changes_nothing() -> None:
    assert World().look(np.random.default_rng(0)) == USUAL_LOOK
    everything = World(proportions=1, indices=1, dark=1, foreign=1, own_signs=1)
    assert everything.look(np.random.default_rng(0)) == Look(True, True, True, True, "training")
    new = replace(everything, papers=1, rank_alone=1, second_index=1).look(np.random.default_rng(0))
    assert new == Look(True, True, True, True, "training", True, True, True)
    rngs = [np.random.default_rng(1), np.random.default_rng(1)]
    everything.look(rngs[0]), rngs[1].random(5)
    assert rngs[0].random() == rngs[1].random()  # a world without the new looks draws nothing for them
    assert replace(everything, apart=True).look(np.random.default_rng(0)).own_signs == "apart"
