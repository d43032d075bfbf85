"""Tables drawn with OpenCV, and a reader that knows them by the number they carry in black and white squares.

It stands in for the real reader where a test is about the page: what it says of a picture is known to the last card.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import cache

import cv2
import numpy as np

from scorer.faces import Face
from vision.detect.trace import Trace
from vision.groups.faces_in_play import in_play
from vision.images.decode import decode_photo
from vision.values import DEFAULT_HOUSE_RULES, Frame, Group, HouseRules, PhotoWarning, Pixels, Quad, Reading, SeenCard

WIDTH, HEIGHT = 1600, 1000
_CARD_WIDTH, _CARD_HEIGHT, _STEP = 120, 168, 46
_BIT, _BITS = 16, 8


@dataclass(frozen=True)
class Row:
    """Cards laid side by side from (x, y); a face with a question mark is one the reader doubts, with a
    plus one beside which another may lie, with a tilde one of which it is nearly sure."""

    kind: str
    x: int
    y: int
    faces: str
    rank: str | None = None
    book: str | None = None


@dataclass(frozen=True)
class Drawn:
    """One drawn table."""

    rows: tuple[Row, ...]
    warnings: tuple[PhotoWarning, ...] = ()
    others: dict[str, str] = field(default_factory=dict)


NORTH_TABLE = Drawn(
    (
        Row("meld", 60, 80, "8H 8S 8D 8C 8C 8D 8S", "8", "clean"),
        Row("meld", 560, 80, "QH QD QS 2S", "Q"),
        Row("meld", 60, 360, "9H 9S 9C 6D? 9D 9C 2H", "9", "dirty"),
        Row("meld", 640, 360, "AH AS AD", "A"),
        Row("threes", 1000, 80, "3H 3D", "3"),
        Row("pile", 1000, 360, "KS", "K", "dirty"),
        Row("single", 1300, 360, "5C"),
    ),
    others={"6D?": "9D 8D", "5C": "6C"},
)
NORTH_LEFT = Drawn((Row("hand", 100, 300, "4S JK 10H"),))
EAST_TABLE = Drawn((Row("meld", 60, 80, "JH JS JD JC"), Row("meld", 60, 400, "4H 4D JK", "4")))
NO_CARDS = Drawn(())
OVERLOOKED = Drawn((Row("meld", 60, 80, "8H 8S 8D+", "8"), Row("single", 900, 360, "5C+")))
DIM = Drawn(
    (Row("meld", 60, 80, "8H 8S 8D", "8"), Row("single", 900, 360, "5C?")),
    (PhotoWarning("too-dark", "The photo is very dark: switch on a lamp."),),
)
READ_TWICE = Drawn((Row("hand", 100, 300, "QS 2S? 2S? 6S"),))
UNSURE = Drawn((Row("hand", 100, 300, "QS 7D? 7H? 7S+ 6S"),))
NEARLY_SURE = Drawn((Row("meld", 60, 80, "8H~ 8S 8D~", "8"), Row("meld", 60, 360, "9H 9S? 9C~", "9")))
UNSURE_TWICE = Drawn((Row("hand", 100, 300, "QS 7D? 7D? 7H? 6S"),))
ALL = (NORTH_TABLE, NORTH_LEFT, EAST_TABLE, NO_CARDS, OVERLOOKED, DIM, READ_TWICE, UNSURE, UNSURE_TWICE, NEARLY_SURE)


def picture(table: Drawn) -> Pixels:
    """The table as a photo: (HEIGHT, WIDTH, 3) uint8 BGR, which the caller may draw on."""
    pixels = np.full((HEIGHT, WIDTH, 3), (60, 90, 40), np.uint8)
    number = ALL.index(table) + 1
    for bit in range(_BITS):
        shade = 255 if number >> bit & 1 else 0
        pixels[:_BIT, bit * _BIT : (bit + 1) * _BIT] = shade
    for row in table.rows:
        for place, text in enumerate(row.faces.split()):
            _draw_card(pixels, row.x + place * _STEP, row.y, text.rstrip("?~"))
    return pixels


def photo(table: Drawn, suffix: str = ".jpg") -> bytes:
    """The table as a photo file."""
    return _file(ALL.index(table), suffix)


@cache
def _file(number: int, suffix: str) -> bytes:
    """Drawn once, as hundreds of tests begin with a folder of all tables."""
    ok, data = cv2.imencode(suffix, picture(ALL[number]))
    assert ok
    return data.tobytes()


def marked(data: bytes, mark: str) -> bytes:
    """Makes a drawn photo unique: the hash of ``mark`` in black and white squares along its lower edge."""
    pixels = decode_photo(data, mark).pixels.copy()
    number = int.from_bytes(hashlib.sha256(mark.encode()).digest()[:8], "big")
    for bit in range(64):
        pixels[-_BIT:, bit * _BIT : (bit + 1) * _BIT] = 255 if number >> bit & 1 else 0
    ok, coded = cv2.imencode(".jpg", pixels)
    assert ok
    return coded.tobytes()


class Untraced:
    """A reader that tells nothing of how it reads."""

    def read(self, frame: Frame, house_rules: HouseRules = DEFAULT_HOUSE_RULES, taught: object = None) -> Reading:
        raise NotImplementedError

    def read_traced(
        self,
        frame: Frame,
        house_rules: HouseRules = DEFAULT_HOUSE_RULES,
        taught: object = None,
        *,
        looks: object = None,
    ) -> tuple[Reading, Trace]:
        return self.read(frame, house_rules, taught), Trace()


class DrawnReader(Untraced):
    """Reads the number in the squares and returns that table's cards; none for any other picture."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, HouseRules]] = []

    def read(self, frame: Frame, house_rules: HouseRules = DEFAULT_HOUSE_RULES, taught: object = None) -> Reading:
        self.asked.append((frame.source, house_rules))
        bits = [frame.pixels[:_BIT, bit * _BIT : (bit + 1) * _BIT].mean() > 128 for bit in range(_BITS)]
        number = sum(1 << bit for bit, on in enumerate(bits) if on)
        if (frame.height, frame.width) != (HEIGHT, WIDTH) or not 1 <= number <= len(ALL):
            return Reading(frame.width, frame.height, 0.01, (), (), ())
        found = reading(ALL[number - 1])
        return replace(found, cards=tuple(in_play(found.cards, house_rules.faces)))


