"""Settings for all tests.

Hypothesis has no deadline, since a busy machine would make tests fail. Cards are drawn in the same fonts on every
machine. pytest-xdist starts one process more than there are cores, because browser tests spend a quarter of their time
waiting; training and OpenCV in each process use one thread, since more threads than cores would compete. Modules are
compiled once, not again in each of the hundreds of processes that tests start, even where the environment asks for no
bytecode. Temporary folders lie in memory where there is room for them: the storage waits for the disk at every change.
Garbage is looked for more seldom than Python does by itself, and not among what was imported before the first test.
"""

from __future__ import annotations

import gc
import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from tests.drawing_fonts import use_test_fonts

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENCV_FOR_THREADS_NUM", "1")  # read when OpenCV is imported, here and in started processes
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # for the processes that tests start
sys.dont_write_bytecode = False
settings.register_profile("patient", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("patient")

MEMORY, NEEDED_BYTES = Path("/dev/shm"), 4 * 1024**3
if MEMORY.is_dir() and os.access(MEMORY, os.W_OK) and shutil.disk_usage(MEMORY).free > NEEDED_BYTES:
    os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(MEMORY))

use_test_fonts()  # here and now, since some tests ask for fonts when they are collected


@pytest.fixture(autouse=True)
def usual_umask() -> Iterator[None]:
    """New files are readable by all unless the program sees to it; ``serve`` narrows the mask of its whole process."""
    before = os.umask(0o022)
    yield
    os.umask(before)


def pytest_xdist_auto_num_workers() -> int:
    """The number of processes that ``-n auto`` starts, on Linux."""
    return len(os.sched_getaffinity(0)) + 1


def pytest_collection_finish() -> None:
    """All that is loaded now stays to the end: to search it for garbage takes a fifth of the time of a page's test."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 10)
