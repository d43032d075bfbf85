"""The eyes: photos and cameras to corner readings, to cards, to groups. Names cards and never scores them."""
