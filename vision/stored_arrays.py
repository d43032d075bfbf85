"""Files of arrays (.npz) that may come from anybody: read only once all that they claim was checked.

Such a file is a ZIP file of arrays, each with a header of its type and shape. What it claims may be anything: gigabytes
of zeros in a few bytes, objects, names by the million. So sizes, types and shapes are read off its directory and its
headers, and whoever knows what there should be says whether that is so, before one number is loaded.
"""

from __future__ import annotations

import io
import math
import os
import re
import struct
import zipfile
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

_MOST_ARRAYS = 500
_MAGIC = b"\x93NUMPY\x01\x00"
_HEADER = re.compile(
    rb"\{'descr': '([<|][fiU][0-9]{1,3})', 'fortran_order': False, "
    rb"'shape': \(((?:[0-9]{1,9}(?:, [0-9]{1,9})*,?)?)\), \} *\n"
)
"""As NumPy writes it: numbers or texts, in the order of C. Anything else is refused, and nothing is evaluated."""
_LONGEST_HEADER = 1024
DAMAGED_ZIP = (
    zipfile.BadZipFile,
    zlib.error,
    struct.error,
    EOFError,
    NotImplementedError,
    OverflowError,
    RuntimeError,
)
"""What reading a damaged zip file raises, besides OSError, ValueError and KeyError."""


@dataclass(frozen=True, slots=True)
class Stored:
    """What a file says of one of its arrays: its type, as NumPy writes it (``<f4``), and its shape."""

    type: str
    shape: tuple[int, ...]


Check = Callable[[Mapping[str, Stored]], object]
"""Raises ValueError where the arrays of a file, by name, are not those that there should be."""


def read_arrays(source: Path | bytes, most_bytes: int, check: Check) -> dict[str, NDArray[Any]]:
    """Reads the arrays of a file, or of what such a file holds, by name.

    Raises:
        ValueError: it is larger than ``most_bytes`` or damaged, ``check`` says no, it is packed, so that its size says
            nothing, or has numbers that are none; a clause that begins with what was expected.
        OSError: it cannot be opened.
    """
    with io.BytesIO(source) if isinstance(source, bytes) else source.open("rb") as file:
        size = file.seek(0, os.SEEK_END)
        if size > most_bytes:
            raise ValueError(f"expected {most_bytes} bytes or fewer, got {size}")
        try:
            with zipfile.ZipFile(file) as archive:
                places = {name: _look(archive, entry) for name, entry in _entries(archive, size).items()}
                check({name: stored for name, (stored, _, _) in places.items()})
                return {name: _load(archive, name, *place) for name, place in places.items()}
        except (*DAMAGED_ZIP, UnicodeDecodeError, KeyError) as error:
            raise ValueError("expected a whole file of arrays, got a damaged one") from error


def _entries(archive: zipfile.ZipFile, size: int) -> dict[str, zipfile.ZipInfo]:
    """The files of an archive by the names of their arrays; none is packed, none lies within another."""
    entries = archive.infolist()
    if len(entries) > _MOST_ARRAYS:
        raise ValueError(f"expected {_MOST_ARRAYS} arrays or fewer, got {len(entries)}")
    if any(entry.compress_type != zipfile.ZIP_STORED or entry.file_size != entry.compress_size for entry in entries):
        raise ValueError("expected arrays as they are, got packed ones")
    if sum(entry.file_size for entry in entries) > size:
        raise ValueError("expected each array once, got some that share their bytes")
    named = {entry.filename.removesuffix(".npy"): entry for entry in entries if entry.filename.endswith(".npy")}
    if len(named) < len(entries):
        raise ValueError("expected arrays of different names alone, got other files or one twice")
    return named


def _look(archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> tuple[Stored, zipfile.ZipInfo, int]:
    """What the header of an array says, its file, and where in that the numbers begin."""
    with archive.open(entry) as file:
        magic, (length,) = file.read(len(_MAGIC)), struct.unpack("<H", file.read(2))
        found = _HEADER.fullmatch(file.read(length)) if magic == _MAGIC and length <= _LONGEST_HEADER else None
    if found is None:
        raise ValueError("expected arrays of numbers and texts, got others")
    stored = Stored(found[1].decode(), tuple(int(part) for part in found[2].decode().split(",") if part.strip()))
    start = len(_MAGIC) + 2 + length
    needed = math.prod(stored.shape) * np.dtype(stored.type).itemsize
    if entry.file_size != start + needed:
        raise ValueError(f"expected {needed} bytes of an array that claims so many, got {entry.file_size - start}")
    return stored, entry, start


def _load(archive: zipfile.ZipFile, name: str, stored: Stored, entry: zipfile.ZipInfo, start: int) -> NDArray[Any]:
    array = np.frombuffer(archive.read(entry)[start:], stored.type).reshape(stored.shape)
    if array.dtype.kind == "f" and not np.isfinite(array).all():
        raise ValueError(f"expected numbers in {name}, got some that are none")
    return array
