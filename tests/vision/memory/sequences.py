"""Made-up readings of a table: cards by face and place."""

from __future__ import annotations

from scorer.faces import Face
from vision.values import CornerReading, Reading, SeenCard

WIDTH, HEIGHT, STEP = 40.0, 56.0, 14.0


def card(face: str, x: float, y: float, confidence: float = 0.999) -> SeenCard:
    """A card with its top left corner at (x, y)."""
    quad = ((x, y), (x + WIDTH, y), (x + WIDTH, y + HEIGHT), (x, y + HEIGHT))
    ends = tuple(CornerReading((), (*quad[0], *quad[2]), quad, 0.99) for _ in range(2))
    return SeenCard(Face.parse(face), confidence, (), quad, corners=ends)


def column(faces: str, x: float, y: float) -> list[SeenCard]:
    """Cards one below the other, each showing the index of the one beneath it."""
    return [card(face, x, y + STEP * i) for i, face in enumerate(faces.split())]


def reading(*cards: SeenCard) -> Reading:
    return Reading(1280, 720, 0.1, cards, (), ())
