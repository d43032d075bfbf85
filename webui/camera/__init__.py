"""The camera over the table: watching it, its live picture, readings of it, dealing a pile under it."""
