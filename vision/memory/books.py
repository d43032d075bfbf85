"""Finds what shows of books that were squared, and cards that come onto them."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence, Set

import numpy as np

from vision.arrays import Doubles, Floats, doubles, floats
from vision.geometry import quad_width
from vision.memory.joining import SAME_PLACE, covered, near_any
from vision.memory.places import Places
from vision.memory.state import SHOWN, Stack, TableState, Track
from vision.values import SeenCard

LEAST_SQUARED = 3
"""Cards that vanish at once where one stays, for a group to have been squared."""
LAID_OFF, LAID_TURNED = 0.02, 0.8
"""Card widths, and degrees, by which the next card lies otherwise than the one beneath. On drawn piles that
nobody touched, outlines by two indices differ by 0.009 and 0.6 at most in 99 of 100 looks of one film."""
LAID_WITHIN, PUSHED_ASIDE = 0.1, 0.3
"""Card widths within which people lay a card on a pile, and from which a pile was pushed aside, and no card came. In
between nobody can tell the two apart."""
ON_THE_PLACE = 1.1
"""Card widths from the cards of a group within which a card lies on it."""


def tops_of_books(state: TableState, cards: Sequence[SeenCard], book_size: int) -> dict[int, int]:
    """Cards, by index, that are all that shows where a book lay spread, with the cards of that book of their face.

    A squared book shows one card, or two where one lies crosswise, at the place of any of its cards.
    """
    tops = dict[int, int]()
    for stack in state.stacks.values():
        own = state.cards_of(stack)
        showed = [track for track in own if track.place == SHOWN]
        if stack.squared or len(own) < book_size or len(showed) <= LEAST_SQUARED:
            continue
        outlines = [track.outline for track in showed]
        others = [track for track in state.shown() if track.group != stack.number]
        here = [
            i
            for i, card in enumerate(cards)
            if near_any(floats(card.quad), outlines, ON_THE_PLACE) and not _lay_there(card, others)
        ]
        if not 1 <= len(here) <= len(showed) - LEAST_SQUARED or len(here) > 2:
            continue
        # a suit is what a single look errs in
        for whole in (True, False):
            for i in here:
                face = cards[i].face
                free = [t for t in own if t.number not in tops.values() and i not in tops]
                same = [t for t in free if t.face == face or (not whole and t.face.rank == face.rank)]
                if same:
                    tops[i] = same[-1].number
    return tops


def _lay_there(card: SeenCard, tracks: Sequence[Track]) -> bool:
    """Whether a card is one of the ``tracks``, which lie where they lay."""
    return any(t.face == card.face and near_any(floats(card.quad), [t.outline], SAME_PLACE) for t in tracks)


def pile_below(state: TableState, track: Track) -> Stack | None:
    """The squared pile on which a card lies."""
    for stack in state.stacks.values():
        own = state.cards_of(stack) if stack.squared else []
        if own and covered(track.outline, [t.outline for t in own[-3:]]):
            return stack
    return None


def peeping(state: TableState, card: SeenCard, wild_ranks: Set[str], visible: Container[int]) -> Track | None:
    """The wild of a squared pile that shows from under it, crosswise, while the pile's top still shows.

    ``visible``: the numbers of the cards that this still shows. The suit may be read otherwise than before, as little
    of such a card shows. One that is visible already shows on both sides of the top, and is read twice.
    """
    if card.face.rank not in wild_ranks:
        return None
    for stack in state.stacks.values():
        own = state.cards_of(stack) if stack.squared else []
        like = [t for t in own if t.face.rank == card.face.rank]
        under = [t for t in like if t.place != SHOWN and t.number not in visible]
        both_ends = [t for t in like if t.number in visible]
        tops = [t.outline for t in own if t.number in visible and t.place == SHOWN]
        if like and near_any(floats(card.quad), tops, ON_THE_PLACE):
            return next((t for t in under if t.face == card.face), (under or both_ends or like)[-1])
    return None


def laid_on_their_like(
    state: TableState,
    pairs: Mapping[int, int],
    cards: Sequence[SeenCard],
    wild_ranks: Set[str],
    same: Container[int] = (),
) -> tuple[list[int], list[Stack]]:
    """What came on the top of a pile that has its face: the top lies a little otherwise than before.

    Only looks that show two indices of a card are compared. A pile that was pushed a little has moved with all that
    shows of it.

    Args:
        state: what is known.
        pairs: for each card by its index the number of the card that it is taken for.
        cards: what was read.
        wild_ranks: ranks that stand for any other.
        same: the numbers of the cards whose place has not changed.

    Returns:
        The cards, by index, that came. And piles that were either pushed or got such a card.
    """
    ends = {n: i for i, n in pairs.items() if shows_both_ends(cards[i])}
    before = {n: floats(quad) for n in ends if (quad := state.tracks[n].exact) is not None}
    moves = {n: _move(quad, floats(cards[ends[n]].quad)) for n, quad in before.items()}
    usual = np.median([*moves.values()], axis=0) if len(moves) > 2 else np.zeros(3)
    off = {n: (float(np.hypot(*(move - usual)[:2])), abs(float((move - usual)[2]))) for n, move in moves.items()}
    jitter = np.median([*off.values()], axis=0) if off else np.zeros(2)
    new = [floats(card.quad) for i, card in enumerate(cards) if i not in pairs]
    came, unclear = list[int](), list[Stack]()
    for n, (shift, turn) in off.items():
        track, card = state.tracks[n], cards[ends[n]]
        stack = None if track.group is None else state.stacks[track.group]
        if stack is None or not stack.squared or track.face != card.face or n in same:
            continue
        shown = [t.number for t in state.cards_of(stack) if t.place == SHOWN]
        is_top = n == shown[-1] and track.face.rank not in wild_ranks and not covered(track.outline, new)
        along = (m for m in shown if m in moves and m != n)
        pushed = any(np.hypot(*(moves[m] - moves[n])[:2]) < 0.5 * shift for m in along)
        touched = shift > max(LAID_OFF, 4 * jitter[0]) or turn > max(LAID_TURNED, 4 * jitter[1])
        if is_top and touched and not pushed and shift < LAID_WITHIN:
            came.append(ends[n])
        elif is_top and not pushed and LAID_WITHIN <= shift < PUSHED_ASIDE:
            unclear.append(stack)
    return came, unclear


def came_over_rivals(
    state: TableState, pairs: Mapping[int, int], cards: Sequence[SeenCard], same: Container[int]
) -> tuple[list[int], set[int]]:
    """Cards, by index, on the places of tops of another face that changed.

    Returns:
        Those to which two looks in a row gave that face: they came upon the top. And those that wait for the next look.
    """
    came, waiting = list[int](), set[int]()
    for i, n in pairs.items():
        track, face = state.tracks[n], str(cards[i].face)
        is_top = track.group is not None and state.stacks[track.group].squared
        if n in same or not is_top or not track.steady or track.looks < 2 or cards[i].face == track.face:
            track.rival = None
        elif track.rival == face:
            came.append(i)
        else:
            track.rival = face
            waiting.add(i)
    return came, waiting


def is_part_of_pile(state: TableState, card: SeenCard, same: Mapping[int, float], places: Places) -> bool:
    """Whether a card is only a part of what lies on a pile that has not changed since its top was seen.

    ``same``: the cards whose place has not changed, by number, with the second at which each was seen.
    """
    for stack in state.stacks.values():
        tops = [t for t in state.cards_of(stack) if t.number in same] if stack.squared else []
        if tops and covered(floats(card.quad), [t.outline for t in tops], 0.3):
            return places.same_since(floats(card.quad), max(same[t.number] for t in tops))
    return False


def shows_both_ends(card: SeenCard) -> bool:
    """Whether two indices of a card were read, which give its outline exactly."""
    return len(card.corners) > 1


def _move(before: Floats, now: Floats) -> Doubles:
    """How a card lies from where it lay: across and down in card widths, and its turn in degrees; (3,)."""
    shift = (now.mean(0) - before.mean(0)) / max(quad_width(now), 1.0)
    (x0, y0), (x1, y1) = before[3] - before[0], now[3] - now[0]
    turn = np.degrees(np.arctan2(y1, x1) - np.arctan2(y0, x0))
    return doubles([*shift, (turn + 90) % 180 - 90])  # it may be read from its other end


def part_on_pile(state: TableState, pile: Stack, tracks: Sequence[Track]) -> tuple[list[Track], list[Track]]:
    """Those cards that lie on a pile, and those that only lie beside it."""
    own = [t.outline for t in state.cards_of(pile) if t.place == SHOWN]
    on_it = [t for t in tracks if covered(t.outline, own, 0.3)]
    return on_it, [t for t in tracks if t not in on_it]
