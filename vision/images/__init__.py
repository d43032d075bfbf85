"""Picture files: checked, decoded in a process of their own, stripped of metadata, measured, drawn on."""
