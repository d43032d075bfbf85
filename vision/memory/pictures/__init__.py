"""What a still shows beside the cards that are read: what changed in it, and how it looks now against before."""
