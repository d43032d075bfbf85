"""Decks of two Debian packages, rendered from SVG on first use and never stored in the repository.

``gnome-cards-data`` holds decks as one SVG grid of 13 x 5 cells (clubs, diamonds, hearts, spades; then black joker,
red joker, back); ``kdegames-card-data-kf5`` gives each card an id. To install both:
``apt install gnome-cards-data kdegames-card-data-kf5 librsvg2-bin``.
"""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from pathlib import Path

import cv2
import numpy as np

from datasets.arrays import Cutout
from datasets.decks.deck_art import CARD_WIDTH, PLAIN_FACES, DeckArt, Rect, printed_mask
from scorer.faces import JOKER, RANKS, Face

GNOME_FOLDER = Path("/usr/share/aisleriot/cards")
KDE_FOLDER = Path("/usr/share/carddecks")
RENDERED = 2
"""Version of the rendering; cached pictures of another version are not used."""
_NUMBERS = ("2", "3", "4", "5", "6", "7", "8", "9", "10")
_WITH_ACE_AND_KING = ("A", *_NUMBERS, "K")

GNOME: dict[str, tuple[str, ...]] = {
    "anglo": RANKS,
    "anglo_bitmap": RANKS,
    "anglo_modern": RANKS,
    "anglo_modern_4_color": RANKS,
    "anglo_poker": RANKS,
    "atlasnye": RANKS,
    "bellot": RANKS,
    "dondorf": RANKS,
    "gnomangelo": RANKS,
    "gnomangelo_bitmap": RANKS,
    "neoclassical": RANKS,
    "neoclassical_4_color": RANKS,
    "orell": RANKS,
    "ornamental": RANKS,
    "paris": RANKS,
    "plastic": RANKS,
    "simplistic": RANKS,
    "tango": RANKS,
    "tango_nuevo": RANKS,
    "tigullio": RANKS,
    # court cards have foreign letters: only the ranks that read the same everywhere
    "ancient_french": _NUMBERS,
    "atlasnye_skat": _WITH_ACE_AND_KING,
    "berlin": _WITH_ACE_AND_KING,
    "lattmann": _WITH_ACE_AND_KING,
    "rheinland": _WITH_ACE_AND_KING,
    "tarocco": ("A", *_NUMBERS),
    "guyenne-classic": ("A", *_NUMBERS),
    "slavic_costumes": _NUMBERS,
}
KDE: dict[str, tuple[str, ...]] = {
    "svg-nicu-white": RANKS,
    "svg-standard": RANKS,
    "svg-tigullio-international": RANKS,
}
KDE_KEPT = (
    *("svg-ancient-egyptians", "svg-nicu-ornamental"),
    *("svg-gm-paris", "svg-jolly-royal", "svg-penguins"),
)
"""Decks kept for fixed sets of tables; their cards are rendered at their places on one sheet, and cut out there."""
FOREIGN_RANKS: dict[str, tuple[str, ...]] = {
    "ancient_french": ("A", "J", "Q", "K"),
    "atlasnye_skat": ("J", "Q"),
    "berlin": ("J", "Q"),
    "lattmann": ("J", "Q"),
    "rheinland": ("J", "Q"),
    "tarocco": ("Q", "K"),
}
"""Ranks that these decks print in German or French letters: B and V for the jack, D, R, and 1 for the ace."""
FOUR_CORNERS = frozenset({"dondorf"})
RANK_BOXES: dict[str, Rect] = {
    # printed up to the edge or without a gap, where measuring the ink fails
    "bellot": (0.02, 0.025, 0.17, 0.165),
    "tango_nuevo": (0.05, 0.05, 0.32, 0.27),
}
JOKERS_FOUR_CORNERS = frozenset(
    {
        *("anglo_modern", "anglo_modern_4_color", "berlin", "plastic", "rheinland", "tarocco"),
        # a star in two corners, the word in the other two
        *("neoclassical", "neoclassical_4_color"),
    }
)
JOKER_BOXES: dict[str, Rect] = {
    # too little paper is left to measure its colour
    "orell": (0.085, 0.045, 0.2, 0.12),
    # the figure touches the index
    "anglo_modern": (0.065, 0.04, 0.185, 0.125),
    "anglo_modern_4_color": (0.065, 0.04, 0.185, 0.125),
    "berlin": (0.035, 0.03, 0.155, 0.11),
    "tarocco": (0.03, 0.02, 0.165, 0.095),
}
ONE_ENDED = frozenset({"tango_nuevo"})
"""Decks whose cards have an index at the top left only."""
MIN_CARD_SHARE = 0.4
"""Smallest card as a share of its cell's height and width; one package has cells twice as high as the card."""
HELD_OUT = frozenset({"anglo_poker", "paris", "guyenne-classic", "plastic", "orell", "svg-standard"})
"""Decks held out of training, for testing."""


