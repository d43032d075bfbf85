"""What is printed on drawn cards, as masks: text in those fonts that are used, suits, stars and moons."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from datasets.arrays import Floats, Picture, floats

Mask = NDArray[np.uint8]

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


def _heart() -> Floats:
    t = np.linspace(0, 2 * np.pi, 60, endpoint=False)
    x = 16 * np.sin(t) ** 3
    y = -(13 * np.cos(t) - 5 * np.cos(2 * t) - 2 * np.cos(3 * t) - np.cos(4 * t))
    return np.stack([x, y], 1).astype(np.float32)


def _unit(points: Floats) -> Floats:
    low, high = points.min(0), points.max(0)
    return np.asarray((points - low) / (high - low), np.float32)


def _fill(mask: Mask, points: Floats) -> None:
    cv2.fillPoly(mask, [np.round(points * 16).astype(np.int32)], 255, cv2.LINE_AA, 4)


def _stem(mask: Mask, size: int, top: float, spread: float) -> None:
    t = np.linspace(0, 1, 12, dtype=np.float32)
    half = 0.03 + spread * t**2
    right = np.stack([0.5 + half, top + (1 - top) * t], 1)
    left = np.stack([0.5 - half, top + (1 - top) * t], 1)[::-1]
    _fill(mask, np.concatenate([right, left]).astype(np.float32) * (size - 1))


def suit_mask(suit: str, rng: np.random.Generator, size: int = 96) -> Mask:
    """Draws a suit that fills a (size, size) square, 0..255; its proportions vary at random.

    Raises:
        KeyError: ``suit`` is not one of C, D, H, S.
    """
    mask = np.zeros((size, size), np.uint8)
    edge = size - 1
    if suit == "H":
        _fill(mask, _unit(_heart()) * edge)
    elif suit == "S":
        body = _unit(_heart()) * floats([1, rng.uniform(0.76, 0.86)])
        body[:, 1] = body[:, 1].max() - body[:, 1]
        _fill(mask, body * edge)
        _stem(mask, size, 0.6, rng.uniform(0.15, 0.24))
    elif suit == "D":
        bend = rng.uniform(0.0, 0.1)
        t = np.linspace(0, 1, 8, endpoint=False, dtype=np.float32)[:, None]
        tips = floats([[0.5, 0], [1, 0.5], [0.5, 1], [0, 0.5]])
        sides = []
        for a, b in zip(tips, np.roll(tips, -1, 0), strict=True):
            side = a + (b - a) * t
            sides.append(side + (0.5 - side) * (4 * bend * t * (1 - t)))
        _fill(mask, np.concatenate(sides).astype(np.float32) * edge)
    elif suit == "C":
        r = rng.uniform(0.21, 0.25)
        for x, y in ((0.5, r), (r, 0.56), (1 - r, 0.56)):
            cv2.circle(
                mask, (round(x * edge * 16), round(y * edge * 16)), round(r * edge * 16), 255, -1, cv2.LINE_AA, 4
            )
        cv2.circle(mask, (round(0.5 * edge), round(0.5 * edge)), round(0.1 * edge), 255, -1, cv2.LINE_AA)
        _stem(mask, size, 0.45, rng.uniform(0.15, 0.24))
    else:
        raise KeyError(f"expected a suit of C, D, H, S, got {suit!r}")
    return mask


def stamp(picture: Picture, mask: Mask, box: tuple[float, float, float, float], colour: tuple[int, int, int]) -> None:
    """Prints ``mask`` (0..255), resized to ``box`` (x0, y0, x1, y1 pixels), onto ``picture`` in ``colour`` (BGR)."""
    x0, y0, x1, y1 = (round(value) for value in box)
    if x1 - x0 < 1 or y1 - y0 < 1:
        return
    # area interpolation keeps thin strokes when a large glyph is printed small
    resized = cv2.resize(mask, (x1 - x0, y1 - y0), interpolation=cv2.INTER_AREA)
    height, width = picture.shape[:2]
    cx0, cy0, cx1, cy1 = max(x0, 0), max(y0, 0), min(x1, width), min(y1, height)
    if cx0 >= cx1 or cy0 >= cy1:
        return
    part = picture[cy0:cy1, cx0:cx1]
    alpha = resized[cy0 - y0 : cy1 - y0, cx0 - x0 : cx1 - x0, None].astype(np.float32) / 255
    part[:] = np.round(part * (1 - alpha) + floats(colour) * alpha).astype(np.uint8)


def stamp_both_ends(
    picture: Picture, mask: Mask, box: tuple[float, float, float, float], colour: tuple[int, int, int], four: bool
) -> None:
    """Prints ``mask`` like ``stamp``, and rotated by 180 degrees at the card's far end.

    If ``four``, in the other two corners as well.
    """
    height, width = picture.shape[:2]
    x0, y0, x1, y1 = box
    turned = np.ascontiguousarray(mask[::-1, ::-1])
    for left, right in ((x0, x1), (width - x1, width - x0)) if four else ((x0, x1),):
        stamp(picture, mask, (left, y0, right, y1), colour)
        stamp(picture, turned, (width - right, height - y1, width - left, height - y0), colour)


def star(points: int, inner: float, size: int = 96) -> Mask:
    """Draws a star as a (size, size) mask; ``inner`` is its inner radius as a share of the outer one."""
    mask = np.zeros((size, size), np.uint8)
    angles = np.arange(2 * points) * np.pi / points - np.pi / 2
    radius = np.where(np.arange(2 * points) % 2, inner, 1.0) * (size / 2 - 1)
    corners = np.stack([np.cos(angles) * radius, np.sin(angles) * radius], 1) + size / 2
    cv2.fillPoly(mask, [corners.astype(np.int32)], 255, cv2.LINE_AA)
    return mask


def crescent(size: int = 96) -> Mask:
    """Draws a crescent, open to the right, as a (size, size) mask."""
    mask = np.zeros((size, size), np.uint8)
    cv2.circle(mask, (size // 2, size // 2), size // 2 - 1, 255, -1, cv2.LINE_AA)
    cv2.circle(mask, (round(size * 0.72), round(size * 0.42)), round(size * 0.42), 0, -1, cv2.LINE_AA)
    return mask
