"""The rules that agreed rounds were agreed under, as text that stays whatever becomes of a rule set's file."""

from __future__ import annotations

from sqlalchemy import select
from sqlalchemy.orm import Session

from scorer.rules import RuleSet
from webui.storage.db.tables import KeptRulesRow
from webui.storage.records import KeptRules

OWN_RULES = "rulesets"
"""The folder of the user's own rule sets in the data folder."""


def kept(rules: RuleSet) -> KeptRules:
    """A rule set as it is kept with a round."""
    return KeptRules(rules.content_hash, rules.text)


def keep_rules(session: Session, rules: KeptRules) -> None:
    """Stores the text of a rule set, unless it is there."""
    if session.scalars(select(KeptRulesRow.id).where(KeptRulesRow.hash == rules.hash)).first() is None:
        session.add(KeptRulesRow(hash=rules.hash, text=rules.text))
        session.flush()  # before the sheets that refer to it
