"""The manifest of fonts and decks, and an assets folder that holds them.

Tables are the same everywhere only if their fonts and decks are. The manifest names each with its SHA-256 and its part:
the tables that are drawn from it, of which there are four kinds that share nothing.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, get_args

import numpy as np

from datasets.arrays import Cutout
from datasets.decks.deck_art import DeckArt
from datasets.decks.signs import use_fonts
from datasets.decks.svg_decks import RENDERED, load_svg_deck

MANIFEST = Path(__file__).with_name("manifest.jsonl")
Part = Literal["training", "development", "validation", "sealed"]
PARTS: tuple[Part, ...] = get_args(Part)
Kind = Literal["index font", "fancy font", "deck"]
NAMED = 3
"""So many of the missing files are named."""


class AssetsError(RuntimeError):
    """Fonts or decks of the manifest are missing or differ; the message names them and says what to do."""


@dataclass(frozen=True, slots=True)
class Asset:
    """One font or deck.

    Attributes:
        kind: what it is for: indices (and words), jokers' words only, or a deck.
        name: file name of a font, name of a deck.
        part: the tables that it is for.
        sha256: of a font's file, or of a deck's pixels (``deck_hash``).
        package: the Debian package it comes from.
    """

    kind: Kind
    name: str
    part: Part
    sha256: str
    package: str

    def path(self, folder: Path) -> Path:
        """Where it lies in an assets folder."""
        return folder / "decks" / deck_file(self.name) if self.kind == "deck" else folder / "fonts" / self.name


def deck_file(name: str) -> str:
    """Name of the file with the pictures of a deck."""
    return f"{name}-{RENDERED}.npz"


def read_manifest(path: Path = MANIFEST) -> list[Asset]:
    """Reads a manifest, a JSON object a line."""
    return [Asset(**json.loads(line)) for line in path.read_text(encoding="utf-8").splitlines()]


def file_hash(path: Path) -> str:
    """SHA-256 of a file."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def deck_hash(path: Path) -> str:
    """SHA-256 of the pixels of a deck's file, however the file is packed."""
    with np.load(path) as pictures:
        cells: dict[str, Cutout] = {key: pictures[key] for key in sorted(pictures.files)}
    total = hashlib.sha256()
    for key, cell in cells.items():
        total.update(f"{key} {cell.shape}".encode())
        total.update(np.ascontiguousarray(cell).tobytes())
    return total.hexdigest()


def asset_hash(asset: Asset, folder: Path) -> str:
    """The hash of what lies in ``folder`` for ``asset``; empty if nothing does."""
    path = asset.path(folder)
    if not path.is_file():
        return ""
    return deck_hash(path) if asset.kind == "deck" else file_hash(path)


def check(assets: Sequence[Asset], folder: Path) -> None:
    """Checks that ``folder`` has all of ``assets``, as they were.

    Raises:
        AssetsError: some are missing or differ.
    """
    missing: list[str] = []
    other: list[str] = []
    for asset in assets:
        found = asset_hash(asset, folder)
        if found != asset.sha256:
            (other if found else missing).append(asset.name)
    if missing or other:
        parts = [f"{len(names)} {what} ({_listed(names)})" for names, what in ((missing, "missing"), (other, "other"))]
        told = " and ".join(part for part, names in zip(parts, (missing, other), strict=True) if names)
        raise AssetsError(
            f"expected the {len(assets)} fonts and decks of the manifest in {folder}, found {told}: collect them "
            "again (python -m datasets.assets.collect)"
        )


def _listed(names: Sequence[str]) -> str:
    return ", ".join(names[:NAMED]) + (", …" if len(names) > NAMED else "")


def use_part(folder: Path, part: Part, manifest: Sequence[Asset], verify: bool = False) -> list[DeckArt]:
    """Draws only in the fonts of ``part`` from now on, in this process; returns its decks.

    Decks with German or French court letters have them. With ``verify`` the files are compared with the manifest first.

    Raises:
        AssetsError: fonts or decks are missing or, if verified, differ.
    """
    own = [asset for asset in manifest if asset.part == part]
    if verify:
        check(own, folder)
    absent = [asset.name for asset in own if not asset.path(folder).is_file()]
    if absent:
        raise AssetsError(
            f"expected {_listed(absent)} in {folder}, found nothing: collect them there (python -m "
            "datasets.assets.collect, see datasets/README.md)"
        )
    use_fonts(*([asset.path(folder) for asset in own if asset.kind == kind] for kind in ("index font", "fancy font")))
    return [load_svg_deck(asset.name, folder / "decks", foreign=True) for asset in own if asset.kind == "deck"]
