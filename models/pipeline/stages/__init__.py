"""What stages do. A kind of stage is one function from a ``Run`` to the files it made; the first is its result."""
