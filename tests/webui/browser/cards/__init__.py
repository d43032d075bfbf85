"""What is done with the cards of a side in a browser: photos, doubts, corrections."""
