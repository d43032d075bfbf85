"""Training, a module a network."""
