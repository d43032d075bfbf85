"""What became of cards that showed before and do not now: under others, squared, hidden, or taken back."""

from __future__ import annotations

from collections.abc import Container, Sequence

from vision.memory.books import LEAST_SQUARED, ON_THE_PLACE
from vision.memory.groups import ENOUGH_LOOKS, NOT_SEEN_AGAIN, Groups
from vision.memory.joining import covered, near_any
from vision.memory.pictures.ground import BARE, Ground
from vision.memory.state import GONE, SURE_LOOK, UNDER, Stack, Track
from vision.values import Pixels

SQUARED_UNSEEN = "A card came on this book while it was being squared; check its cards."
"""What is said of a book of which nobody saw all cards that came."""
MISSING_LOOKS = 4
"""Stills in a row without a card, with nothing over it, after which it was taken back."""


def bare_places(missing: Sequence[Track], visible: Sequence[Track], pixels: Pixels | None, ground: Ground) -> set[int]:
    """The numbers of the missing cards where nothing lies now, so that they cannot be hidden there."""
    if pixels is None:
        return {track.number for track in missing}
    lying = [track.outline for track in visible]
    bare = set()
    for track in missing:
        share = ground.bare(track.outline, lying)
        if share is None:  # cards lie there: it lay on those that came before it, unless a thing lies over them
            near = [t for t in visible if covered(track.outline, [t.outline])]
            above = [t for t in near if t.first_seen >= track.first_seen]
            share = 0.0 if above or not any(t.lies_open for t in near) else 1.0
        if share >= BARE:
            bare.add(track.number)
    return bare


def explain(groups: Groups, missing: Sequence[Track], visible: Sequence[Track], bare: Container[int]) -> None:
    """Finds what became of cards that showed before and do not now; where it is not bare, something may hide them.

    ``bare``: the numbers of those whose place is.
    """
    state = groups.state
    # a card that lay there before cannot hide what showed beside it
    outlines = [track.outline for track in visible if track.looks == 1]
    by_group: dict[int | None, list[Track]] = {}
    for track in missing:
        by_group.setdefault(track.group, []).append(track)
    for number, lost in by_group.items():
        gone = [track for track in lost if track.number in bare]
        if number is None:
            # what hardly a still showed was read of other cards, which may lie there
            _lose(groups, [track for track in lost if track in gone or track.looks < ENOUGH_LOOKS])
            continue
        stack = state.stacks[number]
        stay = [track for track in visible if track.group == number]
        vanished = not stack.squared and len(lost) >= LEAST_SQUARED and _lies_bare(groups, stack, gone)
        if vanished and 1 <= len(stay) <= 2:
            if not any(track.lies_open for track in stay):
                continue  # nothing lies on the top of a pile: what covers this one hides the others
            stack.squared = True
            groups.hide(stack, lost, stay)
            if not groups.is_book(stack):
                groups.doubt(stack, SQUARED_UNSEEN)
            groups.tell("squared", stack, state.cards_of(stack))
            continue
        for track in lost:
            if (stack.squared and stay) or covered(track.outline, outlines):
                groups.hide(stack, [track], stay)
            elif not stay:
                _search(groups, stack, lost, visible, gone)
                break
            elif track in gone:
                _lose(groups, [track])


def _search(
    groups: Groups, stack: Stack, lost: Sequence[Track], visible: Sequence[Track], gone: Sequence[Track]
) -> None:
    """A whole group shows no more: one strange card on its place is the top of what it became."""
    own = [track.outline for track in lost]
    top = [t for t in visible if t.group is None and near_any(t.outline, own, ON_THE_PLACE)]
    if len(top) == 1 and _lies_bare(groups, stack, gone):
        stack.squared = True
        groups.put(stack, top)
        groups.hide(stack, lost, top)
        groups.doubt(stack, SQUARED_UNSEEN)
        groups.tell("squared", stack, groups.state.cards_of(stack))
        return
    _lose(groups, gone)


def _lies_bare(groups: Groups, stack: Stack, gone: Sequence[Track]) -> bool:
    """Whether a group no longer lies where it lay spread: of one that has too few cards for a book, since some came
    unseen, more than one place has to be bare."""
    return len(gone) >= (1 if groups.is_book(stack) else LEAST_SQUARED)


def _lose(groups: Groups, tracks: Sequence[Track]) -> None:
    """One more still without cards that should show."""
    for track in tracks:
        track.missing += 1
        if track.missing < MISSING_LOOKS:
            continue
        if track.group is None:
            del groups.state.tracks[track.number]
        else:
            _gone(groups, track, groups.state.stacks[track.group])


def _gone(groups: Groups, track: Track, stack: Stack) -> None:
    """A card of a group was taken back."""
    pile = groups.state.cards_of(stack)
    track.place = GONE
    if track.looks > 1 or track.sure >= SURE_LOOK:
        if stack.squared:
            groups.doubt(stack, "This pile was not seen again where it lay; check what became of it.")
        elif groups.is_book(stack) or len(pile) < len(stack.tracks):  # people take back one card
            groups.doubt(stack, NOT_SEEN_AGAIN)
        groups.tell("taken-back", stack, [track])
    left = groups.state.cards_of(stack)
    if not stack.squared and all(one.place == UNDER for one in left):  # nor is there what lay on them
        for one in left:
            one.place = GONE
