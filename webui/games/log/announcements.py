"""What a screen reads aloud: the newest result of a game, the correction of an older one, or its end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from webui.games.progress import GameProgress
from webui.storage.records import LogEntry
from webui.translation import _, ngettext
from webui.wording import listed


@dataclass(frozen=True, slots=True)
class Announcement:
    """The newest result in words; ``id`` is that of the log entry it is about."""

    id: int
    text: str


def latest_announcement(log: Sequence[LogEntry], progress: GameProgress) -> Announcement | None:
    """The newest agreed round with the totals, or a change of the rules, in words; None before the first.

    ``log`` must be read before ``progress``: a round agreed in between is announced next time, and completely.
    """
    results = [
        entry
        for entry in log
        if (entry.what == "confirmed" and entry.round in progress.points) or (entry.what == "rules" and progress.points)
    ]
    if not results:
        return None
    entry = results[-1]
    points = progress.points.get(entry.round or 0)
    if points is None:
        result = _("The rules are now %(name)s.", name=progress.rules.name)
    else:
        before = progress.game.sets_before
        name = progress.rules.round_name(entry.round or 1, small=bool(entry.before), sets_before=before)
        spoken = _spoken(progress, points)
        corrected = _("Correction: %(round)s: %(points)s.", round=name, points=spoken)
        result = corrected if entry.before else f"{name}: {spoken}."
    sentences = [result, _("Total: %(points)s.", points=_spoken(progress, progress.totals))]
    if progress.over:
        names = [progress.game.sides[side].name for side in progress.leaders]
        sentence = ngettext(
            "The game is over. The winner: %(names)s.",
            "The game is over. It is a tie: %(names)s.",
            len(names),
            names=listed(names),
        )
        sentences.append(sentence)
    elif progress.next_round and len(progress.points) > 1 and len(progress.leaders) == 1:
        sentences.append(_("In the lead: %(name)s.", name=progress.game.sides[progress.leaders[0]].name))
    if progress.game.practice:
        sentences.insert(0, _("Practice."))
    return Announcement(entry.id, " ".join(sentences))


def _spoken(progress: GameProgress, points: Sequence[int]) -> str:
    """The sides' points for speech: ``North–South 1470, East–West minus 65``."""
    return ", ".join(
        f"{side.name} {str(total).replace('-', 'minus ')}"
        for side, total in zip(progress.game.sides, points, strict=True)
    )
