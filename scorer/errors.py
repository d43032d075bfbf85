"""Exceptions of the scorer. Every message says what was expected and what came.

RulesError (ValueError)     a rule set that does not exist or whose file is invalid
└── DeckError               a deck that does not exist or whose file is invalid
EventError (ValueError)     a fact that an event refuses, such as a score of a team that does not play

``FaceError`` and ``SheetError`` are defined beside the values they concern, in ``faces`` and ``sheets``.
"""


class RulesError(ValueError):
    """A rule set does not exist or its file is invalid."""


class DeckError(RulesError):
    """A deck does not exist or its file is invalid."""


class EventError(ValueError):
    """An event refuses a fact or cannot start."""
