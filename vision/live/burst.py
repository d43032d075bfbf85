"""Buffers frames of the last second, so that several of one still scene can be read as one."""

from __future__ import annotations

from datetime import timedelta

from vision.images.sharpness import scaled_sharpness
from vision.live.motion import SOFTER, moved, small
from vision.values import Frame

MAX_FRAMES = 3
"""Frames that are read together at most."""
_SPAN, _SPACING = 1.0, 0.3
"""Seconds that frames are held, and least time between two; frames closer together have the same noise."""
_MAX_AGE = timedelta(seconds=2 * _SPAN)


class FrameBuffer:
    """Holds a few frames of a live camera's last second."""

    def __init__(self) -> None:
        self._held: tuple[tuple[float, Frame], ...] = ()

    def see(self, frame: Frame, at: float) -> None:
        """Takes the next frame, at the time ``at`` in seconds; called in the camera's thread."""
        held = tuple((time, earlier) for time, earlier in self._held if at - time <= _SPAN)
        if not held or at - held[-1][0] >= _SPACING:
            held = (*held, (at, frame))
        self._held = held  # replaced as a whole: other threads read it

    def burst(self, taken: Frame) -> tuple[Frame, ...]:
        """The frame ``taken`` and recent ones that show the same scene, sharpest first.

        Leaves out frames in which something lies elsewhere, such as a hand, and frames that are softer.
        """
        scene = small(taken.pixels)
        same = [taken]
        for _, frame in self._held:
            recent = abs(taken.taken_at - frame.taken_at) <= _MAX_AGE
            if frame is not taken and recent and frame.pixels.shape == taken.pixels.shape:
                same += [] if moved(scene, small(frame.pixels)) else [frame]
        ranked = sorted(((scaled_sharpness(frame.pixels), frame) for frame in same), key=lambda pair: -pair[0])
        return tuple(frame for sharpness, frame in ranked[:MAX_FRAMES] if sharpness >= SOFTER * ranked[0][0])
