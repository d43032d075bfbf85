"""No script holds a sentence: the page brings along what scripts show, and every script asks for what is there."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import webui
from tests.webui.helpers.playing import Person

SCRIPTS = Path(webui.__file__).parent / "static"
_TOKEN = re.compile(
    r"//[^\n]*|/\*.*?\*/|(?P<literal>\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`)"
    r"|(?<=[(,=:\[!&|?{};\n])\s*/(?![/*])(?:[^/\\\n\[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+/",
    re.DOTALL,
)
_FILLED_IN = re.compile(r"\$\{(?:[^{}]|\{[^{}]*\})*\}")
_UNSEEN = re.compile(
    r"(?:className = |setRequestHeader\(|createElement\(|\.closest\(|querySelector(?:All)?\(|matches\()$"
)
_SENTENCE = re.compile(r"[^\W\d_]{2,}[^\W\d_,.?!…]* [^\W\d_]|^[A-Z][a-z]+$|…|[a-z][.?!]$")
_BESIDE_A_VALUE = re.compile(r"(?<![\w/.?&=:-])[A-Za-z]{2,} 5|5 [a-z]{2,}(?!\w|\d)")
_NO_SENTENCE = re.compile(r"[#\[\]<>=_]|^\.|^[a-z-]+, [a-z-]+|, \.|^[A-Z]+ ")
_VALUES = {
    *("ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "X-Handfoot-Script", "0 0", "image/jpeg"),
    *("GET", "POST", "HEAD", "AbortSignal"),
}


def _bare(script: str) -> Iterator[str]:
    """Literals that look like words for people. Those inside ``${…}`` of another are looked at too."""
    for token in _TOKEN.finditer(script):
        if not (literal := token["literal"]) or _UNSEEN.search(script[: token.start()]):
            continue
        text = _FILLED_IN.sub("5", literal[1:-1])
        if literal[0] == "`":
            for inside in _FILLED_IN.findall(literal):
                yield from _bare(inside[2:-1])
            if _BESIDE_A_VALUE.search(text) and not _NO_SENTENCE.search(text):
                yield text
                continue
        if text not in _VALUES and _SENTENCE.search(text) and not _NO_SENTENCE.search(text):
            yield text


@pytest.mark.parametrize("path", sorted(SCRIPTS.glob("*.js")), ids=lambda path: path.name)
def test_a_script_holds_no_sentence(path: Path) -> None:
    assert list(_bare(path.read_text(encoding="utf-8"))) == []


@pytest.mark.parametrize(
    "script",
    [
        'tell("Send it again.");',
        'button.textContent = "Close";',
        "words.textContent = `${count} to fix`;",
        "say(`Sending ${many}`);",
        'const text = ok ? `${n} ${n === 1 ? "card left" : "cards left"}` : "";',
        "note.title = 'What went wrong';",
        "busy('Reading …')",
    ],
)
def test_a_sentence_is_found(script: str) -> None:
    assert list(_bare(script))


@pytest.mark.parametrize(
    "script",
    [
        "// Says what it is.\nx = 1;",
        'form.querySelectorAll("a, button, input");',
        'note.className = "notice bad";',
        "fetch(`${here.dataset.live}?since=${version}`);",
        'button.textContent = message("close");',
        'if (event.key === "ArrowLeft") go();',
        "/^-?\\d Close it$/.test(text)",
    ],
)
def test_what_nobody_reads_is_none(script: str) -> None:
    assert not list(_bare(script))


def test_the_page_brings_every_message_along_that_a_script_asks_for(person: Person) -> None:
    block = re.search(r'<script type="application/json" id="messages">(.*?)</script>', person.open("/"), re.DOTALL)
    assert block
    messages = json.loads(block[1])
    scripts = "".join(path.read_text(encoding="utf-8") for path in SCRIPTS.glob("*.js"))
    asked = set(re.findall(r'\bmessage\("([\w-]+)"', scripts))
    assert asked == set(messages)
    assert messages["cards"] == {"one": "{num} card", "other": "{num} cards"}
    assert messages["sent-so-far"]["one"] == "Sending the photo: {percent} %"
