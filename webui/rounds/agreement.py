"""Decides what may be agreed, and when a round is: once every side has agreed to the same sheet."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from scorer.rules import RulesError, load_rules
from webui.corrections.answers import Facts, agree, has_agreed
from webui.games.progress import game_progress
from webui.rounds.attention import attention_mark
from webui.rounds.round_view import RoundView, view_round
from webui.rounds.steps import needs_attention, steps_of
from webui.storage.kept_rules import kept
from webui.storage.records import GameRecord
from webui.storage.store import Store
from webui.translation import _, ngettext


class NotYetError(Exception):
    """Something has to be done before this round can be agreed; the text says what, as a sentence."""


def _points_changed() -> NotYetError:
    return NotYetError(_("The points have changed since you looked. Please look again before you agree."))


class AttentionError(Exception):
    """Something needs attention over which these people have not said that they agree anyway."""


def agree_to_sheet(
    store: Store,
    view: RoundView,
    sides: Iterable[int],
    shown_hash: str,
    over: str | None,
    photos_waiting: Callable[[], int] = lambda: 0,
) -> bool:
    """Records that sides agree to the round's sheet, and stores it with its rules once all of them do.

    Both happen in one transaction. An agreement to an earlier sheet does not count.

    Args:
        store: the storage.
        view: the round as it stands.
        sides: the indices of the sides that agree.
        shown_hash: the hash of the sheet that these sides were shown.
        over: the mark of what they were shown to need attention, over which they agree; it is kept with the agreement.
            None in a rehearsal, where nobody is shown anything.
        photos_waiting: how many jobs of the photo queue are still to read photos of this round.

    Returns:
        Whether all sides of the round agree, and it is agreed.

    Raises:
        NotYetError: the round cannot be scored, the sheet has changed since it was shown, photos of the round are not
            read, or the game counts no more rounds.
        AttentionError: something else needs attention than ``over`` says.
    """
    if view.sheet_error is not None:
        raise NotYetError(_("You can’t agree on this round yet: %(error)s", error=view.sheet_error))
    if shown_hash != view.sheet_hash:
        raise _points_changed()
    things = needs_attention(view, steps_of(view))
    if over is not None and over != attention_mark(things):
        raise AttentionError
    sentences = [thing.sentence for thing in things]
    all_agree = False

    def sheet_if_all_agree(facts: Facts) -> dict[str, Any] | None:
        nonlocal all_agree
        all_agree = all(has_agreed(facts, side.index, view.sheet_hash) for side in view.sides)
        return view.sheet if all_agree else None

    def check(game: GameRecord) -> None:
        if photos_waiting():
            raise NotYetError(
                _("A photo of this round is still being read. Wait for its cards, look again, then agree.")
            )
        _require_countable(game, view)

    store.rounds.change_facts(
        view.record.id,
        lambda facts: agree(facts, sides, view.sheet_hash, sentences),
        agreed_sheet=sheet_if_all_agree,
        rules=kept(view.rules),
        check=check,
    )
    return all_agree


def _require_countable(game: GameRecord, view: RoundView) -> None:
    """Checks the game as it is stored at the moment of agreement, when nothing can change any more."""
    number = view.record.number
    record = game.round(number)
    assert record is not None
    if game.state == "removed":
        raise NotYetError(_("This game was removed. Restore it on its page, then agree."))
    if record.agreed_text is None and game_progress(game, load_rules(game.rules)).over:
        raise NotYetError(
            _("This game is over. Reopen it on its page to count round %(number)s, then agree.", number=number)
        )
    now = view_round(game, record)
    for side in now.sides:
        if side.facts.typed is not None:
            continue  # its photos do not count
        if unread := sum(photo.reading is None for photo in side.photos):
            raise NotYetError(
                ngettext(
                    "A photo of %(side)s could not be read. Read or remove it first, then agree.",
                    "%(num)s photos of %(side)s could not be read. Read or remove them first, then agree.",
                    unread,
                    side=side.record.name,
                )
            )
    for step in steps_of(now):
        if step.waits_for:
            raise NotYetError(_("You can’t agree yet. %(step)s: %(what)s.", step=step.title, what=step.waits_for))
    if now.sheet_hash != view.sheet_hash:
        raise _points_changed()


def unsettled_rounds(store: Store, game_ids: Iterable[int]) -> dict[int, tuple[int, ...]]:
    """The numbers of the agreed rounds whose sheet has changed since, by the id of their game, where there are any.

    Only rounds in which something was written since their agreement are looked at, so that lists stay quick.
    """
    found: dict[int, tuple[int, ...]] = {}
    touched = store.touched_since_agreed(game_ids)
    for game_id in sorted({key[0] for key in touched}):
        game = store.game(game_id)
        changed = []
        for record in game.rounds if game is not None else ():
            if game is None or (game_id, record.number) not in touched or record.agreed_text is None:
                continue
            try:
                if view_round(game, record).changed_since_agreed:
                    changed.append(record.number)
            except RulesError:  # the game's own page says so
                continue
        if changed:
            found[game_id] = tuple(changed)
    return found
