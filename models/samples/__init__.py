"""What the networks are trained on, drawn."""
