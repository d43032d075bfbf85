"""The visual system: colours stand in one file for each theme, and all type is legible on what lies under it.

axe-core cannot tell the contrast of type over a gradient, as on felt and in tables that scroll; it is computed here.
"""

from __future__ import annotations

import re

import pytest

from webui.settings import SAMPLES

STATIC = SAMPLES.parent / "static"
_OVER_PHOTOS = {"photo.css", "camera.css", "areas.css"}
"""What is drawn over a photo keeps its colours: the photo does not change with the theme either."""
_THEMES = {"light": ("tokens.css",), "dark": ("tokens.css", "dark.css")}
_READ_ON = {
    "ink": ("ground", "box", "sunk", "quiet", "amber-box", "bad-box", "good-box"),
    "soft": ("ground", "box", "sunk", "quiet", "amber-box"),
    "accent": ("ground", "box", "sunk", "quiet", "good-box"),
    "bad": ("ground", "box", "bad-box", "quiet"),
    "amber": ("ground", "box", "amber-box"),
    "on-felt": ("felt", "felt-deep"),
    "on-felt-soft": ("felt", "felt-deep"),
    "on-action": ("action",),
    "on-accent": ("accent",),
    "card-ink": ("card",),
    "card-soft": ("card",),
    "card-red": ("card",),
    "card-wild": ("card",),
}
_SEEN_ON = {"edge": ("ground", "box", "sunk", "quiet"), "amber-line": ("box",), "brass": ("felt", "felt-deep")}
"""Edges of what can be touched, and lines that mean something (WCAG 2.2, 1.4.11)."""


def roles(theme: str) -> dict[str, str]:
    """The values of the custom properties, those that name another one resolved."""
    found: dict[str, str] = {}
    for file in _THEMES[theme]:
        text = (STATIC / file).read_text(encoding="utf-8")
        found |= dict(re.findall(r"--([\w-]+):\s*([^;]+);", text))
    return {name: found[named[1]] if (named := re.fullmatch(r"var\(--([\w-]+)\)", value)) else value
            for name, value in found.items()}  # fmt: skip


def luminance(colour: str) -> float:
    """The relative luminance of ``#rrggbb`` (WCAG 2.2)."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """The contrast ratio of two colours (WCAG 2.2), 1 to 21."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("theme", _THEMES)
def test_type_and_edges_stand_out_from_what_is_under_them(theme: str) -> None:
    found = roles(theme)
    weak = [
        (over, under, round(contrast(found[over], found[under]), 2))
        for pairs, least in ((_READ_ON, 4.5), (_SEEN_ON, 3.0))
        for over, all_under in pairs.items()
        for under in all_under
        if contrast(found[over], found[under]) < least
    ]
    assert not weak


def test_colours_are_written_down_in_one_place() -> None:
    for file in sorted(STATIC.glob("*.css")):
        text = re.sub(r"/\*.*?\*/|@media print \{.*?\n\}", "", file.read_text(encoding="utf-8"), flags=re.DOTALL)
        if file.name not in {"tokens.css", "dark.css"} | _OVER_PHOTOS:
            assert re.findall(r"#[0-9a-fA-F]{3,8}\b(?=[\s;,)])|\brgba?\(|\bhsla?\(", text) == [], file.name


def test_every_role_that_is_used_is_written_down() -> None:
    set_where_used = {"mark", "side", "width", "sign", "type", "rows", "columns", "letters"}
    known = set(roles("light")) | set_where_used
    for file in sorted(STATIC.glob("*.css")):
        used = set(re.findall(r"var\(--([\w-]+)", file.read_text(encoding="utf-8")))
        assert used <= known, (file.name, used - known)
