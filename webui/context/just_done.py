"""What has just changed in a game, in a sentence: by this visitor, with the way to undo it, which the next page shows
once; or by others, on a page that follows the game."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from flask import Flask, Response, g, request, session, url_for

from scorer.rules import RulesError, load_rules
from scorer.sheets import SheetError
from webui.context.guard.rights import has_access
from webui.context.services import services
from webui.games.log.change_log import LogLine, log_lines, step_summary
from webui.rounds.round_view import view_round
from webui.storage.db.stale_edits import UNDONE
from webui.storage.errors import StorageError
from webui.storage.records import GameRecord, LogEntry, RoundRecord
from webui.translation import N_, _, gettext
from webui.wording import against, cards_text

_KEY = "done"
_FAILED = 400
_STATES = {
    "ended": N_("%(names)s: the game was ended."),
    "open": N_("%(names)s: the game was reopened."),
    "removed": N_("%(names)s: the game was removed."),
    None: N_("%(names)s: the game was restored."),
}
_SILENT = ("round-begun", "begun", "first-meld", "watching")
"""Kinds of log entries that the page itself shows well enough."""


@dataclass(frozen=True, slots=True)
class JustDone:
    """One sentence of what was done; ``undo`` is the address that takes back the log entry ``entry``, None where that
    cannot be."""

    sentence: str
    undo: str | None = None
    entry: int = 0


def install_just_done(app: Flask) -> None:
    """Notes which forms change a game, and makes ``just_done`` known to the templates."""

    @app.before_request
    def note_version() -> None:
        game_id = (request.view_args or {}).get("game_id")
        if request.method == "POST" and game_id is not None:
            g.version_before = game_id, services().store.version(game_id)

    @app.after_request
    def remember(response: Response) -> Response:
        if "version_before" in g and response.status_code < _FAILED:
            session[_KEY] = list(g.version_before)
        return response

    app.jinja_env.globals |= {"just_done": just_done, "follows": follows}


def follows() -> bool:
    """Whether a page that is open asks what it is now: that takes no message from the page that a form leads to."""
    return "since" in request.args


def just_done() -> JustDone | None:
    """What the last form of this visitor changed; None where it changed nothing, or where a page told it already.

    To a page that follows the game, who changed what since it was shown last.
    """
    if "just_done" not in g and follows():
        game_id = (request.view_args or {}).get("game_id")
        g.just_done = None if game_id is None else _news(game_id, request.args.get("since", 0, type=int))
    if "just_done" not in g:
        g.just_done = _find(*session.pop(_KEY)) if _KEY in session else None
    found: JustDone | None = g.just_done
    return found


def _find(game_id: int, version: int) -> JustDone | None:
    store = services().store
    try:
        game = store.game(game_id)
        log = store.log(game_id) if game is not None else []
        if game is None or not log or log[-1].id <= version or log[-1].what in _SILENT:
            return None
        lines = log_lines(game, log, load_rules(game.rules), store.agreed_sheets(game_id))
    except (StorageError, RulesError, SheetError):  # the page itself says so
        return None
    newest, line = log[-1], lines[0]
    if newest.round is not None:
        return _in_round(game, newest, lines, version)
    can_undo = line.can_undo and has_access()  # a device of a table undoes changes of its rounds alone
    undo = url_for("change_log.undo_change", game_id=game_id, entry_id=newest.id) if can_undo else None
    if newest.what == "state":
        names = against(side.name for side in game.sides)
        sentence = _STATES.get((newest.after or {}).get("state"), N_("%(names)s: the game was changed."))
        return JustDone(gettext(sentence, names=names), undo)
    where = f"{_('Game')}: "
    return JustDone(f"{line.summary.removeprefix(where)}.", undo)


def _news(game_id: int, version: int) -> JustDone | None:
    """Who changed what after a version, the newest change in words; None where only the page itself shows it."""
    store = services().store
    game = store.game(game_id)
    log = store.log(game_id) if game is not None else []
    newest = next((entry for entry in reversed(log) if entry.id > version and entry.what not in _SILENT), None)
    if game is None or newest is None:
        return None
    lines = log_lines(game, log, load_rules(game.rules), store.agreed_sheets(game_id))
    new = [line for line in lines if version < line.id <= newest.id]
    line = new[0]
    told = line.summary.removeprefix(f"{_('Game')}: ") if newest.round is None else _short(line, newest)
    who = line.who or _("Someone")
    return JustDone(f"{who[:1].upper()}{who[1:]}: {step_summary(line, new[1:], told)}.")


def _in_round(game: GameRecord, newest: LogEntry, lines: list[LogLine], version: int) -> JustDone | None:
    """A change of a round: the first of a step tells it, and all of the step is undone together."""
    record = game.round(newest.round or 0)
    if record is None:
        return None
    if newest.what.endswith(UNDONE):
        return JustDone(f"{_short(lines[0], newest)}.")
    step = services().store.rounds.last_undoable_step(record.id)
    if not step or step[-1].id <= version:
        return None
    said = next(line for line in lines if line.id == step[-1].id)
    ids = {entry.id for entry in step[:-1]}
    short = _short(said, step[-1]) + _moved_to(record, game, step)
    told = step_summary(said, [line for line in lines if line.id in ids], short)
    undo = url_for("undo.undo_change", game_id=game.id, number=record.number)
    photos = (
        []
        if newest.what != "photo"
        else [entry for entry in services().store.log(game.id) if entry.id > version and entry.what == "photo"]
    )
    if len(photos) > 1:
        cards = cards_text(sum((entry.after or {}).get("cards") or 0 for entry in photos))
        side = said.where.partition(", ")[2]
        told = _(
            "%(side)s: %(count)s photos added: %(cards)s. Undo removes the last one",
            side=side,
            count=len(photos),
            cards=cards,
        )
    return JustDone(f"{told}.", undo, step[-1].id)


def _moved_to(record: RoundRecord, game: GameRecord, step: Sequence[LogEntry]) -> str:
    """Where a card was moved, by what its group is called now; empty for any other change."""
    change, side = step[-1].after or {}, step[-1].side
    if len(step) > 1 or side is None or change.get("op") != "move" or str(change.get("group")).startswith("left"):
        return ""
    of_side = view_round(game, record).sides[side]
    group = of_side.table.group_of(str(change.get("card")))
    return f" → {of_side.name(group)}" if group else ""


def _short(line: LogLine, entry: LogEntry) -> str:
    """A change of a round without the round, which the page is about: ``North–South: Photo added: 8 cards``.

    Of a photo of a player's cards, who is named, and of a correction, which is shown in place, the side is left out, so
    that the bar stays low; so are the points that all agreed to, which the page shows above it.
    """
    if entry.what.removesuffix(UNDONE) == "confirmed" and entry.side is None:
        return line.what
    side = line.where.partition(", ")[2]
    of_player = entry.what == "photo" and (entry.after or {}).get("player") is not None
    if of_player or entry.what.removesuffix(UNDONE) == "correction":
        side = ""
    return line.summary.replace(f"{line.where}: ", f"{side}: " if side else "", 1)
