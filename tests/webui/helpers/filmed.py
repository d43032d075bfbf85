"""A short film of a round as a camera, and a reader that never errs on it: the truth of the film stands in for it.

Of the film only what people do is kept: of each change a moment with the hand over the table, then the table at rest.
Black and white squares in a corner tell the reader which state of the table a picture shows.
"""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np

from datasets.films import Film, film
from scorer.faces import Face
from vision.values import DEFAULT_HOUSE_RULES, CornerReading, Frame, HouseRules, Pixels, Quad, Reading, SeenCard

SIZE, RATE = (640, 360), 4.0
HAND_FRAMES, STILL_FRAMES, LAST_FRAMES = 2, 8, 800
"""Frames of each change with a hand, and then without; the last state stays for minutes, as the film begins anew."""
_BIT, _BITS = 8, 8
_SHOWS = 0.1
"""The share of a card that must be in sight to be read."""


def write_films(folder: Path, seed: int, *parts: int, rules: str = "golden-games") -> tuple[list[Path], Path]:
    """Writes films of the first changes of a round, each going on where the one before ended.

    Args:
        folder: where they are written.
        seed: of the film that they are taken from.
        parts: the number of the change at which each ends.
        rules: which are played.

    Returns:
        The files of the films, and that of their readings.
    """
    made = film(seed, SIZE, rules, changes=3 * parts[-1])
    seconds = [0.0, *(change.second for change in made.truth.history[: parts[-1]])]
    paths, readings, first = [], folder / "readings.json", 0
    for number, last in enumerate(parts):
        paths.append(folder / f"round-{number}.mp4")
        writer = cv2.VideoWriter(str(paths[-1]), cv2.VideoWriter.fourcc(*"mp4v"), RATE, SIZE)
        for state in range(first, last + 1):
            before = made.frames(max(seconds[state] - 0.6, 0.0))
            hands = [pixels for _, (_, pixels) in zip(range(HAND_FRAMES), before, strict=False)]
            still = next(made.frames(seconds[state] + 1.6))[1]
            stays = LAST_FRAMES if state == last else STILL_FRAMES
            for pixels in [*(hands if state > first else []), *([still] * stays)]:
                writer.write(_stamped(pixels, state))
        writer.release()
        first = last
    readings.write_text(json.dumps([_cards(made, second + 1.6) for second in seconds]), encoding="utf-8")
    return paths, readings


def _cards(made: Film, second: float) -> list[tuple[str, list[list[float]]]]:
    """The cards in sight at a second, with their corners."""
    owner = np.full((SIZE[1], SIZE[0]), -1, np.int16)
    quads = made.quads(second)
    for number, quad in quads.items():
        cv2.fillConvexPoly(owner, np.round(quad).astype(np.int32), (number,))
    seen = []
    for number, quad in quads.items():
        whole = cv2.contourArea(np.asarray(quad, np.float32))
        if (owner == number).sum() >= _SHOWS * whole:
            seen.append((str(made.play.faces[number]), quad))
    return seen


def _stamped(pixels: Pixels, state: int) -> Pixels:
    stamped = pixels.copy()
    for bit in range(_BITS):
        stamped[:_BIT, bit * _BIT : (bit + 1) * _BIT] = 255 if (state + 1) >> bit & 1 else 0
    return stamped


class FilmedReader:
    """Reads the state of the table in the squares, and tells its cards."""

    def __init__(self, readings: Path) -> None:
        self._states = json.loads(readings.read_text(encoding="utf-8"))

    def read(self, frame: Frame, house_rules: HouseRules = DEFAULT_HOUSE_RULES, taught: object = None) -> Reading:
        bits = [frame.pixels[2 : _BIT - 2, bit * _BIT + 2 : (bit + 1) * _BIT - 2].mean() > 128 for bit in range(_BITS)]
        state = sum(1 << bit for bit, on in enumerate(bits) if on) - 1
        known = (frame.width, frame.height) == SIZE and 0 <= state < len(self._states)
        cards = tuple(_card(*one) for one in self._states[state]) if known else ()
        return Reading(frame.width, frame.height, 0.01, cards, (), ())


def _card(face: str, corners: list[list[float]]) -> SeenCard:
    (a, b), (c, d), (e, f), (g, h) = corners
    quad: Quad = ((a, b), (c, d), (e, f), (g, h))
    ends = tuple(CornerReading((), (a, b, e, f), quad, 0.99) for _ in range(2))
    return SeenCard(Face.parse(face), 0.999, (), quad, corners=ends)