def reading(table: Drawn) -> Reading:
    """The reading of a drawn table."""
    cards: list[SeenCard] = []
    groups: list[Group] = []
    for row in table.rows:
        first = len(cards)
        for place, text in enumerate(row.faces.split()):
            others = tuple((Face.parse(other), 0.2) for other in table.others.get(text, "").split())
            doubt = {"?": "odd-one-out", "+": "perhaps-another", "~": "low-confidence"}.get(text[-1])
            confidence = {"?": 0.55, "~": 0.97}.get(text[-1], 0.99)
            cards.append(
                SeenCard(Face.parse(text.rstrip("?+~")), confidence, others, _quad(row.x + place * _STEP, row.y), doubt)
            )
        groups.append(Group(tuple(range(first, len(cards))), row.kind, row.rank, row.book, None, "lie in a row"))
    return Reading(WIDTH, HEIGHT, 0.01, tuple(cards), tuple(groups), table.warnings)


def frame(table: Drawn) -> Frame:
    return Frame(picture(table), datetime(2026, 1, 2, tzinfo=UTC), "drawn")


def _quad(x: int, y: int) -> Quad:
    right, bottom = float(x + _CARD_WIDTH), float(y + _CARD_HEIGHT)
    return ((float(x), float(y)), (right, float(y)), (right, bottom), (float(x), bottom))


def _draw_card(pixels: Pixels, x: int, y: int, text: str) -> None:
    cv2.rectangle(pixels, (x, y), (x + _CARD_WIDTH, y + _CARD_HEIGHT), (250, 250, 250), -1)
    cv2.rectangle(pixels, (x, y), (x + _CARD_WIDTH, y + _CARD_HEIGHT), (90, 90, 90), 2)
    colour = (30, 30, 200) if text[-1] in "HD" else (20, 20, 20)
    cv2.putText(pixels, text, (x + 4, y + 34), cv2.FONT_HERSHEY_SIMPLEX, 0.8, colour, 2, cv2.LINE_AA)
