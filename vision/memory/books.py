"""Finds what shows of books that were squared, and cards that come onto them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Mapping, Sequence, Set

import numpy as np

from vision.arrays import Doubles, Floats, doubles, floats
from vision.geometry import quad_width
from vision.memory.joining import SAME_PLACE, covered, lies_across, near_any
from vision.memory.pictures.alignment import ALIKE, CardPictures, Moved
from vision.memory.pictures.places import Places
from vision.memory.state import SHOWN, Stack, TableState, Track
from vision.values import SeenCard

LEAST_SQUARED = 3
"""Cards that vanish at once where one stays, for a group to have been squared."""
LAID_OFF, LAID_TURNED = 0.02, 0.8
"""Card widths, and degrees, by which a card of another design lies otherwise than the one beneath, by its outline. On
drawn piles that nobody touched, outlines by two indices differ by 0.009 and 0.6 at most in 99 of 100 looks."""
LAID_WITHIN, PUSHED_ASIDE = 0.1, 0.3
"""Card widths within which people lay a card on a pile, and from which a pile was pushed aside, and no card came. In
between nobody can tell the two apart."""
BESIDE_THE_PLACE = 1.5
"""Card widths from the top of a pile within which the end of a wild under it may be read for a card."""
HARDLY_ALIKE = 0.9
"""Likeness, 0..1, of the little that shows of a card under a pile, from which it tells whether the pile was pushed."""
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
        if stack.squared or len(showed) <= LEAST_SQUARED:
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
        alike = {i: [t for t in own if t.face == cards[i].face] for i in here}
        if len(own) < book_size and not all(
            shows_both_ends(cards[i]) and not _lay_there(cards[i], alike[i]) for i in here
        ):
            continue  # a meld of which the others are hidden, unless more cards came unseen
        # a suit is what a single look errs in
        for whole in (True, False):
            for i in here:
                face = cards[i].face
                free = [t for t in own if t.number not in tops.values() and i not in tops]
                same = [t for t in free if t.face == face or (not whole and t.face.rank == face.rank)]
                if same:
                    tops[i] = max(reversed(same), key=lambda t: t.share_of(face)).number
    return tops


def _lay_there(card: SeenCard, tracks: Sequence[Track]) -> bool:
    """Whether a card is one of the ``tracks``, which lie where they lay; its suit may be read otherwise."""
    return any(t.face.rank == card.face.rank and near_any(floats(card.quad), [t.outline], SAME_PLACE) for t in tracks)


def pile_below(state: TableState, track: Track, wild_ranks: Set[str]) -> Stack | None:
    """The squared pile on which a card lies."""
    for stack in state.stacks.values():
        own = state.cards_of(stack) if stack.squared else []
        shown = showing(state, stack, wild_ranks) or own
        if own and covered(track.outline, [shown[-1].outline]):
            return stack
    return None


def showing(state: TableState, pile: Stack, wild_ranks: Set[str]) -> list[Track]:
    """The cards of a squared pile that show, from the lowest: of a wild only the ends show, from under the others."""
    shown = [t for t in state.cards_of(pile) if t.place == SHOWN]
    return sorted(shown, key=lambda t: t.face.rank not in wild_ranks or all(o.face.rank in wild_ranks for o in shown))


def fits(state: TableState, stack: Stack, track: Track, wild_ranks: Set[str]) -> bool:
    """Whether a card may come on a pile: it is wild, or has the rank of most others there."""
    ranks = Counter(t.face.rank for t in state.cards_of(stack) if t.face.rank not in wild_ranks)
    return track.face.rank in wild_ranks or not ranks or track.face.rank == ranks.most_common(1)[0][0]


def is_end_of_crosswise(state: TableState, track: Track, wild_ranks: Set[str]) -> bool:
    """Whether what was read for a card is only the end of a wild that lies crosswise under a squared pile.

    Such an end may be read as a card that lies beside the pile, but never with two indices.
    """
    if track.face.rank not in wild_ranks or track.exact is not None:
        return False
    for stack in state.stacks.values():
        own = state.cards_of(stack) if stack.squared else []
        if any(t.face == track.face and t is not track for t in own):
            tops = [t.outline for t in own if t.place == SHOWN]
            if near_any(track.outline, tops, BESIDE_THE_PLACE):
                return True
    return False


def peeping(state: TableState, card: SeenCard, wild_ranks: Set[str], visible: Container[int]) -> Track | None:
    """The wild of a squared pile that shows from under it, while the pile's top still shows, or across that.

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
        tops = showing(state, stack, wild_ranks) if like else []
        place, outlines = floats(card.quad), [t.outline for t in tops]
        if not near_any(place, outlines, ON_THE_PLACE) or (shows_both_ends(card) and not covered(place, outlines, 0.3)):
            continue  # what shows both ends beside a pile is not under it
        if any(t.number in visible for t in tops) or lies_across(floats(card.quad), tops[-1].outline):
            return next((t for t in under if t.face == card.face), (under or both_ends or like)[-1])
    return None


