"""Players: each person's own totals over the games of a season and over club evenings, with whom they played, and the
same as CSV; names that are one person's."""

from __future__ import annotations

from flask import Blueprint, Response, abort, flash, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as Redirect

from webui.context.guard.idempotency import idempotent
from webui.context.guard.rights import keeper, viewer
from webui.context.responses.files import table_file
from webui.context.services import services
from webui.context.warmup import counting_page
from webui.events.league import League, LeaguePerson, leagues
from webui.events.stored import all_evenings, counted_seats
from webui.games.names import known_people
from webui.games.rule_choice import names_apart
from webui.games.season.round_words import AVERAGE, round_word
from webui.games.season.same_people import SamePeople
from webui.games.season.season_csv import season_csv
from webui.games.season.span import Span, SpanError, read_span, usual_spans
from webui.games.season.totals import ORDERS, Season, season
from webui.storage.clock import now
from webui.translation import N_, _
from webui.wording import name_key, tidy

page = Blueprint("players", __name__, url_prefix="/players")

_MAX_GAMES = 50
"""The most games of a person that their page lists, the newest ones."""
_NAMES = {
    "points": N_("total points"),
    "won": N_("games won"),
    "game": N_("average game"),
}
"""What the orders are called but the one by the average round or hand."""


@page.get("/")
@viewer
def show() -> str | tuple[str, int]:
    """Everybody's totals, a table for all rules."""
    if counting := counting_page():
        return counting
    try:
        whole = _season()
    except SpanError as error:
        return _page(Season(Span(), (), ()), Season(Span(), (), ()), str(error)), 400
    return _page(whole, _chosen(whole), None)


@page.get("/person")
@viewer
def person() -> str | tuple[str, int]:
    """One person's totals, partners and newest games."""
    same, name = _same(), tidy(request.args.get("name", ""))
    name = same.name(name)
    try:
        whole = _chosen(_season())
    except SpanError as error:
        abort(400, str(error))
    games = whole.games_of(name)
    if games:
        name = games[0][1].name
    evenings = _evenings_of(name, whole.span, same)
    answer = render_template(
        "players/person.html",
        name=name,
        season=whole,
        totals=whole.of(name),
        rule_names=names_apart({one.id: one.name for one in whole.rule_sets}),
        games=games[:_MAX_GAMES],
        more=max(len(games) - _MAX_GAMES, 0),
        evenings=evenings,
        others=[one for one in services().store.people.other_names() if name_key(one.name) == name_key(name)],
        known=_others(name, same),
        query=_query(whole),
    )
    return answer if games or evenings else (answer, 404)


@page.post("/same")
@keeper
@idempotent
def join() -> Redirect:
    """Counts a name as another spelling of a person's name."""
    written, name = (tidy(request.form.get(key, "")) for key in ("written", "name"))
    if not written or not name or not services().store.people.join(written, name):
        flash(_("Choose two different names."))
    else:
        flash(_("%(written)s counts as %(name)s from now on.", written=written, name=name), "good")
    return redirect(url_for(".person", name=name), 303)


@page.post("/two")
@keeper
@idempotent
def part() -> Redirect:
    """Counts a name by itself again."""
    written = tidy(request.form.get("written", ""))
    services().store.people.part(written)
    flash(_("%(written)s counts separately again.", written=written), "good")
    return redirect(url_for(".person", name=tidy(request.form.get("name", ""))), 303)


@page.get("/season.csv")
def as_csv() -> Response:
    """The table as a file."""
    try:
        whole = _chosen(_season())
    except SpanError as error:
        abort(400, str(error))
    days = "".join(f"-{part}-{day}" for part, day in whole.span.query.items())
    return table_file(season_csv(whole, _order()), f"players{days}")


def _page(whole: Season, chosen: Season, sentence: str | None) -> str:
    others = {name: request.args[name] for name in ("rules", "by") if request.args.get(name)}
    return render_template(
        "players/players.html",
        season=chosen,
        sentence=sentence,
        rule_names=names_apart({one.id: one.name for one in whole.rule_sets}),
        chosen_rules=request.args.get("rules", ""),
        order=_order(),
        orders=_NAMES | {"round": AVERAGE[round_word(one.in_hands for one in chosen.rule_sets)]},
        since=request.args.get("since", ""),
        until=request.args.get("until", ""),
        spans=[
            (name, span.query | others, span == chosen.span and sentence is None)
            for name, span in usual_spans(now().astimezone().date()).items()
        ],
        query=_query(chosen),
    )


def _season() -> Season:
    """The season of the query.

    Raises:
        SpanError: its days make no span.
    """
    span = read_span(request.args.get("since", ""), request.args.get("until", ""))
    store = services().store
    return season(store.counted_games(), span, _same(), counted_seats(store))


def _same() -> SamePeople:
    return SamePeople.of(services().store.people.other_names())


def _evenings_of(name: str, span: Span, same: SamePeople) -> list[tuple[League, LeaguePerson]]:
    """A person's club evenings under all rules."""
    key = name_key(name)
    found = leagues(all_evenings(services().store)[0], span, same)
    return [(league, league.people[key]) for league in found if key in league.people]


def _others(name: str, same: SamePeople) -> list[str]:
    """Everybody else who has ever played, by the alphabet, without names that are another spelling of somebody's."""
    known = known_people(services().store.counted_games(), most=None)
    return sorted(
        (one for one in known if name_key(one) not in {name_key(name), *same.names}), key=lambda one: name_key(one)
    )


def _chosen(whole: Season) -> Season:
    """The season under the rules of the query; all where the query names none that was played by."""
    rules = request.args.get("rules", "")
    return whole.only(rules) if any(one.id == rules for one in whole.rule_sets) else whole


def _order() -> str:
    order = request.args.get("by", "")
    return order if order in ORDERS else "points"


def _query(shown: Season) -> dict[str, str]:
    """The season of a page as the query of further addresses."""
    rules = request.args.get("rules", "")
    return shown.span.query | ({"rules": rules} if any(one.id == rules for one in shown.rule_sets) else {})
