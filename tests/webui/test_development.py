"""The page with reload for developers."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.webui import development
from webui.context.services import services_of


def test_the_process_that_watches_files_opens_no_page(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(development, "DATA", tmp_path / "data")
    monkeypatch.delenv("WERKZEUG_RUN_MAIN", raising=False)
    assert "home" not in development.create_app().blueprints
    assert not (tmp_path / "data").exists()


def test_the_serving_process_opens_the_page(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(development, "DATA", tmp_path / "data")
    monkeypatch.setenv("WERKZEUG_RUN_MAIN", "true")
    app = development.create_app()
    services = services_of(app)
    try:
        assert app.test_client().get("/", base_url="http://localhost").status_code == 200
    finally:
        services.photo_queue.close()
        services.camera.close()
        services.store.close()
