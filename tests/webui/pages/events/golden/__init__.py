"""Golden Games on the page, held against a script of its own."""
