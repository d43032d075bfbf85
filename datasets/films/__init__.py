"""Films of a table: hands that lay or deal cards."""
