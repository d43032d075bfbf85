"""What is kept: games, photos, readings as the camera gave them, corrections, confirmed sheets. Never points."""
