"""Lists which names are newer than the oldest browsers that the page supports, by MDN's browser-compat-data (CC0).

After a change of ``OLDEST``, or for a newer version of the data, which knows newer names:

    npm pack @mdn/browser-compat-data && tar xzf mdn-browser-compat-data-*.tgz
    python -m tests.webui.oldest_browsers.renew package/data.json

A tool that does so was tried first: eslint-plugin-compat passes ``AbortSignal.timeout``, ``form.requestSubmit``,
``Object.groupBy`` and the event ``scrollend``, none of which Safari 15 has.
"""

from __future__ import annotations

import json
import re
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

OLDEST = {
    "safari": "15.4",
    "safari_ios": "15.4",
    "chrome": "107",
    "chrome_android": "107",
    "edge": "107",
    "firefox": "107",
    "firefox_android": "107",
    "samsunginternet_android": "19.0",
}
"""Safari of March 2022, which iPhones and iPads of 2015 still get, and the others as they were in November 2022."""
NEWER = Path(__file__).with_name("newer.json")
Node = Mapping[str, Any]


def names(data: Node) -> dict[str, list[str]]:
    """The names that are too new, by what they name."""
    found: dict[str, list[str]] = {"globals": [], "statics": []}
    members, events = defaultdict[str, list[bool]](list), defaultdict[str, list[bool]](list)
    for interface, node in (*_parts(data["api"]), *_parts(data["javascript"]["builtins"])):
        if _is_new(node):
            found["globals"].append(interface)
        for name, part in _parts(node):
            kind = name.rpartition("_")[2]
            if kind == "static" and _is_new(part):
                found["statics"].append(f"{interface}.{name.removesuffix('_static')}")
            elif kind == "event":
                events[name.removesuffix("_event")].append(_is_new(part))
            elif re.fullmatch(r"\w+", name) and kind not in ("static", "parameter"):
                members[name].append(_is_new(part))
    # A name that several things have is too new only where all of them are.
    found["members"] = [name for name, new in members.items() if all(new)]
    found["events"] = [name for name, new in events.items() if all(new)]
    css, html = data["css"], data["html"]
    found["properties"] = [name for name, node in _parts(css["properties"]) if _is_new(node)]
    found["values"] = [
        f"{name}: {value}"
        for name, node in _parts(css["properties"])
        for value, part in _parts(node)
        if _is_new(part) and "_" not in value
    ]
    found["functions"] = [name for name, node in _types(css["types"]) if _is_new(node)]
    found["selectors"] = [name for name, node in _parts(css["selectors"]) if _is_new(node)]
    found["rules"] = [name for name, node in _parts(css["at-rules"]) if _is_new(node)]
    found["media"] = [name for name, node in _parts(css["at-rules"]["media"]) if _is_new(node)]
    found["attributes"] = [name for name, node in _parts(html["global_attributes"]) if _is_new(node)]
    for element, node in _parts(html["elements"]):
        found["attributes"] += [f"{element} {name}" for name, part in _parts(node) if _is_new(part) and "_" not in name]
    return {kind: sorted(set(all_of_it)) for kind, all_of_it in found.items()}


def _parts(node: Node) -> Iterator[tuple[str, Node]]:
    return ((name, part) for name, part in node.items() if not name.startswith("__"))


def _types(node: Node) -> Iterator[tuple[str, Node]]:
    for name, part in _parts(node):
        yield name, part
        yield from _types(part)


def _is_new(node: Node) -> bool:
    """Whether a standard thing is missing, or has another name, in one of the oldest browsers."""
    compat = node.get("__compat")
    if compat is None or not compat["status"]["standard_track"]:
        return False
    return not all(_knows(compat["support"].get(browser), oldest) for browser, oldest in OLDEST.items())


def _knows(support: Any, oldest: str) -> bool:
    if support is None:
        return True
    for one in support if isinstance(support, list) else [support]:
        added = one["version_added"]
        if added in (None, False, "preview") or {"flags", "prefix", "alternative_name"} & set(one):
            continue
        if added is True or _version(added) <= _version(oldest):
            return True
    return False


def _version(text: str) -> tuple[int, ...]:
    return tuple(map(int, re.findall(r"\d+", text)))


if __name__ == "__main__":
    data = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    source = f"@mdn/browser-compat-data {data['__meta']['version']}, CC0-1.0, by tests/webui/oldest_browsers/renew.py"
    found = {kind: ", ".join(all_of_it) for kind, all_of_it in names(data).items()}
    NEWER.write_text(json.dumps({"source": source, "oldest": OLDEST, **found}, indent=0) + "\n", encoding="utf-8")
