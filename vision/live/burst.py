"""The pictures of the last second, so that several of one still scene can be read as one."""

from __future__ import annotations

from datetime import timedelta

from vision.images.sharpness import fineness
from vision.live.motion import SOFTER, moved, small
from vision.values import Frame

MOST = 3
"""So many pictures are taken together at most."""
_SPAN, _APART = 1.0, 0.3
"""Seconds that pictures are held, and from one to the next; nearer ones have the same noise."""
_LATELY = timedelta(seconds=2 * _SPAN)


class FrameBuffer:
    """Holds a few pictures of a live camera's last second."""

    def __init__(self) -> None:
        self._held: tuple[tuple[float, Frame], ...] = ()

    def see(self, frame: Frame, at: float) -> None:
        """The next picture, ``at`` seconds; called in the camera's own thread."""
        held = tuple(one for one in self._held if at - one[0] <= _SPAN)
        if not held or at - held[-1][0] >= _APART:
            held = (*held, (at, frame))
        self._held = held

    def together(self, taken: Frame) -> tuple[Frame, ...]:
        """The picture ``taken`` and those just before it that show the same, the sharpest of them first.

        Pictures in which anything lies elsewhere, as a hand that has left meanwhile, or that are softer, are left out.
        """
        scene = small(taken.pixels)
        found = [taken]
        for _, frame in self._held:
            lately = abs(taken.taken_at - frame.taken_at) <= _LATELY
            if frame is not taken and lately and frame.pixels.shape == taken.pixels.shape:
                found += [] if moved(scene, small(frame.pixels)) else [frame]
        ranked = sorted(((fineness(frame.pixels), frame) for frame in found), key=lambda one: -one[0])
        return tuple(frame for fine, frame in ranked[:MOST] if fine >= SOFTER * ranked[0][0])
