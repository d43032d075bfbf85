"""With an encrypted page, other devices are led there, and this machine and proxies on it go on as before."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.webui.helpers.networks import on_network
from webui.access.certificate import Certificate
from webui.context.services import services_of

PHONE = {"REMOTE_ADDR": "192.168.1.30", "HTTP_HOST": "192.168.1.5:8765"}


AT = "http://192.168.1.5:8765"


def let_in(app: Flask) -> FlaskClient:
    """A browser of this machine that asks it by its address in the network."""
    client = app.test_client()
    client.get(f"/enter/{services_of(app).access_code.secrets.key}", base_url=AT)
    return client


@pytest.fixture
def app(make_app: Callable[..., Flask], tmp_path: Path) -> Flask:
    return make_app(host="0.0.0.0", https_port=8766)


@pytest.fixture
def own(app: Flask) -> Certificate:
    """The app's own certificate."""
    certificate = Certificate(services_of(app).settings.data_dir)
    object.__setattr__(services_of(app), "certificate", certificate)
    return certificate


def test_another_device_is_told_the_encrypted_address(app: Flask, own: Certificate) -> None:
    answer = app.test_client().get("/enter/abc?to=/game/1/", environ_overrides=PHONE)
    page = answer.get_data(as_text=True)
    assert answer.status_code == 200 and 'href="https://192.168.1.5:8766/enter/abc?to=/game/1/"' in page
    assert own.fingerprint in page and "Set-Cookie" not in answer.headers


def test_with_a_given_certificate_it_is_sent_there(app: Flask) -> None:
    answer = app.test_client().get("/enter", environ_overrides=PHONE)
    assert answer.status_code == 307 and answer.headers["Location"] == "https://192.168.1.5:8766/enter"


def test_nothing_is_done_without_encryption(app: Flask, own: Certificate) -> None:
    assert app.test_client().post("/enter", data={"code": "1"}, environ_overrides=PHONE).status_code == 403


def test_health_and_this_machine_go_on(app: Flask, own: Certificate) -> None:
    assert app.test_client().get("/healthz", environ_overrides=PHONE).status_code in (200, 503)
    page = app.test_client().get("/", base_url="http://localhost:8765").get_data(as_text=True)
    assert own.fingerprint in page and "https://" in page and "8766" in page


def test_a_proxy_on_this_machine_goes_on(app: Flask, own: Certificate) -> None:
    told = {"X-Forwarded-For": "192.168.1.30", "X-Forwarded-Proto": "https", "X-Forwarded-Host": "192.168.1.9"}
    answer = app.test_client().get("/enter", headers=told)
    assert answer.status_code == 200 and "encrypted" not in answer.get_data(as_text=True)


def test_the_join_page_shows_the_fingerprint_beside_the_encrypted_address(
    app: Flask, own: Certificate, monkeypatch: pytest.MonkeyPatch
) -> None:
    on_network(monkeypatch, "192.168.1.5")
    page = app.test_client().get("/join", base_url="http://localhost:8765").get_data(as_text=True)
    assert "https://192.168.1.5:8766/" in page and own.fingerprint in page and "warn once" in page


def test_the_camera_page_says_where_it_is_encrypted(app: Flask, own: Certificate) -> None:
    page = let_in(app).get("/camera/phone/", base_url=AT)
    assert 'href="https://192.168.1.5:8766/camera/phone/"' in page.get_data(as_text=True)


def test_the_camera_page_says_how_to_start_an_encrypted_page(make_app: Callable[..., Flask]) -> None:
    page = let_in(make_app(host="0.0.0.0")).get("/camera/phone/", base_url=AT)
    assert "handfoot serve --lan --https" in page.get_data(as_text=True)
