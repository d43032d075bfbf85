"""What each app of the tests would make anew, and all of them have the same: compiled pages, addresses and statements.

Hundreds of tests make an app, and would spend most of their time compiling its pages, its addresses and what it asks
its database.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from types import CodeType
from typing import ClassVar

from flask import Flask
from jinja2.bccache import Bucket, BytecodeCache
from sqlalchemy import Connection, Engine, event
from sqlalchemy.dialects.sqlite.pysqlite import SQLiteDialect_pysqlite
from sqlalchemy.util import LRUCache
from werkzeug.routing import BaseConverter, Rule
from werkzeug.routing.rules import RulePart


class CompiledTemplates(BytecodeCache):
    """Templates of this process by name and content, so that a changed one is compiled anew."""

    def __init__(self) -> None:
        self._compiled: dict[tuple[str, str], CodeType] = {}

    def __len__(self) -> int:
        return len(self._compiled)

    def load_bytecode(self, bucket: Bucket) -> None:
        bucket.code = self._compiled.get((bucket.key, bucket.checksum))

    def dump_bytecode(self, bucket: Bucket) -> None:
        if bucket.code is not None:
            self._compiled[bucket.key, bucket.checksum] = bucket.code


class CompiledRule(Rule):
    """An address that is parsed, and its builder compiled, once for all apps: both depend on nothing but the keys here.

    The library does so in private methods. Should they be called otherwise one day, tests only take longer.
    """

    _parsed: ClassVar[dict[object, tuple[list[RulePart], list[tuple[bool, str]], dict[str, BaseConverter]]]] = {}
    _compiled: ClassVar[dict[object, Callable[..., tuple[str, str]]]] = {}

    def _parse_rule(self, rule: str) -> Iterable[RulePart]:
        key = rule, tuple(self.map.converters.items())
        if key not in self._parsed:
            before = len(self._trace)
            parts, trace = list(super()._parse_rule(rule)), self._trace[before:]
            self._parsed[key] = parts, trace, {name: self._converters[name] for is_name, name in trace if is_name}
            return parts
        parts, trace, converters = self._parsed[key]
        self._trace += trace
        self._converters |= converters
        self.arguments |= converters.keys()
        return parts

    def _compile_builder(self, append_unknown: bool = True) -> Callable[..., tuple[str, str]]:
        if self.defaults:
            return super()._compile_builder(append_unknown)
        key = self.rule, tuple(self._trace), append_unknown
        if key not in self._compiled:
            self._compiled[key] = super()._compile_builder(append_unknown)
        return self._compiled[key]


def compiled_statements() -> LRUCache[object, object]:
    """A cache of SQLAlchemy's compiled statements for all engines that are made from now on.

    They are kept by dialect, of which each engine has one of its own: all for SQLite count as the same here, since one
    version of SQLite, with the same options, stands behind them.
    """
    kept: LRUCache[object, object] = LRUCache(2000)

    def use(connection: Connection) -> None:
        connection.execution_options(compiled_cache=kept)

    def alike(one: object, other: object) -> bool:
        return type(one) is type(other)

    def of_type(one: object) -> int:
        return hash(type(one))

    for name, method in (("__eq__", alike), ("__hash__", of_type)):
        setattr(SQLiteDialect_pysqlite, name, method)
    event.listen(Engine, "engine_connect", use)
    return kept


def share_between_apps() -> None:
    """Lets all apps of this process that are made from now on share what they have the same."""
    Flask.jinja_options = {**Flask.jinja_options, "bytecode_cache": CompiledTemplates()}
    Flask.url_rule_class = CompiledRule
    compiled_statements()
