"""Encrypted connections: the same as all others, with TLS taken off and put on."""
