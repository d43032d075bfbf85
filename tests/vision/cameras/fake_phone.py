"""A phone that is the table camera, as its page behaves: it sends pictures and, where one is wanted, a still."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

import cv2

from tests.vision.cameras.fake_devices import RATE, moment, scene
from vision.cameras.base import Size
from vision.cameras.phone import MAILBOX


def jpeg(step: int, size: Size) -> bytes:
    """A picture of a step as ``scene`` makes it, as JPEG."""
    done, data = cv2.imencode(".jpg", scene(step, size), [cv2.IMWRITE_JPEG_QUALITY, 95])
    assert done
    return data.tobytes()


class FakePhone:
    """Sends from a thread until ``unplug``; ``size`` may be changed, as where the phone is turned."""

    def __init__(self, size: Size, still: Size) -> None:
        self.size, self.still = size, still
        self._gone = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def unplug(self) -> None:
        self._gone.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._gone.wait(1 / RATE):
            if MAILBOX.wants_still:
                MAILBOX.put_still(jpeg(moment(), self.still))
            MAILBOX.put(jpeg(moment(), self.size))


@contextmanager
def phone_at_the_table(size: Size = (320, 180), still: Size = (1152, 648)) -> Iterator[FakePhone]:
    MAILBOX.begin(still)
    phone = FakePhone(size, still)
    yield phone
    phone.unplug()
    MAILBOX.end()
