"""What the registry needs to know of each kind of engine."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from vision.detect.detector import Detector


def nothing_to_make(folder: Path) -> None:
    """For engines that run the shipped weights as they are."""


@dataclass(frozen=True, slots=True)
class EngineKind:
    """One kind of engine, as ``vision.engines.kinds.KINDS`` needs it.

    ``names`` are the engines that it offers. ``open`` gives the detector on one of them, of a folder of weights and of
    the folder that ``make`` filled, None where there is none. Both raise WeightsError, with a sentence, where what is
    needed is not installed or is not there.
    """

    names: tuple[str, ...]
    open: Callable[[str, Path, Path | None], Detector]
    make: Callable[[Path], None] = nothing_to_make
