"""A short film of a round as a camera, and a reader that never errs on it: the truth of the film stands in for it.

Of the film only what people do is kept: of each change a moment with the hand over the table, then the table at rest.
It stays so until the next change is asked for, so that how fast a machine is makes no difference. Black and white
squares in a corner tell the reader which state of the table a picture shows.
"""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np

from datasets.films import Film, film
from datasets.films.playing.play import lying_at
from scorer.faces import Face
from tests.vision.cameras.network_devices import NetworkCamera
from vision.values import DEFAULT_HOUSE_RULES, CornerReading, Frame, HouseRules, Pixels, Quad, Reading, SeenCard

SIZE = (640, 360)
HAND_FRAMES = 2
"""Pictures of each change that show the hand."""
_BIT, _BITS = 8, 8
_SHOWS = 0.1
"""The share of a card that must be in sight to be read."""


class FilmCamera(NetworkCamera):
    """A network camera over the table of a drawn round, which shows one ``state`` after another: the table after so
    many changes.

    Args:
        folder: where the ``readings`` of all states are written, for a ``FilmedReader``.
        seed: of the film that they are taken from.
        states: how many changes there are.
        rules: which are played.
    """

    def __init__(self, folder: Path, seed: int, states: int, rules: str = "golden-games") -> None:
        super().__init__()
        made = film(seed, SIZE, rules, changes=3 * states)
        seconds = [0.0, *(change.second for change in made.truth.history[:states])]
        self._pictures: list[list[Pixels]] = []
        for state, second in enumerate(seconds):
            before = made.frames(max(second - 0.6, 0.0))
            hands = [pixels for _, (_, pixels) in zip(range(HAND_FRAMES), before, strict=False)] if state else []
            still = next(made.frames(second + 1.6))[1]
            self._pictures.append([_stamped(pixels, state) for pixels in (*hands, still)])
        self._left = self._pictures[0]
        self.readings = folder / "readings.json"
        self.readings.write_text(json.dumps([_cards(made, second + 1.6) for second in seconds]), encoding="utf-8")

    def show(self, state: int) -> None:
        """Shows the hand that makes a change, and from then on what it leaves."""
        self._left = self._pictures[state]

    def picture(self) -> bytes:
        now, *later = self._left
        self._left = later or self._left
        return cv2.imencode(".jpg", now)[1].tobytes()


def _cards(made: Film, second: float) -> list[tuple[str, list[list[float]]]]:
    """The cards in sight at a second, face up, with their corners."""
    owner = np.full((SIZE[1], SIZE[0]), -1, np.int16)
    quads, lying = made.quads(second), lying_at(made.play, second)
    for number, quad in quads.items():
        cv2.fillConvexPoly(owner, np.round(quad).astype(np.int32), (number,))
    seen = []
    for number, quad in quads.items():
        whole = cv2.contourArea(np.asarray(quad, np.float32))
        if lying[number].up and (owner == number).sum() >= _SHOWS * whole:
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
