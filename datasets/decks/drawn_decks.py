"""Decks drawn at random: font, size, colour and position of the index vary, so that the networks learn what an index
is rather than how one maker prints it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np

from datasets.arrays import Cutout, Picture, floats
from datasets.decks.backs import plain_back
from datasets.decks.deck_art import CARD_WIDTH, PLAIN_FACES, DeckArt, Rect, rounded_alpha
from datasets.decks.jokers.plain import draw_joker
from datasets.decks.jokers.signed import draw_signed_joker
from datasets.decks.jokers.varied import draw_varied_joker
from datasets.decks.signs import Mask, fancy_fonts, fonts, glyph, stamp, stamp_both_ends
from datasets.decks.styles import USUAL_LOOK, Colour, Look, Style, card_height, looking, random_style
from scorer.faces import JOKER, Face

FOUR_CORNER_SHARE = 0.25
"""Share of decks from ``with_new_jokers`` whose jokers have an index in all four corners, as in a quarter of the
packages' decks."""
FANCY_FONT_SHARE = 0.5
"""Share of them whose words are set in fancy fonts."""
VARIED_JOKER_SHARE, VARIED_JOKERS = 0.6, 4
"""Share of them with the jokers of ``jokers.varied``, and how many different ones such a deck has."""
MIN_INK_LEFT = 0.14
"""Smallest share of ink in a letter's box after thinning; lighter letters are not thinned."""
_PIP_ROWS: dict[str, list[tuple[float, float]]] = {
    "A": [(0.5, 0.5)],
    "2": [(0.5, 0.0), (0.5, 1.0)],
    "3": [(0.5, 0.0), (0.5, 0.5), (0.5, 1.0)],
    "4": [(0, 0), (1, 0), (0, 1), (1, 1)],
    "5": [(0, 0), (1, 0), (0, 1), (1, 1), (0.5, 0.5)],
    "6": [(0, 0), (1, 0), (0, 1), (1, 1), (0, 0.5), (1, 0.5)],
    "7": [(0, 0), (1, 0), (0, 1), (1, 1), (0, 0.5), (1, 0.5), (0.5, 0.25)],
    "8": [(0, 0), (1, 0), (0, 1), (1, 1), (0, 0.5), (1, 0.5), (0.5, 0.25), (0.5, 0.75)],
    "9": [(x, y / 3) for x in (0, 1) for y in range(4)] + [(0.5, 0.5)],
    "10": [(x, y / 3) for x in (0, 1) for y in range(4)] + [(0.5, 1 / 6), (0.5, 5 / 6)],
}


def _pen(size: int) -> Mask:
    return np.asarray(cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (size + 1, size + 1)), np.uint8)


def _render_text(style: Style, text: str) -> Mask:
    """Renders ``text`` in the deck's font, with its stroke width and slant."""
    mask = glyph(style.font, text)
    if style.stroke > 0:
        mask = np.asarray(cv2.dilate(np.pad(mask, style.stroke), _pen(style.stroke)), np.uint8)
    elif style.stroke < 0:
        finer = np.asarray(cv2.erode(mask, _pen(-style.stroke)), np.uint8)
        # light letters would vanish
        mask = finer if (finer > 127).mean() > MIN_INK_LEFT else mask
    if style.lean:
        tall, wide = mask.shape
        aside = abs(style.lean) * tall
        onto = floats([[1.0, -style.lean, max(style.lean, 0.0) * tall], [0.0, 1.0, 0.0]])
        mask = np.asarray(cv2.warpAffine(mask, onto, (round(wide + aside), tall)), np.uint8)
    return mask


