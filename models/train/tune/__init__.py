"""Further training of trained networks on what the reader itself sees."""
