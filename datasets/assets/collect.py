"""Collects the fonts and decks of the manifest into an assets folder: ``python -m datasets.assets.collect FOLDER``.

Fonts are taken from FONT_FOLDERS and from ``--fonts`` (Debian font packages unpacked there, see ``font_packages.txt``),
decks from the installed packages. With ``--renew`` fonts and decks are chosen anew
from all that is there, and the manifest is written.
"""

from __future__ import annotations

import argparse
import re
import shutil
import sys
import zlib
from collections import Counter, defaultdict
from collections.abc import Sequence
from pathlib import Path

from fontTools import subset
from fontTools.ttLib import TTLibError

from datasets.assets.manifest import (
    MANIFEST,
    Asset,
    AssetsError,
    Kind,
    Part,
    asset_hash,
    check,
    deck_file,
    deck_hash,
    file_hash,
    read_manifest,
    write_manifest,
)
from datasets.decks import fonts
from datasets.decks.splits import default_cache
from datasets.decks.svg_decks import GNOME, HELD_OUT, KDE, KDE_KEPT, SVG_DECKS, load_svg_deck

VALIDATION_DECKS = ("svg-ancient-egyptians", "svg-nicu-ornamental")
SEALED_DECKS = ("svg-gm-paris", "svg-jolly-royal", "svg-penguins")
KEPT_FOLDERS = re.compile("adf|andika|charis|play|linden|junction|gfs|tlwg|noto|ocr|breip|tomson|ruf|leck|didot|neohel")
"""Fonts in folders with these names were never used; their families are divided between validation and sealed."""
NOTO = re.compile(r"Noto(Sans|Serif)(Display)?-")
"""Of the Noto fonts only the Latin ones."""
MOST_OF_A_FAMILY, FANCY_PARTS = 5, 8
"""So many files of one family are used; one fancy family in FANCY_PARTS is for each part but training."""


def family(path: Path) -> str:
    """Name of a font's family, from its file's name."""
    return re.split(r"[-_]", path.stem)[0].lower()


def font_part(path: Path, fancy: bool) -> Part:
    """The part that a font is for; all files of a family are for the same."""
    draw = zlib.crc32(family(path).encode()) // fonts.HELD_OUT_SHARE
    if fancy:
        kept: dict[int, Part] = {0: "validation", 1: "sealed", 2: "development"}
        return kept.get(draw % FANCY_PARTS, "training")
    if KEPT_FOLDERS.search(str(path.parent).lower()):
        return "validation" if draw % 2 else "sealed"
    return "development" if fonts.is_held_out(path) else "training"


def _chosen(paths: Sequence[Path]) -> list[Path]:
    """At most MOST_OF_A_FAMILY files of each family, spread over its weights; each file name once."""
    families: dict[str, list[Path]] = defaultdict(list)
    for path in {path.name: path for path in paths}.values():
        if not path.name.startswith("Noto") or NOTO.match(path.name):
            families[family(path)].append(path)
    return [path for own in families.values() for path in sorted(own)[:: -(-len(own) // MOST_OF_A_FAMILY)]]


def _subset(source: Path, target: Path) -> None:
    """Writes a font with nothing but the characters that are drawn: a twentieth of its size."""
    options = subset.Options(notdef_outline=True, glyph_names=False, recalc_timestamp=False)
    font = subset.load_font(str(source), options)
    subsetter = subset.Subsetter(options)
    subsetter.populate(text="".join(map(chr, range(32, 127))))
    subsetter.subset(font)
    subset.save_font(font, str(target), options)


def gather(target: Path, folders: Sequence[Path], manifest: Sequence[Asset]) -> None:
    """Copies what the manifest names to ``target``: of each font the file of its name that has its hash.

    Raises:
        AssetsError: some are missing or differ.
    """
    (target / "fonts").mkdir(parents=True, exist_ok=True)
    (target / "decks").mkdir(parents=True, exist_ok=True)
    named: dict[str, list[Path]] = defaultdict(list)
    for folder in (*fonts.FONT_FOLDERS, *folders):
        for path in sorted(folder.rglob("*")):
            named[path.name].append(path)
    for asset in manifest:
        copy = asset.path(target)
        if asset.kind == "deck":
            load_svg_deck(asset.name, target / "decks")
            continue
        for path in named[asset.name]:
            if asset_hash(asset, target) != asset.sha256:
                _subset(path, copy)
    check(manifest, target)


def choose(target: Path, folders: Sequence[Path], most_fancy: int) -> list[Asset]:
    """Chooses assets anew and copies them to ``target``, of fonts only the characters that are drawn; returns them."""
    (target / "fonts").mkdir(parents=True, exist_ok=True)
    (target / "decks").mkdir(parents=True, exist_ok=True)
    fonts.FONT_FOLDERS = (*fonts.FONT_FOLDERS, *folders)
    found: list[tuple[Kind, list[Path]]] = [
        ("index font", _chosen(fonts.usable_fonts())),
        ("fancy font", _chosen(fonts.fancy_fonts())[:most_fancy]),
    ]
    assets = []
    for kind, paths in found:
        for path in paths:
            copy = target / "fonts" / path.name
            try:
                _subset(path, copy)
            except (AssertionError, ValueError, KeyError, TTLibError) as error:  # a table that the tool cannot read
                print(f"font {path.name} left out: {error}", file=sys.stderr)
                continue
            package = path.parent.name
            assets.append(Asset(kind, path.name, font_part(path, kind == "fancy font"), file_hash(copy), package))
    parts: dict[str, Part] = {name: "development" if name in HELD_OUT else "training" for name in SVG_DECKS}
    kept: tuple[tuple[Part, tuple[str, ...]], ...] = (("validation", VALIDATION_DECKS), ("sealed", SEALED_DECKS))
    parts.update({name: part for part, names in kept for name in names})
    for name, part in parts.items():
        stored = target / "decks" / deck_file(name)
        if not stored.exists() and (default_cache() / stored.name).exists():
            shutil.copyfile(default_cache() / stored.name, stored)
        load_svg_deck(name, target / "decks")
        package = "gnome-cards-data" if name in GNOME else "kdegames-card-data-kf5"
        assert name in GNOME or name in KDE or name in KDE_KEPT
        assets.append(Asset("deck", name, part, deck_hash(stored), package))
    return assets


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="the assets folder to fill")
    parser.add_argument("--fonts", type=Path, nargs="*", default=[], help="more folders with fonts")
    parser.add_argument("--renew", action="store_true", help="choose anew and write the manifest")
    parser.add_argument("--fancy", type=int, default=120, help="largest number of fancy fonts chosen (default: 120)")
    options = parser.parse_args()
    if options.renew:
        write_manifest(choose(options.folder, options.fonts, options.fancy), MANIFEST)
    assets = read_manifest()
    try:
        gather(options.folder, options.fonts, assets)
    except AssetsError as error:
        sys.exit(str(error))
    for (part, kind), count in sorted(Counter((asset.part, asset.kind) for asset in assets).items()):
        print(f"{part}: {count} of {kind}")


if __name__ == "__main__":
    main()