def _index_masks(style: Style, face: Face) -> list[tuple[Mask, Rect]]:
    """Returns the rank and suit of an index as masks with their boxes, in pixels from the card's top left corner."""
    width = CARD_WIDTH
    x, y = style.margin[0] * width, style.margin[1] * width
    rank = _render_text(style, style.letters.get(face.rank, face.rank))
    tall, wide = style.rank_height * width, style.rank_width * width
    natural = rank.shape[1] / rank.shape[0] * tall
    # narrow letters such as J keep their width; wide ones are squeezed, as card makers do
    used = min(natural, wide * (style.ten_squeeze if face.rank == "10" else 1.0))
    middle = x + wide / 2
    marks = [(rank, (middle - used / 2, y, middle + used / 2, y + tall))]
    if face.rank == "10" and middle - used / 2 < 0.012 * width:
        marks = [(rank, (0.015 * width, y, 0.015 * width + used, y + tall))]
    if style.rank_alone:
        return marks
    size = style.suit_size * width
    if style.beside:
        left = marks[0][1][2] + style.gap * width
        marks.append((style.pips[face.suit], (left, y, left + size, y + size)))
    else:
        top = y + tall + style.gap * width
        marks.append((style.pips[face.suit], (middle - size / 2, top, middle + size / 2, top + size)))
    return marks


def _print_index(picture: Picture, marks: Sequence[tuple[Mask, Rect]], colour: Colour, four_corners: bool) -> None:
    aside = CARD_WIDTH - min(box[0] for _, box in marks) - max(box[2] for _, box in marks)
    for over in (0, aside) if four_corners else (0,):
        for mask, (x0, y0, x1, y1) in marks:
            stamp_both_ends(picture, mask, (over + x0, y0, over + x1, y1), colour, False)


def _second(marks: Sequence[tuple[Mask, Rect]], style: Style) -> list[tuple[Mask, Rect]]:
    """The marks of an index smaller and side by side, in the upper right corner."""
    gap, y = 0.01 * CARD_WIDTH, style.margin[1] * CARD_WIDTH
    sizes = [((x1 - x0) * style.second, (y1 - y0) * style.second) for _, (x0, y0, x1, y1) in marks]
    x, made = (1 - style.margin[0]) * CARD_WIDTH - sum(wide + gap for wide, _ in sizes), []
    for (mask, _), (wide, tall) in zip(marks, sizes, strict=True):
        made.append((mask, (x, y, x + wide, y + tall)))
        x += wide + gap
    return made


def _in_fractions(box: Rect, height: int) -> Rect:
    return box[0] / CARD_WIDTH, box[1] / height, box[2] / CARD_WIDTH, box[3] / height


def _draw_pips(picture: Picture, style: Style, face: Face, rng: np.random.Generator, inset: float) -> None:
    height, width = picture.shape[:2]
    size = (0.5 * rng.uniform(0.6, 1.2) if face.rank == "A" else rng.uniform(0.15, 0.2)) * width
    x0, x1 = inset * width + size / 2, (1 - inset) * width - size / 2
    y0, y1 = 0.1 * height + size / 2, 0.9 * height - size / 2
    for px, py in _PIP_ROWS[face.rank]:
        x, y = x0 + px * (x1 - x0), y0 + py * (y1 - y0)
        mask = style.pips[face.suit]
        if py > 0.5:
            mask = np.ascontiguousarray(mask[::-1, ::-1])
        stamp(picture, mask, (x - size / 2, y - size / 2, x + size / 2, y + size / 2), style.colours[face.suit])


