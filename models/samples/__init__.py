"""Training samples of each network, made from drawn tables."""
