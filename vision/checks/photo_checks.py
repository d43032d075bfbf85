"""What a person can do about a picture that reads badly."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from vision.arrays import Floats, floats
from vision.checks.face_down import Outlined, face_down, outlined
from vision.crops.index_patch import cut_patches
from vision.geometry import card_widths, onto_cards
from vision.values import Notice, Pixels, SeenCard

SMALL_CARD = 55.0
"""Below this width in pixels a card's index is under about 10 px high and names become guesses."""
CLOSER = 1.15
"""Fewer times closer than this are not worth a number."""
DARK = 45.0
"""Mean brightness (0..255) of the cards below which a picture is too dark."""
LIGHT_ACROSS = 320
"""So many pixels of the longer side, evenly spread, tell how bright a picture is."""
SOFT = 0.15
"""Steepest change from one pixel of an index's patch to the next, as a share of its contrast, below which it is
blurred: photographs that read well have 0.25 to 0.4; blurred until it is 0.15 they lose a tenth of their cards."""
LOOKED_AT = 12
"""Cards whose sharpness is measured: enough for a median."""
LEAST_CONTRAST = 25.0
BURNT = 253
"""A pixel whose darkest channel (0..255) is this or more shows nothing but light."""
GLARE = (0.04, 0.7)
"""Share of a card that is burnt out where a lamp glares on it; where all of it is, the photo is merely bright."""
FLAT = (32, 45)
"""Width and height in pixels at which a card is looked over for it."""
MOST_DARKER = 0.7
"""Where so much of what did not burn out is darker than PAPER, the rest is glare."""
PAPER = 232
"""Paper darker than this did not burn out by itself."""


def notices(
    pixels: Pixels, cards: Sequence[SeenCard], others: Sequence[SeenCard] = (), seen: Outlined | None = None
) -> tuple[Notice, ...]:
    """Warnings for a picture (height, width, 3) BGR and the cards read on it; ``others`` were read there too, but are
    counted elsewhere; ``seen`` is the picture ``outlined``, where that is known already."""
    if not cards:
        return (Notice("no-cards", "No cards were seen in this photo: hold the camera above the cards and try again."),)
    quads = [floats(card.quad) for card in cards]
    small = _too_small(quads)
    found = [
        small,
        _too_dark(pixels, quads),
        _blurred(pixels, cards),
        _glare(pixels, quads),
        _cut_off(pixels, quads, "take another photo of that part" if small else "move back a little"),
        _face_down(pixels, seen or outlined(pixels, _usual(quads)), [*quads, *(floats(card.quad) for card in others)]),
    ]
    return tuple(notice for notice in found if notice)


def _usual(quads: Sequence[Floats]) -> float:
    """How wide cards are, in pixels."""
    return float(np.median(card_widths(np.stack(quads))))


def _too_small(quads: Sequence[Floats]) -> Notice | None:
    wide = _usual(quads)
    if wide >= SMALL_CARD:
        return None
    times = SMALL_CARD / wide
    closer = f"about {times:.1f} times" if times >= CLOSER else "a little"
    return Notice("index-too-small", f"The cards are only {wide:.0f} px wide: go {closer} closer.")


