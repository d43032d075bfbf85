"""Collects the fonts and decks of the manifest into an assets folder: ``python -m datasets.assets.collect FOLDER``.

Fonts are taken from FONT_FOLDERS and from ``--fonts`` (Debian font packages unpacked there, see ``font_packages.txt``),
decks from the installed packages.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter, defaultdict
from collections.abc import Sequence
from pathlib import Path

from fontTools import subset

from datasets.assets.manifest import (
    Asset,
    AssetsError,
    asset_hash,
    check,
    read_manifest,
)
from datasets.decks import signs
from datasets.decks.svg_decks import load_svg_deck


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
    for folder in (*signs.FONT_FOLDERS, *folders):
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


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="the assets folder to fill")
    parser.add_argument("--fonts", type=Path, nargs="*", default=[], help="more folders with fonts")
    options = parser.parse_args()
    assets = read_manifest()
    try:
        gather(options.folder, options.fonts, assets)
    except AssetsError as error:
        sys.exit(str(error))
    for (part, kind), count in sorted(Counter((asset.part, asset.kind) for asset in assets).items()):
        print(f"{part}: {count} of {kind}")


if __name__ == "__main__":
    main()
