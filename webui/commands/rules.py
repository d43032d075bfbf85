"""``handfoot rules``: lists the rule sets, or shows one whole."""

from __future__ import annotations

import argparse

from scorer.rules import describe, list_rules, load_rules
from webui.commands.output import print_json


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser("rules", help="list the rule sets, or show one whole, with its source")
    parser.add_argument("id", nargs="?", help="the rule set to show; without it all are listed")
    parser.add_argument("--json", action="store_true", help="one JSON document a line")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Raises RulesError for an unknown rule set."""
    for rules_id in [arguments.id] if arguments.id else list_rules():
        rules = load_rules(rules_id)
        if arguments.json:
            print_json(rules.model_dump(mode="json"))
        elif arguments.id:
            print(describe(rules))
        else:
            print(f"{rules_id:<18} {rules.name}")
    return 0
