"""Chooses the language of each request: that of the browser, where there is a catalogue of it, else English."""

from __future__ import annotations

from collections.abc import Sequence

from flask import Flask, Response, request
from flask_babel import Babel, get_locale, get_translations

from webui.translation import TRANSLATIONS, choose, chosen

_ENGLISH = "en"


def install_language(app: Flask) -> None:
    """Lets templates and sentences of a request be in its language. Call before anything that answers requests."""
    languages: list[str] = [_ENGLISH]
    babel = Babel(
        app,
        default_locale=_ENGLISH,
        default_translation_directories=str(TRANSLATIONS),
        locale_selector=lambda: _best(languages),
        configure_jinja=False,
    )
    with app.app_context():
        languages += [str(one) for one in babel.list_translations() if str(one) != _ENGLISH]
    env = app.jinja_env
    env.add_extension("jinja2.ext.i18n")
    env.policies["ext.i18n.trimmed"] = True
    env.install_gettext_callables(  # type: ignore[attr-defined]
        lambda sentence: chosen().gettext(sentence),
        lambda one, many, number: chosen().ngettext(one, many, number),
        newstyle=True,
    )
    env.globals["language"] = lambda: str(get_locale() or _ENGLISH).replace("_", "-")

    @app.before_request
    def choose_language() -> None:
        choose(get_translations())

    @app.after_request
    def tell_caches(response: Response) -> Response:
        if len(languages) > 1:
            response.vary.add("Accept-Language")
        return response


def _best(languages: Sequence[str]) -> str:
    if len(languages) == 1:
        return _ENGLISH
    return request.accept_languages.best_match([one.replace("_", "-") for one in languages], _ENGLISH).replace("-", "_")
