"""A round as it stands."""