def _draw_court(
    picture: Picture, style: Style, face: Face, rng: np.random.Generator, inset: float, art: Sequence[Cutout]
) -> None:
    """Draws a court card's figure: the middle of a picture from ``art``, or a two-headed figure of coloured shapes."""
    height, width = picture.shape[:2]
    x0, x1 = round(inset * width), round((1 - inset) * width)
    y0, y1 = round(0.09 * height), round(0.91 * height)
    colour = style.colours[face.suit]
    if art and rng.random() < 0.7:
        source = art[int(rng.integers(len(art)))]
        h, w = source.shape[:2]
        cut = source[round(0.09 * h) : round(0.91 * h), round(0.2 * w) : round(0.8 * w), :3]
        picture[y0:y1, x0:x1] = cv2.resize(cut, (x1 - x0, y1 - y0), interpolation=cv2.INTER_AREA)
    else:
        half = np.full(((y1 - y0) // 2, x1 - x0, 3), style.paper, np.uint8)
        palette = [(20, 20, 20), (30, 30, 200), (30, 200, 240), (170, 80, 20), (235, 235, 235), colour]
        for _ in range(int(rng.integers(10, 30))):
            corners = rng.uniform(0, 1, (int(rng.integers(3, 7)), 2)) * half.shape[1::-1]
            shade = palette[int(rng.integers(len(palette)))]
            cv2.fillPoly(half, [cv2.convexHull(corners.astype(np.int32))], shade, cv2.LINE_AA)
            if rng.random() < 0.5:
                cv2.polylines(half, [corners.astype(np.int32)], True, (20, 20, 20), 1, cv2.LINE_AA)
        head = (half.shape[1] // 2 + int(rng.integers(-15, 15)), int(half.shape[0] * rng.uniform(0.25, 0.4)))
        cv2.ellipse(half, head, (int(rng.integers(16, 26)), int(rng.integers(20, 32))), 0, 0, 360, (190, 205, 235), -1)
        cv2.ellipse(half, head, (18, 24), 0, 0, 360, (20, 20, 20), 1, cv2.LINE_AA)
        picture[y0 : y0 + half.shape[0], x0:x1] = half
        picture[y1 - half.shape[0] : y1, x0:x1] = half[::-1, ::-1]
    size = rng.uniform(0.12, 0.2) * width
    left, top = x0 + rng.uniform(2, 8), y0 + rng.uniform(2, 8)
    stamp_both_ends(picture, style.pips[face.suit], (left, top, left + size, top + size), colour, False)
    if style.frame:
        cv2.rectangle(picture, (x0, y0), (x1, y1), (120, 60, 30) if rng.random() < 0.5 else (20, 20, 20), 2)


def _draw_face(style: Style, face: Face, rng: np.random.Generator, height: int, court_art: Sequence[Cutout]) -> Picture:
    """Draws a card that is no joker, (height, CARD_WIDTH, 3) BGR."""
    picture = np.full((height, CARD_WIDTH, 3), style.paper, np.uint8)
    reach = style.margin[0] + style.rank_width + 0.01
    if face.rank not in _PIP_ROWS:
        _draw_court(picture, style, face, rng, max(min(reach, 0.3), 0.14), court_art)
    elif style.show_pips:
        _draw_pips(picture, style, face, rng, max(reach + 0.03, 0.2))
    marks = _index_masks(style, face)
    _print_index(picture, marks, style.colours[face.suit], style.four_corners)
    if style.second:
        _print_index(picture, _second(marks, style), style.colours[face.suit], False)
    return picture


def _style(rng: np.random.Generator, seed: int, held_out: bool, look: Look) -> Style:
    style = random_style(rng, held_out)
    if not held_out:  # stroke width and slant give more variety than the fonts alone
        more = np.random.default_rng([seed, 8])
        stroke = int(more.integers(-3, 7)) if more.random() < 0.4 else 0
        style = replace(style, stroke=stroke, lean=float(more.normal(0, 0.08)) if more.random() < 0.2 else 0.0)
    return style if look == USUAL_LOOK else looking(style, look, np.random.default_rng([seed, 9]))


def draw_deck(
    name: str, seed: int, held_out: bool = False, court_art: Sequence[Cutout] = (), look: Look = USUAL_LOOK
) -> DeckArt:
    """Draws a whole deck from ``seed``; the same seed and fonts give the same deck.

    ``held_out`` selects the held-out fonts; ``court_art`` are pictures of court cards whose middles may be used;
    ``look`` asks for what the usual decks lack.
    """
    rng = np.random.default_rng([seed, 7])
    height, style = card_height(rng, look), _style(rng, seed, held_out, look)
    alpha = rounded_alpha(height, CARD_WIDTH, rng.uniform(0.03, 0.07) * CARD_WIDTH)

    def finish(picture: Picture) -> Cutout:
        if style.outline is not None:
            cv2.rectangle(picture, (1, 1), (CARD_WIDTH - 2, height - 2), style.outline, 1)
        return np.dstack([picture, alpha])

    faces: dict[Face, tuple[Cutout, ...]] = {
        face: (finish(_draw_face(style, face, rng, height, court_art)),) for face in PLAIN_FACES
    }
    red, black, four = style.colours["H"], style.colours["S"], False
    letters = fonts(held_out)
    faces[JOKER] = tuple(
        finish(draw_joker(rng, height, style.paper, colour, style.font, letters))
        for colour in (red, black)
        for _ in range(2)
    )
    if look.own_signs:
        courts = [faces[face][0] for face in PLAIN_FACES if face.rank == "K"]
        signs = np.random.default_rng([seed, 10])
        four = bool(signs.random() < FOUR_CORNER_SHARE)
        faces[JOKER] = tuple(
            draw_signed_joker(signs, alpha, style.paper, courts, four, look.own_signs == "apart") for _ in range(2)
        )
    marks, second = _index_masks(style, Face("8", "S")), None
    if style.second:
        x0, y0, x1, y1 = _in_fractions(_second(marks, style)[0][1], height)
        second = (1 - x1, y0, 1 - x0, y1)
    return DeckArt(
        name=name,
        faces=faces,
        back=np.dstack([plain_back(rng, height), alpha]),
        rank_box=_in_fractions(marks[0][1], height),
        four_corners=style.four_corners,
        four_corner_jokers=four,
        second_box=second,
    )


def court_art(decks: Sequence[DeckArt]) -> list[Cutout]:
    """Returns the pictures of the decks' jacks, queens and kings, (height, CARD_WIDTH, 4) BGRA."""
    return [deck.faces[face][0] for deck in decks for face in deck.faces if face.rank in ("J", "Q", "K")]


def with_new_jokers(deck: DeckArt, rng: np.random.Generator) -> DeckArt:
    """The deck with newly drawn jokers on its own paper; a deck without jokers gets some.

    With probability VARIED_JOKER_SHARE it gets VARIED_JOKERS jokers of ``jokers.varied``, otherwise a red and a black
    one. Their words are set in any training font or, with probability FANCY_FONT_SHARE, in a fancy font if one is
    installed.
    """
    plain = deck.faces[Face("8", "S")][0]
    b, g, r = (int(value) for value in np.median(plain[plain[:, :, 3] > 200][:, :3], axis=0))
    letters, alpha = fonts(held_out=False), deck.back[:, :, 3]
    if fancy_fonts() and rng.random() < FANCY_FONT_SHARE:
        letters = fancy_fonts()
    four = bool(rng.random() < FOUR_CORNER_SHARE)
    if rng.random() < VARIED_JOKER_SHARE:
        courts = court_art([deck])
        jokers = tuple(draw_varied_joker(rng, alpha, (b, g, r), letters, courts, four) for _ in range(VARIED_JOKERS))
    else:
        dark = int(rng.integers(10, 60))
        colours = ((dark, dark, int(rng.integers(150, 240))), (dark, dark, dark))
        font = letters[int(rng.integers(len(letters)))]
        drawn = [draw_joker(rng, deck.height, (b, g, r), colour, font, letters, four) for colour in colours]
        jokers = tuple(np.dstack([picture, alpha]) for picture in drawn)
    return replace(
        deck,
        faces={**deck.faces, JOKER: jokers},
        joker_box=None,
        four_corner_jokers=four,
        _level_cache={},
        _joker_box_cache={},
    )
