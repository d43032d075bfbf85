"""A short film of a round as a camera, and a reader that never errs on it: the truth of the film stands in for it.

Of the film only what people do is kept: of each change a moment with the hand over the table, then the table at rest.
It stays so until the next change is asked for, so that how fast a machine is makes no difference. The reader knows
which state of the table a picture, or a part of one, shows by looking where it fits best.
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
from tests.webui.helpers.drawn import Untraced
from vision.arrays import Doubles
from vision.values import DEFAULT_HOUSE_RULES, CornerReading, Frame, HouseRules, Pixels, Quad, Reading, SeenCard

SIZE = (640, 360)
HAND_FRAMES = 2
"""Pictures of each change that show the hand."""
_STILL = "still-{}.png"
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
            self._pictures.append([*hands, still])
            cv2.imwrite(str(folder / _STILL.format(state)), still)
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


class FilmedReader(Untraced):
    """Finds which part of which state of the table a picture shows, and tells the cards that lie in it."""

    def __init__(self, readings: Path) -> None:
        states = json.loads(readings.read_text(encoding="utf-8"))
        stills = [cv2.imread(str(readings.with_name(_STILL.format(state)))) for state in range(len(states))]
        self._states = [
            (_halved(np.asarray(still, np.uint8)), cards) for still, cards in zip(stills, states, strict=True)
        ]

    def read(self, frame: Frame, house_rules: HouseRules = DEFAULT_HOUSE_RULES, taught: object = None) -> Reading:
        if frame.width > SIZE[0] or frame.height > SIZE[1]:
            return Reading(frame.width, frame.height, 0.01, (), (), ())
        part = _halved(frame.pixels)
        fits = [cv2.minMaxLoc(cv2.matchTemplate(still, part, cv2.TM_SQDIFF)) for still, _ in self._states]
        best = min(range(len(fits)), key=lambda state: fits[state][0])
        cards = self._states[best][1]
        low = 2 * np.array(fits[best][2])
        high = low + np.array((frame.width, frame.height))
        lying = [(face, np.array(quad)) for face, quad in cards]
        seen = [(face, quad - low) for face, quad in lying if (quad >= low - 2).all() and (quad <= high + 2).all()]
        return Reading(frame.width, frame.height, 0.01, tuple(_card(face, quad) for face, quad in seen), (), ())


def _halved(pixels: Pixels) -> Pixels:
    return np.asarray(cv2.resize(pixels, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA), np.uint8)


def _card(face: str, corners: Doubles) -> SeenCard:
    (a, b), (c, d), (e, f), (g, h) = corners.tolist()
    quad: Quad = ((a, b), (c, d), (e, f), (g, h))
    ends = tuple(CornerReading((), (a, b, e, f), quad, 0.99) for _ in range(2))
    return SeenCard(Face.parse(face), 0.999, (), quad, corners=ends)
