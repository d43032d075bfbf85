"""Whether handfoot can run on this machine at all; asked before anything that was compiled is imported.

NumPy and OpenCV are built for processors of the level x86-64-v2: on older ones importing them ends in a traceback, or
the process is killed. For other systems they have no files, and where installing them failed, nothing says why.
"""

from __future__ import annotations

import importlib.util
import platform
import sys
from pathlib import Path

CPU_INFO = Path("/proc/cpuinfo")
_X86_64_V2 = frozenset({"cx16", "lahf_lm", "popcnt", "pni", "sse4_1", "sse4_2", "ssse3"})
"""Flags of a processor of this level, by their names in Linux; ``pni`` is SSE3."""
_COMPILED = ("numpy", "cv2", "onnxruntime")
_RUNS_ON = (
    "handfoot runs on PCs built since about 2010 with Windows or Linux (glibc 2.28 or newer), on a Raspberry Pi with "
    "its 64-bit system, and on Macs with Apple silicon"
)


def why_unsupported() -> str | None:
    """A sentence that says why handfoot cannot run here; None where it can."""
    is_pc = platform.machine().lower() in ("x86_64", "amd64")
    if is_pc and sys.platform == "linux" and (missing := _missing_flags()):
        return (
            f"this computer's processor is too old: it lacks {', '.join(sorted(missing))}; {_RUNS_ON} (in a virtual "
            "machine, let it have the processor of its host)"
        )
    absent = [name for name in _COMPILED if importlib.util.find_spec(name) is None]
    if not absent:
        return None
    if sys.platform == "darwin" and is_pc:
        return f"Macs with an Intel processor are not supported; {_RUNS_ON}"
    if sys.platform == "linux" and platform.libc_ver()[0] != "glibc":
        return f"Linux systems without glibc, such as Alpine, are not supported; {_RUNS_ON}"
    if not is_pc and platform.machine().lower() not in ("aarch64", "arm64"):
        return f"processors of the kind {platform.machine()} are not supported; {_RUNS_ON}"
    return f"not all of handfoot is installed, {absent[0]} is missing; install it as README.md says"


def _missing_flags() -> frozenset[str]:
    """What the processor lacks of x86-64-v2; nothing where the system does not say."""
    try:
        lines = CPU_INFO.read_text(encoding="ascii", errors="replace").splitlines()
    except OSError:
        return frozenset()
    flags = next((line.partition(":")[2].split() for line in lines if line.startswith("flags")), None)
    return frozenset() if flags is None else _X86_64_V2.difference(flags)
