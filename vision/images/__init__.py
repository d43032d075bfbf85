"""Picture files: checked, decoded in a process of their own, measured, drawn on."""
