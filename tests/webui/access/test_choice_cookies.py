"""What a device chose for itself is kept in its browser, and never sent without encryption by an encrypted page."""

from __future__ import annotations

import pytest

from tests.webui.helpers.playing import TOKEN, Person


@pytest.mark.parametrize(("base", "name", "is_secure"), [("http", "theme", False), ("https", "__Secure-theme", True)])
def test_an_encrypted_page_has_cookies_of_its_own(person: Person, base: str, name: str, is_secure: bool) -> None:
    client, at = person.client, f"{base}://localhost"
    token = TOKEN.search(client.get("/display", base_url=at).get_data(as_text=True))
    assert token
    answer = client.post("/display", data={"theme": "dark", "token": token[1]}, base_url=at)
    kept = {line.split("=")[0]: line for line in answer.headers.getlist("Set-Cookie")}
    assert answer.status_code == 303 and "theme=dark" in kept[name]
    assert ("Secure;" in kept[name]) is is_secure and "HttpOnly" in kept[name] and "SameSite=Lax" in kept[name]
    assert 'name="color-scheme" content="dark"' in client.get("/display", base_url=at).get_data(as_text=True)
