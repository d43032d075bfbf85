"""The memory of a process, on Linux."""

from __future__ import annotations

import re
from pathlib import Path


def memory(process: str) -> float:
    """Resident memory of a process, by its number or as ``self``, in MB."""
    found = re.search(r"VmRSS:\s+(\d+) kB", Path(f"/proc/{process}/status").read_text(encoding="utf-8"))
    assert found
    return int(found[1]) / 1000
