"""Sequences of frames: when to take a picture, bursts, counting a dealt pile, and the markers on the table."""
