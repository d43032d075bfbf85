"""How the page looks on this phone or screen: light or dark, contrast, size of type. Kept in a cookie of its own."""

from __future__ import annotations

from dataclasses import dataclass

from flask import Blueprint, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

page = Blueprint("display", __name__)

_YEAR = 365 * 24 * 3600
CHOICES = {
    "theme": (("auto", "As the device has it"), ("light", "Light"), ("dark", "Dark")),
    "contrast": (("auto", "As the device has it"), ("more", "Strongest")),
    "size": (("usual", "Large"), ("larger", "Larger"), ("largest", "Largest")),
}
"""What can be chosen, the first being what holds where nobody chose."""


@dataclass(frozen=True, slots=True)
class Look:
    """How this visitor wants the page to look; one of ``CHOICES`` each."""

    theme: str
    contrast: str
    size: str


@page.app_context_processor
def add_look() -> dict[str, Look]:
    """Every page knows the look."""
    return {"look": Look(**{key: _chosen(request.cookies.get(key), key) for key in CHOICES})}


@page.get("/display")
def show() -> str:
    questions = {"theme": "Light or dark?", "contrast": "How much contrast?", "size": "How large?"}
    return render_template("display/display.html", choices=CHOICES, questions=questions)


@page.post("/display")
def keep() -> Response:
    response = redirect(url_for(".show"), 303)
    for key in CHOICES:
        response.set_cookie(key, _chosen(request.form.get(key), key), max_age=_YEAR, samesite="Lax", httponly=True)
    return response


def _chosen(value: str | None, key: str) -> str:
    known = [choice for choice, _ in CHOICES[key]]
    return value if value in known else known[0]