class DeckSourceError(RuntimeError):
    """A deck's file is missing or cannot be rendered; the message names the package to install."""


def _render(source: Path, target: Path, *options: str) -> Cutout:
    if shutil.which("rsvg-convert") is None:
        raise DeckSourceError("expected the program rsvg-convert, it is not here: apt install librsvg2-bin")
    command = ["rsvg-convert", "--unlimited", *options, "-o", str(target), str(source)]
    done = subprocess.run(command, capture_output=True, check=False)
    picture = cv2.imread(str(target), cv2.IMREAD_UNCHANGED) if done.returncode == 0 else None
    if picture is None:
        raise DeckSourceError(f"{source} could not be rendered: {done.stderr.decode(errors='replace')[:200]}")
    if picture.shape[2] == 3:
        picture = np.dstack([picture, np.full(picture.shape[:2], 255, np.uint8)])
    return np.asarray(picture, np.uint8)


def _cropped(cell: Cutout) -> Cutout:
    """Crops the empty margin that some decks leave round a card, and resizes to CARD_WIDTH pixels."""
    inside = cell[:, :, 3] > 127
    rows = np.flatnonzero(inside.mean(1) > 0.5)
    columns = np.flatnonzero(inside[rows[0] : rows[-1] + 1].mean(0) > 0.5) if len(rows) else rows
    if len(rows) > MIN_CARD_SHARE * cell.shape[0] and len(columns) > MIN_CARD_SHARE * cell.shape[1]:
        cell = cell[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
    height = round(CARD_WIDTH * cell.shape[0] / cell.shape[1])
    return np.asarray(cv2.resize(cell, (CARD_WIDTH, height), interpolation=cv2.INTER_AREA), np.uint8)


def _gnome_cells(name: str, work: Path) -> dict[str, Cutout]:
    sheet = _render(GNOME_FOLDER / f"{name}.svgz", work / f"{name}.png", "-w", str(13 * 260))
    height, width = sheet.shape[0] / 5, sheet.shape[1] / 13

    def cell(row: int, column: int) -> Cutout:
        return sheet[
            round(row * height) : round((row + 1) * height), round(column * width) : round((column + 1) * width)
        ]

    cells = {str(Face(rank, suit)): cell("CDHS".index(suit), RANKS.index(rank)) for rank in RANKS for suit in "CDHS"}
    return {**cells, "JK1": cell(4, 0), "JK2": cell(4, 1), "back": cell(4, 2)}


def _placed(source: Path, target: Path, part: str) -> Cutout:
    """Renders a part that keeps its place on its sheet: first to find it, then as large as a card should be."""
    small = _render(source, target, "--export-id", part, "-w", "600")
    columns = np.flatnonzero((small[:, :, 3] > 127).any(0))
    if not len(columns):
        raise DeckSourceError(f"expected the part {part} in {source}, nothing of it shows")
    share = (columns[-1] - columns[0] + 1) / small.shape[1]
    large = _render(source, target, "--export-id", part, "-w", str(round(300 / share)))
    shows = large[:, :, 3] > 127
    rows, columns = np.flatnonzero(shows.any(1)), np.flatnonzero(shows.any(0))
    return large[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]


def _kde_cells(name: str, work: Path) -> dict[str, Cutout]:
    source = next((KDE_FOLDER / name).glob("*.svgz"))
    words = {"A": "1", "J": "jack", "Q": "queen", "K": "king"}
    suits = {"C": "club", "D": "diamond", "H": "heart", "S": "spade"}
    ids = {str(face): f"{words.get(face.rank, face.rank)}_{suits[face.suit]}" for face in PLAIN_FACES}
    ids |= {"JK1": "black_joker", "JK2": "red_joker", "back": "back"}
    cells = {}
    for key, name_in_file in ids.items():
        try:
            if name in KDE_KEPT:
                cells[key] = _placed(source, work / "one.png", name_in_file)
            else:
                cells[key] = _render(source, work / "one.png", "--export-id", name_in_file, "-w", "300")
        except DeckSourceError:
            if not key.startswith("JK"):  # not every deck has jokers
                raise
    return cells


def _rank_box(faces: dict[Face, tuple[Cutout, ...]]) -> Rect:
    """Measures where the rank is printed: the topmost component in the corner that is not part of a frame."""
    boxes = []
    for face, pictures in faces.items():
        if face.rank not in ("2", "3", "5", "7"):
            continue
        printed = printed_mask(pictures[0])
        height, width = printed.shape
        corner = printed[: round(0.3 * height), : round(0.25 * width)]
        stats = cv2.connectedComponentsWithStats(corner)[2][1:]
        marks = [
            (x, y, x + w, y + h)
            for x, y, w, h, area in stats
            if x > 0.015 * width and y > 0.012 * height and h > 0.03 * height and x + w < corner.shape[1]
        ]
        if marks:
            x0, y0, x1, y1 = min(marks, key=lambda mark: mark[1])
            boxes.append((x0 / width, y0 / height, x1 / width, y1 / height))
    middle = np.median(np.asarray(boxes), axis=0)
    # a "10" is wider than a 2 or a 7
    return float(middle[0]), float(middle[1]), float(min(middle[2] + 0.02, 0.3)), float(middle[3])


def load_svg_deck(name: str, cache: Path, foreign: bool = False) -> DeckArt:
    """Loads one deck, rendered on first use and cached as a file in ``cache``.

    If ``foreign``, with the court cards that have German or French letters.

    Raises:
        DeckSourceError: the package or rsvg-convert is not installed.
        KeyError: there is no deck of that name.
    """
    is_gnome = name in GNOME
    ranks = GNOME[name] if is_gnome else RANKS if name in KDE_KEPT else KDE[name]
    ranks += FOREIGN_RANKS.get(name, ()) if foreign else ()
    package = "gnome-cards-data" if is_gnome else "kdegames-card-data-kf5"
    stored = cache / f"{name}-{RENDERED}.npz"
    if not stored.exists():
        folder = GNOME_FOLDER if is_gnome else KDE_FOLDER
        if not folder.is_dir():
            raise DeckSourceError(f"expected the decks of {package} in {folder}: apt install {package}")
        cache.mkdir(parents=True, exist_ok=True)
        # write elsewhere, then rename: several training processes may render at the same moment
        with tempfile.TemporaryDirectory(dir=cache) as work_folder:
            work = Path(work_folder)
            cells = _gnome_cells(name, work) if is_gnome else _kde_cells(name, work)
            height = _cropped(cells["7H"]).shape[0]
            made = {key: cv2.resize(_cropped(cell), (CARD_WIDTH, height)) for key, cell in cells.items()}
            np.savez(work / stored.name, allow_pickle=False, **made)
            (work / stored.name).replace(stored)
    with np.load(stored) as pictures:
        faces: dict[Face, tuple[Cutout, ...]] = {
            face: (pictures[str(face)],) for face in PLAIN_FACES if face.rank in ranks
        }
        jokers = tuple(pictures[key] for key in ("JK1", "JK2") if key in pictures)
        back = pictures["back"]
    if jokers:
        faces[JOKER] = jokers
    return DeckArt(
        name=name,
        faces=faces,
        back=back,
        rank_box=RANK_BOXES.get(name) or _rank_box(faces),
        four_corners=name in FOUR_CORNERS,
        one_ended=name in ONE_ENDED,
        joker_box=JOKER_BOXES.get(name),
        four_corner_jokers=name in JOKERS_FOUR_CORNERS,
    )


SVG_DECKS = (*GNOME, *KDE)
