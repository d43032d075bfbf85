"""A problem report: one file that a person can send to whoever is to find out what went wrong.

It tells the version, the machine, what the page and people did last, and the log; names and photos only where that
person wants them in it.
"""

from __future__ import annotations

import io
import json
import os
import platform
import re
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path
from typing import Any

from webui.server.request_log import read_journal
from webui.storage.records import GameRecord
from webui.storage.store import Store

_LIBRARIES = ("numpy", "opencv-python", "onnxruntime", "flask", "waitress", "sqlalchemy", "alembic")
_LINES, _STEPS, _PHOTOS = 600, 300, 8
_MODEL = Path("/proc/device-tree/model")  # a Raspberry Pi says here what it is


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a person wants in the report, and what they say of the problem."""

    names: bool = False
    photos: bool = False
    words: str = ""
    browser: str = ""


def write_report(store: Store, data_dir: Path, wanted: Wanted, health: dict[str, Any] | None = None) -> bytes:
    """The report as a ZIP file.

    Raises:
        StorageError: the games cannot be read.
    """
    games = store.games()
    hide = _hider([] if wanted.names else games, data_dir)
    newest = [game for listed in games[:3] if (game := store.game(listed.id))]
    about = {
        "made_at": datetime.now(UTC).isoformat(timespec="seconds"),
        "says": wanted.words,
        "browser": wanted.browser,
        "handfoot": metadata.version("handfoot"),
        "health": health,
        "machine": _machine(),
        "database": store.kind(),
        "games": len(games),
        "libraries": {name: _version(name) for name in _LIBRARIES},
    }
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as report:
        report.writestr("about.json", hide(json.dumps(about, ensure_ascii=False, indent=1)))
        report.writestr("log.jsonl", hide("\n".join(read_journal(data_dir, _LINES))))
        report.writestr("steps.jsonl", hide("\n".join(_steps(store, newest, wanted.names))))
        if wanted.photos:
            for name, data in _photos(store, newest):
                report.writestr(f"photos/{name}", data)
    return packed.getvalue()


def _steps(store: Store, games: list[GameRecord], names: bool) -> Iterator[str]:
    """The last changes to the newest games: what kind and where; what they were about only together with names."""
    told = [(game, entry) for game in games for entry in store.log(game.id)]
    for game, entry in sorted(told, key=lambda one: one[1].id)[-_STEPS:]:
        step: dict[str, Any] = {"at": entry.made_at, "game": game.id, "rules": game.rules}
        step |= {"round": entry.round, "side": entry.side, "what": entry.what}
        if names:
            step |= {"before": entry.before, "after": entry.after, "who": entry.who}
        yield json.dumps(step, ensure_ascii=False)


def _photos(store: Store, games: list[GameRecord]) -> Iterator[tuple[str, bytes]]:
    """The newest photos, each with what was read in it."""
    shown = sorted((photo for game in games for held in game.rounds for photo in held.photos), key=lambda one: one.id)
    for photo in shown[-_PHOTOS:]:
        try:
            yield photo.file, store.files.path(photo.file).read_bytes()
        except OSError:
            continue
        yield f"{photo.file}.json", json.dumps(photo.reading).encode()


def _hider(games: list[GameRecord], data_dir: Path) -> Callable[[str], str]:
    """Takes the names of sides and people, and the folders of this machine's user, out of a text."""
    named = {one for game in games for side in game.sides for one in (side.name, *side.players) if len(one) > 1}
    words = {name: f"name{number}" for number, name in enumerate(sorted(named, key=len, reverse=True), 1)}
    words |= {json.dumps(name)[1:-1]: word for name, word in words.items()}
    folders = {str(data_dir.absolute()): "DATA", str(Path.home()): "HOME"}
    parts = [re.escape(folder) for folder in folders if len(folder) > 1]
    parts += [rf"(?<!\w){re.escape(name)}(?!\w)" for name in words]
    pattern = re.compile("|".join(parts) or r"(?!)")
    return lambda text: pattern.sub(lambda found: (folders | words).get(found[0], "name"), text)


def _machine() -> dict[str, Any]:
    try:
        model = _MODEL.read_text(encoding="utf-8").strip("\0 \n")
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
