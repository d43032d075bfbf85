"""Films: of whole rounds (``film``), and short ones of hands that lay or deal a few cards (``laying``)."""

from datasets.films.round_film import FIRST_UNSEEN, Film, film

__all__ = ["FIRST_UNSEEN", "Film", "film"]
