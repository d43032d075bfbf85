"""Warnings about a photo that reads badly, each with what a person can do about it."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

import cv2
import numpy as np

from vision.arrays import Floats, floats
from vision.checks.face_down import CardCandidates, find_card_candidates, find_face_down
from vision.checks.unread import find_unread
from vision.crops.pyramid import pyramid, rectified
from vision.geometry import card_widths, corner_region, outline_homographies
from vision.values import Frame, PhotoWarning, Pixels, SeenCard


class WarningCode(StrEnum):
    """All codes of photo warnings; the values are part of the JSON output and of stored readings."""

    NO_CARDS = "no-cards"
    INDEX_TOO_SMALL = "index-too-small"
    TOO_DARK = "too-dark"
    BLURRED = "blurred"
    GLARE = "glare"
    UNREAD_CARDS = "unread-cards"
    FACE_DOWN = "face-down"
    LACKS_END = "lacks-end"


SMALL_CARD = 55.0
"""Card width in pixels below which ``INDEX_TOO_SMALL`` is set: the index is then less than about 10 px high."""
MIN_ZOOM = 1.15
"""Factors below this are worded as "a little closer", without a number."""
DARK = 45.0
"""Brightness (85th percentile of grey, 0..255) of the cards below which ``TOO_DARK`` is set."""
BRIGHTNESS_SAMPLES = 320
"""Brightness is sampled on a grid with about this many points along the longer side."""
SOFT = 0.15
"""Sharpness below which ``BLURRED`` is set: the steepest step between neighbouring pixels of an index patch, as a share
of its contrast. Photos that read well have 0.25 to 0.4; blurred down to 0.15 they lose a tenth of their cards."""
SHARPNESS_CARDS = 12
"""Sharpness is the median over this many cards, those of the highest confidence."""
PATCH_SHARE, PATCH = (0.34, 0.44), (64, 112)
"""Share of a card's width and height in the patch around an index, and that patch's width and height in pixels."""
MIN_CONTRAST = 25.0
"""Index patches with less contrast (grey levels) are not used for sharpness."""
BURNT = 253
"""A pixel is burnt out where its darkest channel (0..255) is at least this."""
GLARE = (0.04, 0.7)
"""Share of a card that is burnt out where a lamp glares on it; above it the whole photo is merely bright."""
GLARE_SIZE = (32, 45)
"""Width and height in pixels of the rectified card on which glare is measured."""
PAPER = 232
"""Paper darker than this did not burn out by itself."""
ONE_PLACE = 0.2
"""Share of the photo's width within which two things lie in one place, as a message names it."""
DARKER_SHARE = 0.7
"""Glare needs more than this share of the pixels that are not burnt out to be darker than ``PAPER``."""


def photo_warnings(
    pixels: Pixels,
    cards: Sequence[SeenCard],
    others: Sequence[SeenCard] = (),
    candidates: CardCandidates | None = None,
    missed: Sequence[Floats] = (),
    hints: Floats | None = None,
) -> tuple[PhotoWarning, ...]:
    """Warnings for a photo; empty where all is well.

    Args:
        pixels: the photo, (height, width, 3) BGR.
        cards: the cards read in it.
        others: cards that were read in it too but count elsewhere; they are not reported as face down.
        candidates: the result of ``find_card_candidates`` for this photo; computed here where it is not given.
        missed: outlines (4, 2) of cards that may have been missed, and beside which no card has a doubt.
        hints: centres (n, 2) of all that the detector found in the photo; None where they are not known, and nothing
            is said of cards that were not read.
    """
    if not cards:
        message = "No cards found in this photo. Hold the camera right above the cards and try again."
        return (PhotoWarning(WarningCode.NO_CARDS, message),)
    quads = [floats(card.quad) for card in cards]
    candidates = candidates or find_card_candidates(pixels, _median_width(quads))
    read = [*quads, *(floats(card.quad) for card in others)]
    backs = find_face_down(candidates, read)
    unread = [outline.mean(0) for outline in missed]
    if hints is not None:
        unread += find_unread(candidates, [*read, *backs, *missed], hints)
    warnings = [
        _too_small(quads),
        _too_dark(pixels, quads),
        _blurred(pixels, cards),
        _glare(pixels, quads),
        _unread(pixels, unread),
        _face_down(pixels, backs),
    ]
    return tuple(warning for warning in warnings if warning)


def file_warnings(frame: Frame) -> tuple[PhotoWarning, ...]:
    """Warnings about the file that a frame came from."""
    if not frame.lacks_end:
        return ()
    message = "This photo file is missing its very end, but the picture is whole. Send it again if cards are missing."
    return (PhotoWarning(WarningCode.LACKS_END, message),)


def _median_width(quads: Sequence[Floats]) -> float:
    """Median card width in pixels."""
    return float(np.median(card_widths(np.stack(quads))))


def _too_small(quads: Sequence[Floats]) -> PhotoWarning | None:
    width = _median_width(quads)
    if width >= SMALL_CARD:
        return None
    zoom = SMALL_CARD / width
    closer = f"about {zoom:.1f} times" if zoom >= MIN_ZOOM else "a little"
    return PhotoWarning(
        WarningCode.INDEX_TOO_SMALL, f"The cards are only {width:.0f} pixels wide. Move {closer} closer."
    )


