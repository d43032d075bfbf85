"""Errors of this package.

VisionError
├── PhotoError      a picture file that cannot be read
├── CameraError     a camera that gives no picture
└── WeightsError    weights that are missing or are not the shipped ones
    └── MisfitError weights learned elsewhere that do not fit the shipped networks

Each message is one sentence that says what is wrong and what to do.
"""


class VisionError(Exception):
    """Base class of all errors of this package."""


class PhotoError(VisionError):
    """A picture file that cannot be read."""


class CameraError(VisionError):
    """A camera that gives no picture."""


class WeightsError(VisionError):
    """Weights that are missing, damaged or not the shipped ones."""


class MisfitError(WeightsError):
    """Weights that were learned elsewhere or are damaged do not fit the shipped networks; those are not at fault."""
