"""``handfoot explain``: what every stage of the reader said of each card in a photo."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

from vision.errors import PhotoError
from vision.explain.explanation import CardExplanation, Explanation, IndexExplanation, Rejected, explain
from vision.explain.index_history import Step
from vision.images.decode import load_photo
from webui.commands.cards.in_play import add_in_play_options, in_play
from webui.commands.output import print_json, print_lines
from webui.reading.engine_choice import load_chosen_reader


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser("explain", help="show what each stage of the reader said of the cards in a photo")
    parser.add_argument("photo", metavar="PHOTO", type=Path, help="a photo")
    parser.add_argument("--card", type=int, metavar="N", help="only card N, counted from 0 as in scan --json")
    add_in_play_options(parser)
    parser.add_argument(
        "--players", type=int, metavar="N", help="players, which decide the number of packs (default: 4)"
    )
    parser.add_argument("--json", action="store_true", help="one JSON document")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Reads the photo as the page does where these decks are in play, and prints the history of its cards.

    Raises:
        RulesError, DeckError: as ``in_play``.
        WeightsError: the reader's weights are missing or damaged.
        PhotoError: the photo cannot be read, or it has no card of that number.
    """
    given = in_play(arguments, arguments.players)
    frame = load_photo(arguments.photo)
    _, trace = load_chosen_reader(given.data_dir)[1].read_traced(frame, given.house, given.taught)
    explanation = explain(trace)
    if arguments.card is not None:
        explanation = _only(explanation, arguments.card, arguments.photo)
    if arguments.json:
        print_json({"photo": str(arguments.photo), **explanation.as_json()})
    else:
        print_lines(as_text(explanation))
    return 0


def _only(explanation: Explanation, number: int, photo: Path) -> Explanation:
    if not 0 <= number < len(explanation.cards):
        count = len(explanation.cards)
        there = f"its cards are 0 to {count - 1}" if count else "no card was read in it"
        raise PhotoError(f"{photo} has no card {number}: {there}")
    return Explanation((explanation.cards[number],), ())


def as_text(explanation: Explanation) -> Iterator[str]:
    """The explanation for a person, a line a stage."""
    if not explanation.cards:
        yield "no cards were read"
    for card in explanation.cards:
        yield from _card(card)
    if explanation.rejected:
        yield "rejected detections:"
    for rejected in explanation.rejected:
        yield from _rejected(rejected)


def _card(card: CardExplanation) -> Iterator[str]:
    x, y = (sum(corner[axis] for corner in card.quad) / 4 for axis in (0, 1))
    yield f"card {card.card}: {card.face}, confidence {card.confidence:.4f}, around ({x:.0f}, {y:.0f})"
    for number, index in enumerate(card.indices, 1):
        yield from _index(number, len(card.indices), index)
    named = card.paired_face
    if named is not None:
        yield _row("pairing", f"{named} from {len(card.indices)} of its indices, {card.paired_confidence:.4f}")
    if card.taught_face is not None:
        yield _row("taught pictures", f"changed {named} to {card.taught_face}" if named else f"{card.taught_face}")
        named = card.taught_face
    yield _row("house rules", f"changed {named} to {card.face}" if card.rules_changed else "no change")
    for doubt in card.doubts:
        yield _row("doubt", f"{doubt.code}, set by {doubt.stage}: {doubt.why}")
    if not card.doubts:
        yield _row("doubt", "none")


def _index(number: int, count: int, index: IndexExplanation) -> Iterator[str]:
    yield f"  index {number} of {count}, at {_box(index.box)}"
    for step in index.steps:
        changed = "  <- changed the rank" if step.stage in index.rank_changed_by else ""
        yield _row(step.stage.replace("-", " "), _said(step) + changed)


def _rejected(rejected: Rejected) -> Iterator[str]:
    yield f"  {rejected.face}, at {_box(rejected.box)}: {rejected.why}"
    for step in rejected.steps:
        yield _row(step.stage.replace("-", " "), _said(step))


def _said(step: Step) -> str:
    said = []
    if step.score is not None:
        said.append(f"confidence {step.score:.2f}")
    if step.ranks is not None:
        said.append(", ".join(f"{rank} {share:.3f}" for rank, share in step.ranks))
    if step.suit is not None:
        said.append(f"suit {step.suit[0]} {step.suit[1]:.3f}")
    if step.p_index is not None:
        said.append(f"an index {step.p_index:.2f}")
    if step.p_keep is not None:
        said.append(f"to keep {step.p_keep:.3f}")
    if step.corner is not None:
        said.append(f"{step.corner} corner")
    if step.moved is not None:
        said.append(f"outline moved {step.moved:.1f} px")
    return "; ".join(said)


def _box(box: tuple[float, float, float, float]) -> str:
    x0, y0, x1, y1 = box
    return f"({x0:.0f}, {y0:.0f}) to ({x1:.0f}, {y1:.0f})"


def _row(name: str, text: str) -> str:
    return f"    {name:<18}{text}"
