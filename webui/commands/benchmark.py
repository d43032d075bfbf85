"""Which engine is quickest here: each reads a sample table in a process of its own, as an engine can crash.

``python -m webui.commands.benchmark ENGINE DIR`` is that process; it prints what came of it as JSON.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from vision.engines.load import ENGINES
from vision.errors import VisionError
from vision.values import Reading
from webui.commands.host_info import Check, quickest_look, sample_table
from webui.reading.engine_choice import USUAL, form_folder, keep_engine, load_on

_WORTH = 0.9
"""Another engine is chosen only where it needs less than this share of the usual one's time."""
_NEAR = 0.01
"""So far apart, in shares of the picture's width, may two readings of one card lie."""
_PATIENCE = 600
Cards = list[tuple[str, float, float]]


@dataclass(frozen=True, slots=True)
class Trial:
    """What came of one engine: the seconds of its quickest look and the cards it read, each with its middle in shares
    of the picture's width; or in ``trouble`` why it could not be tried."""

    seconds: float
    cards: Cards
    trouble: str | None = None


def benchmark(data_dir: Path) -> Iterator[Check]:
    """Times every engine that is installed on a sample table, and keeps the quickest that reads the same cards.

    None is a fault: where nothing else can be had, the usual one is used.
    """
    usual: Trial | None = None
    took: dict[str, float] = {}
    for engine in ENGINES:
        done = try_out(engine, data_dir)
        if done.trouble is not None:
            yield Check("engine", True, f"{engine}: not to be had here ({done.trouble})")
            continue
        usual = usual or done
        same = same_cards(usual.cards, done.cards)
        if same:
            took[engine] = done.seconds
        differs = "" if same else f", not those that {USUAL} reads, so it is not used"
        yield Check("engine", True, f"{engine}: {done.seconds:.2f} s a look, {len(done.cards)} cards{differs}")
    if USUAL not in took:
        return
    best = min(took, key=lambda engine: took[engine])
    best = best if took[best] < _WORTH * took[USUAL] else USUAL
    why = "is the quickest here" if len(took) > 1 and best != USUAL else "is as quick as any here"
    try:
        kept = keep_engine(data_dir, best)
    except OSError as error:
        yield Check("engine", False, f"{best} {why}, but this could not be kept ({error.strerror}); check {data_dir}")
    else:
        yield Check("engine", True, f"{best} {why} and is used from now on (kept in {kept})")


def try_out(engine: str, data_dir: Path) -> Trial:
    """Tries one engine in a process of its own."""
    command = [sys.executable, "-m", "webui.commands.benchmark", engine, str(data_dir)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=_PATIENCE, check=False)
        found = json.loads(done.stdout.splitlines()[-1])
        return Trial(found["seconds"], [(face, x, y) for face, x, y in found["cards"]], found["trouble"])
    except subprocess.TimeoutExpired:
        return Trial(0, [], f"it was not done after {_PATIENCE} s")
    except (OSError, ValueError, LookupError, TypeError):
        return Trial(0, [], "it crashed; another version of its packages may not")


def same_cards(some: Cards, others: Cards) -> bool:
    """Whether two readings of one picture name the same cards in the same places."""
    left = list(others)
    for face, x, y in some:
        near = [card for card in left if card[0] == face and max(abs(card[1] - x), abs(card[2] - y)) <= _NEAR]
        if not near:
            return False
        left.remove(min(near, key=lambda card: abs(card[1] - x) + abs(card[2] - y)))
    return not left


def middles(reading: Reading) -> Cards:
    """The cards of a reading as a ``Trial`` holds them."""
    found = []
    for card in reading.cards:
        x, y = (sum(corner[way] for corner in card.quad) / 4 / reading.width for way in (0, 1))
        found.append((str(card.face), x, y))
    return found


def main(engine: str, data_dir: Path) -> dict[str, object]:
    """Tries one engine in this process; what ``Trial`` is made of."""
    try:
        if engine.startswith("ncnn"):
            from vision.engines.ncnn_convert import convert_networks

            convert_networks(form_folder(data_dir))
        seconds, reading = quickest_look(load_on(engine, data_dir), sample_table())
    except (VisionError, ImportError) as error:
        return {"seconds": 0, "cards": [], "trouble": str(error)}
    return {"seconds": seconds, "cards": middles(reading), "trouble": None}


if __name__ == "__main__":
    print("\n" + json.dumps(main(sys.argv[1], Path(sys.argv[2]))))
