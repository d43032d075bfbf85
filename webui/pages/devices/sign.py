"""The sign that the table is watched, by itself: open pages ask for it every few seconds."""

from __future__ import annotations

from flask import Blueprint, render_template

from webui.context.guard.rights import viewer

page = Blueprint("sign", __name__)


@page.get("/watching")
@viewer
def show() -> str:
    """The sign as it stands on every page of this visitor now; empty where nothing is watched that they may see."""
    return render_template("watch/sign.html")