def _too_dark(pixels: Pixels, quads: Sequence[Floats]) -> PhotoWarning | None:
    height, width = pixels.shape[:2]
    corners = np.concatenate(quads)
    step = max(1, max(height, width) // BRIGHTNESS_SAMPLES)
    low = np.clip(corners.min(0), 0, (width - 1, height - 1)).astype(int)
    high = np.clip(corners.max(0), low + 1, (width, height)).astype(int)
    area = pixels[low[1] : high[1] : step, low[0] : high[0] : step]
    if float(np.percentile(cv2.cvtColor(area, cv2.COLOR_BGR2GRAY), 85)) >= DARK:
        return None
    message = "The photo is very dark. Turn on a lamp or move the cards into the light."
    return PhotoWarning(WarningCode.TOO_DARK, message)


def index_sharpness(pixels: Pixels, cards: Sequence[SeenCard]) -> float | None:
    """Median sharpness of the printed indices, on the scale of ``SOFT``; None where no index has contrast."""
    most_confident = sorted((card for card in cards if card.corners), key=lambda card: -card.confidence)
    measured = most_confident[:SHARPNESS_CARDS]
    if not measured:
        return None
    quads, levels = floats([card.corners[0].quad for card in measured]), pyramid(pixels)
    patches = [rectified(levels, corner, *PATCH) for corner in corner_region(quads, False, PATCH_SHARE)]
    greys = [floats(cv2.cvtColor(patch, cv2.COLOR_BGR2GRAY)) for patch in patches]
    dark, light = np.percentile(np.stack(greys), (3, 97), axis=(1, 2))
    steepest = np.percentile(np.stack([_gradients(grey) for grey in greys]), 97, axis=(1, 2))
    clear = light - dark > MIN_CONTRAST
    return float(np.median((steepest / np.maximum(light - dark, 1))[clear])) if clear.any() else None


def _gradients(grey: Floats) -> Floats:
    """Magnitude of the gradient (Sobel), in grey levels a pixel."""
    across, down = (cv2.Sobel(grey, cv2.CV_32F, x, y) / 8 for x, y in ((1, 0), (0, 1)))
    return floats(np.hypot(across, down))


def _blurred(pixels: Pixels, cards: Sequence[SeenCard]) -> PhotoWarning | None:
    sharpness = index_sharpness(pixels, cards)
    if sharpness is None or sharpness >= SOFT:
        return None
    message = "The photo is blurry. Hold the camera still, let it focus, and take it again."
    return PhotoWarning(WarningCode.BLURRED, message)


def _glare(pixels: Pixels, quads: Sequence[Floats]) -> PhotoWarning | None:
    width, height = GLARE_SIZE
    to_photo = outline_homographies(np.stack(quads)) @ np.diag([1 / width, 1 / height, 1])
    flags = cv2.INTER_NEAREST | cv2.WARP_INVERSE_MAP
    darkest = np.stack([cv2.warpPerspective(pixels, matrix, GLARE_SIZE, flags=flags) for matrix in to_photo]).min(3)
    burnt = (darkest >= BURNT).mean((1, 2))
    centres = [
        quads[n].mean(0)
        for n in np.flatnonzero((burnt > GLARE[0]) & (burnt < GLARE[1])).tolist()
        if (darkest[n] < PAPER).sum() > DARKER_SHARE * (darkest[n] < BURNT).sum()
    ]
    if not centres:
        return None
    where = " and the ".join(_parts_of_photo(pixels, centres))
    message = f"There is glare on the cards in the {where} of the photo. Move the lamp or the camera a little."
    return PhotoWarning(WarningCode.GLARE, message)


def _parts_of_photo(pixels: Pixels, points: Sequence[Floats]) -> list[str]:
    """The parts of the photo in which ``points`` (2,) lie, in words; points near each other are in one part."""
    height, width = pixels.shape[:2]
    places: list[list[Floats]] = []
    for point in points:
        near = [min(np.hypot(*(point - other)) for other in place) < ONE_PLACE * width for place in places]
        joined = [point, *(one for place, is_near in zip(places, near, strict=True) if is_near for one in place)]
        places = [place for place, is_near in zip(places, near, strict=True) if not is_near] + [joined]
    names = []
    for place in places:
        x, y = np.median(np.stack(place), axis=0) / (width, height)
        vertical = "upper" if y < 1 / 3 else "lower" if y > 2 / 3 else ""
        horizontal = "left" if x < 1 / 3 else "right" if x > 2 / 3 else ""
        names.append(f"{vertical} {horizontal}".strip() + " part" if vertical or horizontal else "middle")
    return list(dict.fromkeys(names))


def _face_down(pixels: Pixels, backs: Sequence[Floats]) -> PhotoWarning | None:
    if not backs:
        return None
    where = " and the ".join(_parts_of_photo(pixels, [quad.mean(0) for quad in backs]))
    if len(backs) == 1:
        message = f"A card in the {where} of the photo looks face down. Turn it over if it counts."
    else:
        message = f"{len(backs)} cards in the {where} of the photo look face down. Turn over the ones that count."
    return PhotoWarning(WarningCode.FACE_DOWN, message)


def _unread(pixels: Pixels, centres: Sequence[Floats]) -> PhotoWarning | None:
    if not centres:
        return None
    height, width = pixels.shape[:2]
    inside = [np.clip(centre, 0, (width - 1, height - 1)) for centre in centres]
    parts, one = _parts_of_photo(pixels, inside), len(centres) == 1
    cards, they_count = ("A card", "it counts") if one else (f"{len(centres)} cards", "they count")
    message = f"{cards} in the {' and the '.join(parts)} of the photo could not be read. "
    message += f"Take another photo of {'that part' if len(parts) == 1 else 'those parts'} if {they_count}."
    return PhotoWarning(WarningCode.UNREAD_CARDS, message)
