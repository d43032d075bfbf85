"""People who typed their name on a phone that joined are suggested as players, though they have not played yet."""

from __future__ import annotations

import pytest
from flask import Flask

from tests.webui.helpers.evenings import begin
from tests.webui.helpers.playing import Person
from webui.context.services import services_of


@pytest.mark.parametrize("path", ["/new", "/evenings/new"])
def test_names_typed_on_phones_are_suggested(person: Person, path: str) -> None:
    app: Flask = person.client.application
    store = services_of(app).store
    devices = store.devices
    for name in ("zelda", "an iPhone", "Zelda"):
        devices.add(name, name)
    devices.add("table 3", "t", table=(begin(store, ()), 3))
    person.open(path)
    assert 'value="Zelda"' in person.page
    assert 'value="an iPhone"' not in person.page and "table 3" not in person.page
    assert 'value="zelda"' not in person.page
