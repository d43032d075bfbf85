"""Tournament Play on the page, held against a script of its own."""
