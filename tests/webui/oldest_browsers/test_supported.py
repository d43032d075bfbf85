"""The oldest supported browsers know what the page uses, and older ones are told what to do."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.webui.oldest_browsers.newer import Found, in_script, in_style, in_template
from tests.webui.oldest_browsers.renew import NEWER, OLDEST

ROOT = Path(__file__).parents[3]
STATIC, TEMPLATES = ROOT / "webui" / "static", ROOT / "webui" / "templates"

FULL_SCREEN = ("fullscreenEnabled", "fullscreenElement", "exitFullscreen", "requestFullscreen")
OURS = {".camera", ".when", ".drop", ".share", ".address", '"reading"', '"stream"'}
"""Names of our own that something newer has too."""
ASKED_FIRST = {
    ("forms.js", ".requestSubmit"): "the button is pressed where it is missing",
    ("adding.js", ".escape"): "of CSS, which every browser has; that of RegExp is newer",
    ("photos.js", ".escape"): "as above",
    **dict.fromkeys(
        (("buttons.js", f".{name}") for name in FULL_SCREEN), "the button is hidden where they are missing"
    ),
    ("phone-camera.js", ".wakeLock"): "the page says to turn off auto-lock where it is missing",
    ("phone-lens.js", ".requestVideoFrameCallback"): "the video's clock tells where it is missing",
    ("phone-lens.js", "ImageCapture"): "a still is one of the live pictures where it is missing, and these with it",
    ("phone-lens.js", ".takePhoto"): "as above",
    ("phone-lens.js", ".getPhotoCapabilities"): "as above",
    ("phone-lens.js", ".getCapabilities"): "light and focus are not offered where it is missing",
    ("share.js", ".canShare"): "the picture is saved where it is missing",
    ("aim.js", ".imageSmoothingQuality"): "a wish",
    ("upload.js", ".imageSmoothingQuality"): "a wish",
    ("viewer.js", '"wheel"'): "there is none on a phone",
    ("areas.js", '"touchstart"'): "there is none with a mouse",
}
"""What a script uses only where the browser has it."""
CURSORS = ("move", "pointer", "default", "grab", "grabbing", "crosshair", "zoom-in")
LOOKS = {
    ":has": "shown choices have their own marks, and bars are less compact",
    **dict.fromkeys(("container-type", "container-type: inline-size", "@container"), "names on photos in one size"),
    **dict.fromkeys(
        ("text-wrap", "text-wrap: balance", "text-wrap: wrap", "text-size-adjust"), "lines broken otherwise"
    ),
    **dict.fromkeys(("overscroll-behavior", "overscroll-behavior: contain"), "the page scrolls on with a bar"),
    **dict.fromkeys(
        ("scrollbar-width", "scrollbar-width: none", "user-select"), "also by the prefixed name, or a bar is seen"
    ),
    **dict.fromkeys(("forced-color-adjust", "forced-color-adjust: none"), "there are no forced colours there"),
    **dict.fromkeys((f"cursor: {one}" for one in CURSORS), "no mouse"),
    **dict.fromkeys(("overflow: clip", "align-content: start", "font-family: ui-monospace"), "nearly the same without"),
    "text-decoration: dotted": "sentences that can be changed have no line",
    "scripting": "what is for browsers without scripts shows for a moment",
    **dict.fromkeys(("field-sizing", "field-sizing: content"), "a field for many names scrolls"),
    "@page": "the size of paper is the printer's",
}
"""What only changes how a page looks; it can be used without."""
HARMLESS = {
    "<video playsinline>": "only iPhones need it, and have it",
    **dict.fromkeys((f"<{one} autocapitalize>" for one in ("input", "textarea")), "a wish"),
    **dict.fromkeys((f"<{one} autocorrect>" for one in ("input", "textarea")), "a wish"),
    **dict.fromkeys((f"<{one} autofocus>" for one in ("div", "input")), "one tap more"),
}
"""Attributes that do nothing where they are not known."""


def used(folder: Path, ending: str, look: Callable[[str], Iterator[Found]]) -> set[tuple[str, str]]:
    """What is too new in the files of a folder, each with the name of its file."""
    files = list(folder.rglob(f"*.{ending}"))
    return {(file.name, what) for file in files for _line, what in look(file.read_text(encoding="utf-8"))}


def test_scripts_use_what_the_oldest_browsers_have() -> None:
    assert {one for one in used(STATIC, "js", in_script) if one[1] not in OURS} == ASKED_FIRST.keys()


def test_styles_use_what_the_oldest_browsers_have() -> None:
    assert {what for _file, what in used(STATIC, "css", in_style)} == LOOKS.keys()


def test_templates_use_what_the_oldest_browsers_have() -> None:
    assert {what for _file, what in used(TEMPLATES, "html", in_template)} == HARMLESS.keys()


@pytest.mark.parametrize(
    ("code", "found"),
    [
        ("fetch(address, { signal: AbortSignal.timeout(5000) });", "AbortSignal.timeout"),
        ("const sorted = points.toSorted();", ".toSorted"),
        ("const sides = Object.groupBy(cards, sideOf);", ".groupBy"),
        ("form.requestSubmit(button);", ".requestSubmit"),
        ("form?.requestSubmit(button);", ".requestSubmit"),
        ("new Observable(start)", "Observable"),
        ('strip.addEventListener("scrollend", tell);', '"scrollend"'),
        ("class Film { static { Film.all = []; } }", "static {"),
        ("text.split(/(?<=,)/)", "(?<= or (?<! in a regular expression"),
        ('import words from "./words.json" with { type: "json" };', "import … with"),
    ],
)
def test_scripts_that_are_too_new_are_found(code: str, found: str) -> None:
    assert found in {what for _line, what in in_script(code)}
    assert not list(in_script("// " + code)), "not in comments"


@pytest.mark.parametrize(
    ("style", "found"),
    [
        (".a { color: color-mix(in srgb, red, blue); }", "color-mix()"),
        (".a { field-sizing: content; }", "field-sizing"),
        (".a { translate: -50% 0; }", "translate"),
        (".a { overflow: clip; }", "overflow: clip"),
        ("input:user-invalid { color: red; }", ":user-invalid"),
        ("@layer base { } @scope (.a) { p { margin: 0; } }", "@scope"),
        (".a { color: red; & b { color: blue; } }", "nesting"),
        ("@media (width >= 40rem) { .a { color: red; } }", "a condition with <, > or or"),
        ("@media (scripting: none) { .a { color: red; } }", "scripting"),
        (".a, .b:has(c) { display: none; }", "a list with .b:has(c)"),
    ],
)
def test_styles_that_are_too_new_are_found(style: str, found: str) -> None:
    assert found in {what for _line, what in in_style(style)}


def test_attributes_that_are_too_new_are_found() -> None:
    found = {what for _line, what in in_template('<details name="one"><p {{ "inert" }} popover>text</p></details>')}
    assert found == {"<details name>", "<p popover>"}


def test_what_old_browsers_are_told_by_is_a_script_that_they_read() -> None:
    script = (STATIC / "old-browser.js").read_text(encoding="utf-8")
    newest = re.findall(r"\b(?:const|let|class|async|import|export)\b|=>|`|\?\.|\?\?", re.sub("//.*", "", script))
    assert not newest and '<script defer id="old-browser"' in (TEMPLATES / "base.html").read_text(encoding="utf-8")


def test_the_names_are_those_of_these_browsers() -> None:
    assert json.loads(NEWER.read_text(encoding="utf-8"))["oldest"] == OLDEST, "make them anew: renew.py says how"


def test_the_manual_names_the_oldest_browsers() -> None:
    manual = (ROOT / "docs" / "using.md").read_text(encoding="utf-8")
    assert f"Safari {OLDEST['safari']}" in manual and f"Chrome and Edge {OLDEST['chrome']}" in manual
    assert f"Firefox {OLDEST['firefox']}" in manual and OLDEST["chrome"] == OLDEST["edge"]
    assert f"Samsung Internet {OLDEST['samsunginternet_android'].removesuffix('.0')}" in manual
