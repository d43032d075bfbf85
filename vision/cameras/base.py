"""What every kind of camera is to the rest of the program."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from vision.values import Frame

Size = tuple[int, int]
"""Width and height in pixels."""


@dataclass(frozen=True, slots=True)
class Abilities:
    """What one camera can do.

    ``preview`` is the size of the pictures that ``read`` gives, ``still`` of the largest it can take; ``focus`` and
    ``exposure`` say whether ``adjust`` can fix them; ``live`` whether new pictures come by themselves.
    """

    preview: Size
    still: Size
    focus: bool = False
    exposure: bool = False
    live: bool = True


class Camera(Protocol):
    """One open camera. Used by one thread at a time; a call may take seconds, and a bad driver may never return."""

    @property
    def name(self) -> str:
        """What a person calls it."""
        ...

    def abilities(self) -> Abilities: ...

    def read(self) -> Frame:
        """The picture as it is now, at preview size; waits for it.

        Raises:
            CameraError: no picture comes; the camera has to be opened anew.
            PhotoError: a picture file cannot be read; the camera itself is fine.
        """
        ...

    def still(self) -> Frame:
        """The best picture the camera can take now. Raises as ``read`` does."""
        ...

    def adjust(self, focus: float | None, exposure: float | None) -> None:
        """Fixes focus (0 far … 1 near) and exposure (milliseconds); None leaves it to the camera.

        Raises:
            CameraError: the camera cannot be set so.
        """
        ...

    def close(self) -> None:
        """Lets go of the device; may be called again. Every other call afterwards raises CameraError."""
        ...
