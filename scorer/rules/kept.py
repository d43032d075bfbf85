"""Reads rule sets back from the text that is kept with what was scored by them; ``RuleSet.text`` writes it."""

from __future__ import annotations

import json
from functools import lru_cache

from pydantic import ValidationError

from scorer.data import error_sentence
from scorer.deck import DeckProfile
from scorer.errors import RulesError
from scorer.rules.rule_set import KEPT_DECKS, RuleSet


@lru_cache(maxsize=256)
def rules_from_text(text: str) -> RuleSet:
    """Reads a rule set from its text.

    Raises:
        RulesError: it is not the text of a rule set.
    """
    try:
        data = json.loads(text)
        own = data.pop(KEPT_DECKS, []) if isinstance(data, dict) else []
        decks = {deck.id: deck for deck in map(DeckProfile.model_validate, own)}
        return RuleSet.model_validate(data, context={KEPT_DECKS: decks})
    except ValidationError as error:
        raise RulesError(f"kept rules: {error_sentence(error, RuleSet)}") from error
    except (ValueError, TypeError, RecursionError) as error:
        raise RulesError(f"kept rules: expected the text of a rule set, got: {error}") from error
