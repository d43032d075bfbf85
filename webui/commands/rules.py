"""``handfoot rules``: lists the rule sets with their files, or shows one."""

from __future__ import annotations

import argparse

from scorer.rules import broken_rules, describe, list_rules, load_rules, rules_file
from webui.commands.options import add_data_option
from webui.commands.output import print_json, print_lines, print_message


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser("rules", help="list the rule sets, or show one whole, with its source")
    parser.add_argument("id", nargs="?", help="the rule set to show; without it all are listed")
    add_data_option(parser)
    parser.add_argument("--json", action="store_true", help="one JSON document a line")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Lists all rule sets; a file that cannot be read gets a sentence and makes the exit code 1.

    Raises:
        RulesError: the rule set asked for is unknown, or its file is wrong.
    """
    for rules_id in [arguments.id] if arguments.id else list_rules():
        rules, path = load_rules(rules_id), rules_file(rules_id)
        if arguments.json:
            print_json({**rules.model_dump(mode="json"), "file": str(path)})
        elif arguments.id:
            print_lines([*describe(rules).split("\n"), f"the file it comes from: {path}"])
        else:
            print_lines([f"{rules_id:<18} {rules.name:<34} {path}"])
    broken = {} if arguments.id else broken_rules()
    for sentence in broken.values():
        print_message(sentence)
    return 1 if broken else 0
