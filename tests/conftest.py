"""What holds for every test.

Properties are tried without a limit of time: a machine that is busy just then makes none of them wrong. Tables are
drawn in the lettering of the packages the tests ask for, whatever else is installed: all machines draw the same.
There is one process more than cores, as a quarter of the time is spent waiting for a browser; each trains on one
thread, since more threads than cores wait for each other.
"""

from __future__ import annotations

import os
from pathlib import Path

from hypothesis import HealthCheck, settings

from datasets.decks import fonts

os.environ.setdefault("OMP_NUM_THREADS", "1")
settings.register_profile("patient", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("patient")

LETTERING = tuple(Path("/usr/share/fonts/truetype") / name for name in ("dejavu", "lato", "liberation"))
"""Where Debian lays `fonts-dejavu`, `fonts-lato` and `fonts-liberation`; elsewhere any lettering will do."""

if any(folder.is_dir() for folder in LETTERING):
    fonts.FONT_FOLDERS = LETTERING  # here and now, since some tests ask for fonts when they are collected


def pytest_xdist_auto_num_workers() -> int:
    """How many processes ``-n auto`` starts, on Linux."""
    return len(os.sched_getaffinity(0)) + 1
