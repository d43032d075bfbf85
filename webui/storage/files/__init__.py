"""Files in the data folder: written whole or not at all, photos, jobs of the photo queue, the secret key."""
