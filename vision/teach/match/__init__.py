"""Taught pictures of jokers and picture cards found on a table by what shows of them, without any learning."""
