"""What is known of one round that is or was watched: the memory of its table, and a picture for each change."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any, Literal

from pydantic import TypeAdapter

from vision.memory.table_memory import TableMemory
from vision.values import HouseRules
from webui.watching.areas import Areas, Corners

End = Literal["round", "stopped", "camera-lost", "game-over"]
"""Why watching ended: the round was played, somebody stopped it, the camera was gone for long, the game is over."""
Outline = list[list[float]]
"""The corners of a card in a picture, [[x, y], …]."""


@dataclass(slots=True)
class Shot:
    """The picture of one change.

    Attributes:
        picture: its number among the files; changes that were seen at once share one.
        at: when, as ISO text in UTC.
        outlines: of the cards that the change is about, in pixels of the picture.
        size: width and height of the picture.
    """

    picture: int
    at: str
    outlines: list[Outline]
    size: list[int]


@dataclass(slots=True)
class Film:
    """A watched round.

    Attributes:
        game, begun, number: the game by its id and by when it began, and the round.
        on: whether it is watched now.
        by: who switched it on.
        since: when, as ISO text in UTC.
        end, ended: why and when it ended; None while it is watched.
        areas: where each side lays its cards, as it was said; None while nobody has said.
        size: width and height of the frames that are read; None before the first.
        memory: what ``TableMemory.to_json`` wrote; None before anything was read.
        shots: a picture for each change in the memory's history, in its order.
        cards: by the number of a card as text, the place of the shot in which it was laid, and its outline there.
        is_counted: whether its cards were put into the round.
        last: the table as it lay when watching ended, the picture after those of the shots; None before, and in films
            of older versions.
        outside: what lay outside all boxes then, as ``webui.storage.changes.WatchedGroup`` documents.
    """

    game: int
    begun: str
    number: int
    by: str
    since: str
    on: bool = True
    end: End | None = None
    ended: str | None = None
    areas: Areas | None = None
    size: list[int] | None = None
    memory: dict[str, Any] | None = None
    shots: list[Shot] = field(default_factory=list)
    cards: dict[str, tuple[int, Outline]] = field(default_factory=dict)
    is_counted: bool = False
    last: Shot | None = None
    outside: list[dict[str, Any]] = field(default_factory=list)

    def as_json(self) -> dict[str, Any]:
        """The film as it is stored."""
        return asdict(self)

    @classmethod
    def of_json(cls, document: Any) -> Film:
        """The film that ``as_json`` wrote.

        Raises:
            ValueError: the document is something else.
        """
        try:
            film = _FILM.validate_python(document)
            if film.memory is not None:
                TableMemory.from_json(film.memory)
                _ = film.boxes_now
        except (KeyError, TypeError, ValueError, AttributeError, ArithmeticError) as error:
            raise ValueError(f"expected what was seen of a round, got something else ({error})") from error
        return film

    @property
    def pictures(self) -> list[Shot]:
        """The pictures of all changes, and the last one."""
        return [*self.shots, *([self.last] if self.last else [])]

    def forget_end(self) -> None:
        """Forgets how the table lay when watching ended, as it goes on."""
        self.cards = {number: found for number, found in self.cards.items() if found[0] < len(self.shots)}
        self.last, self.outside = None, []

    @property
    def boxes_now(self) -> list[Corners] | None:
        """The box of each side in the picture, moved with the table where that was bumped since; None: nobody said."""
        zones = self.memory["zones"] if self.memory else []
        if self.areas is None or self.size is None or len(zones) != len(self.areas.boxes):
            return self.areas.boxes if self.areas else None
        width, height = self.size
        return [[[round(x / width, 4), round(y / height, 4)] for x, y in zone] for zone in zones]

    @property
    def areas_now(self) -> Areas | None:
        """Where each side lays its cards, for a round that follows."""
        boxes = self.boxes_now
        return self.areas if boxes is None or (self.areas and self.areas.marks) else Areas(boxes)

    def remembered(self, house_rules: HouseRules) -> TableMemory:
        """The memory of its table, as it was stored last."""
        return TableMemory(house_rules) if self.memory is None else TableMemory.from_json(self.memory, house_rules)


_FILM = TypeAdapter(Film)