def _too_dark(pixels: Pixels, quads: Sequence[Floats]) -> Notice | None:
    height, width = pixels.shape[:2]
    corners = np.concatenate(quads)
    step = max(1, max(height, width) // LIGHT_ACROSS)
    low = np.clip(corners.min(0), 0, (width - 1, height - 1)).astype(int)
    high = np.clip(corners.max(0), low + 1, (width, height)).astype(int)
    area = pixels[low[1] : high[1] : step, low[0] : high[0] : step]
    if float(np.percentile(cv2.cvtColor(area, cv2.COLOR_BGR2GRAY), 85)) >= DARK:
        return None
    return Notice("too-dark", "The photo is very dark: switch on a lamp or move the cards into the light.")


def sharpness(pixels: Pixels, cards: Sequence[SeenCard]) -> float | None:
    """How sharp the indices of the surest cards are, in the measure of ``SOFT``; None where none shows contrast."""
    surest = sorted((card for card in cards if card.corners), key=lambda card: -card.confidence)[:LOOKED_AT]
    if not surest:
        return None
    quads = floats([card.corners[0].quad for card in surest])
    patches = cut_patches(pixels, quads, np.zeros(len(surest), bool))
    greys = [floats(cv2.cvtColor(patch, cv2.COLOR_BGR2GRAY)) for patch in patches]
    dark, light = np.percentile(np.stack(greys), (3, 97), axis=(1, 2))
    steep = np.percentile(np.stack([_slopes(grey) for grey in greys]), 97, axis=(1, 2))
    clear = light - dark > LEAST_CONTRAST
    return float(np.median((steep / np.maximum(light - dark, 1))[clear])) if clear.any() else None


def _slopes(grey: Floats) -> Floats:
    across, down = (cv2.Sobel(grey, cv2.CV_32F, x, y) / 8 for x, y in ((1, 0), (0, 1)))
    return floats(np.hypot(across, down))


def _blurred(pixels: Pixels, cards: Sequence[SeenCard]) -> Notice | None:
    sharp = sharpness(pixels, cards)
    if sharp is None or sharp >= SOFT:
        return None
    return Notice("blurred", "The photo is blurred: hold the camera still and let it focus, then take it again.")


def _glare(pixels: Pixels, quads: Sequence[Floats]) -> Notice | None:
    width, height = FLAT
    onto = onto_cards(np.stack(quads)) @ np.diag([1 / width, 1 / height, 1])
    flags = cv2.INTER_NEAREST | cv2.WARP_INVERSE_MAP
    darkest = np.stack([cv2.warpPerspective(pixels, back, FLAT, flags=flags) for back in onto]).min(3)
    burnt = (darkest >= BURNT).mean((1, 2))
    glared = [
        quads[n].mean(0)
        for n in np.flatnonzero((burnt > GLARE[0]) & (burnt < GLARE[1])).tolist()
        if (darkest[n] < PAPER).sum() > MOST_DARKER * (darkest[n] < BURNT).sum()
    ]
    if not glared:
        return None
    where = _part(pixels, glared)
    return Notice("glare", f"Light glares on cards in the {where} of the photo: move the lamp or the camera a little.")


def _part(pixels: Pixels, points: Sequence[Floats]) -> str:
    """In which part of the picture ``points`` (2,) lie, in words."""
    height, width = pixels.shape[:2]
    x, y = np.median(np.stack(points), axis=0) / (width, height)
    upright = "upper" if y < 1 / 3 else "lower" if y > 2 / 3 else ""
    across = "left" if x < 1 / 3 else "right" if x > 2 / 3 else ""
    return f"{upright} {across}".strip() + " part" if upright or across else "middle"


def _face_down(pixels: Pixels, seen: Outlined, quads: Sequence[Floats]) -> Notice | None:
    down = face_down(seen, quads)
    if not down:
        return None
    where = _part(pixels, [quad.mean(0) for quad in down])
    if len(down) == 1:
        text = f"A card seems to lie face down in the {where} of the photo: turn it up if it counts."
    else:
        text = f"{len(down)} cards seem to lie face down, in the {where} of the photo: turn up those that count."
    return Notice("face-down", text)


def _cut_off(pixels: Pixels, quads: Sequence[Floats], advice: str) -> Notice | None:
    height, width = pixels.shape[:2]
    margin = 0.02 * max(height, width)
    beyond = {"left": 0, "upper": 0, "right": 0, "lower": 0}
    cut = 0
    for quad in quads:
        low, high = quad.min(0), quad.max(0)
        over = (low[0] < -margin, low[1] < -margin, high[0] > width + margin, high[1] > height + margin)
        cut += any(over)
        for side, out in zip(beyond, over, strict=True):
            beyond[side] += out
    if not cut:
        return None
    sides = " and ".join(side for side, count in beyond.items() if count)
    cards = "card reaches" if cut == 1 else "cards reach"
    return Notice("cut-off", f"{cut} {cards} beyond the {sides} edge of the photo: {advice}.")
