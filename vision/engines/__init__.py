"""The networks on the runtimes that can run them, and the shipped weights."""
