"""The pages of the web interface: one blueprint a file, each with its folder of templates."""
