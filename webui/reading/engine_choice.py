"""On which engine the networks run here, as ``handfoot doctor --benchmark`` found out; kept in the data folder."""

from __future__ import annotations

import json
import logging
from pathlib import Path

from vision.errors import WeightsError
from webui.reading.reader_service import Reader
from webui.storage.atomic_files import replace_file

USUAL = "onnx"
_FILE = "engine.json"
_log = logging.getLogger(__name__)


def form_folder(data_dir: Path) -> Path:
    """Where the networks lie in NCNN's form, if they were made."""
    return data_dir / "ncnn"


def chosen_engine(data_dir: Path) -> str:
    """What was kept last; the usual engine where nothing was, or it cannot be read."""
    try:
        return str(json.loads((data_dir / _FILE).read_text(encoding="utf-8"))["engine"])
    except (OSError, ValueError, KeyError, TypeError):
        return USUAL


def keep_engine(data_dir: Path, engine: str) -> Path:
    """Keeps the choice; where. Raises OSError where it cannot be written."""
    data_dir.mkdir(parents=True, exist_ok=True)
    path = data_dir / _FILE
    replace_file(path, json.dumps({"engine": engine}).encode())
    return path


def load_on(engine: str, data_dir: Path) -> Reader:
    """The reader with the shipped weights on an engine, as quick at its first picture as at those after it.

    Raises:
        WeightsError: weights are missing or not the shipped ones, or the engine is unknown or not installed.
    """
    from vision.engines.load import load_networks  # takes its time, and only what looks at pictures needs it
    from vision.reader import CardReader

    reader = CardReader(*load_networks(engine, form_folder(data_dir)))
    reader.warm()
    return reader


def load_chosen_reader(data_dir: Path) -> tuple[str, Reader]:
    """The engine that was chosen, or the usual one where that cannot be had any more, and the reader on it.

    Raises:
        WeightsError: the weights are missing or are not the shipped ones.
    """
    engine = chosen_engine(data_dir)
    if engine != USUAL:
        try:
            return engine, load_on(engine, data_dir)
        except WeightsError as problem:
            _log.warning("cards are read on %s, not on %s: %s", USUAL, engine, problem)
    return USUAL, load_on(USUAL, data_dir)
