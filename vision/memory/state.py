"""What the memory holds: cards, the groups they lie in, and changes; plain data that goes into JSON and back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

from scorer.faces import Face
from vision.arrays import Floats, floats
from vision.doubts import Doubt
from vision.values import SeenCard

SHOWN, UNDER, GONE = "shown", "under", "gone"
UNSEEN = Doubt.CHANGED_UNSEEN.value
"""The doubt of a group that changed while nobody could see how."""
SURE_LOOK = 0.97
"""Confidence from which one look is enough to believe in a card, and two ranks at one place are two cards."""
WHOLE_LOOK = 12.0
"""So many looks at an index of which a card hides the suit weigh as much as one at a card that lies open."""
SURE_SUIT = 0.7
"""The share of the votes for a card's rank that its suit must have. On five drawn films all 9 suits that were wrong
had less than 0.56, and so had 13 that were right; 31 of 321 had less than 0.7."""
_STEADY = 0.9
"""The share of its votes that the face of a steady card has."""
What = Literal["laid", "added", "squared", "moved", "taken-back"]


@dataclass(slots=True)
class Track:
    """One physical card over time.

    Attributes:
        number: its own number.
        quad: its outline in pixels of the latest still, [[x, y], …] from the top left of the card as it is read.
        votes: for each face, as text, the sum of its probabilities over all looks; sure looks weigh more so.
        first_seen, last_seen: seconds.
        place: ``shown``, ``under`` (another card of its group hides it) or ``gone``.
        group: the number of its group; None while it lies alone.
        looks: how many stills showed it.
        sure: the highest confidence of a look at it, 0..1.
        missing: stills in a row that should have shown it and did not.
        exact: its outline in the latest look that showed two of its indices, which give it to a fraction of a pixel.
        rival: another face, as text, that the latest look gave to what lies on its place.
        read_as: the face, as text, that the latest look gave it.
        lies_open: whether the latest look showed both its ends.
    """

    number: int
    quad: list[list[float]]
    votes: dict[str, float]
    first_seen: float
    last_seen: float
    place: str = SHOWN
    group: int | None = None
    looks: int = 1
    sure: float = 0.0
    missing: int = 0
    exact: list[list[float]] | None = None
    rival: str | None = None
    read_as: str | None = None
    lies_open: bool = False

    def vote(self, card: SeenCard, is_whole: bool) -> None:
        """Adds what a look gave; ``is_whole``: the card showed both its ends.

        The confidence of a card is that of its rank; the faces of that rank share it.
        """
        weight = WHOLE_LOOK if is_whole else 1.0
        self.read_as, self.lies_open = str(card.face), is_whole
        like = sum(score for face, score in card.others if face.rank == card.face.rank)
        own = max(1.0 - sum(score for _, score in card.others), like, 0.01)  # its face is the likeliest
        for face, score in ((card.face, card.confidence * own / (own + like)), *card.others):
            self.votes[str(face)] = self.votes.get(str(face), 0.0) + weight * score

    @property
    def face(self) -> Face:
        """The face with the most votes."""
        return Face.parse(max(self.votes, key=lambda name: self.votes[name]))

    @property
    def looks_like(self) -> Face:
        """The face that the latest look gave."""
        return Face.parse(self.read_as) if self.read_as else self.face

    @property
    def share(self) -> float:
        """The share of its votes that its face has, 0..1."""
        return self.share_of(self.face)

    def share_of(self, face: Face) -> float:
        """The share of its votes that a face has, 0..1."""
        return self.votes.get(str(face), 0.0) / max(sum(self.votes.values()), 1e-9)

    @property
    def guessed(self) -> bool:
        """Whether its suit is a guess, as others covered it in nearly all looks."""
        face = self.face
        like = sum(votes for name, votes in self.votes.items() if Face.parse(name).rank == face.rank)
        return bool(face.suit) and self.votes[str(face)] < SURE_SUIT * like

    @property
    def steady(self) -> bool:
        """Whether nearly all looks gave it one face."""
        return self.share >= _STEADY

    @property
    def outline(self) -> Floats:
        """Its outline, (4, 2) pixels."""
        return floats(self.quad)


@dataclass(slots=True)
class Stack:
    """A group of cards that belong together: a meld, threes, or a pile.

    ``tracks`` are the numbers of its cards in the order in which they were seen; ``side`` the number of the zone in
    which it lies; ``doubt`` a code and ``sentence`` the same for people, or None.
    """

    number: int
    tracks: list[int]
    side: int | None = None
    squared: bool = False
    doubt: str | None = None
    sentence: str | None = None


@dataclass(frozen=True, slots=True)
class TableChange:
    """One change: when (seconds), what, which group, which cards, and in whose zone; a ``doubt`` is a sentence."""

    second: float
    what: What
    group: int
    cards: tuple[str, ...]
    side: int | None = None
    doubt: str | None = None

    def as_json(self) -> dict[str, Any]:
        """As the command ``watch`` prints it."""
        made: dict[str, Any] = {"second": self.second, "what": self.what, "group": self.group, "cards": [*self.cards]}
        return made if self.side is None else {**made, "side": self.side}


@dataclass(slots=True)
class TableState:
    """All that is known of the table at one time."""

    tracks: dict[int, Track] = field(default_factory=dict)
    stacks: dict[int, Stack] = field(default_factory=dict)
    history: list[TableChange] = field(default_factory=list)
    next_track: int = 0
    next_stack: int = 0
    second: float = 0.0

    def shown(self) -> list[Track]:
        """The cards that can be seen."""
        return [track for track in self.tracks.values() if track.place == SHOWN]

    def cards_of(self, stack: Stack) -> list[Track]:
        """The cards of a group that lie on the table, in the order in which they were seen."""
        return [self.tracks[n] for n in stack.tracks if n in self.tracks and self.tracks[n].place != GONE]

    def faces(self, tracks: Sequence[Track]) -> tuple[str, ...]:
        """The faces of cards as text."""
        return tuple(str(track.face) for track in tracks)

    def as_json(self) -> dict[str, Any]:
        """The state as JSON data."""
        return {
            "tracks": [asdict(track) for track in self.tracks.values()],
            "stacks": [asdict(stack) for stack in self.stacks.values()],
            "history": [asdict(change) for change in self.history],
            "next": [self.next_track, self.next_stack],
            "second": self.second,
        }

    @classmethod
    def of_json(cls, data: Any) -> TableState:
        """The state that ``as_json`` wrote.

        Raises:
            ValueError: the data is something else.
        """
        try:
            tracks = {one["number"]: Track(**one) for one in data["tracks"]}
            stacks = {one["number"]: Stack(**one) for one in data["stacks"]}
            history = [TableChange(**{**one, "cards": tuple(one["cards"])}) for one in data["history"]]
            next_track, next_stack = data["next"]
            return cls(tracks, stacks, history, int(next_track), int(next_stack), float(data["second"]))
        except (KeyError, TypeError, ValueError) as error:
            raise ValueError(f"expected what the table's memory wrote, got something else ({error})") from error
