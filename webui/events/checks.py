"""Who of an event has no place, or one that does not fit any more."""

from __future__ import annotations

from webui.events.evening import Evening, Stage
from webui.events.formats import format_of


def misfits(evening: Evening, stage: Stage) -> tuple[str, ...]:
    """Who is in the draw of a stage and should not be, or should be and is not: since then scores were corrected,
    somebody went home or came late."""
    return tuple(sorted(set(stage.names) ^ set(format_of(evening).field(stage.number))))


def unseated(evening: Evening) -> tuple[str, ...]:
    """Teams that came after the draw of the first game and have no place yet; people come in with the next set."""
    stage = evening.current
    if not evening.is_teams or stage.status != "released" or stage.number > 1:
        return ()
    return tuple(name for name in evening.present if name not in stage.names)
