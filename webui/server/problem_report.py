"""The problem report: a ZIP file to send to whoever finds out what went wrong.

It holds the version, the machine, the last changes and the log; names and photos only if the user wants them in it, and
never where the machine keeps its files, as any device that was let in may make one.
"""

from __future__ import annotations

import io
import json
import os
import platform
import re
import sys
import sysconfig
import zipfile
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path
from typing import Any

from webui.server.request_log import read_log
from webui.storage.records import GameRecord
from webui.storage.store import Store

_LIBRARIES = ("numpy", "opencv-python", "onnxruntime", "flask", "waitress", "sqlalchemy")
_MAX_LOG_LINES, _MAX_STEPS, _MAX_PHOTOS = 600, 300, 8
_MODEL_FILE = Path("/proc/device-tree/model")
"""The name of the board on a Raspberry Pi."""
_PATH = re.compile(
    r"""(?P<quote>["'])(?:/|[A-Za-z]:[/\\]|\\\\)[^"'\n]+"""  # in quotation marks, blanks and all
    r"""|(?<![\w./\\<>-])(?<!GET )(?<!POST )(?:(?:/[^\s"'/,;:()<>]+){2,}|(?:[A-Za-z]:[/\\]|\\\\)[^\s"',;:()<>]+)/?"""
)
"""An absolute path, of POSIX or Windows; behind the method of a request stands an address of the page."""


@dataclass(frozen=True, slots=True)
class ReportOptions:
    """What the user wants in the report: names, photos, and the user's own ``words`` about the problem."""

    names: bool = False
    photos: bool = False
    words: str = ""
    browser: str = ""


def write_report(store: Store, data_dir: Path, options: ReportOptions, health: dict[str, Any] | None = None) -> bytes:
    """The report as a ZIP file.

    Raises:
        StorageError: the games cannot be read.
    """
    games = store.games()
    anonymise = _anonymiser([] if options.names else games, data_dir)
    newest = [game for listed in games[:3] if (game := store.game(listed.id))]
    about = {
        "made_at": datetime.now(UTC).isoformat(timespec="seconds"),
        "says": options.words,
        "browser": options.browser,
        "handfoot": metadata.version("handfoot"),
        "health": health,
        "machine": _machine(),
        "database": store.kind(),
        "games": len(games),
        "libraries": {name: _version(name) for name in _LIBRARIES},
    }
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as report:
        report.writestr("about.json", json.dumps(_texts(about, anonymise), ensure_ascii=False, indent=1))
        report.writestr("log.jsonl", _lines(read_log(data_dir, _MAX_LOG_LINES), anonymise))
        report.writestr("steps.jsonl", _lines(_steps(store, newest, options.names), anonymise))
        if options.photos:
            for name, data in _photos(store, newest):
                report.writestr(f"photos/{name}", data)
    return buffer.getvalue()


def _steps(store: Store, games: list[GameRecord], names: bool) -> Iterator[str]:
    """The last changes to these games as JSON: kind and place; the values only together with names."""
    changes = [(game, entry) for game in games for entry in store.log(game.id)]
    for game, entry in sorted(changes, key=lambda change: change[1].id)[-_MAX_STEPS:]:
        step: dict[str, Any] = {"at": entry.made_at, "game": game.id, "rules": game.rules}
        step |= {"round": entry.round, "side": entry.side, "what": entry.what}
        if names:
            step |= {"before": entry.before, "after": entry.after, "who": entry.who}
        yield json.dumps(step, ensure_ascii=False)


def _photos(store: Store, games: list[GameRecord]) -> Iterator[tuple[str, bytes]]:
    """The newest photos by file name, each followed by its reading (JSON)."""
    photos = sorted(
        (photo for game in games for record in game.rounds for photo in record.photos), key=lambda photo: photo.id
    )
    for photo in photos[-_MAX_PHOTOS:]:
        try:
            yield photo.file, store.files.path(photo.file).read_bytes()
        except OSError:
            continue
        yield f"{photo.file}.json", json.dumps(photo.reading).encode()


def _anonymiser(games: list[GameRecord], data_dir: Path) -> Callable[[str], str]:
    """A function that replaces the names of these games' sides and players, and all paths of the machine, in a text."""
    names = {name for game in games for side in game.sides for name in (side.name, *side.players) if len(name) > 1}
    aliases = {name: f"name{number}" for number, name in enumerate(sorted(names, key=len, reverse=True), 1)}
    aliases |= {json.dumps(name)[1:-1]: alias for name, alias in aliases.items()}  # in a line that is no JSON
    folders = _folders(data_dir)
    parts = [rf"{re.escape(folder)}(?![\w-])" for folder in sorted(folders, key=len, reverse=True)]
    parts += [rf"(?<!\w){re.escape(name)}(?!\w)" for name in aliases]
    pattern = re.compile("|".join(parts) or r"(?!)")

    def anonymise(text: str) -> str:
        return _PATH.sub(_last_part, pattern.sub(lambda found: (folders | aliases).get(found[0], "name"), text))

    return anonymise


def _folders(data_dir: Path) -> dict[str, str]:
    """The folders that a log may name, each with the word that takes its place, as what lies in them tells much."""
    installed = sysconfig.get_paths()
    words = {
        sys.base_prefix: "PYTHON",
        sys.prefix: "PYTHON",
        installed["stdlib"]: "PYTHON",
        str(Path(__file__).parents[2]): "PROGRAM",
        installed["platlib"]: "LIBRARIES",
        installed["purelib"]: "LIBRARIES",
        str(Path.home()): "HOME",
        str(data_dir.absolute()): "DATA",
    }
    words |= {str(Path(folder).resolve()): word for folder, word in words.items()}
    return {folder: word for folder, word in words.items() if len(Path(folder).parts) > 1}


def _last_part(found: re.Match[str]) -> str:
    """The last part of a path; its quotation marks stay."""
    quote = found["quote"] or ""
    return quote + re.split(r"[/\\]", found[0].removeprefix(quote).rstrip("/\\"))[-1]


def _lines(lines: Iterable[str], anonymise: Callable[[str], str]) -> str:
    """Lines of JSON with other texts; what is no JSON, such as a line that was cut off, counts as one text."""
    return "\n".join(_line(line, anonymise) for line in lines)


def _line(line: str, anonymise: Callable[[str], str]) -> str:
    try:
        return json.dumps(_texts(json.loads(line), anonymise), ensure_ascii=False)
    except (ValueError, RecursionError):
        return anonymise(line)


def _texts(document: Any, anonymise: Callable[[str], str]) -> Any:
    """A JSON document with ``anonymise`` applied to its texts; a route is one of the page and no path."""
    if isinstance(document, dict):
        return {key: value if key == "route" else _texts(value, anonymise) for key, value in document.items()}
    if isinstance(document, list | tuple):
        return [_texts(value, anonymise) for value in document]
    return anonymise(document) if isinstance(document, str) else document


def _machine() -> dict[str, Any]:
    try:
        model = _MODEL_FILE.read_text(encoding="utf-8").strip("\0 \n")
    except OSError:
        model = None
    return {
        "system": platform.platform(),
        "processor": platform.machine(),
        "model": model,
        "cores": os.cpu_count(),
        "python": platform.python_version(),
    }


def _version(name: str) -> str | None:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None
