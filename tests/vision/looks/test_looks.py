"""Looks as files, and those of several rounds together."""

from __future__ import annotations

import io

import numpy as np
import pytest

from tests.vision.looks.test_labelling import seen
from vision.arrays import floats
from vision.looks.looks import NO_INDEX, Looks, LooksError, SeenIndices, joined


def looks(networks: str, ranks: tuple[str, ...], *labels: int) -> Looks:
    return Looks(networks, ranks, np.array(labels, np.int16), floats(np.eye(len(labels), 320)))


def test_a_file_gives_back_what_was_seen() -> None:
    first = seen((100, 100, 0.9, "7"), (300, 100, 0.2, "JK"))
    again = SeenIndices.from_bytes(first.to_bytes())
    assert (again.networks, again.ranks) == (first.networks, first.ranks)
    for name in ("boxes", "widths", "p_keep", "likeliest", "embeddings"):
        np.testing.assert_array_equal(getattr(again, name), getattr(first, name))


def test_a_part_of_a_picture_has_what_lies_in_it() -> None:
    part = seen((100, 100, 0.9, "7"), (300, 100, 0.2, "JK")).cropped(250, 50, 100, 100)
    assert len(part) == 1 and part.ranks[part.likeliest[0]] == "JK"
    np.testing.assert_array_equal(part.centres(), [(50, 50)])


def _damaged() -> list[bytes]:
    whole = seen((100, 100, 0.9, "7"))
    pickled, missing = io.BytesIO(), io.BytesIO()
    np.savez(pickled, networks=np.array([{}], object))
    np.savez(missing, networks=np.array("x"))
    data = whole.to_bytes()
    other = bytearray(data)
    other[len(data) // 3] ^= 1
    return [b"", b"no file", data[: len(data) // 2], bytes(other), pickled.getvalue(), missing.getvalue()]


@pytest.mark.parametrize("data", _damaged())
def test_a_damaged_file_is_refused(data: bytes) -> None:
    with pytest.raises(LooksError, match="expected the looks of a photo"):
        SeenIndices.from_bytes(data)


def test_rounds_are_joined_under_their_ranks_the_newest_first() -> None:
    first, second = looks("a", ("7", "JK"), 1, NO_INDEX), looks("a", ("8", "7"), 0, 1)
    both = joined([first, second], 3)
    assert both is not None
    assert [both.ranks[label] if label >= 0 else None for label in both.labels.tolist()] == ["JK", None, "8"]
    assert joined([]) is None


def test_looks_of_other_networks_are_left_out() -> None:
    both = joined([looks("b", ("7",), 0), looks("a", ("7",), 0, 0)], 10)
    assert both is not None and len(both) == 1 and both.networks == "b"
