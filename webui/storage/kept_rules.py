"""The rules that agreed rounds were agreed under, as text that stays whatever becomes of a rule set's file."""

from __future__ import annotations

import logging
from collections.abc import Callable
from pathlib import Path

from sqlalchemy import select, update
from sqlalchemy.orm import Session

from scorer.rules import RulesError, RuleSet, load_rules, read_rules
from webui.storage.db.sessions import Sessions
from webui.storage.db.tables import KeptRulesRow, SheetRow
from webui.storage.records import KeptRules

OWN_RULES = "rulesets"
"""The folder of the user's own rule sets in the data folder."""
_log = logging.getLogger(__name__)


def kept(rules: RuleSet) -> KeptRules:
    """A rule set as it is kept with a round."""
    return KeptRules(rules.content_hash, rules.text)


def keep_rules(session: Session, rules: KeptRules) -> None:
    """Stores the text of a rule set, unless it is there."""
    if session.scalars(select(KeptRulesRow.id).where(KeptRulesRow.hash == rules.hash)).first() is None:
        session.add(KeptRulesRow(hash=rules.hash, text=rules.text))
        session.flush()  # before the sheets that refer to it


def rules_of_older_version(folder: Path) -> Callable[[str], RuleSet]:
    """How rule sets were found before rounds kept theirs: a user's own file first, then the shipped one.

    Args:
        folder: the data folder, or that of an archive's files.
    """

    def load(rules_id: str) -> RuleSet:
        own = next((path for path in (folder / OWN_RULES).glob("*.toml") if path.stem == rules_id), None)
        return load_rules(rules_id) if own is None else read_rules(own)

    return load


def keep_rules_of_older_rounds(sessions: Sessions, load: Callable[[str], RuleSet]) -> None:
    """Gives the agreed sheets of an older database the rules that they are scored by today.

    A sheet whose rules cannot be loaded stays without; the next start tries again.

    Args:
        sessions: the database.
        load: loads a rule set by its id, and raises RulesError where it cannot.
    """
    without = SheetRow.rules_hash.is_(None)
    with sessions() as session:
        if session.scalars(select(SheetRow.id).where(without).limit(1)).first() is None:
            return
    with sessions.begin() as session:
        by_id: dict[str, list[int]] = {}
        missing = 0
        for sheet_id, sheet in session.execute(select(SheetRow.id, SheetRow.sheet).where(without)):
            if isinstance(rules_id := sheet.get("rules"), str):
                by_id.setdefault(rules_id, []).append(sheet_id)
        for rules_id, sheet_ids in by_id.items():
            try:
                rules = kept(load(rules_id))
            except RulesError:
                missing += len(sheet_ids)  # a line each would be as many as an imported file likes
                continue
            keep_rules(session, rules)
            session.execute(update(SheetRow), [{"id": id, "rules_hash": rules.hash} for id in sheet_ids])
    if missing:
        _log.warning("%d agreed rounds have no rules to keep: their rule sets are not here", missing)
