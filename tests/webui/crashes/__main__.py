"""Runs crash tests and reports: ``python -m tests.webui.crashes --how kill --times 300 [--server]``."""

from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
import time
from collections import Counter
from contextlib import ExitStack
from pathlib import Path

from tests.webui.crashes.crash_run import CrashRun, cut_power, fill_disk, kill
from tests.webui.crashes.small_disk import small_disk
from tests.webui.helpers.postgres import Cluster

_WAYS = {"kill": kill, "full": fill_disk, "power": cut_power}
_CRASHES_PER_RUN = 12


def main() -> int:
    parser = argparse.ArgumentParser(description="Crashes the server at random moments and checks what it stored.")
    parser.add_argument("--how", choices=_WAYS, default="kill")
    parser.add_argument("--times", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--server", action="store_true", help="on a PostgreSQL server of its own, not in a file")
    arguments = parser.parse_args()
    total: Counter[str] = Counter()
    refusals: Counter[str] = Counter()
    began, runs, wrong = time.monotonic(), 0, list[str]()
    while total["crashes"] < arguments.times:
        with tempfile.TemporaryDirectory(prefix="handfoot-crashes-") as folder:
            run_errors = play(Path(folder), arguments, arguments.seed * 1000 + runs, total, refusals)
        runs += 1
        for line in run_errors:
            print(f"run {runs}: {line}", flush=True)
        wrong += run_errors
        print(
            f"{total['crashes']} crashes, {total['confirmed']} confirmed, {len(wrong)} wrong",
            file=sys.stderr,
            flush=True,
        )
    print(json.dumps({**total, "runs": runs, "seconds": round(time.monotonic() - began), "wrong": len(wrong)}))
    for sentence, times in refusals.most_common():
        print(f"{times:6} times: {sentence}")
    return 1 if wrong else 0


def play(
    folder: Path, arguments: argparse.Namespace, seed: int, total: Counter[str], refusals: Counter[str]
) -> list[str]:
    """One run with several crashes; adds its counts to ``total`` and ``refusals``. Returns the errors found."""
    folder.chmod(0o755)
    with ExitStack() as held:
        disk = None
        if arguments.how == "full":
            disk = held.enter_context(small_disk(folder / "disk", "160m" if arguments.server else "12m"))
            if disk is None:
                raise SystemExit("a small disk can only be mounted by root")
        place = disk.folder if disk else folder
        cluster = None
        if arguments.server:
            cluster = Cluster(place / "server")
            cluster.start()
            held.callback(cluster.kill)
        run = CrashRun(place / "data", random.Random(seed), cluster, disk)
        found: list[str] = []
        while not found and run.crashes < _CRASHES_PER_RUN and total["crashes"] + run.crashes < arguments.times:
            found = _WAYS[arguments.how](run)
        found += run.read_waiting_photos() if not found else []
        total.update(run.counts())
        refusals.update(run.refusals())
        return found


if __name__ == "__main__":
    sys.exit(main())
