"""Exceptions of the scorer. Every message says what was expected and what came.

RulesError (ValueError)     a rule set that does not exist or whose file is invalid
└── DeckError               a deck that does not exist or whose file is invalid
EventError (ValueError)     a stage of an event that cannot be drawn yet

``FaceError`` and ``SheetError`` are defined beside the values they concern, in ``faces`` and ``sheets``.
"""


class RulesError(ValueError):
    """A rule set does not exist or its file is invalid."""


class DeckError(RulesError):
    """A deck does not exist or its file is invalid."""


class EventError(ValueError):
    """A stage of an event cannot be drawn yet."""
