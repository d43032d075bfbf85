"""The browsers that the page supports: names that are newer than they are, and scripts and styles held against them."""
