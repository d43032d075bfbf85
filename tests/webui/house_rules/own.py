"""Own rules, made as people make them: a copy is changed and saved."""

from __future__ import annotations

from html.parser import HTMLParser
from pathlib import Path

from werkzeug.datastructures import MultiDict

from scorer.rules import RuleSet, load_rules
from tests.webui.helpers.playing import Person
from webui.house_rules.user_rules import add_rules, proposed_copy


class Form(HTMLParser):
    """What a browser would send of the form with that address, and all its labels."""

    def __init__(self, page: str, action: str) -> None:
        super().__init__()
        self.sent: MultiDict[str, str] = MultiDict()
        self._action, self._inside = action, False
        self._select = self._area = ""
        self._first = True
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        held = dict(attrs)
        name = held.get("name") or ""
        if tag == "form":
            self._inside = held.get("action") == self._action
        if not self._inside:
            return
        if tag == "input" and name and (held.get("type") != "checkbox" or "checked" in held):
            self.sent.add(name, held.get("value") or "")
        elif tag == "select":
            self._select, self._first = name, True
        elif tag == "option" and self._select:
            self._option = held
        elif tag == "textarea":
            self._area = name
            self.sent.add(name, "")

    def handle_data(self, data: str) -> None:
        if self._area:
            self.sent[self._area] = data
        elif self._select and (self._first or "selected" in self._option):
            self.sent[self._select] = self._option.get("value", data) or ""
            self._first = False

    def handle_endtag(self, tag: str) -> None:
        if tag == "textarea":
            self._area = ""
        if tag == "select":
            self._select = ""
        if tag == "form":
            self._inside = False


def copy_form(person: Person, rules_id: str = "golden-games") -> MultiDict[str, str]:
    """What the form of a copy holds before anybody types."""
    return Form(person.open(f"/rules/{rules_id}/copy"), f"/rules/{rules_id}/copy").sent


def own_copy(person: Person, rules_id: str = "golden-games") -> str:
    """A copy that was saved as it was proposed; its id."""
    person.send(f"/rules/{rules_id}/copy", **copy_form(person, rules_id).to_dict(flat=False))
    return person.path.split("/")[2]


def typed(person: Person, rules_id: str) -> MultiDict[str, str]:
    """What the form of an own rule set holds before anybody types."""
    page = person.open(f"/rules/{rules_id}/edit")
    return Form(page, f"/rules/{rules_id}/edit").sent


def kept_copy(rules_id: str, folder: Path) -> RuleSet:
    """A copy that was saved as it was proposed, without the page."""
    return add_rules(proposed_copy(load_rules(rules_id), folder), folder)
