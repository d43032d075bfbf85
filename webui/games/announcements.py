"""What a screen says aloud: the newest result of a game, a correction of an older one, or that it is over."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from webui.games.progress import GameProgress
from webui.storage.records import LogEntry


@dataclass(frozen=True, slots=True)
class Announcement:
    """The newest result in a sentence; ``id`` tells it from the one before."""

    id: int
    text: str


def latest_announcement(log: Sequence[LogEntry], progress: GameProgress) -> Announcement | None:
    """The newest confirmed round in words, the totals with it; None before the first.

    ``log`` is read before ``progress``: what was confirmed between the two is told next time, never half.
    """
    told = [
        entry
        for entry in log
        if (entry.what == "confirmed" and entry.round in progress.points) or (entry.what == "rules" and progress.points)
    ]
    if not told:
        return None
    entry = told[-1]
    scored = progress.points.get(entry.round or 0)
    if scored is None:
        what = f"The rules are now {progress.rules.name}."
    else:
        what = f"{'Correction: round' if entry.before else 'Round'} {entry.round}: {_told(progress, scored)}."
    sentences = [what, f"Total: {_told(progress, progress.totals)}."]
    if progress.over:
        names = [progress.game.sides[side].name for side in progress.winners]
        sentences.append(f"The game is over. {' and '.join(names)} {'win' if len(names) > 1 else 'wins'}.")
    elif progress.next_round and len(progress.points) > 1 and len(progress.winners) == 1:
        sentences.append(f"{progress.game.sides[progress.winners[0]].name} leads.")
    return Announcement(entry.id, " ".join(sentences))


def _told(progress: GameProgress, points: Sequence[int]) -> str:
    """Points as a voice reads them: ``North–South 1470, East–West minus 65``."""
    return ", ".join(
        f"{side.name} {str(total).replace('-', 'minus ')}"
        for side, total in zip(progress.game.sides, points, strict=True)
    )
