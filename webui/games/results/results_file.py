"""The results of agreed rounds in a file, so that a start of the program scores only what it has not scored yet.

The file can be removed at any time. It is not part of backups or exports, so no file from elsewhere brings points
along. What another version of the scoring wrote is not read.
"""

from __future__ import annotations

import hashlib
import logging
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

import scorer
from webui.games.results import round_results
from webui.games.results.round_results import RoundResult, remember, remembered
from webui.storage.files.atomic_files import read_file, replace_file

FILE_NAME = "results.json"
_MOST_BYTES = 256 * 1024 * 1024
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class _Document:
    """The whole file: the scoring that computed the results, and the results by the hash of sheet and rules."""

    scoring: str
    results: dict[str, RoundResult]


_DOCUMENT = TypeAdapter(_Document)


def scoring_version() -> str:
    """The hash of everything that scores apart from sheets and rules: the program's text, and the decks."""
    folder = Path(scorer.__file__).parent
    files = [*sorted([*folder.rglob("*.py"), *(folder / "decks").glob("*.toml")]), Path(round_results.__file__)]
    digest = hashlib.sha256(metadata.version("handfoot").encode())
    for path in files:
        digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()[:32]


def recall_results(folder: Path) -> int:
    """Reads the results that this version of the scoring has computed before.

    Args:
        folder: the data folder.

    Returns:
        The number of results read; 0 where there is no file that can be used.
    """
    try:
        found = _DOCUMENT.validate_json(read_file(folder / FILE_NAME, _MOST_BYTES))
        if found.scoring != scoring_version():
            return 0
    except (OSError, ValidationError):
        return 0
    remember(found.results)
    return len(found.results)


def keep_results(folder: Path, known: int) -> None:
    """Writes the results to the file, if there are more than the ``known`` ones of ``recall_results``.

    Where the folder cannot be written, the next start scores again.
    """
    results = remembered()
    if len(results) == known:
        return
    try:
        replace_file(folder / FILE_NAME, _DOCUMENT.dump_json(_Document(scoring_version(), results)))
    except OSError as error:
        _log.warning("the results of %d rounds were not kept: %s", len(results), error.strerror)
