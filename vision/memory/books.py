"""Finds what shows of books that were squared, and cards that come onto them."""

from __future__ import annotations

from collections.abc import Container, Sequence, Set

from vision.arrays import floats
from vision.memory.joining import covered, near_any
from vision.memory.state import SHOWN, Stack, TableState, Track
from vision.values import SeenCard

LEAST_SQUARED = 3
"""Cards that vanish at once where one stays, for a group to have been squared."""
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
        here = [i for i, card in enumerate(cards) if near_any(floats(card.quad), outlines, ON_THE_PLACE)]
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
    of such a card shows.
    """
    if card.face.rank not in wild_ranks:
        return None
    for stack in state.stacks.values():
        own = state.cards_of(stack) if stack.squared else []
        under = [t for t in own if t.place != SHOWN and t.face.rank == card.face.rank and t.number not in visible]
        tops = [t.outline for t in own if t.number in visible and t.place == SHOWN]
        if under and near_any(floats(card.quad), tops, ON_THE_PLACE):
            return next((t for t in under if t.face == card.face), under[-1])
    return None


def part_on_pile(state: TableState, pile: Stack, tracks: Sequence[Track]) -> tuple[list[Track], list[Track]]:
    """Those cards that lie on a pile, and those that only lie beside it."""
    own = [t.outline for t in state.cards_of(pile) if t.place == SHOWN]
    on_it = [t for t in tracks if covered(t.outline, own, 0.3)]
    return on_it, [t for t in tracks if t not in on_it]
