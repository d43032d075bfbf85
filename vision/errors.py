"""What can go wrong in the eyes, as one tree.

VisionError
├── PhotoError      a picture that cannot be read; the message says what to do
├── CameraError     a camera that gives no picture
└── WeightsError    weights that are missing or are not the shipped ones
"""


class VisionError(Exception):
    """Base of all errors of the eyes; the message is one sentence for a person."""


class PhotoError(VisionError):
    """A picture that cannot be read."""


class CameraError(VisionError):
    """A camera that gives no picture."""


class WeightsError(VisionError):
    """Weights that are missing, damaged or not the shipped ones."""
