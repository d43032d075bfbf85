"""Checks of a photo and of the camera's place, each with a sentence that says what to do."""
