"""How well the reader reads, measured."""
