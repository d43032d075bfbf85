"""Recipes as they are read."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("torch", reason="the extra train is not installed")

from models.pipeline.recipe import RecipeError, load_recipe, merged
from models.pipeline.run import KINDS

RECIPES = Path(__file__).parents[3] / "models" / "pipeline" / "recipes"


def write(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize("path", sorted(RECIPES.glob("*.toml")), ids=lambda path: path.stem)
@pytest.mark.parametrize("toy", [False, True])
def test_a_committed_recipe_has_stages_of_known_kinds_after_their_parents(path: Path, toy: bool) -> None:
    recipe = load_recipe(path, toy)
    assert {stage.kind for stage in recipe.stages} <= set(KINDS)
    assert recipe.name.endswith("-toy") == toy
    trainings = [stage for stage in recipe.stages if stage.kind in ("roi_head", "relation", "detector")]
    wanted = {"detector": ["detector"], "roi_head": ["roi_head"], "reader": ["relation"]}[path.stem]
    assert [stage.kind for stage in trainings] == wanted
    assert all((int(training.settings["steps"]) < 20) == toy for training in trainings)


def test_toys_are_merged_into_their_stages(tmp_path: Path) -> None:
    stage = '[[stage]]\nname = "one"\nkind = "given"\nsteps = 5\n[stage.world]\ndark = 0.5\nsizes = 0.25\n'
    toy = "[toy.one]\nworld = { dark = 0.1 }\n"
    path = write(tmp_path / "recipe.toml", 'name = "recipe"\nseed = 7\n' + stage + toy)
    whole, small = load_recipe(path), load_recipe(path, toy=True)
    assert (whole.name, small.name) == ("recipe", "recipe-toy")
    assert whole.stages[0].settings == {"seed": 7, "steps": 5, "world": {"dark": 0.5, "sizes": 0.25}}
    assert small.stages[0].settings == {"seed": 7, "steps": 5, "world": {"dark": 0.1, "sizes": 0.25}}


def test_merging_keeps_what_is_not_changed() -> None:
    assert merged({"a": {"b": 1, "c": 2}, "d": 3}, {"a": {"b": 4}, "e": 5}) == {"a": {"b": 4, "c": 2}, "d": 3, "e": 5}


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("name = ", "expected a recipe in"),
        ('name = "x"\n', "with a name and stages"),
        ('name = "x"\n[[stage]]\nname = "one"\n', "a name and a kind"),
        ('name = "x"\n[[stage]]\nname = "one"\nkind = "given"\nparents = ["two"]\n', "got none of two"),
    ],
)
def test_an_incomplete_recipe_is_told_in_one_sentence(tmp_path: Path, text: str, told: str) -> None:
    with pytest.raises(RecipeError, match=told) as error:
        load_recipe(write(tmp_path / "bad.toml", text))
    assert "Traceback" not in str(error.value)


def test_a_stage_brings_its_parents() -> None:
    recipe = load_recipe(RECIPES / "reader.toml")
    start = ["detector-checkpoint", "detector", "roi-checkpoint", "roi-export"]
    assert [stage.name for stage in recipe.with_parents("roi-int8")] == [*start, "roi-int8"]
    with pytest.raises(RecipeError, match="expected a stage of detector-checkpoint, "):
        recipe.with_parents("nothing")
