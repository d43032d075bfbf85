"""Benchmarks the inference engines: each reads a sample table in a process of its own, as an engine can crash.

``python -m webui.commands.machine.benchmark ENGINE DIR`` is that process; it prints its result as JSON.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from vision.engines.kinds import ENGINES, kind_of
from vision.errors import VisionError
from vision.values import Reading
from webui.commands.machine.host_info import Check, fastest_reading, sample_table
from webui.reading.engine_choice import DEFAULT_ENGINE, load_reader, ncnn_folder, save_engine

_MAX_TIME_RATIO = 0.9
"""Another engine is chosen only if it takes less than this fraction of the default engine's time."""
_MAX_DISTANCE = 0.01
"""Between the centres of one card in two readings, as a fraction of the picture's width."""
_TIMEOUT = 600
Cards = list[tuple[str, float, float]]
"""Faces with their centres (x, y), as fractions of the picture's width."""


@dataclass(frozen=True, slots=True)
class Trial:
    """The result of one engine: the seconds of its fastest reading and the cards, or in ``error`` why it failed."""

    seconds: float
    cards: Cards
    error: str | None = None


def benchmark(data_dir: Path) -> Iterator[Check]:
    """Times every installed engine on a sample table and stores the fastest that reads the same cards as the default.

    An engine that is not available is no fault, as the default engine is used then.
    """
    reference: Trial | None = None
    seconds: dict[str, float] = {}
    for engine in ENGINES:
        done = run_trial(engine, data_dir)
        if done.error is not None:
            yield Check("engine", True, f"{engine}: not to be had here ({done.error})")
            continue
        reference = reference or done
        same = same_cards(reference.cards, done.cards)
        if same:
            seconds[engine] = done.seconds
        differs = "" if same else f", not those that {DEFAULT_ENGINE} reads, so it is not used"
        yield Check("engine", True, f"{engine}: {done.seconds:.2f} s a look, {len(done.cards)} cards{differs}")
    if DEFAULT_ENGINE not in seconds:
        return
    best = min(seconds, key=lambda engine: seconds[engine])
    best = best if seconds[best] < _MAX_TIME_RATIO * seconds[DEFAULT_ENGINE] else DEFAULT_ENGINE
    why = "is the quickest here" if len(seconds) > 1 and best != DEFAULT_ENGINE else "is as quick as any here"
    try:
        path = save_engine(data_dir, best)
    except OSError as error:
        yield Check("engine", False, f"{best} {why}, but this could not be kept ({error.strerror}); check {data_dir}")
    else:
        yield Check("engine", True, f"{best} {why} and is used from now on (kept in {path})")


def run_trial(engine: str, data_dir: Path) -> Trial:
    """Tries an engine in a process of its own."""
    command = [sys.executable, "-m", "webui.commands.machine.benchmark", engine, str(data_dir)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=_TIMEOUT, check=False)
        found = json.loads(done.stdout.splitlines()[-1])
        return Trial(found["seconds"], [(face, x, y) for face, x, y in found["cards"]], found["error"])
    except subprocess.TimeoutExpired:
        return Trial(0, [], f"it was not done after {_TIMEOUT} s")
    except (OSError, ValueError, LookupError, TypeError):
        return Trial(0, [], "it crashed; another version of its packages may not")


def same_cards(some: Cards, others: Cards) -> bool:
    """Whether two readings of one picture have the same cards in the same positions."""
    unmatched = list(others)
    for face, x, y in some:
        near = [
            card for card in unmatched if card[0] == face and max(abs(card[1] - x), abs(card[2] - y)) <= _MAX_DISTANCE
        ]
        if not near:
            return False
        unmatched.remove(min(near, key=lambda card: abs(card[1] - x) + abs(card[2] - y)))
    return not unmatched


def centres(reading: Reading) -> Cards:
    """The cards of a reading as a ``Trial`` holds them."""
    found = []
    for card in reading.cards:
        x, y = (sum(corner[way] for corner in card.quad) / 4 / reading.width for way in (0, 1))
        found.append((str(card.face), x, y))
    return found


def main(engine: str, data_dir: Path) -> dict[str, object]:
    """Tries an engine in this process and returns the fields of a ``Trial``."""
    try:
        kind_of(engine).make(ncnn_folder(data_dir))
        seconds, reading = fastest_reading(load_reader(engine, data_dir), sample_table())
    except (VisionError, ImportError) as error:
        return {"seconds": 0, "cards": [], "error": str(error)}
    return {"seconds": seconds, "cards": centres(reading), "error": None}


if __name__ == "__main__":
    print("\n" + json.dumps(main(sys.argv[1], Path(sys.argv[2]))))
