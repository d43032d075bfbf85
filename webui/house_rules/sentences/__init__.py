"""A rule set in sentences, as one would explain it at the table: ``explain``."""

from __future__ import annotations

from webui.house_rules.sentences.explain import Topic, explain

__all__ = ["Topic", "explain"]
