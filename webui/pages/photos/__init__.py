"""Pages about photos, the photo queue and the camera over the table."""
