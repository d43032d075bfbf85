"""Rule sets as a form: made from the fields of the rule set's model, read back, kept as the house's own files."""
