"""What can go wrong with what is kept."""


class StorageError(Exception):
    """Games cannot be read or kept; the message is one sentence for a person."""
