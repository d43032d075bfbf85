"""Old name of ``scorer.scoring.melds``; removed once nothing imports it."""

from scorer.scoring.melds import check_meld as judge

__all__ = ["judge"]
