"""Exceptions of the scorer. Every message says what was expected and what came.

RulesError (ValueError)     a rule set that does not exist or whose file is invalid
├── UnknownRulesError       a rule set that does not exist
└── DeckError               a deck that does not exist or whose file is invalid
EventError (ValueError)     a stage of an event that cannot be drawn yet

``FaceError`` and ``SheetError`` are defined beside the values they concern, in ``faces`` and ``sheets``.
"""


class RulesError(ValueError):
    """A rule set does not exist or its file is invalid."""


class UnknownRulesError(RulesError):
    """There is no rule set of an ``id``; the text lists those that there are."""

    def __init__(self, text: str, id: str) -> None:
        super().__init__(text)
        self.id = id


class DeckError(RulesError):
    """A deck does not exist or its file is invalid."""


class EventError(ValueError):
    """A stage of an event cannot be drawn yet."""
