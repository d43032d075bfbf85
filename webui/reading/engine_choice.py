"""The inference engine of this machine, chosen by ``handfoot doctor --benchmark`` and stored in the data folder."""

from __future__ import annotations

import json
import logging
from pathlib import Path
from typing import TYPE_CHECKING

from vision.errors import WeightsError
from webui.decks.in_play import is_unlike
from webui.decks.learnt import read_learnt
from webui.storage.db.snapshot import timestamp
from webui.storage.files.atomic_files import read_json, replace_file
from webui.storage.files.deck_files import DECKS, LEARNT, LEARNT_FILES
from webui.storage.files.learnt_files import set_aside_misfit

if TYPE_CHECKING:
    from vision.reader import CardReader

DEFAULT_ENGINE = "onnx"
_FILE = "engine.json"
_log = logging.getLogger(__name__)


def ncnn_folder(data_dir: Path) -> Path:
    """The folder of the networks converted for NCNN, which may not exist."""
    return data_dir / "ncnn"


def chosen_engine(data_dir: Path) -> str:
    """The stored choice; the default engine if there is none or it cannot be read."""
    try:
        return str(read_json(data_dir / _FILE)["engine"])
    except (KeyError, TypeError):
        return DEFAULT_ENGINE


def save_engine(data_dir: Path, engine: str) -> Path:
    """Stores the choice and returns its file.

    Raises:
        OSError: it cannot be written.
    """
    data_dir.mkdir(parents=True, exist_ok=True)
    path = data_dir / _FILE
    replace_file(path, json.dumps({"engine": engine}).encode())
    return path


def learnt_state(data_dir: Path) -> object:
    """Tells what was learnt in a data folder from what was learnt before; None where nothing was."""
    try:
        note = (data_dir / DECKS / LEARNT / [*LEARNT_FILES][-1]).stat()
        return note.st_mtime_ns, note.st_size
    except OSError:
        return None


def load_reader(engine: str, data_dir: Path) -> CardReader:
    """The reader on an engine, warmed up: with the shipped weights, and for the household's decks with what it learned
    of them.

    Raises:
        WeightsError: weights are missing or not the shipped ones, or the engine is unknown or not installed.
    """
    from vision.reader import LearntDecks  # slow to import; only who reads needs it
    from vision.reader import load_reader as load
    from vision.recognise.deck_head import load_deck_head

    set_aside_misfit(data_dir / DECKS / LEARNT, timestamp())
    found, made = read_learnt(data_dir), ncnn_folder(data_dir)
    if found is not None:
        try:
            unlike = frozenset({*found.whole, *filter(is_unlike, found.decks)})
            learnt = LearntDecks(load_deck_head(found.names), frozenset(found.decks), unlike)
            reader = load(engine, made=made, learnt=learnt)
            reader.warm()
            return reader
        except Exception as error:  # whatever numbers that anybody made lead to
            _log.warning("what was learned of %s cannot be used: %s", ", ".join(sorted(found.decks)), error)
    reader = load(engine, made=made)
    reader.warm()
    return reader


def load_chosen_reader(data_dir: Path) -> tuple[str, CardReader]:
    """The chosen engine, or the default one if that is not available any more, and the reader on it.

    Raises:
        WeightsError: the weights are missing or are not the shipped ones.
    """
    engine = chosen_engine(data_dir)
    if engine != DEFAULT_ENGINE:
        try:
            return engine, load_reader(engine, data_dir)
        except WeightsError as error:
            _log.warning("cards are read on %s, not on %s: %s", DEFAULT_ENGINE, engine, error)
    return DEFAULT_ENGINE, load_reader(DEFAULT_ENGINE, data_dir)
