"""A whole round as a film shows it: a game is played, its acts are filmed, waits are shortened, and lamps, bumps and a
pulled cloth disturb the picture."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from datasets.films.playing.changes import Lying, Play
from datasets.films.playing.director import LONG_WAIT, MARKINGS, SHORT_WAIT, Director
from datasets.films.playing.distractions import Distractions, sample_lamps, sample_shifts
from datasets.films.playing.game import Act, Game
from datasets.films.playing.table import Places, divide
from scorer.rules.library import load_rules

CHANGES = (60, 200)
"""How many changes of the table a film has."""
REAL_WAIT = (3.0, 12.0)
"""Seconds that a player thinks before an act, which the film leaves out."""
HURRY_SHARE = 0.05
"""How often a book is closed by the same hand that has just laid its last card."""
OPEN_HANDS_SHARE = 0.5
"""Of the rounds at whose end what is left is laid open before each player."""
MARKS_SHARE = 0.4
"""Of the films whose table has printed marks in its corners, if it is divided into left and right."""


def play_round(
    seed: int,
    rules: str,
    extent: tuple[float, float],
    tall: float,
    index: tuple[float, float],
    changes: int | None = None,
) -> Play:
    """Plays and films a round; the same arguments give the same film.

    Args:
        seed: what everything follows from.
        rules: id of a rule set.
        extent: width and height, in mm, of what the camera sees.
        tall: height of a card in mm.
        index: how far a rank reaches from its card's left and upper edge, as shares of the card's width and height.
        changes: how many changes at most; by default any number of ``CHANGES``.
    """
    rng = np.random.default_rng([seed, 41])
    house = load_rules(rules)
    seats = (0, 1, 0, 1)
    number = int(rng.integers(1, house.rounds.for_players(len(seats)) + 1))
    layout = divide(rng, seats, extent, tall)
    places = [Places(np.random.default_rng(rng.integers(2**31)), zone, tall, index) for zone in layout.zones]
    game = Game(rng, house, seats, number, min(one.room for one in places) - 1)
    most = changes or int(rng.integers(*CHANGES))
    game.play(3 * most)
    marking = MARKINGS[int(rng.integers(len(MARKINGS)))]
    director = Director(rng, game, layout, places, tall, marking)
    beginning = director.begin()
    _film(rng, director, most, whole=changes is None)
    if rng.random() < OPEN_HANDS_SHARE:
        director.open_hands()
    ends = director.clock.now + 4.0
    groups = dict(director.groups)
    return Play(
        rules=rules,
        deck=house.all_decks[0].id,
        round=number,
        seats=seats,
        faces=game.faces,
        zones=layout.zones,
        beginning=beginning,
        changes=tuple(director.changes),
        groups=groups,
        covers=tuple(replace(cover, ends=min(cover.ends, ends)) for cover in director.covers),
        shifts=sample_shifts(rng, ends),
        lamps=sample_lamps(rng, ends),
        marks=layout.marks if rng.random() < MARKS_SHARE else (),
        ends=ends,
        minutes=round(director.clock.real / 60, 1),
    )


def _film(rng: np.random.Generator, director: Director, most: int, whole: bool) -> None:
    """Films acts until there are ``most`` changes.

    No ``whole`` round ends without a book, so it goes on until there is one.
    """
    acts = director.game.acts
    distractions, at = Distractions(rng, director), 0
    while at < len(acts) and (len(director.changes) < most or (whole and not director.piles)):
        act = acts[at]
        at += 1
        while at < len(acts) and _together(act, acts[at]) and rng.random() < director.packet_share(act):
            act = replace(act, cards=(*act.cards, *acts[at].cards))
            at += 1
        joins = act.what == "close" and acts[at - 2].what == "add" and acts[at - 2].meld == act.meld
        before = len(director.changes)
        director.do(act, joins and rng.random() < HURRY_SHARE)
        if len(director.changes) == before:
            continue
        same = at < len(acts) and acts[at].player == act.player
        director.clock.wait(float(rng.uniform(*(SHORT_WAIT if same else LONG_WAIT))), float(rng.uniform(*REAL_WAIT)))
        distractions.after(act.player)


def _together(act: Act, following: Act) -> bool:
    """Whether two acts may be done with one movement: cards added to the same meld."""
    same = (act.player, act.what, act.meld) == (following.player, following.what, following.meld)
    return same and act.what == "add"


def lying_at(play: Play, second: float) -> dict[int, Lying]:
    """Where each card lies at a second of the film, by its number."""
    lying = {one.card: one for one in play.beginning}
    for change in play.changes:
        if change.second > second:
            break
        for card in change.gone:
            lying.pop(card, None)
        lying.update({one.card: one for one in change.lying})
    return lying
