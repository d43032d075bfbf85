"""The groups that are remembered: cards are put into them, and what happens to them is told."""

from __future__ import annotations

from collections.abc import Sequence

from vision.memory.state import UNDER, UNSEEN, Stack, TableChange, TableState, Track, What


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
