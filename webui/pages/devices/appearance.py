"""How pages look on this device: light or dark, contrast, text size. Each choice is stored in a cookie."""

from __future__ import annotations

from dataclasses import dataclass

from flask import Blueprint, redirect, render_template, url_for
from werkzeug.wrappers import Response

from webui.access.choice_cookies import choice_of_device, keep_choice
from webui.context.choices import chosen
from webui.context.guard.rights import public, viewer
from webui.translation import N_

page = Blueprint("appearance", __name__)

CHOICES = {
    "theme": (("auto", N_("Same as this device")), ("light", N_("Light")), ("dark", N_("Dark"))),
    "contrast": (("auto", N_("Same as this device")), ("more", N_("Strongest"))),
    "size": (("usual", N_("Large")), ("larger", N_("Larger")), ("largest", N_("Largest"))),
}
"""The options of each choice, the default first."""


@dataclass(frozen=True, slots=True)
class Appearance:
    """The chosen options, each one of ``CHOICES``."""

    theme: str
    contrast: str
    size: str


@page.app_context_processor
def add_appearance() -> dict[str, Appearance]:
    """Makes the appearance available to every template as ``look``."""
    return {"look": Appearance(**{key: _valid(choice_of_device(key), key) for key in CHOICES})}


@page.get("/display")
@viewer
def show() -> str:
    questions = {"theme": N_("Colors"), "contrast": N_("Contrast"), "size": N_("Text size")}
    return render_template("appearance/appearance.html", choices=CHOICES, questions=questions)


@page.post("/display")
@public
def save() -> Response:
    response = redirect(url_for(".show"), 303)
    chosen_ones = {key: chosen(key, [option for option, _ in CHOICES[key]], _valid(None, key)) for key in CHOICES}
    for key, value in chosen_ones.items():
        keep_choice(response, key, value)
    return response


def _valid(value: str | None, key: str) -> str:
    options = [option for option, _ in CHOICES[key]]
    return value if value in options else options[0]
