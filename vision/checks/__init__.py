"""What a person can mend about a photo or the camera's place."""
