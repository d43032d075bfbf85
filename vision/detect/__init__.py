"""Finding index corners anywhere in a picture, at several scales."""
