"""What is watched over a camera: its frames, and what is written into the log when it fails."""
