"""HEIC photos, where they can be read."""

from __future__ import annotations

import numpy as np
import pytest

from tests.vision.images.photo_files import HEIC
from tests.vision.images.test_decode import four_corners
from vision.errors import PhotoError
from vision.images import decode
from vision.images.decode import decode_photo
from vision.images.heic import can_read_heic
from vision.images.sandbox import Decoder

pytestmark = pytest.mark.skipif(not can_read_heic(), reason="pi-heif is not installed")


def test_a_heic_photo_is_read_upright() -> None:
    pixels = decode_photo(HEIC, "IMG_1.HEIC").pixels
    assert pixels.shape == (60, 100, 3) and np.abs(pixels.astype(int) - four_corners()).mean() < 12


def test_a_heic_photo_that_was_sent_is_stored_as_jpeg() -> None:
    decoder = Decoder()
    frame, kept = decoder.decode(HEIC, "IMG_1.HEIC")
    decoder.close()
    assert kept.startswith(b"\xff\xd8") and decode_photo(kept, "a").pixels.shape == frame.pixels.shape == (60, 100, 3)


@pytest.mark.parametrize("share", [0.1, 0.4, 0.97])
def test_a_heic_photo_that_is_cut_off_is_one_sentence(share: float) -> None:
    with pytest.raises(PhotoError, match=r"^IMG_1\.HEIC is a damaged HEIC (file|photo)"):
        decode_photo(HEIC[: int(len(HEIC) * share)], "IMG_1.HEIC")


def test_a_large_heic_photo_is_halved_and_a_huge_one_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(decode, "HALVED_ABOVE", 100)
    assert decode_photo(HEIC, "large.heic").pixels.shape == (30, 50, 3)
    monkeypatch.setattr(decode, "MAX_PIXELS", 100)
    with pytest.raises(PhotoError, match="is 100 x 60 pixels"):
        decode_photo(HEIC, "large.heic")
