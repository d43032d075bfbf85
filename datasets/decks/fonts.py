"""Fonts for drawn cards: which installed fonts are used, and text as masks."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

FONT_FOLDERS: tuple[Path, ...] = (Path("/usr/share/fonts"), Path("/usr/local/share/fonts"), Path.home() / ".fonts")
_UNSUITED = (
    # slanted, or with digits or capitals unlike any card index
    *("italic", "oblique", "script", "symbol", "math", "z003", "d050000l", "mono", "adfprono", "swash"),
    *("fanwood", "goudy", "sortsmill", "prociono", "junicode", "dustin", "dustismo", "wargames", "telugu", "junkyard"),
    *("femkeklaver", "initials", "keyboard", "berenis", "emoji", "cjk", "awesome", "icons"),
    *("thin", "hairline", "extralight", "ultralight", "_k", "_i.", "_ri", "_rbi", "_rzi", "-i.", "ita.", "prime code"),
    # letter shapes that no card maker uses: an open A, a K like an H, handwriting
    *("solothurn", "lobster", "okolaks", "aenigma"),
)
_FANCY = ("aenigma", "dancingscript", "kaushanscript", "lobster", "okolaks", "typoscript")
HELD_OUT_SHARE = 5
"""One font family in this many is held out of training."""
INDEX_SIGNS = "A123456789JQK"
"""What a font must have, each unlike the others."""
MIN_INK = 0.22
"""Smallest share of a letter's box that is ink; finer fonts are not used."""
MIN_FANCY_INK, MAX_FANCY_INK = 0.15, 0.75
"""Share of ink of the word JOKER in a fancy font; below are hairlines, above is an unreadable bar."""


_named: list[tuple[Path, ...]] = []
"""Fonts for indices, and fancy ones, that ``use_fonts`` named; empty: whatever is installed."""


class NoFontsError(RuntimeError):
    """No usable font is installed; the message names a package to install."""


def _installed() -> list[Path]:
    folders = [folder for folder in FONT_FOLDERS if folder.is_dir()]
    return [path for folder in folders for path in sorted([*folder.rglob("*.ttf"), *folder.rglob("*.otf")])]


@lru_cache(maxsize=1)
def _all_fonts() -> tuple[Path, ...]:
    found = [path for path in _installed() if not any(word in str(path).lower() for word in _UNSUITED)]
    # a font shows the same empty box for all signs that it lacks; hairlines vanish at the size of an index
    found = [
        font
        for font in found
        if len({glyph(font, sign).tobytes() for sign in INDEX_SIGNS}) == len(INDEX_SIGNS)
        and np.mean([(glyph(font, letter) > 127).mean() for letter in "AK8"]) > MIN_INK
    ]
    if not found:
        raise NoFontsError("expected at least one TrueType or OpenType font, found none: apt install fonts-dejavu")
    return tuple(found)


def is_held_out(font: Path) -> bool:
    """Tells whether the font's family is held out of training; by a hash of its name, so the same on every machine."""
    family = font.stem.split("-")[0].split("_")[0].lower()
    return zlib.crc32(family.encode()) % HELD_OUT_SHARE == 0


def fonts(held_out: bool) -> tuple[Path, ...]:
    """Returns the installed fonts fit for an index: those for training, or the held-out ones.

    Raises:
        NoFontsError: no usable font is installed.
    """
    if _named:
        return _named[0]
    chosen = tuple(font for font in _all_fonts() if is_held_out(font) == held_out)
    return chosen or _all_fonts()


def use_fonts(index: Sequence[Path], fancy: Sequence[Path]) -> None:
    """Draws only in these fonts from now on, in this process, whatever is installed and held out; in no order but the
    given one. Two empty lists return to the installed fonts."""
    _named[:] = [tuple(index), tuple(fancy)] if index or fancy else []


def fancy_fonts() -> tuple[Path, ...]:
    """Returns the fonts that suit a joker's word but no index; empty if none is installed."""
    return _named[1] if _named else _installed_fancy_fonts()


@lru_cache(maxsize=1)
def _installed_fancy_fonts() -> tuple[Path, ...]:
    found = []
    for font in _installed():
        if any(word in str(font).lower() for word in _FANCY):
            letters = {glyph(font, letter).tobytes() for letter in "JOKERoker"}
            if len(letters) >= 5 and MIN_FANCY_INK < (glyph(font, "JOKER") > 127).mean() < MAX_FANCY_INK:
                found.append(font)
    return tuple(found)


@lru_cache(maxsize=4096)
def glyph(font: Path, text: str, size: int = 96) -> NDArray[np.uint8]:
    """Renders ``text`` as a tight (height, width) mask, 0..255; a filled square if the font draws nothing."""
    face = ImageFont.truetype(str(font), size)
    left, top, right, bottom = face.getbbox(text)
    canvas = Image.new("L", (max(round(right - left), 1) + 8, max(round(bottom - top), 1) + 8))
    ImageDraw.Draw(canvas).text((4 - left, 4 - top), text, font=face, fill=255)
    mask = np.asarray(canvas, np.uint8)
    rows, columns = np.flatnonzero(mask.max(1) > 64), np.flatnonzero(mask.max(0) > 64)
    if not len(rows):
        return np.full((size, size), 255, np.uint8)
    return mask[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
