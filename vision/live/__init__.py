"""Pictures that follow each other: when all lies still, piles dealt through, printed marks."""
