"""Photos are turned upright however their files say how they lie."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from tests.vision.images.photo_files import LONG, SHORT, exif, jpeg_with, png_with, webp_with, xmp
from tests.vision.images.test_decode import four_corners
from vision.images.decode import decode_photo

Make = Callable[[int, bytes | None, bytes], bytes]
KINDS = pytest.mark.parametrize("make", [jpeg_with, png_with, webp_with], ids=["jpeg", "png", "webp"])


def is_upright(data: bytes) -> bool:
    pixels = decode_photo(data, "a").pixels
    upright = four_corners()
    return pixels.shape == upright.shape and float(np.abs(pixels.astype(int) - upright).mean()) < 12


@KINDS
@pytest.mark.parametrize("turn", range(1, 9))
@pytest.mark.parametrize(("order", "kind"), [("<", SHORT), (">", SHORT), ("<", LONG), (">", LONG)])
def test_exif_may_give_the_orientation_as_a_short_or_a_long_number(
    make: Make, turn: int, order: str, kind: int
) -> None:
    assert is_upright(make(turn, exif(turn, order, kind), xmp()))


@KINDS
@pytest.mark.parametrize("turn", range(1, 9))
@pytest.mark.parametrize("as_element", [False, True])
@pytest.mark.parametrize("exif_block", [None, exif(None)], ids=["no exif", "exif without"])
def test_xmp_gives_the_orientation_where_exif_does_not(
    make: Make, turn: int, as_element: bool, exif_block: bytes | None
) -> None:
    assert is_upright(make(turn, exif_block, xmp(turn, as_element)))


@KINDS
def test_exif_goes_before_xmp(make: Make) -> None:
    assert is_upright(make(6, exif(6), xmp(3)))


@pytest.mark.parametrize("block", [b"", b"II*\0", b"II*\0\xff\xff\xff\xff", b"PNG", exif(9), exif(1)[:40]])
@KINDS
def test_an_invalid_exif_block_means_no_rotation(make: Make, block: bytes) -> None:
    assert is_upright(make(1, block, b"tiff:Orientation='9'"))
