"""The groups that are remembered: cards are put into them, what happens to them is told, and how they lie now."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from scorer.faces import Face
from vision.doubts import Doubt
from vision.memory.books import pile_below
from vision.memory.state import SHOWN, SURE_LOOK, UNDER, UNSEEN, Stack, TableChange, TableState, Track, What
from vision.values import HouseRules

ENOUGH_LOOKS = 3
"""Looks at a card that does not fit on its pile after which the pile is doubted."""
NOT_SEEN_AGAIN = "Cards of this meld were not seen again; check what lies there."
"""What is said of a meld of which cards were taken back, unless it is found elsewhere with all of them."""
SURE_SHARE = 0.8
"""The share of a card's votes that what it counts as must have."""


class Groups:
    """The groups of a ``state``, with the history of what happened to them. A book has ``book_size`` cards or more."""

    def __init__(self, state: TableState, book_size: int) -> None:
        self.state, self._book_size = state, book_size

    def is_book(self, stack: Stack) -> bool:
        """Whether a group has as many cards as a book."""
        return len(self.state.cards_of(stack)) >= self._book_size

    def is_squared(self, track: Track) -> bool:
        """Whether a card lies in a squared pile."""
        return track.group is not None and self.state.stacks[track.group].squared

    def lay(self, tracks: Sequence[Track], side: int | None) -> None:
        """Begins a group of cards in the part of the table of ``side``."""
        state = self.state
        stack = Stack(state.next_stack, [], side)
        state.stacks[stack.number] = stack
        state.next_stack += 1
        self.put(stack, tracks)
        self.tell("laid", stack, tracks)

    def lay_again(self, stack: Stack, tracks: Sequence[Track]) -> None:
        """Finds the cards of a group of which nothing showed any more elsewhere: it was pushed there unseen."""
        gone = [track for n in stack.tracks if (track := self.state.tracks.pop(n, None))]
        if stack.sentence == NOT_SEEN_AGAIN and not Counter(t.face for t in gone) - Counter(t.face for t in tracks):
            stack.doubt = stack.sentence = None
        stack.tracks = []
        self.put(stack, tracks)
        self.tell("moved", stack, tracks)

    def add(self, stack: Stack, tracks: Sequence[Track]) -> None:
        """Adds cards to a group, and tells it."""
        self.put(stack, tracks)
        self.tell("added", stack, tracks)

    def put(self, stack: Stack, tracks: Sequence[Track]) -> None:
        """Puts cards into a group without a word."""
        for track in tracks:
            track.group = stack.number
            stack.tracks.append(track.number)

    def hide(self, stack: Stack, tracks: Sequence[Track], top: Sequence[Track]) -> None:
        """Puts cards under those that show; a squared pile keeps all its cards at the place of its top."""
        for track in tracks:
            track.place = UNDER
        if stack.squared and top:
            for track in self.state.cards_of(stack):
                if track.place == UNDER:
                    track.quad = [[*point] for point in top[-1].quad]

    def doubt(self, stack: Stack, sentence: str) -> None:
        """Gives a group a doubt, with a sentence for people."""
        stack.doubt, stack.sentence = UNSEEN, sentence

    def tell(self, what: What, stack: Stack, tracks: Sequence[Track]) -> None:
        """Notes a change in the history."""
        state = self.state
        state.history.append(
            TableChange(state.second, what, stack.number, state.faces(tracks), stack.side, stack.sentence)
        )


def groups_now(state: TableState, rules: HouseRules) -> list[dict[str, Any]]:
    """The groups as they lie now, as ``docs/contract.md`` says; ``number`` is that in the history.

    ``side`` is the zone, ``sentence`` what the doubt says to people.
    """
    made = []
    for stack in state.stacks.values():
        tracks = state.cards_of(stack)
        if not tracks:
            continue
        faces = [track.face for track in tracks]
        counted = [face for face in faces if face.rank not in rules.caps] or faces
        wild = [face.rank in rules.wild_ranks for face in counted]
        naturals = Counter(face.rank for face, is_wild in zip(counted, wild, strict=True) if not is_wild)
        threes = bool(naturals) and set(naturals) <= rules.threes and not any(wild)
        full = len(counted) >= rules.book_size and len(naturals) <= 1 and not threes
        book = None if not full else "wild" if not naturals else "dirty" if any(wild) else "clean"
        doubt = stack.doubt or (Doubt.ODD_ONE_OUT.value if len(naturals) > 1 and not threes else None)
        if doubt is None and any(track.missing or track.rival for track in tracks):
            doubt = UNSEEN
        if doubt is None and stack.squared and _strange_on(state, stack, rules):
            doubt = UNSEEN
        if doubt is None and any(_sure(track, rules) < SURE_SHARE for track in tracks):
            doubt = Doubt.LOW_CONFIDENCE.value
        made.append(
            {
                "number": stack.number,
                "side": stack.side,
                "rank": None if threes or not naturals else naturals.most_common(1)[0][0],
                "kind": "threes" if threes else "pile" if stack.squared else "meld",
                "book": book,
                "cards": [str(face) for face in faces],
                "guessed": [place for place, track in enumerate(tracks) if track.guessed],
                "seen": [round(track.first_seen, 2) for track in tracks],
                "doubt": doubt,
                "sentence": stack.sentence,
            }
        )
    return made


def _strange_on(state: TableState, pile: Stack, rules: HouseRules) -> bool:
    """Whether a card that is no part of a pile lies on it."""
    loose = [t for t in state.shown() if t.group is None and t.looks >= ENOUGH_LOOKS and t.sure >= SURE_LOOK]
    return any(pile_below(state, track, rules.wild_ranks) is pile for track in loose)


@dataclass(frozen=True, slots=True)
class RememberedCard:
    """A card of a group, by all looks at it.

    Attributes:
        number: its own number, the same for as long as the table is watched.
        face: what most looks say.
        others: what else they said, with its share of the votes, likeliest first.
        is_sure: whether they agree on what counts of it.
        is_hidden: whether it lies under other cards now.
        is_guessed: whether its suit is a guess.
    """

    number: int
    face: Face
    others: tuple[tuple[Face, float], ...]
    is_sure: bool
    is_hidden: bool
    is_guessed: bool


def remembered_cards(state: TableState, number: int, rules: HouseRules) -> tuple[RememberedCard, ...]:
    """The cards of a group, in the order in which they were seen; none where there is no such group."""
    stack = state.stacks.get(number)
    return tuple(_remembered(track, rules) for track in (state.cards_of(stack) if stack else ()))


def _remembered(track: Track, rules: HouseRules) -> RememberedCard:
    whole = max(sum(track.votes.values()), 1e-9)
    shares = sorted(((Face.parse(name), votes / whole) for name, votes in track.votes.items()), key=lambda one: -one[1])
    others = tuple((face, share) for face, share in shares if face != track.face)
    is_sure = _sure(track, rules) >= SURE_SHARE
    return RememberedCard(track.number, track.face, others, is_sure, track.place != SHOWN, track.guessed)


def _sure(track: Track, rules: HouseRules) -> float:
    """The share of a card's votes for its rank, and for its colour where threes are red and black.

    Which suit it has in a meld changes no score.
    """
    votes = {Face.parse(name): score for name, score in track.votes.items()}
    whole = track.face.rank in rules.threes
    same = [score for face, score in votes.items() if face.rank == track.face.rank]
    if whole:
        same = [s for face, s in votes.items() if face.rank == track.face.rank and face.is_red == track.face.is_red]
    return sum(same) / max(sum(votes.values()), 1e-9)
