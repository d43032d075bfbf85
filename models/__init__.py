"""The shipped weights, and how they are made: samples, networks, training, export, evaluation."""
