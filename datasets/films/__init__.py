"""Films of whole rounds, with their truth."""

from datasets.films.round_film import FIRST_UNSEEN, Film, film

__all__ = ["FIRST_UNSEEN", "Film", "film"]
