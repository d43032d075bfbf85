"""The shipped weights with their model cards; training, export and evaluation."""
