"""The web interface and the command line: where camera, reader, rules and storage are put together."""

import vision  # noqa: F401 - says how OpenCV shall work, before any module here imports that
