"""The engines that run the detector. ``KINDS`` is the registry: a new one is a module with a ``KIND`` and an entry."""

from __future__ import annotations

from vision.engines.kinds import ncnn, onnx
from vision.engines.kinds.base import EngineKind
from vision.errors import WeightsError

KINDS: tuple[EngineKind, ...] = (onnx.KIND, ncnn.KIND)
"""All kinds, the one to use by default first."""
ENGINES = tuple(name for kind in KINDS for name in kind.names)


def kind_of(engine: str) -> EngineKind:
    """The kind that offers an engine.

    Raises:
        WeightsError: none does.
    """
    found = next((kind for kind in KINDS if engine in kind.names), None)
    if found is None:
        raise WeightsError(f"expected the engine {', '.join(ENGINES[:-1])} or {ENGINES[-1]}, got {engine!r}")
    return found
