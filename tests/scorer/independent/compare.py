"""What the scorer and the pages say of one sheet, side by side."""

from __future__ import annotations

from collections.abc import Callable

from scorer.rules import load_rules
from scorer.scoring import score
from scorer.scoring.tally import SideTally
from scorer.sheets import read_sheet
from tests.scorer.independent import canasta_pages, five_sheets, hand_and_foot_pages, runs_pages
from tests.scorer.independent.paper import SUITLESS_TOO, Json, Paper, as_standard
from tests.scorer.independent.random_sheets import NAMED
from tests.scorer.independent.table import copies_exceeded, seats

_PAGES = (five_sheets, hand_and_foot_pages, canasta_pages, runs_pages)
OF_SIDE = {"not-laid-here", "no-such-event", "out-without-books", "not-in-deck", "same-rank-twice", "too-many-bonuses"}
OF_TABLE = {
    "wrong-players",
    "too-many-sides",
    "two-went-out",
    "too-many-hands",
    "too-many-exact-deals",
    "out-with-cards",
    "too-many-copies",
}


def page_of(rules: str) -> Callable[[Json, Json], Paper]:
    """The function that retells the page of a rule set."""
    name = rules.replace("-", "_")
    (found,) = [getattr(module, name) for module in _PAGES if hasattr(module, name)]
    page: Callable[[Json, Json], Paper] = found
    return page


def differences(sheet: Json) -> list[str]:
    """Where the scorer and the page disagree about a sheet, a line each."""
    tally = score(read_sheet(sheet), load_rules(sheet["rules"]))
    found: list[str] = []
    told = as_standard(sheet) if sheet["rules"] in SUITLESS_TOO else sheet
    for place, (side, scored) in enumerate(zip(told["sides"], tally.sides, strict=True)):
        paper = page_of(sheet["rules"])(side, sheet)
        paper.codes |= _too_often(sheet["rules"], sheet, place)
        if paper.total != scored.total:
            found.append(f"side {place}: the page says {paper.total}, the scorer {scored.total}")
        if paper.broken != (broken := _broken(scored)):
            found.append(f"side {place}: broken by the page {paper.broken}, by the scorer {broken}")
        codes = _codes(scored)
        if paper.codes != codes & OF_SIDE:
            found.append(f"side {place}: the page complains of {paper.codes}, the scorer of {codes & OF_SIDE}")
    said = {violation.code for scored in tally.sides for violation in scored.violations} & OF_TABLE
    surely, perhaps = at_the_table(sheet)
    if not surely <= said or said - perhaps - surely:
        found.append(f"the table: surely {surely}, perhaps {perhaps}, the scorer {said}")
    return found


def _broken(scored: SideTally) -> set[int]:
    where = {line.where or "" for line in scored.lines if " in invalid meld" in line.reason}
    return {int(place[6:-1]) for place in where if place.startswith("melds[")}


def _codes(scored: SideTally) -> set[str]:
    return {
        violation.code
        for violation in scored.violations
        if violation.code != "not-in-deck" or not violation.where.startswith("melds")
    }


def _too_often(rules: str, sheet: Json, place: int) -> set[str]:
    """Named bonuses more often than the page allows."""
    side = sheet["sides"][place]
    for name, times in side.get("bonuses", {}).items():
        most = 2 if rules == "american-canasta" else 1
        most = {"black canasta beside a red one": 4, "discards taken wrongly": 6}.get(name, most)
        if name != "not of this page" and times > most:
            return {"too-many-bonuses"}
    told = sheet["sides"] if rules == "american-canasta" else []
    for name in NAMED.get(rules, []):
        if sum(each.get("bonuses", {}).get(name, 0) for each in told) > sheet["players"]:
            return {"too-many-bonuses"}
    for alone in ("going out concealed", *(["perfect deal"] if rules == "canasta-to-7500" else [])):
        if sum(1 for each in sheet["sides"] if alone in each.get("bonuses", {})) > 1 and alone in NAMED.get(rules, []):
            return {"too-many-bonuses"}
    return set()


def at_the_table(sheet: Json) -> tuple[set[str], set[str]]:
    """What is wrong with who plays and how much they hold: for sure, and perhaps, where sides may be of any size."""
    surely: set[str] = set()
    perhaps: set[str] = set()
    sides, players = sheet["sides"], sheet["players"]
    splits = seats(sheet["rules"], players, sheet["round"])
    if copies_exceeded(sheet["rules"], sheet):
        surely.add("too-many-copies")
    if sum(1 for side in sides if side.get("went_out")) > 1:
        surely.add("two-went-out")
    if splits == []:
        surely.add("wrong-players")
        perhaps |= {"too-many-hands", "too-many-exact-deals", "out-with-cards", "too-many-sides"}
        return surely, perhaps
    fitting = [split for split in splits or [] if len(split) >= len(sides)]
    if (splits and not fitting) or (splits is None and len(sides) > players):
        surely.add("too-many-sides")
        perhaps |= {"too-many-hands", "too-many-exact-deals", "out-with-cards"}
        return surely, perhaps
    for place, side in enumerate(sides):
        sizes = [split[place] if len(sides) == len(split) else max(split) for split in fitting]
        least, most = (min(sizes), max(sizes)) if sizes else (1, players - max(1, len(sides) - 1))
        hands = side.get("left", [])
        holding = sum(1 for hand in hands if hand)
        for code, number in (("too-many-hands", holding), ("too-many-exact-deals", _deals(sheet, side))):
            surely |= {code} if number > most else set()
            perhaps |= {code} if number > least else set()
        if side.get("went_out") and hands:
            surely |= {"out-with-cards"} if holding >= most else set()
            perhaps |= {"out-with-cards"} if holding >= least or holding == len(hands) else set()
    return surely, perhaps


def _deals(sheet: Json, side: Json) -> int:
    """Exact deals, where the page knows them."""
    paper = page_of(sheet["rules"])({"exact_deals": 1}, sheet)
    return int(side.get("exact_deals", 0)) if paper.total else 0
