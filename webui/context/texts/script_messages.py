"""The sentences that scripts show: every page brings them along, and ``static/messages.js`` reads them there."""

from __future__ import annotations

from collections.abc import Callable

from babel import Locale
from flask import Flask
from flask_babel import get_locale
from jinja2.utils import htmlsafe_json_dumps
from markupsafe import Markup

from webui.translation import _, ngettext

_NUMBERS = (*range(32), 100, 101, 102, 103, 111, 1_000_000)
"""Among them is one for every plural of every language."""


def install_script_messages(app: Flask) -> None:
    """Lets templates call ``script_messages()``: JSON, made once for each language."""
    made: dict[str, Markup] = {}

    def script_messages() -> Markup:
        language = str(get_locale())
        if language not in made:
            made[language] = htmlsafe_json_dumps(_messages(), ensure_ascii=False)
        return made[language]

    app.jinja_env.globals["script_messages"] = script_messages


def _messages() -> dict[str, str | dict[str, str]]:
    """Sentences by their names; scripts put values in the place of ``{name}``. One with plurals has them by their
    names in CLDR."""
    return {**_of_pages(), **_of_photos()}


def _of_pages() -> dict[str, str | dict[str, str]]:
    return {
        "cards": _plurals(lambda n: ngettext("%(num)s card", "%(num)s cards", n, num="{num}")),
        "cards-to-look-at": _("%(cards)s, %(number)s to look at", cards="{cards}", number="{number}"),
        "reading": _("Reading …"),
        "no-answer": _("The page is not answering. Is it still running?"),
        "no-connection": _("No connection to the scorekeeper. Nothing is lost: check the Wi-Fi, then try again."),
        "sent-once-reached": _(
            "No connection to the scorekeeper. Nothing is lost: this is sent by itself once the connection is back."
        ),
        "database-away": _("The database does not answer. This page goes on by itself once it does."),
        "page-away": _("The scorekeeper does not answer. This page goes on by itself once it does."),
        "time-is-up": _("Time is up"),
        "try-again": _("Try again"),
        "close": _("Close"),
        "to-fix": _plurals(lambda n: ngettext("%(num)s to fix", "%(num)s to fix", n, num="{num}")),
        "fix-first": _plurals(
            lambda n: ngettext(
                "%(num)s to fix before you can save. %(rest)s",
                "%(num)s to fix before you can save. %(rest)s",
                n,
                num="{num}",
                rest="{rest}",
            )
        ),
        "nothing-to-fix": _("Nothing to fix."),
        "read-aloud": _("Scores will be read aloud."),
        "points": _("%(points)s points", points="{points}"),
    }


def _of_photos() -> dict[str, str | dict[str, str]]:
    return {
        "getting-ready": _("Getting the photo ready …"),
        "too-much": _("That is more than 40 MB at once. Send fewer or smaller photos."),
        "sending": _plurals(
            lambda n: ngettext("Sending the photo …", "Sending %(num)s photos …", n, num="{num}"),
        ),
        "sent-so-far": _plurals(
            lambda n: ngettext(
                "Sending the photo: %(percent)s %%",
                "Sending %(num)s photos: %(percent)s %%",
                n,
                num="{num}",
                percent="{percent}",
            )
        ),
        "how-much-sent": _("How much of the photo has been sent"),
        "lost-while-sending": _plurals(
            lambda n: ngettext(
                "The connection was lost while sending the photo. Nothing is lost: check the Wi-Fi, then try again.",
                "The connection was lost while sending %(num)s photos. Nothing is lost: check the Wi-Fi, then try "
                "again.",
                n,
                num="{num}",
            )
        ),
        "being-read": _("The cards are being read"),
        "reading-cards": _("Reading the cards …"),
        "reading-for": _("Reading the cards … %(seconds)s s", seconds="{seconds}"),
        "reading-long": _(
            "Still reading, %(seconds)s s. Leave this page open. If nothing comes in two minutes, reload it: the photo "
            "is kept.",
            seconds="{seconds}",
        ),
        "waiting": _("Waiting: %(number)s ahead of yours", number="{number}"),
        "did-not-work": _("That did not work. Send the photo again."),
        "full-screen": _("Photo, full screen"),
        "zoom-out": _("Zoom out"),
        "zoom-in": _("Zoom in"),
        "whole-photo": _("Whole photo"),
    }


def _plurals(sentence: Callable[[int], str]) -> dict[str, str]:
    locale = get_locale() or Locale("en")
    return {locale.plural_form(number): sentence(number) for number in reversed(_NUMBERS)}
