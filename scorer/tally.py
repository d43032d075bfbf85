"""Old name of ``scorer.scoring.tally``; removed once nothing imports it."""

from scorer.scoring.tally import Code, Line, SideTally, Tally, Violation

__all__ = ["Code", "Line", "SideTally", "Tally", "Violation"]
