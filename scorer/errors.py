"""What can be wrong with the scorer's own data, as one tree.

RulesError (ValueError)     a rule set that does not exist or whose file is wrong
└── DeckError               a deck that does not exist or whose file is wrong
"""


class RulesError(ValueError):
    """A rule set that does not exist or whose file is wrong; the message says what was expected and what came."""


class DeckError(RulesError):
    """A deck that does not exist or whose file is wrong; the message says what was expected and what came."""
