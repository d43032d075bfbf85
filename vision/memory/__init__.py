"""The table's memory: what was laid, when, and which cards lie in a pile that was seen growing."""
