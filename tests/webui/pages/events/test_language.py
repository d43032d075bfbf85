"""Sentences of club evenings that Python makes are looked up in the catalogue of the visitor's language."""

from __future__ import annotations

from gettext import NullTranslations

from tests.webui.helpers.evenings import begin, evening, play_stage, played, seat
from webui.events.shown.history import history
from webui.storage.store import Store
from webui.translation import choose


class Brackets(NullTranslations):
    """A language that puts every sentence in brackets."""

    def gettext(self, message: str) -> str:
        return f"[{message}]"

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return f"[{msgid1 if n == 1 else msgid2}]"


def test_history_decisions_and_reasons_are_translated(store: Store) -> None:
    teams = begin(store, ("Ann & Bo", "Cy & Di", "Ed & Flo", "Gus & Hal"))
    people = begin(store, tuple(f"P{at}, man" for at in range(10)), "tournament-play")
    for event_id in (teams, people):
        seat(store, event_id, 1)
        play_stage(store, event_id, 1, lambda *_: 100)
    choose(Brackets())
    try:
        for event_id in (teams, people):
            now, told = evening(store, event_id), played(store, event_id)
            sentences = [line.sentence for line in history(now)]
            sentences += [one.sentence for one in told.decisions()]
            sentences += [told.reason(1, sides) for sides in now.stage(1).tables]
            sentences += [told.out_reason(1, name) for name in now.stage(1).out]
            assert len(sentences) >= 10 and all(one.startswith("[") and one.endswith("]") for one in sentences), (
                sentences
            )
    finally:
        choose(NullTranslations())
