"""The clock of this machine, and how far it may be believed.

A clock may be wrong: set by hand, without a battery, or not yet set by the network. What the program would do for good
because of an age (photos that are too old) rests on ``judge``, which compares the clock with what was written before.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

FIRST_RELEASE = datetime(2026, 1, 1, tzinfo=UTC)
"""Nothing that this program has written can be older."""
_BACKWARDS = timedelta(days=1)
_BREAK, _STEADY = timedelta(days=31), timedelta(days=30)


def now() -> datetime:
    """The current time in UTC, as this machine's clock has it. Tests set another."""
    return datetime.now(UTC)


def in_minutes(minutes: int) -> str | None:
    """The time after so many minutes, to the second (ISO 8601, UTC); None for none."""
    return (now() + timedelta(minutes=minutes)).isoformat(timespec="seconds") if minutes > 0 else None


@dataclass(frozen=True, slots=True)
class Judgement:
    """What the clock is worth.

    ``believed`` is the time up to which ages count, None where none counts. ``contradicted_by`` is the time that the
    clock contradicts, None where there is no contradiction.
    """

    clock: datetime
    believed: datetime | None
    contradicted_by: datetime | None = None

    def date_of(self, files: Sequence[Path]) -> datetime:
        """When the newest of some files was written.

        A date before the first release or in the future is that of a wrong clock; such files count as written now, and
        are dated so.

        Raises:
            OSError: one is not there, or cannot be dated.
        """
        date = datetime.fromtimestamp(max(path.stat().st_mtime for path in files), UTC)
        if self.believed is None or FIRST_RELEASE <= date <= self.clock + _BACKWARDS:
            return date
        for path in files:
            os.utime(path, (self.believed.timestamp(),) * 2)
        return self.believed


def judge(clock: datetime, written: Iterable[datetime]) -> Judgement:
    """Compares the clock with the times at which things were written.

    No age counts where the clock is before the first release, is a day or more before the newest of those times, or
    where there are none. After a break of more than a month, or a clock that was moved ahead so far, ages count only
    up to the last time before that, until the clock has gone on without another break for thirty days.

    Args:
        clock: what it says.
        written: the times in the order in which things were written, the newest first; read no further than needed.
    """
    if clock < FIRST_RELEASE:
        return Judgement(clock, None, FIRST_RELEASE)
    later = None
    for time in written:
        if later is None:
            if time - clock > _BACKWARDS:
                return Judgement(clock, None, time)
            later = clock
        if later - time > _BREAK:
            return Judgement(clock, time, time)
        if clock - time > _STEADY:
            break
        later = min(later, time)  # a time by a clock that was put right later proves no break
    return Judgement(clock, None if later is None else clock)


def parsed(stamp: str) -> datetime | None:
    """The time of an ISO text, which is in UTC where it names no zone; None for a text that is no time."""
    try:
        time = datetime.fromisoformat(stamp)
    except ValueError:
        return None
    return time if time.tzinfo else time.replace(tzinfo=UTC)
