"""Files of arrays from anybody: what they claim is checked before anything of it is loaded."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from vision.stored_arrays import Stored, read_arrays

NUMBERS = np.arange(6, dtype=np.float32).reshape(2, 3)
MOST = 4096


def like_numbers(stored: Mapping[str, Stored]) -> None:
    if stored != {"numbers": Stored("<f4", (2, 3))}:
        raise ValueError("expected numbers, got others")


def as_npy(array: Any, **claims: Any) -> bytes:
    """An array as NumPy writes it; ``claims`` are put into its header in place of the truth."""
    written = io.BytesIO()
    np.lib.format.write_array_header_1_0(written, {**np.lib.format.header_data_from_array_1_0(array), **claims})
    return written.getvalue() + bytes(array.tobytes())


def packed(path: Path, files: Mapping[str, bytes], how: int = zipfile.ZIP_STORED) -> Path:
    with zipfile.ZipFile(path, "w", how) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return path


def test_what_numpy_writes_is_read_and_what_it_holds_is_told(tmp_path: Path) -> None:
    path = tmp_path / "ours.npz"
    np.savez(path, numbers=NUMBERS, one=np.array(3), names=np.array(["8", "LADY"]), none=np.zeros(0, np.float16))
    told: dict[str, Stored] = {}
    read = read_arrays(path, MOST, told.update)
    assert told == {
        "numbers": Stored("<f4", (2, 3)),
        "one": Stored("<i8", ()),
        "names": Stored("<U4", (2,)),
        "none": Stored("<f2", (0,)),
    }
    assert np.array_equal(read["numbers"], NUMBERS) and read["names"].tolist() == ["8", "LADY"] and read["one"] == 3


def zeros(path: Path) -> None:
    """Gigabytes of zeros in a few kilobytes."""
    header = as_npy(NUMBERS[:0], shape=(1_300_000_000,))
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive, archive.open("numbers.npy", "w") as file:
        file.write(header + bytes(2_000_000))


def several_in_one(path: Path) -> None:
    """Two entries of the directory that lead to the same bytes, as those of a bomb without packing do."""
    packed(path, {"numbers.npy": as_npy(NUMBERS), "n.npy": b""})
    data = bytearray(path.read_bytes())
    first = data.index(b"PK\x01\x02")
    second = data.index(b"PK\x01\x02", first + 1)
    whole = data[first:second].replace(b"numbers.npy", b"numberz.npy")
    data[second : data.index(b"PK\x05\x06")] = whole
    path.write_bytes(data)


MAKERS: dict[str, tuple[Callable[[Path], object], str]] = {
    "packed": (lambda path: np.savez_compressed(path, numbers=NUMBERS), "arrays as they are"),
    "gigabytes of zeros": (zeros, "arrays as they are"),
    "too large": (lambda path: np.savez(path, numbers=np.zeros(MOST)), "4096 bytes or fewer"),
    "other shape": (lambda path: np.savez(path, numbers=NUMBERS.T.copy()), "expected numbers"),
    "other type": (lambda path: np.savez(path, numbers=NUMBERS.astype(np.float64)), "expected numbers"),
    "another array": (lambda path: np.savez(path, numbers=NUMBERS, more=NUMBERS), "expected numbers"),
    "none": (lambda path: np.savez(path), "expected numbers"),
    "objects": (lambda path: np.savez(path, numbers=np.array([[1, "a"]], object)), "numbers and texts"),
    "a record": (lambda path: np.savez(path, numbers=np.zeros(2, "f4,i2")), "numbers and texts"),
    "order of Fortran": (lambda path: np.savez(path, numbers=np.asfortranarray(NUMBERS)), "numbers and texts"),
    "no number": (lambda path: np.savez(path, numbers=np.full((2, 3), np.nan, np.float32)), "some that are none"),
    "a larger claim": (
        lambda path: packed(path, {"numbers.npy": as_npy(NUMBERS, shape=(40_000_000, 3))}),
        "that claims so many",
    ),
    "a smaller claim": (lambda path: packed(path, {"numbers.npy": as_npy(NUMBERS, shape=(1, 3))}), "claims so many"),
    "a program for a header": (
        lambda path: packed(
            path, {"numbers.npy": b"\x93NUMPY\x01\x00\x20\x00" + b"__import__('os').abort()".ljust(32)}
        ),
        "numbers and texts",
    ),
    "a long header": (
        lambda path: packed(path, {"numbers.npy": b"\x93NUMPY\x01\x00\xff\xff" + b"(" * 65535}),
        "4096 bytes or fewer",
    ),
    "one within another": (several_in_one, "share their bytes|damaged"),
    "another file": (
        lambda path: packed(path, {"numbers.npy": as_npy(NUMBERS), "x.sh": b"x"}),
        "different names alone",
    ),
    "many": (lambda path: packed(path, {f"{n}.npy": b"" for n in range(30)}), "damaged"),
    "half": (lambda path: packed(path, {"numbers.npy": as_npy(NUMBERS)[:9]}), "damaged"),
    "no archive": (lambda path: path.write_bytes(b"PK or not"), "damaged"),
}


@pytest.mark.parametrize("kind", MAKERS)
def test_what_does_not_fit_is_refused_before_it_is_loaded(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make, sentence = MAKERS[kind]
    make(tmp_path / "theirs.npz")
    if kind != "no number":
        monkeypatch.setattr("vision.stored_arrays._load", lambda *given: pytest.fail("it was loaded"))
    with pytest.raises(ValueError, match=sentence):
        read_arrays(tmp_path / "theirs.npz", MOST, like_numbers)


def test_damaged_bytes_of_an_array_are_noticed(tmp_path: Path) -> None:
    path = packed(tmp_path / "theirs.npz", {"numbers.npy": as_npy(NUMBERS)})
    data = bytearray(path.read_bytes())
    data[data.index(NUMBERS.tobytes()) + 5] ^= 1
    path.write_bytes(data)
    with pytest.raises(ValueError, match="a damaged one"):
        read_arrays(path, MOST, like_numbers)
