"""What can be wrong with the scorer's own data and with an event, as two trees.

RulesError (ValueError)     a rule set that does not exist or whose file is wrong
└── DeckError               a deck that does not exist or whose file is wrong
EventError (ValueError)     something an event cannot take down, such as the score of a team that does not play
"""


class RulesError(ValueError):
    """A rule set that does not exist or whose file is wrong; the message says what was expected and what came."""


class DeckError(RulesError):
    """A deck that does not exist or whose file is wrong; the message says what was expected and what came."""


class EventError(ValueError):
    """Something an event cannot take down; the message says what was expected and what came."""
