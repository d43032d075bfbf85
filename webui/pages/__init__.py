"""The pages, one blueprint a file, each with its folder of templates."""