def laid_on_their_like(
    state: TableState,
    pairs: Mapping[int, int],
    cards: Sequence[SeenCard],
    wild_ranks: Set[str],
    pictures: CardPictures,
    same: Container[int] = (),
) -> tuple[list[int], list[Stack]]:
    """What came on the top of a pile that has its face: the top lies a little otherwise than before.

    A pile that was pushed a little has moved with all that shows of it.

    Args:
        state: what is known.
        pairs: for each card by its index, of those that were read now, the number of the card that it is taken for.
        cards: what was read.
        wild_ranks: ranks that stand for any other.
        pictures: of the cards that show of piles.
        same: the numbers of the cards whose place has not changed.

    Returns:
        The cards, by index, that came. And piles that were either pushed or got such a card.
    """
    new = [floats(card.quad) for i, card in enumerate(cards) if i not in pairs]
    came, unclear = list[int](), list[Stack]()
    for i, n in pairs.items():
        track, card = state.tracks[n], cards[i]
        stack = None if track.group is None else state.stacks[track.group]
        if stack is None or not stack.squared or track.looks_like != card.face or n in same:
            continue
        shown = [t.number for t in showing(state, stack, wild_ranks)]
        if n != shown[-1] or not shows_both_ends(card):
            continue
        if track.face.rank in wild_ranks or covered(track.outline, new):
            continue
        moved = pictures.moved(n)
        if moved is None or moved.likeness < ALIKE:
            moved = _unlike(pictures, n, card)
        if moved is None or moved.stayed or pictures.stayed_in_part(n):
            continue
        along = [other for m in shown[:-1] if (other := pictures.moved(m)) and other.likeness >= HARDLY_ALIKE]
        if any(moved.goes_with(other) for other in along):
            continue
        if moved.far < LAID_WITHIN:
            came.append(i)
        elif moved.far < PUSHED_ASIDE:
            unclear.append(stack)
    return came, unclear


def _unlike(pictures: CardPictures, number: int, card: SeenCard) -> Moved | None:
    """How a top moved that is unlike its picture: something is over a part of it, or a card of another design came.

    None until it has been so for long, and where its outline lies as before.
    """
    if number not in pictures.known() or not pictures.unlike_for(number):
        return None
    x, y, turn = _move(pictures.outline(number), floats(card.quad)).tolist()
    return Moved(x, y, turn, 1.0) if np.hypot(x, y) > LAID_OFF or abs(turn) > LAID_TURNED else None


def came_over_rivals(
    state: TableState,
    pairs: Mapping[int, int],
    cards: Sequence[SeenCard],
    wild_ranks: Set[str],
    pictures: CardPictures,
    same: Container[int],
    fresh: Container[int],
) -> tuple[list[int], set[int]]:
    """Cards, by index, on the places of tops of another face that changed; only those that are ``fresh`` were read now.

    A top of which there is no picture must have been read alike in nearly all looks.

    Returns:
        Those to which two looks in a row gave that face: they came upon the top. And those that wait for the next look.
    """
    came, waiting = list[int](), set[int]()
    for i, n in pairs.items():
        track, face = state.tracks[n], str(cards[i].face)
        is_top = track.group is not None and state.stacks[track.group].squared
        known = n in pictures.known() or (track.steady and track.looks > 1)
        crosswise = track.face.rank in wild_ranks and cards[i].face.rank == track.face.rank  # and its suit is misread
        if n in same or not is_top or not known or crosswise or cards[i].face in (track.face, track.looks_like):
            track.rival = None
        elif track.rival == face and i in fresh:
            came.append(i)
        else:
            track.rival = face
            waiting.add(i)
    return came, waiting


def tuck_crosswise(state: TableState, loose: Sequence[Track], wild_ranks: Set[str]) -> list[Track]:
    """Takes wilds that began to show as their pile was squared for those that lie crosswise under it.

    Returns:
        Those of the ``loose`` that were; they are followed no more.
    """
    tucked = []
    for track in loose:
        if track.face.rank not in wild_ranks or track.first_seen != state.second:
            continue
        for stack in state.stacks.values():
            own = state.cards_of(stack) if stack.squared else []
            under = [t for t in own if t.face.rank == track.face.rank and t.place != SHOWN]
            tops = [t.outline for t in own if t.place == SHOWN]
            if under and near_any(track.outline, tops, ON_THE_PLACE):
                below = next((t for t in under if t.face == track.face), under[-1])
                below.quad, below.exact, below.place = track.quad, track.exact, SHOWN
                tucked.append(track)
                break
    for track in tucked:
        del state.tracks[track.number]
    return tucked


def is_part_of_pile(
    state: TableState, card: SeenCard, same: Mapping[int, float], places: Places, wild_ranks: Set[str]
) -> bool:
    """Whether a card is only a part of what lies on a pile that has not changed since its top was seen.

    ``same``: the cards whose place has not changed, by number, with the second at which each was seen.
    """
    for stack in state.stacks.values():
        tops = showing(state, stack, wild_ranks)[-1:] if stack.squared else []
        if any(t.number in same and covered(floats(card.quad), [t.outline], 0.3) for t in tops):
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
