"""Takes the guards out one at a time and sees a test fail: ``python -m tests.webui.without_guards [WORDS]``.

Works on a copy of the tree. A guard whose tests pass without it is named, and the exit code is 1. With words, only
guards with those in their names are taken out.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
_ROOMS = ("scorer", "vision", "webui", "tests", "models/weights", "pyproject.toml")
_ATTACKS = "tests/webui/test_attacks.py"
_SLOW_CLIENTS = "tests/webui/server/test_slow_clients.py"
_ACCESS = "tests/webui/access/test_access_code.py"
_GUARD = "tests/webui/context/test_request_guard.py"
_ARCHIVES = "tests/webui/storage/backup/test_bad_archives.py"
_WAITING = "tests/webui/pages/photos/test_queue.py"
_KEEPING = "tests/webui/storage/backup/test_backups.py"
_BOMB = f"{_ATTACKS}::test_a_decompression_bomb_is_one_sentence_and_the_next_photo_is_read"


@dataclass(frozen=True, slots=True)
class Guard:
    """What is written in a file instead of a guard, and the tests of which one must fail then."""

    name: str
    file: str
    guard: str
    instead: str
    test: str
    words: str = ""
    also: tuple[str, str, str] | None = None
    """A second guard against the same: its file, what is written there, and what instead."""


GUARDS = (
    Guard("token of a form", "webui/context/request_guard.py", "csrf.protect()", "pass", f"{_GUARD}", "token"),
    Guard(
        "origin",
        "webui/context/request_guard.py",
        "split_url(origin).netloc != request.host",
        "False",
        _GUARD,
        "another_site",
    ),
    Guard("rebinding host", "webui/context/request_guard.py", "or host in known_hosts", "or True", _GUARD, "own_names"),
    Guard(
        "fetch metadata",
        "webui/context/request_guard.py",
        "        _refuse_cross_site()\n",
        "",
        _ATTACKS,
        "another_site",
    ),
    Guard("frame", "webui/context/request_guard.py", '"X-Frame-Options": "DENY",', "", _ATTACKS, "framed"),
    Guard("frame policy", "webui/context/request_guard.py", "frame-ancestors 'none'; ", "", _ATTACKS, "framed"),
    Guard(
        "door",
        "webui/context/request_guard.py",
        "if login := _require_login()",
        "if login := None",
        _ACCESS,
        "stranger",
    ),
    Guard(
        "health in full",
        "webui/pages/admin/health.py",
        "found.as_json() if is_local() else",
        "found.as_json() if True else",
        "tests/webui/pages/admin/test_health.py",
        "monitor",
    ),
    Guard(
        "looking alone",
        "webui/context/request_guard.py",
        "reads and request.endpoint in _VIEWER_PAGES and",
        "",
        _ACCESS,
        "look_on",
    ),
    Guard(
        "proxy",
        "webui/access/network.py",
        "if any(header in request.headers",
        "if all(header in request.headers",
        _ACCESS,
        "proxy",
    ),
    Guard(
        "guesses",
        "webui/access/access_code.py",
        "not self._limiter.hit(GUESSES, client_network(address)) or",
        "",
        _ACCESS,
        "ten_times",
    ),
    Guard(
        "all guesses", "webui/access/access_code.py", "or not self._limiter.hit(ALL_GUESSES)", "", _ACCESS, "no_better"
    ),
    Guard("IPv6 guesses", "webui/access/access_code.py", "client_network(address)", "address", _ACCESS, "ipv6"),
    Guard(
        "new code",
        "webui/pages/devices/login.py",
        "    services().access_code.change()\n",
        "",
        _ACCESS,
        "removed_device",
    ),
    Guard(
        "open redirect", "webui/pages/devices/login.py", "return to if ours", "return to if True", _ACCESS, "ours_alone"
    ),
    Guard(
        "escaping",
        "webui/app.py",
        "    app.jinja_env.trim_blocks",
        "    app.jinja_env.autoescape = False\n    app.jinja_env.trim_blocks",
        _ATTACKS,
        "script",
    ),
    Guard("formulas", "webui/games/score_pad.py", "if text.startswith(_FORMULAS)", "if False", _ATTACKS, "formula"),
    Guard(
        "file names",
        "webui/storage/photo_files.py",
        '_hash(data) + _SUFFIXES.get(data[:2], ".bin")',
        "'x.jpg'",
        _ATTACKS,
        "path_in_a_file",
    ),
    Guard("pixel count", "vision/images/decode.py", "header.width * header.height > MAX_PIXELS", "False", _BOMB),
    Guard("scans", "vision/images/decode.py", "header.scans > MAX_SCANS", "False", _BOMB, "scans"),
    Guard(
        "wholeness",
        "vision/images/sandbox.py",
        "    probe(data, name)\n    kept",
        "    kept",
        "tests/vision/images/test_sandbox.py",
        "bad_photo",
    ),
    Guard(
        "time to decode",
        "vision/images/sandbox.py",
        "        clock.start()\n",
        "",
        "tests/vision/images/test_sandbox.py",
        "too_long",
    ),
    Guard(
        "memory to decode",
        "vision/images/sandbox.py",
        "used + memory, used + memory",
        "-1, -1",
        "tests/vision/images/test_sandbox.py",
        "much_memory",
    ),
    Guard(
        "form",
        "webui/context/request_guard.py",
        "request.max_content_length = _MAX_FORM_BYTES",
        "pass",
        _ATTACKS,
        "millions",
    ),
    Guard(
        "form at the door",
        "webui/context/request_guard.py",
        "request.max_content_length = _MAX_PUBLIC_BYTES",
        "pass",
        _ATTACKS,
        "millions",
    ),
    Guard("unseen signs", "webui/wording.py", "not in _INVISIBLE", "!= 0", _ATTACKS, "invisible"),
    Guard("endless names", "webui/corrections/changes.py", "Field(max_length=60)]", "Field()]", _ATTACKS, "endless"),
    Guard(
        "bad addresses",
        "webui/access/network.py",
        "except ValueError:  # such",
        "except KeyError:  # such",
        _ATTACKS,
        "in_a_header",
    ),
    Guard(
        "list of a zip",
        "webui/storage/backup/archive.py",
        "len(data) > _CHUNK",
        "False",
        _ARCHIVES,
        "swells and names",
    ),
    Guard(
        "sizes in a zip",
        "webui/storage/backup/archive.py",
        "            if entry.file_size >",
        "            if 0 >",
        _ARCHIVES,
        "swells",
    ),
    Guard(
        "photos of a zip",
        "webui/storage/backup/archive.py",
        "photo_bytes > _MAX_EXPANSION",
        "0 > _MAX_EXPANSION",
        _ARCHIVES,
        "swells and photos",
    ),
    Guard(
        "room for a zip",
        "webui/storage/backup/archive.py",
        "> shutil.disk_usage(work)",
        "< 0 * shutil.disk_usage(work)",
        _ARCHIVES,
        "no_room",
    ),
    Guard(
        "hash of a photo",
        "webui/storage/backup/import_files.py",
        "not photos.is_name_of(name, data)",
        "False",
        _KEEPING,
        "left_out",
    ),
    Guard(
        "photo of a zip",
        "webui/storage/backup/import_files.py",
        "except (PhotoError, *UNREADABLE)",
        "except UNREADABLE",
        _KEEPING,
        "left_out",
    ),
    Guard(
        "photo by a path",
        "webui/storage/backup/archive.py",
        "not _PLAIN_NAME.fullmatch(name)",
        "False",
        _KEEPING,
        "bad_file",
    ),
    Guard("metadata", "vision/images/sandbox.py", "without_metadata(data)", "data", _WAITING, "no_place"),
    Guard(
        "queue by number",
        "webui/reading/photo_queue.py",
        "self._reserved >= MOST_WAITING or",
        "",
        _WAITING,
        "full_queue",
    ),
    Guard(
        "queue by bytes",
        "webui/reading/photo_queue.py",
        "or self._bytes + size > MOST_BYTES",
        "",
        _WAITING,
        "full_queue",
    ),
    Guard(
        "waiting on disk",
        "webui/reading/photo_queue.py",
        "for stored in self._files.all()",
        "for stored in ()",
        _WAITING,
        "next_start",
    ),
    Guard("tries", "webui/storage/job_files.py", "if stored.tries < _MAX_TRIES", "if True", _WAITING, "left_alone"),
    Guard(
        "head in time",
        "webui/server/slow_clients.py",
        "time.monotonic() - self._begun > HEAD",
        "False and HEAD",
        _SLOW_CLIENTS,
        "never_end",
    ),
    Guard(
        "slow read",
        "webui/server/slow_clients.py",
        "time.time() - self.last_activity > STUCK_SECONDS",
        "False",
        _SLOW_CLIENTS,
        "nobody_takes",
    ),
    Guard(
        "2 GB body",
        "webui/server/waitress_server.py",
        "        max_request_body_size=_MAX_BODY,\n",
        "        max_request_body_size=2**33,\n",
        _SLOW_CLIENTS,
        "2_gb and True",
        ("webui/server/slow_clients.py", "self._all_incoming() > MAX_INCOMING_BYTES", "False"),
    ),
    Guard(
        "all bodies",
        "webui/server/slow_clients.py",
        "self._all_incoming() > MAX_INCOMING_BYTES",
        "False",
        _SLOW_CLIENTS,
        "fill_the_disk",
    ),
    Guard(
        "connections",
        "webui/server/slow_clients.py",
        "same > MAX_CLIENT_CONNECTIONS and",
        "False and",
        _SLOW_CLIENTS,
        "connections_of_one",
    ),
    Guard(
        "streams",
        "webui/access/quotas.py",
        "self._held[client] >= self._per_client",
        "False",
        _ATTACKS,
        "streams_of_one",
    ),
    Guard(
        "live pictures",
        "webui/pages/photos/camera.py",
        "open_stream(client_id())",
        "open_stream()",
        _ATTACKS,
        "streams_of_one",
    ),
    Guard(
        "all streams",
        "webui/access/quotas.py",
        "self._held.total() >= self._total",
        "False",
        "tests/webui/pages/devices/test_follow.py",
        "bounded",
    ),
    Guard(
        "weights",
        "vision/engines/weights.py",
        "hashlib.sha256(path.read_bytes()).hexdigest() != expected",
        "False",
        "tests/vision/engines/test_weights.py",
        "altered",
    ),
    Guard(
        "pickles",
        "vision/engines/ultralytics_detector.py",
        "weights.suffix.lower() in _PICKLED",
        "False",
        "tests/vision/engines/test_weights.py",
        "pickle",
    ),
    Guard("numbers", "webui/app.py", "max=LARGEST_ID", "max=None", "tests/fuzzing", "True"),
    Guard("rights", "webui/storage/atomic_files.py", "os.O_TRUNC, 0o600", "os.O_TRUNC, 0o644", _ACCESS, "owner_alone"),
)


def fails_without(guard: Guard, tree: Path) -> bool:
    """Whether a test fails once the guard is taken out of the tree; it is put back."""
    edits = [(guard.file, guard.guard, guard.instead), *([guard.also] if guard.also else [])]
    whole = {file: (tree / file).read_text(encoding="utf-8") for file, _, _ in edits}
    for file, written, instead in edits:
        assert written in whole[file], f"{guard.name}: {written!r} is not in {file} any more"
        (tree / file).write_text(whole[file].replace(written, instead, 1), encoding="utf-8")
    words = ["-k", guard.words] if guard.words else []
    try:
        done = subprocess.run(
            [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", guard.test, *words],
            cwd=tree,
            env={**os.environ, "PYTHONPATH": str(tree), "PYTHONDONTWRITEBYTECODE": "1"},
            capture_output=True,
            text=True,
            check=False,
        )
    finally:
        for file, text in whole.items():
            (tree / file).write_text(text, encoding="utf-8")
    assert done.returncode in (0, 1), f"{guard.name}: {done.stdout}{done.stderr}"
    return done.returncode == 1


def main() -> int:
    wanted = " ".join(sys.argv[1:])
    vain = []
    with tempfile.TemporaryDirectory() as folder:
        tree = Path(folder)
        for room in _ROOMS:
            copy = shutil.copytree if (ROOT / room).is_dir() else shutil.copy
            (tree / room).parent.mkdir(parents=True, exist_ok=True)
            copy(ROOT / room, tree / room)
        for guard in GUARDS:
            if wanted in guard.name:
                failed = fails_without(guard, tree)
                print(f"{'fails' if failed else 'PASSES'} without: {guard.name}", flush=True)
                vain += [] if failed else [guard.name]
    return 1 if vain else 0


if __name__ == "__main__":
    sys.exit(main())
