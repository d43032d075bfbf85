"""Rule sets as an HTML form: generated from the fields of ``RuleSet``, parsed back, and saved as the user's files."""
