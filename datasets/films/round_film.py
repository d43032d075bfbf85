"""A film of a whole round: its frames, and its truth."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import cv2
import numpy as np

from datasets.arrays import Picture, doubles
from datasets.decks.deck_art import DeckArt
from datasets.decks.drawn_decks import court_art, draw_deck, with_new_jokers
from datasets.decks.play import play_of
from datasets.decks.splits import default_cache
from datasets.decks.svg_decks import GNOME, HELD_OUT, SVG_DECKS, DeckSourceError, load_svg_deck
from datasets.decks.unsuited.draw import draw_unsuited_deck
from datasets.films.playing.changes import Play
from datasets.films.playing.play import lying_at, play_round
from datasets.films.render import Renderer
from datasets.films.stage import camera_at
from datasets.films.truth import Truth, table_sheet, totals, true_groups, true_history
from datasets.scenes.camera import Matrix, card_outline, sample_camera
from datasets.scenes.layouts import CARD_MM, SceneCard
from scorer.deck import load_deck
from scorer.faces import JOKER, RANKS
from scorer.rules.library import load_rules

SIZE = (1280, 720)
FIRST_UNSEEN = 1000
"""Films of this seed and above are kept for reporting: their decks and fonts are those held out of training."""
RULES = ("golden-games", "tournament-play", "cutting-22", "golden-games")
"""The rule sets of films that none is asked for, by seed."""
CARD_SHARE = (0.047, 0.058)
"""Width of a card as a share of the picture's."""
MAX_TILT, TURN = 0.3, 0.03
"""Steepest angle of the camera from the vertical, and standard deviation of its rotation, in radians."""
PACKAGED_SHARE, TWO_DESIGNS_SHARE = 0.4, 0.4
"""How often a pack is one of the packages', and how often the packs are of two designs."""
_DRAWN, _HELD_OUT = 3_000_000, 4_000_000


@dataclass(frozen=True, eq=False)
class Film:
    """A film of a whole round.

    Attributes:
        seed: what all follows from.
        size: width and height in pixels.
        play: what happens, as data.
        truth: what a reader should find.
        camera: the homography from millimetres on the table to pixels, as the film begins.
        decks: the designs of its packs.
    """

    seed: int
    size: tuple[int, int]
    play: Play
    truth: Truth
    camera: Matrix
    decks: tuple[DeckArt, ...] = field(repr=False)

    def frames(self, begins: float = 0.0) -> Iterator[tuple[float, Picture]]:
        """Yields the second and the picture, (height, width, 3) uint8 BGR, of each frame, from a second on.

        The same ones each time (from another second on, with other noise). Nothing is kept: a picture may be drawn
        into.
        """
        return Renderer(self.seed, self.play, self.decks, self.size, self.camera).frames(begins)

    def quads(self, second: float) -> dict[int, list[list[float]]]:
        """The corners in pixels of each card that lies on the table at a second of the film, by its number in
        ``play.faces``: clockwise from its own top left; the cards that lie highest come last."""
        onto = camera_at(self.play, self.camera, second)
        lying = sorted(lying_at(self.play, second).values(), key=lambda one: one.z)
        deck = self.decks[0]
        made = {}
        for one in lying:
            card = SceneCard(deck, None, deck.back, one.x, one.y, one.turn, 0, "meld")
            made[one.card] = np.round(card_outline(card, onto)[0], 1).tolist()
        return made


def film(seed: int, size: tuple[int, int] = SIZE, rules: str | None = None, changes: int | None = None) -> Film:
    """Prepares a film; the same arguments give the same film.

    Args:
        seed: what everything follows from; see ``FIRST_UNSEEN``.
        size: width and height in pixels.
        rules: id of the rule set that is played; by default one of ``RULES``.
        changes: how many changes of the table at most; by default 60 to 200.
    """
    rng = np.random.default_rng([seed, 40])
    rules = rules or RULES[seed % len(RULES)]
    decks = _decks(rng, seed, rules)
    share = float(rng.uniform(*CARD_SHARE))
    camera = sample_camera(rng, *size, share * size[0], MAX_TILT, turn=float(rng.normal(0, TURN))).table
    extent = _extent(camera, size)
    tall = CARD_MM * decks[0].height / decks[0].back.shape[1]
    index = max(deck.rank_box[2] for deck in decks), max(deck.rank_box[3] for deck in decks)
    play = play_round(seed, rules, extent, tall, index, changes)
    sheet = table_sheet(play)
    truth = Truth(
        seed=seed,
        seconds=round(play.ends, 2),
        rules=play.rules,
        deck=play.deck,
        zones=tuple(_polygon(zone.box, camera) for zone in play.zones),
        groups=true_groups(play),
        history=true_history(play),
        sheet=sheet,
        table_scores=totals(sheet),
    )
    return Film(seed, size, play, truth, camera, decks)


def _extent(camera: Matrix, size: tuple[int, int]) -> tuple[float, float]:
    """The largest rectangle about the table's origin that is in the picture, in mm."""
    back = np.linalg.inv(camera)
    width, height = size
    corners = doubles([[[0, 0], [width, 0], [width, height], [0, height]]])
    x, y = np.abs(cv2.perspectiveTransform(corners, back)[0]).T
    return 2 * float(x.min()), 2 * float(y.min())


def _polygon(box: tuple[float, float, float, float], camera: Matrix) -> tuple[tuple[float, float], ...]:
    left, top, right, bottom = box
    corners = doubles([[[left, top], [right, top], [right, bottom], [left, bottom]]])
    return tuple((round(float(x), 1), round(float(y), 1)) for x, y in cv2.perspectiveTransform(corners, camera)[0])


def _decks(rng: np.random.Generator, seed: int, rules: str) -> tuple[DeckArt, ...]:
    """The designs of the packs that are mixed: of the training split, or held out of it from ``FIRST_UNSEEN`` on."""
    held_out, deck_id = seed >= FIRST_UNSEEN, load_rules(rules).all_decks[0].id
    first = (_HELD_OUT if held_out else _DRAWN) + 10 * seed
    if deck_id != "standard":
        profile = load_deck(deck_id)
        name = f"film-{seed}"
        return (draw_unsuited_deck(name, first, profile.faces, play_of(profile), held_out=held_out),)
    made: list[DeckArt] = []
    for number in range(2 if rng.random() < TWO_DESIGNS_SHARE else 1):
        packaged = _packaged(rng, held_out)
        if packaged is not None and rng.random() < PACKAGED_SHARE:
            deck = packaged if JOKER in packaged.faces else with_new_jokers(packaged, rng)
        else:
            art = court_art([packaged]) if packaged is not None else []
            deck = draw_deck(f"film-{first + number}", first + number, held_out, art)
        if not made or deck.height == made[0].height:  # packs of unlike proportions are not mixed
            made.append(deck)
    return tuple(made)


def _packaged(rng: np.random.Generator, held_out: bool) -> DeckArt | None:
    """One of the packages' decks with all ranks, or None where they are not installed."""
    names = [name for name in SVG_DECKS if (name in HELD_OUT) == held_out and GNOME.get(name, RANKS) == RANKS]
    try:
        return load_svg_deck(names[int(rng.integers(len(names)))], default_cache())
    except DeckSourceError:
        return None
