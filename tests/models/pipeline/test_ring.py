"""Blocks drawn ahead of a training."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
from functools import partial
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch", reason="the extra train is not installed")

from models.pipeline.ring import Block, BlockRing, DrawBlock, Prefetched, RingShape

ROW = np.dtype([("value", np.int64)])


def numbered(number: int, rows: int) -> Block:
    block = np.zeros(rows, ROW)
    block["value"] = 100 * number + np.arange(rows)
    return block


def numbered_blocks() -> DrawBlock:
    return partial(numbered, rows=5)


def test_the_blocks_of_a_step_follow_from_its_number() -> None:
    shape = RingShape(first=2, window=3, steps_per_block=2)
    assert [list(shape.blocks(step)) for step in (0, 1, 2, 4, 7)] == [[0, 1], [0, 1], [0, 1, 2], [1, 2, 3], [2, 3, 4]]


@pytest.mark.parametrize("processes", [0, 1])
def test_a_ring_gives_the_same_blocks_from_the_start_and_from_the_middle(tmp_path: Path, processes: int) -> None:
    shape = RingShape(first=1, window=2, steps_per_block=1)
    ring = BlockRing(tmp_path / "a", numbered_blocks, shape, 6, processes)
    seen = [[int(block["value"][0]) for block in ring.blocks(step)] for step in range(6)]
    ring.close(remove=False)
    assert seen == [[0], [0, 100], [100, 200], [200, 300], [300, 400], [400, 500]]
    left = sorted(path.name for path in (tmp_path / "a").iterdir())
    assert "block-0000000.npy" not in left and "block-0000005.npy" in left
    later = BlockRing(tmp_path / "b", numbered_blocks, shape, 6, 0)
    assert [int(block["value"][0]) for block in later.blocks(4)] == seen[4]
    later.close(remove=True)
    assert not list((tmp_path / "b").iterdir())


def test_prefetched_values_come_in_order_and_each_is_made_once() -> None:
    made: list[int] = []

    def make(number: int) -> int:
        made.append(number)
        return number * number

    ahead = Prefetched(make, 5, 2)
    assert [ahead(number) for number in range(5)] == [0, 1, 4, 9, 16]
    ahead.close()
    assert made == [0, 1, 2, 3, 4]


def test_drawing_processes_end_with_a_training_that_is_killed() -> None:
    code = (
        "import os, signal, sys\n"
        "from pathlib import Path\n"
        "from models.pipeline.ring import BlockRing, RingShape\n"
        "from tests.models.pipeline.test_ring import numbered_blocks\n"
        "if __name__ == '__main__':\n"
        "    ring = BlockRing(Path(sys.argv[1]), numbered_blocks, RingShape(first=1), 1, 1)\n"
        "    ring.blocks(0)\n"
        "    (worker,) = ring._pool._processes\n"
        "    print(worker, flush=True)\n"
        "    os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    with tempfile.TemporaryDirectory() as name:
        script = Path(name) / "training.py"
        script.write_text(code, encoding="utf-8")
        paths = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[3])}
        command = [sys.executable, str(script), name]
        # the pipe of the output closes when the last process that holds it has ended
        done = subprocess.run(command, env=paths, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == -signal.SIGKILL and int(done.stdout) > 0
