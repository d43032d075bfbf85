"""What a screen says aloud: the newest result of a game, a correction of an older one, or that it is over."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from webui.games.progress import Course
from webui.storage.records import LogEntry


@dataclass(frozen=True, slots=True)
class News:
    """The newest result in a sentence; ``id`` tells it from the one before."""

    id: int
    text: str


def last_news(log: Sequence[LogEntry], course: Course) -> News | None:
    """The newest confirmed round in words, the totals with it; None before the first.

    ``log`` is read before ``course``: what was confirmed between the two is told next time, never half.
    """
    told = [
        entry
        for entry in log
        if (entry.what == "confirmed" and entry.round in course.points) or (entry.what == "rules" and course.points)
    ]
    if not told:
        return None
    entry = told[-1]
    scored = course.points.get(entry.round or 0)
    if scored is None:
        what = f"The rules are now {course.rules.name}."
    else:
        what = f"{'Correction: round' if entry.before else 'Round'} {entry.round}: {_told(course, scored)}."
    sentences = [what, f"Total: {_told(course, course.sums)}."]
    if course.over:
        names = [course.game.sides[side].name for side in course.winners]
        sentences.append(f"The game is over. {' and '.join(names)} {'win' if len(names) > 1 else 'wins'}.")
    elif course.next_round and len(course.points) > 1 and len(course.winners) == 1:
        sentences.append(f"{course.game.sides[course.winners[0]].name} leads.")
    return News(entry.id, " ".join(sentences))


def _told(course: Course, points: Sequence[int]) -> str:
    """Points as a voice reads them: ``North–South 1470, East–West minus 65``."""
    return ", ".join(
        f"{side.name} {str(total).replace('-', 'minus ')}"
        for side, total in zip(course.game.sides, points, strict=True)
    )
