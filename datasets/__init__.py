"""Card faces and card tables drawn for training and testing, with exact truth."""
