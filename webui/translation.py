"""The language of the page: the one way in which a sentence reaches people.

Sentences are looked up by their English text in the catalogue of the language that was chosen for the request; English
itself has no catalogue. Values come by name, ``%(name)s``; a percent sign that is none of these is written ``%%``.
This module knows no Flask: `webui.context.texts.language` chooses the catalogue.
"""

from __future__ import annotations

from contextvars import ContextVar
from gettext import NullTranslations
from pathlib import Path

TRANSLATIONS = Path(__file__).parent / "translations"
"""The folder of the catalogues, and of the list of all sentences, ``messages.pot``."""
_catalogue: ContextVar[NullTranslations] = ContextVar("catalogue", default=NullTranslations())  # noqa: B039


def choose(catalogue: NullTranslations) -> None:
    """Sets the catalogue for what follows in this thread, that is for one request."""
    _catalogue.set(catalogue)


def chosen() -> NullTranslations:
    """The catalogue set by `choose`; else the empty one, which leaves every sentence in English."""
    return _catalogue.get()


def gettext(sentence: str, /, **values: object) -> str:
    """The sentence in the language of the request, with the values in their places."""
    return _catalogue.get().gettext(sentence) % values


def ngettext(one: str, many: str, number: int, /, **values: object) -> str:
    """The sentence for a number of things, which it may name as ``%(num)s``."""
    return _catalogue.get().ngettext(one, many, number) % {"num": number, **values}


def marked(sentence: str) -> str:
    """Marks a sentence of a table for the catalogues; whoever shows it passes it through `gettext`."""
    return sentence


_ = gettext
N_ = marked
