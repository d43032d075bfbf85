"""Old name of ``scorer.scoring.first_meld``; removed once nothing imports it."""

from scorer.scoring.first_meld import check_first_meld

__all__ = ["check_first_meld"]
