"""Reads cards: from cameras and photos to cards and groups. Names cards and never scores them."""

import os

# OpenCV reads these once, when it is first imported, and every import of it here comes after this file.
# Hardware transforms let Windows' Media Foundation take most of a minute to open a webcam.
os.environ.setdefault("OPENCV_VIDEOIO_MSMF_ENABLE_HW_TRANSFORMS", "0")
# FFmpeg writes parts of a camera's address to the terminal; what is wrong is said in a sentence of our own (-8: quiet).
os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")
