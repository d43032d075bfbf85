"""Finds what scripts, styles and templates use that is newer than the oldest browsers that the page supports."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import cache

from tests.webui.oldest_browsers.renew import NEWER

Found = tuple[int, str]
"""The line, and what is too new in it."""
_SYNTAX = {
    "static {": r"\bstatic\s*\{",
    "(?<= or (?<! in a regular expression": r"\(\?<[=!]",
    "flags of a part of a regular expression": r"\(\?[ims]+(-[ims]+)?:",
    "using": r"\busing\s+\w+\s*=",
    "import … with": r"\b(import|from)\b.*[\"']\s*(with|assert)\s*\{",
    "import defer": r"\bimport\s+(defer|source)\s",
}
"""Syntax has no names; this is all that the data lists after Safari 15.4."""


@cache
def newer(kind: str) -> frozenset[str]:
    """The names of a kind that are too new."""
    return frozenset(json.loads(NEWER.read_text(encoding="utf-8"))[kind].split(", "))


def in_script(text: str) -> Iterator[Found]:
    """What is too new in a script: globals, what they have, members of anything, events, syntax."""
    for number, line in enumerate(text.splitlines(), 1):
        code = re.sub(r"(^|\s)//.*", "", line)
        words = re.findall(r"(?<![\w.\"])[A-Za-z]\w+", re.sub(r'"[^"]*"', '""', code))
        yield from ((number, word) for word in words if word in newer("globals"))
        yield from ((number, name) for name in re.findall(r"\b[A-Z]\w+\.\w+", code) if name in newer("statics"))
        members = re.findall(r"(?<!dataset)(?<!elements)\??\.(?!\.)(\w+)", code)
        yield from ((number, f".{name}") for name in members if name in newer("members"))
        yield from ((number, f'"{name}"') for name in re.findall(r'"([a-z]+)"', code) if name in newer("events"))
        yield from ((number, name) for name, pattern in _SYNTAX.items() if re.search(pattern, code))


def in_style(text: str) -> Iterator[Found]:
    """What is too new in a style sheet: properties, values, functions, selectors, rules, conditions of media, nesting.

    A rule is dropped as a whole where a browser does not know one of its selectors: one that is too new stands alone.
    """
    text = re.sub(r"/\*.*?\*/", lambda comment: "\n" * comment[0].count("\n"), text, flags=re.DOTALL)
    for number, line in enumerate(text.splitlines(), 1):
        for name, value in re.findall(r"[{;\s]([a-z-]+):\s*([^;{}]+)[;}]", line):
            if name in newer("properties"):
                yield number, name
            words = re.findall(r"(?<![\w#.-])[a-z][a-z-]*(?![\w(-])", re.sub(r'"[^"]*"', "", value))
            yield from ((number, f"{name}: {word}") for word in words if f"{name}: {word}" in newer("values"))
            called = re.findall(r"([a-z-]+)\(", value)
            yield from ((number, f"{function}()") for function in called if function in newer("functions"))
        for head in re.findall(r"(?:^|[{};])\s*([^{}@;]+)\{", line):
            for part in _selectors(head):
                unknown = {name for name in re.findall(r"::?([a-z-]+)", part) if name in newer("selectors")}
                yield from ((number, f":{name}") for name in unknown)
                if unknown and any(":has(" not in other for other in _selectors(head)):
                    yield number, f"a list with {part.strip()}"
                if "&" in part:
                    yield number, "nesting"
        yield from ((number, f"@{name}") for name in re.findall(r"@([a-z-]+)", line) if name in newer("rules"))
        for condition in re.findall(r"@media([^{]+)", line):
            yield from ((number, name) for name in re.findall(r"\(([a-z-]+)", condition) if name in newer("media"))
            if re.search(r"[<>]|\bor\b", condition):
                yield number, "a condition with <, > or or"


def in_template(text: str) -> Iterator[Found]:
    """What is too new in a template: attributes of its elements."""
    for number, line in enumerate(text.splitlines(), 1):
        for element, rest in re.findall(r"<([a-z]+)((?:\s[^<>]*)?)>", re.sub(r"\{[{%].*?[%}]\}", "", line)):
            if element in newer("attributes"):
                yield number, f"<{element}>"
            for name in re.findall(r"\s([a-z-]+)(?=[=\s]|$)", re.sub(r'"[^"]*"', "", rest)):
                if {name, f"{element} {name}"} & newer("attributes"):
                    yield number, f"<{element} {name}>"


def _selectors(head: str) -> list[str]:
    """The selectors of a list, cut at commas outside brackets; ``:is`` and ``:where`` forgive what is in them."""
    parts, depth = [""], 0
    for sign in head:
        depth += {"(": 1, ")": -1}.get(sign, 0)
        if sign == "," and not depth:
            parts.append("")
        else:
            parts[-1] += sign
    return parts
