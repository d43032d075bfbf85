"""The forms of a page as a browser has them, and the fields in which something is chosen."""

from __future__ import annotations

from dataclasses import dataclass, field
from html.parser import HTMLParser
from urllib.parse import urljoin

from tests.webui.helpers.playing import Person


@dataclass
class Form:
    """A form: where it is sent, its fields as they stand, and the names of those in which something is chosen."""

    page: str
    action: str
    fields: dict[str, str] = field(default_factory=dict)
    choices: dict[str, str] = field(default_factory=dict)
    """By name: ``hidden``, ``select``, ``radio``, ``checkbox``, ``number``, ``range`` or ``button``."""


class _Page(HTMLParser):
    def __init__(self, path: str) -> None:
        super().__init__()
        self.path, self.forms = path, list[Form]()
        self._form: Form | None = None
        self._select = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        told = {name: value or "" for name, value in attrs}
        if tag == "form":
            if told.get("method", "").lower() == "post":
                self._form = Form(self.path, urljoin(self.path, told.get("action") or self.path))
                self.forms.append(self._form)
        elif self._form is not None:
            self._field(self._form, tag, told)

    def _field(self, form: Form, tag: str, told: dict[str, str]) -> None:
        name, kind = told.get("name", ""), told.get("type", "text")
        if tag == "option" and self._select and ("selected" in told or self._select not in form.fields):
            form.fields[self._select] = told.get("value", "")
        elif tag == "select" and name:
            self._select, form.choices[name] = name, "select"
        elif tag == "button" and name:
            form.choices.setdefault(name, "button")
            form.fields.setdefault(name, told.get("value", ""))
        elif tag == "textarea" and name:
            form.fields.setdefault(name, "")
        elif tag == "input" and name and kind != "file":
            if kind in ("hidden", "radio", "checkbox", "number", "range"):
                form.choices.setdefault(name, kind)
            if kind not in ("radio", "checkbox") or "checked" in told or name not in form.fields:
                form.fields[name] = told.get("value", "on" if kind == "checkbox" else "")

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self._form = None
        elif tag == "select":
            self._select = ""


def forms_of(person: Person, path: str) -> list[Form]:
    """The forms of a page that change something."""
    answer = person.client.get(path, follow_redirects=True)
    page = _Page(answer.request.path)
    page.feed(answer.text)
    return page.forms
