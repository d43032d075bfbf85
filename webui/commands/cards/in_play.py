"""By which house rules and decks the commands read cards, and the options that say so."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from scorer.errors import DeckError
from scorer.rules import RulesError, RuleSet, load_rules
from vision.images.sandbox import shared_decoder
from vision.teach.match.taught_faces import TaughtFaces
from vision.values import HouseRules
from webui.commands.options import add_data_option
from webui.commands.output import print_message
from webui.decks.in_play import checked_ids, deck_in_play, shown_in_part, split_ids, unreadable
from webui.decks.picture_cards import PictureCards
from webui.decks.taught import TaughtDecks
from webui.games.new_game import player_counts
from webui.reading.reader_service import house_rules
from webui.settings import DEFAULT_RULES, default_data_dir


@dataclass(frozen=True, slots=True)
class InPlay:
    """What a reader is told: ``house`` and ``taught`` as ``vision.reader.CardReader.read`` takes them."""

    data_dir: Path
    rules: RuleSet
    house: HouseRules
    taught: TaughtFaces | None


def add_in_play_options(parser: argparse.ArgumentParser) -> None:
    """Adds the options from which ``in_play`` works it out."""
    parser.add_argument("--rules", default=DEFAULT_RULES, metavar="ID", help="house rules (default: %(default)s)")
    parser.add_argument(
        "--deck", metavar="ID[,ID…]", help="the decks on the table, one to six (default: the rules' own)"
    )
    add_data_option(parser)


def in_play(arguments: argparse.Namespace, players: int | None = None) -> InPlay:
    """What the options ask for; says where the cards of a deck cannot be read for sure.

    ``players`` decide the number of packs; None for four.

    Raises:
        RulesError: an unknown rule set, or one that does not allow this number of players.
        DeckError: an unknown deck, or one that was asked for and not taught.
    """
    rules = load_rules(arguments.rules)
    if players is not None and players not in (allowed := player_counts(rules)):
        raise RulesError(f"{rules.name} is for {' or '.join(map(str, allowed))} players; got {players}")
    data_dir: Path = arguments.data or default_data_dir()
    ids = (rules.deck,) if arguments.deck is None else checked_ids(split_ids(arguments.deck))
    decks = TaughtDecks(data_dir, shared_decoder().decode)
    _tell_unread(ids, decks, arguments.deck is not None)
    house = house_rules(rules, 4 if players is None else players, deck_in_play(ids, rules))
    return InPlay(data_dir, rules, house, PictureCards(decks).of(ids))


def _tell_unread(ids: Sequence[str], decks: TaughtDecks, named: bool) -> None:
    for id in shown_in_part(ids, decks):
        missing = ", ".join(map(str, decks.get(id).missing))
        print_message(f"these cards of {id} were never shown, so they cannot be read: {missing}")
    if untaught := unreadable(ids, decks):
        if named:
            raise DeckError(
                f"the cards of {untaught[0]} were not taught yet, so they cannot be read; teach them first, or leave "
                "--deck out"
            )
        print_message(f"the cards of {untaught[0]} were not taught yet: every card is in doubt")
