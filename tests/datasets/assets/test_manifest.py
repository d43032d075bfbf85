"""Fonts and decks by manifest."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from datasets.assets.collect import gather
from datasets.assets.manifest import (
    PARTS,
    Asset,
    AssetsError,
    check,
    deck_file,
    deck_hash,
    file_hash,
    read_manifest,
    use_part,
)
from datasets.decks.deck_art import PLAIN_FACES
from datasets.decks.drawn_decks import draw_deck
from datasets.decks.signs import fancy_fonts, fonts, use_fonts
from scorer.faces import Face

FONT = fonts(held_out=False)[0]


@pytest.fixture(autouse=True)
def _installed_fonts_again() -> Iterator[None]:
    yield
    use_fonts([], [])


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """An assets folder with one font and one deck."""
    (tmp_path / "fonts").mkdir()
    (tmp_path / "decks").mkdir()
    (tmp_path / "fonts" / FONT.name).write_bytes(FONT.read_bytes())
    deck = draw_deck("drawn-3", 3)
    cells = {str(face): deck.faces[face][0] for face in PLAIN_FACES}
    np.savez(tmp_path / "decks" / deck_file("berlin"), allow_pickle=False, **cells, back=deck.back)
    return tmp_path


@pytest.fixture
def assets(folder: Path) -> list[Asset]:
    font = Asset("index font", FONT.name, "training", file_hash(FONT), "fonts-dejavu")
    deck = Asset("deck", "berlin", "training", deck_hash(folder / "decks" / deck_file("berlin")), "gnome-cards-data")
    return [font, deck]


def test_the_committed_manifest_keeps_its_parts_apart() -> None:
    manifest = read_manifest()
    for part in PARTS:
        assert {asset.kind for asset in manifest if asset.part == part} == {"index font", "fancy font", "deck"}, part
    assert len({(asset.kind, asset.name) for asset in manifest}) == len(manifest)
    fonts_by_part = [{asset.sha256 for asset in manifest if asset.part == part} for part in PARTS]
    assert sum(map(len, fonts_by_part)) == len(set().union(*fonts_by_part)), "no file is in two parts"


def test_missing_and_other_files_are_named_in_one_sentence(folder: Path, assets: list[Asset]) -> None:
    check(assets, folder)
    (folder / "fonts" / FONT.name).write_bytes(b"another")
    (folder / "decks" / deck_file("berlin")).unlink()
    with pytest.raises(AssetsError) as error:
        check(assets, folder)
    assert f"1 missing (berlin) and 1 other ({FONT.name})" in str(error.value)
    with pytest.raises(AssetsError, match="expected berlin in "):
        use_part(folder, "training", assets)


def test_only_the_fonts_of_the_part_are_drawn_with(folder: Path, assets: list[Asset]) -> None:
    (deck,) = use_part(folder, "training", assets, verify=True)
    assert fonts(held_out=True) == fonts(held_out=False) == (folder / "fonts" / FONT.name,) and fancy_fonts() == ()
    assert {Face("J", "S"), Face("Q", "S")} <= set(deck.faces), "German letters belong to it"


def test_of_fonts_of_one_name_the_one_of_the_manifest_is_collected(tmp_path: Path) -> None:
    for name, number in (("older", 0), ("right", 1), ("third", 2)):
        (tmp_path / name).mkdir()
        (tmp_path / name / "Same.ttf").write_bytes(fonts(held_out=False)[number].read_bytes())
    gather_of = [tmp_path / name for name in ("older", "right", "third")]
    with pytest.raises(AssetsError, match="1 other"):
        gather(tmp_path / "out", gather_of, [Asset("index font", "Same.ttf", "training", "0" * 64, "fonts")])
    last = file_hash(tmp_path / "out" / "fonts" / "Same.ttf")
    (tmp_path / "out" / "fonts" / "Same.ttf").unlink()
    gather(tmp_path / "out", [*gather_of[2:], *gather_of[:2]], [Asset("index font", "Same.ttf", "training", last, "x")])
    assert file_hash(tmp_path / "out" / "fonts" / "Same.ttf") == last
    with pytest.raises(AssetsError, match="1 missing"):
        gather(tmp_path / "out", gather_of, [Asset("index font", "Absent.ttf", "training", last, "fonts")])
