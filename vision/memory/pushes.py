"""Finds melds that were pushed along themselves, groups that were pushed aside, and cards that were read aside."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence

import numpy as np

from vision.arrays import Floats, floats
from vision.memory.groups import Groups
from vision.memory.joining import ON_ITSELF, centre, covered, moved_together, near_any, usual_width
from vision.memory.state import TableState, Track
from vision.values import SeenCard

READ_ASIDE = 1.0
"""Card widths from the place of a card within which it is read whose outline is guessed from one index."""
WITHIN = 0.8
"""Share of what was read for a card that lies in the outline of another of which it is an end."""


def take_back_pushed_along(
    state: TableState,
    shown: Mapping[int, Track],
    cards: Sequence[SeenCard],
    pairs: dict[int, int],
    same: Container[int],
) -> None:
    """Takes back those ``pairs`` of melds in which cards lie now where others of them lay: they were pushed along.

    So it is if more of their cards are found at one shift, and more of them with their faces.

    Args:
        state: what is known.
        shown: the cards that showed, by number.
        cards: what was read.
        pairs: for each card by its index the number of the card at whose place it lies; changed here.
        same: the numbers of the cards whose place has not changed.
    """
    width = usual_width([floats(card.quad) for card in cards])
    for stack in state.stacks.values():
        own = {t.number: t for t in state.cards_of(stack) if t.number in shown and not stack.squared}
        here = {i: n for i, n in pairs.items() if n in own}
        alike = sum(cards[i].face == own[n].face for i, n in here.items())
        if len(here) == len(own) or any(n in same for n in own):
            continue
        free = {i: card for i, card in enumerate(cards) if i not in pairs or i in here}
        along = moved_together({n: (t.face, t.outline) for n, t in own.items()}, free, width)
        if len(along) > len(here) and sum(cards[i].face == own[n].face for i, n in along.items()) > alike:
            for i in here:
                del pairs[i]


def pushed_aside(
    groups: Groups, shown: Mapping[int, Track], cards: Sequence[SeenCard], pairs: Mapping[int, int]
) -> dict[int, int]:
    """Finds groups that were pushed aside, moves all their cards there, and tells it.

    Returns:
        Cards of theirs, by index, that show, each with the number of the card that it is.
    """
    state, found = groups.state, dict[int, int]()
    width = usual_width([floats(card.quad) for card in cards])
    for stack in state.stacks.values():
        lost = {
            t.number: (t.looks_like if stack.squared else t.face, t.outline)
            for t in state.cards_of(stack)
            if t.number in shown and t.number not in pairs.values()
        }
        free = {i: card for i, card in enumerate(cards) if i not in pairs and i not in found}
        together = moved_together(lost, free, width)
        if not together or (len(lost) < 2 and not stack.squared):
            continue
        others = [floats(card.quad) for i, card in enumerate(cards) if i not in together]
        if stack.squared and covered(next(iter(lost.values()))[1], others):
            continue  # the pile still lies there
        found |= together
        first = next(iter(together))
        shift = floats(cards[first].quad).mean(0) - state.tracks[together[first]].outline.mean(0)
        for track in state.cards_of(stack):
            track.quad, track.exact = (track.outline + shift).tolist(), None
        # a card that lies a little off is no group that was pushed aside
        if float((shift**2).sum()) ** 0.5 > width:
            groups.tell("moved", stack, state.cards_of(stack))
    return found


def read_aside(
    state: TableState,
    card: SeenCard,
    laid: Sequence[Floats],
    shown: Container[int],
    found: Container[int],
    same: Container[int],
) -> Track | None:
    """The card of a meld that one still shows a little aside of its place, as its outline was guessed from one index.

    Who lays a card lays it on the others, and it shows both its ends or lies under one laid with it. So what else shows
    one end, where a still shows one card of its rank less within a card's width, is that card and none that came. So is
    what lies on one of its rank itself, which was read twice; or the other end of one that lies as it lay, of which
    both ends were read before.

    Args:
        state: what is known.
        card: what was read at a place where nothing was known to lie.
        laid: the outlines, (4, 2), of what shows both its ends where nothing was known to lie.
        shown: the numbers of the cards that showed before.
        found: the numbers of the cards that this still shows.
        same: the numbers of the cards whose place has not changed.
    """
    here, nearest = floats(card.quad), list[tuple[float, int]]()
    if len(card.corners) > 1 or covered(here, laid):
        return None
    for stack in state.stacks.values():
        for track in [] if stack.squared else state.cards_of(stack):
            within = ON_ITSELF if track.number in found else READ_ASIDE if track.number in shown else 0.0
            if track.number in same and track.number in found and track.face == card.face and _is_end(here, track):
                return track
            if track.face.rank == card.face.rank and near_any(here, [track.outline], within):
                nearest.append((float(np.hypot(*(centre(here) - centre(track.outline)))), track.number))
    return state.tracks[min(nearest)[1]] if nearest else None


def _is_end(outline: Floats, track: Track) -> bool:
    """Whether an outline lies in that of a card of which one end was read now, and both before."""
    return track.exact is not None and not track.lies_open and covered(outline, [floats(track.exact)], WITHIN)
