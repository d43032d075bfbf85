"""``handfoot doctor``: checks cameras, weights, engine, storage and disk of this machine."""

from __future__ import annotations

import argparse
import shutil
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

from vision.cameras import Listed, list_cameras
from vision.engines.weights import weights_report
from vision.errors import VisionError
from vision.images.decode import photos_in
from webui.access.certificate import FILE, Certificate
from webui.commands.machine.benchmark import benchmark
from webui.commands.machine.host_info import Check, fastest_reading, host_checks, sample_table
from webui.commands.output import print_json, print_lines
from webui.reading.engine_choice import load_chosen_reader
from webui.reading.known_looks import damage_of
from webui.settings import SAMPLES, default_data_dir, default_database
from webui.storage import clock
from webui.storage.db.engines import SQLITE, journal
from webui.storage.errors import StorageError
from webui.storage.files.folder_lock import lock_if_free
from webui.storage.files.look_files import LookFiles
from webui.storage.store import Store

_MIN_FREE_BYTES = 500 * 1024 * 1024


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser("doctor", help="check cameras, weights, engine and its speed, storage and disk")
    parser.add_argument("--data", type=Path, metavar="DIR", help="where games are kept (default: your data folder)")
    parser.add_argument("--json", action="store_true", help="one JSON document")
    parser.add_argument(
        "--benchmark", action="store_true", help="first time every engine that is installed; the quickest is used then"
    )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Prints every check; returns 1 if a table could not be played here."""
    data_dir: Path = arguments.data or default_data_dir()
    timed = list(benchmark(data_dir)) if arguments.benchmark else []
    checks = [
        _cameras(),
        *_weights(),
        *timed,
        _engine(data_dir),
        _storage(data_dir),
        _disk(data_dir),
        _looks(data_dir),
        _https(data_dir),
        *host_checks(),
    ]
    ok = all(check.ok for check in checks)
    if arguments.json:
        print_json({"ok": ok, "checks": [asdict(check) for check in checks]})
    else:
        print_lines(f"{'ok ' if check.ok else 'BAD'}  {check.name:<8} {check.message}" for check in checks)
    return 0 if ok else 1


def _cameras() -> Check:
    """The cameras. Having none is no error, as photos can be sent from phones."""
    found = list_cameras()
    if found:
        return Check("cameras", True, "; ".join(map(_camera_text, found)))
    try:
        samples = f"the {len(photos_in(SAMPLES))} sample tables are there to practice with"
    except VisionError:
        samples = "there are no sample tables either"
    return Check("cameras", True, f"none attached; photos can be sent from phones, and {samples}")


def _camera_text(camera: Listed) -> str:
    abilities = camera.abilities
    controls = [name for name, settable in (("focus", abilities.focus), ("exposure", abilities.exposure)) if settable]
    ways = f"--camera {camera.spec}"
    if camera.lasting:
        ways += f", or --camera {camera.lasting}, which stays when numbers change"
    return (
        f"{camera.name} ({ways}): preview {abilities.preview[0]} x {abilities.preview[1]}, "
        f"stills {abilities.still[0]} x {abilities.still[1]}, "
        + (" and ".join(controls) + " can be set" if controls else "nothing to set")
    )


def _weights() -> Iterator[Check]:
    for row in weights_report():
        yield Check("weights", bool(row["ok"]), f"{row['name']}: {row['message']}")


def _engine(data_dir: Path) -> Check:
    """Reads a sample table and says how long that takes here."""
    frame = sample_table()
    try:
        engine, reader = load_chosen_reader(data_dir)
        seconds, reading = fastest_reading(reader, frame)
    except VisionError as error:
        return Check("engine", False, str(error))
    except ImportError as error:
        return Check("engine", False, f"the inference engine is not installed ({error}); install handfoot again")
    size = f"{frame.width} x {frame.height}"
    found = f"{seconds:.2f} s for a photo of {size} pixels with {len(reading.cards)} cards"
    return Check("engine", True, f"{engine}: {found}")


def _storage(data_dir: Path) -> Check:
    try:
        with lock_if_free(data_dir) as is_free:
            store = Store(data_dir, default_database(), served=not is_free)
        games = sum(not game.practice for game in store.games())
        damaged, backup = store.backups.damage, store.backups.newest_with_games()
        store.close()
    except StorageError as error:
        return Check("storage", False, str(error))
    message = f"{games} {'game' if games == 1 else 'games'} in {data_dir}"
    if store.engine.dialect.name == SQLITE:
        message += f", {journal()}"
    if backup:
        message += f"; newest backup of {backup.info.made_at[:10]}"
    return Check("storage", damaged is None, damaged or message)


def _looks(data_dir: Path) -> Check:
    """What agreed rounds teach. Photos are read without what is damaged, so that is no error."""
    rounds = LookFiles(data_dir).by_round()
    damage = damage_of(path for files in rounds.values() for path in files.values())
    return Check("looks", True, damage or f"what was seen in the photos of {len(rounds)} rounds is whole")


def _disk(data_dir: Path) -> Check:
    place = next(folder for folder in (data_dir, *data_dir.absolute().parents) if folder.exists())
    free = shutil.disk_usage(place).free
    message = f"{free / 1024**3:.1f} GB free at {place}"
    enough = free >= _MIN_FREE_BYTES
    return Check("disk", enough, message if enough else f"{message}; make room for photos")


def _https(data_dir: Path) -> Check:
    """Whether the page can be encrypted. Makes no certificate; having none is no error."""
    if not (data_dir / FILE).exists():
        return Check("https", True, "possible; handfoot serve --lan --https makes a certificate")
    try:
        own = Certificate(data_dir, given=(data_dir / FILE, data_dir / FILE))
    except StorageError as error:
        return Check("https", True, f"the certificate is made anew at the next start with --https: {error}")
    if own.begins > clock.now():
        begins = f"it begins on {own.begins.date()}, as it was made while this computer's clock was ahead"
        return Check("https", True, f"the certificate is made anew at the next start with --https: {begins}")
    return Check("https", True, f"possible; the certificate lasts until {own.ends.date()} and is renewed before")
