"""Begins the process that checks an archive's database, with limits of time, memory and disk, and reads its answer.

A malicious file can crash or hang that process and nothing else.
"""

from __future__ import annotations

import json
import logging
import os
import subprocess
import sys
from dataclasses import dataclass
from math import ceil
from pathlib import Path

from webui.storage.errors import ArchiveError

SECONDS = 300.0
"""Time limit; a thousand games take a Raspberry Pi 4 about a minute."""
MEMORY = 1024**3
_DISK = 3 * 1024**3
"""Bytes of one file that it writes: the copy of the largest database that is taken, and its journal."""
_ROOT = Path(__file__).resolve().parents[4]
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class CheckedGames:
    """What is not valid: games by name, how many more there are, and why each user file is not, by its name."""

    left_out: tuple[str, ...]
    more: int
    refused: dict[str, str]


def damaged(name: str, why: object) -> ArchiveError:
    """The exception for an archive that is damaged; why is logged."""
    _log.info("%s cannot be read: %s", name, str(why)[:300])
    return ArchiveError(f"{name} cannot be read and may be damaged; choose another file")


NOTHING_LEFT_OUT = CheckedGames((), 0, {})


def check_in_process(name: str, folder: Path, source: Path, target: Path) -> CheckedGames:
    """Copies the valid games of a database into a new one, in a process of its own; see ``checks.clean_copy``.

    Args:
        name: the archive's name, for messages.
        folder: the folder with the archive's own rule sets and zones; files that are not valid are removed from it.
        source: the database as it came.
        target: where to write the new database.

    Raises:
        ValueError: it is no database of handfoot, or none of its games is valid.
        ArchiveError: it is damaged, of a version unknown here, or takes more time, memory or room than any games do.
        OSError, SQLAlchemyError: the new database cannot be written.
    """
    too_large = ArchiveError(f"{name} takes more time or memory than any games do; choose another file")
    try:
        done = _run(MEMORY, _DISK, ceil(SECONDS), folder, source, target)
        answer = json.loads(done.stdout)
    except subprocess.TimeoutExpired as error:
        raise too_large from error
    except ValueError as error:  # it was killed, or died without an answer
        _log.warning("the process that checks %s ended: %s", name, done.stderr[-500:])
        raise too_large from error
    for line in done.stderr.splitlines()[:50]:
        _log.info("left out of what was brought in: %s", line)
    match answer.get("error"):
        case None:
            if answer["left_out"] and not answer["games"]:
                raise ValueError("no game is valid")
            return CheckedGames(tuple(answer["left_out"]), answer["more"], answer["refused"])
        case "version":
            raise ArchiveError(f"{name} was written by {answer['text']}")
        case "damaged":
            raise damaged(name, answer["text"])
        case "large":
            raise too_large
        case _:
            raise ValueError(answer["text"])


def _run(*arguments: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", "from webui.storage.backup.checks.clean_copy import main; main()"]
    paths = os.pathsep.join(filter(None, [str(_ROOT), os.environ.get("PYTHONPATH")]))
    return subprocess.run(
        [*command, *map(str, arguments)],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        errors="replace",
        timeout=SECONDS,
        env={**os.environ, "PYTHONPATH": paths},
        start_new_session=True,
    )
