"""Picture files: checked, decoded apart from the program, stripped of metadata, drawn on."""
