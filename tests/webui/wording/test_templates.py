"""No template holds bare text: what people read goes through the catalogue."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import webui

TEMPLATES = Path(webui.__file__).parent / "templates"
_NAMES = ("Hand &amp; Foot", "handfoot serve --lan", "--port", "http://")
"""The program's name, and what is typed or stands in addresses."""
_TRANSLATED = re.compile(r"\{#.*?#\}|\{%-? trans\b.*?\{%-? endtrans -?%\}", re.DOTALL)
_NO_TEXT = re.compile(
    r"\{% (set typing|set about) %\}.*?\{% endset %\}|\{% macro at_fault.*?\{% endmacro %\}", re.DOTALL
)
"""Attributes, which are put into tags later."""
_PAGE_CLASS = re.compile(r"\{% block page_class %\}.*?\{% endblock %\}")
_JINJA = re.compile(r"\{%.*?%\}|\{\{.*?\}\}", re.DOTALL)
_LABEL = re.compile(r'\b(?:aria-label|alt|title|placeholder|data-busy|data-label)="([^"]*)"')
_LETTERS = re.compile(r"[^\W\d_]{2}")
_SENTENCE = re.compile(r"[^\W\d_]{2}.* |^[A-Z][a-z]|[^\W\d_]{2}.*[.?!]$")
_VALUES = ("light dark", "list=people data-seat")
"""Of attributes, which nobody reads."""
_CALL = re.compile(r"\bn?(?:gettext|_)\(")
_LITERAL = re.compile(r""""([^"]*)"|'([^']*)'""")


def _bare(template: str) -> Iterator[str]:
    """Text between tags, and labels, that are not in the catalogue; literals that look like sentences."""
    text = _PAGE_CLASS.sub("", _NO_TEXT.sub("", _TRANSLATED.sub("\x00", template)))
    for expression in re.findall(r"\{\{(.*?)\}\}", text, re.DOTALL):
        for literal in _LITERAL.finditer(_without_calls(expression)):
            if _SENTENCE.search(literal[1] or literal[2] or "") and literal[0].strip("\"'") not in _VALUES:
                yield literal[0]
    for piece in re.findall(r"<[^<>]*>|[^<>]+", _JINJA.sub("\x00", text)):
        found = _LABEL.findall(piece) if piece.startswith("<") else [piece]
        for shown in found:
            for name in _NAMES:
                shown = shown.replace(name, "")
            if _LETTERS.search(re.sub(r"&#?\w+;", "", shown)):
                yield " ".join(shown.replace("\x00", "…").split())


def _without_calls(expression: str) -> str:
    """The expression without its calls of the catalogue."""
    while call := _CALL.search(expression):
        depth, end, quote = 1, call.end(), ""
        while depth:
            sign = expression[end]
            quote = "" if sign == quote else quote or (sign if sign in "\"'" else "")
            depth += 0 if quote else (sign == "(") - (sign == ")")
            end += 1
        expression = expression[: call.start()] + expression[end:]
    return expression


@pytest.mark.parametrize("name", sorted(str(path.relative_to(TEMPLATES)) for path in TEMPLATES.rglob("*.html")))
def test_a_template_holds_no_bare_text(name: str) -> None:
    template = (TEMPLATES / name).read_text(encoding="utf-8")
    assert list(_bare(template)) == []
    assert not re.search(r"\{% (for [^%]*\b_\b[^%]* in |set _\b)", template), "_ is the catalogue"


@pytest.mark.parametrize(
    "template",
    [
        "<h1>Games</h1>",
        "<p>{{ name }} went out</p>",
        '<img alt="A card">',
        '<a aria-label="Remove {{ name }}">x</a>',
        '{{ "Went out" if out else _("Still in") }}',
        "{{ 'to look at' if doubt }}",
        "{% if out %}Out{% endif %}",
        '{{ _("Sides: %(sides)s", sides=sides) }} of {{ number }}',
    ],
)
def test_bare_text_is_found(template: str) -> None:
    assert list(_bare(template))


@pytest.mark.parametrize(
    "template",
    [
        '<h1>{{ _("Games (all)") }}</h1>',
        "{% trans name=side.name %}<b>{{ name }}</b> went out{% endtrans %}",
        '<img alt="{{ _("A card") }}">',
        "<p>{{ name }}: {{ points }} · ✓ &amp; 5</p>",
        '<input name="seen" value="yes">{# a remark #}',
    ],
)
def test_translated_text_is_none(template: str) -> None:
    assert not list(_bare(template))
