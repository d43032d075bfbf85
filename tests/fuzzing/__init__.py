"""Input that nobody meant: sheets, rule files, photos and requests, made by chance."""
