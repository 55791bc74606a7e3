"""`mensura ledger`: questions, forecasts and resolutions, with who, when and why."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from mensura.console import json_option, next_step, print_json, say
from mensura.errors import BadParameter
from mensura.exhibit import FileScores

if TYPE_CHECKING:
    from mensura.track_record.ledger.ledger import Ledger

LAST_MINUTE = 1439 / 1440

ledger_option: Callable[[Any], Any] = click.option(
    "--ledger",
    "place",
    envvar="MENSURA_LEDGER",
    default="ledger.db",
    show_default=True,
    help="Where the ledger is kept: a file or a postgresql:// URL.  [$MENSURA_LEDGER]",
)
ACTING = (
    click.option("--who", required=True, help="Who does it; the ledger does not check this."),
    click.option("--why", default="", help="The reason."),
    click.option("--at", help="When, if not now: a date, or a date and time in UTC; marked as claimed."),
    ledger_option,
)


def acting(function: Any) -> Any:
    """Let a command say who acts, why, when and in which ledger."""
    for option in reversed(ACTING):
        function = option(function)
    return function


@click.group("ledger")
def command() -> None:
    """Keep questions from draft to resolution, forecasts and their revisions, and score those who forecast.

    \b
      mensura ledger enter ruth --role requester
      mensura ledger enter ada --role forecaster
      mensura ledger draft rain --who ruth --text "Rain at Kew on 1 May?" --option yes --option no
          --deadline 2027-05-01 --resolving "Kew gauge, read by Ruth"
      mensura ledger open rain --who ruth
      mensura ledger forecast rain yes=70 no=30 --who ada
      mensura ledger resolve rain yes --who ruth --why "gauge read"
      mensura score ledger --report report.html
    """


@command.command("enter")
@click.argument("name")
@click.option("--role", required=True, type=click.Choice(["requester", "forecaster"]), help="Nobody has both roles.")
@ledger_option
def enter(name: str, role: str, place: str) -> None:
    """Enter NAME as somebody who sets questions, or as somebody who forecasts."""
    with _opened(place) as ledger:
        ledger.enter(name, role)
    say(f"{name} is a {role}.")
    next_step(f"mensura ledger {'draft' if role == 'requester' else 'forecast'} --help")


@command.command("draft")
@click.argument("name")
@click.option("--text", required=True, help="The proposition.")
@click.option("--option", "options", multiple=True, help="An exclusive alternative; two or more.")
@click.option("--edge", "edges", type=float, multiple=True, help="An edge of the bins of a quantity; three or more.")
@click.option("--deadline", help="By when it will be known: a date.")
@click.option("--resolving", default="", help="How the truth will be told: the source, and who reads it.")
@click.option("--area", default="", help="For the track record.")
@click.option("--topic", default="", help="For the track record.")
@click.option("--unit", default="", help="Of a quantity.")
@click.option("--amend", is_flag=True, help="Change an existing draft; say --why.")
@acting
def draft(
    name: str, deadline: str | None, amend: bool, who: str, why: str, at: str | None, place: str, **asked: Any
) -> None:
    """Draft the question NAME; one without a deadline or a way of resolving is refused with the reason."""
    from mensura.track_record.ledger.question import Question

    by = None if deadline is None else _days(deadline, end=True)
    question = Question(name, deadline=by, **asked)
    with _opened(place) as ledger:
        (ledger.amend if amend else ledger.draft)(question, who=who, why=why, at=_moment(at))
    say(f"{name} is a draft.")
    if vague := question.advice():
        say(f"Reasonable people may differ about {', '.join(vague)}: does the way of resolving make it precise?")
    next_step(f"mensura ledger open {name} --who {who}")


@command.command("forecast")
@click.argument("name")
@click.argument("shares", nargs=-1, required=True, metavar="OPTION=PERCENT...")
@acting
def forecast(name: str, shares: tuple[str, ...], who: str, why: str, at: str | None, place: str) -> None:
    """Forecast the question NAME, or revise a forecast, in percent; for a quantity give the percent of each bin."""
    with _opened(place) as ledger:
        ledger.forecast(name, _shares(shares), who=who, why=why, at=_moment(at))
    say(f"The forecast of {who} stands until it is revised or {name} is resolved.")
    next_step(f"mensura ledger show {name}")


@command.command("resolve")
@click.argument("name")
@click.argument("outcome")
@click.option("--as-of", help="When the truth was known, if before now; forecasts made later do not count.")
@acting
def resolve(name: str, outcome: str, who: str, why: str, as_of: str | None, at: str | None, place: str) -> None:
    """Record the outcome of NAME, or correct it. Every score of the question follows."""
    with _opened(place) as ledger:
        value: Any = outcome
        if ledger.question(name).question.kind == "quantity":
            value = _number(outcome)
        ledger.resolve(name, value, who=who, why=why, as_of=_moment(as_of), at=_moment(at))
        scores = ledger.scores(name)
    for score in scores:
        click.echo(f"{score.forecaster}\t{score.rule}\t{score.value:.4f}\tcoverage {score.coverage:.0%}")
    say(f"{name} is resolved: {outcome}.")
    next_step("mensura score ledger")


def _turn(verb: str, method: str, help_words: str, said: str, then: str) -> None:
    """Add the command of a turn in a question's life that needs nothing but who, why and when."""

    @command.command(verb, help=help_words)
    @click.argument("name")
    @acting
    def turn(name: str, who: str, why: str, at: str | None, place: str) -> None:
        with _opened(place) as ledger:
            getattr(ledger, method)(name, who=who, why=why, at=_moment(at))
        say(f"{name} {said}.")
        next_step(f"mensura {then.format(name=name, who=who)}")


_turn(
    "open",
    "open",
    "Open the draft NAME for forecasts.",
    "is open",
    "ledger forecast {name} OPTION=PERCENT ... --who FORECASTER",
)
_turn(
    "close",
    "close_question",
    "Take no more forecasts of NAME.",
    "is closed",
    "ledger resolve {name} OUTCOME --who {who} --why GROUND",
)
_turn(
    "annul",
    "annul",
    "Record that NAME cannot be settled. Its scores are removed at once.",
    "is annulled; it counts for nobody",
    "ledger show",
)


@command.command("show")
@click.argument("name", required=False)
@ledger_option
@json_option
def show(name: str | None, place: str, as_json: bool) -> None:
    """List the questions, or show all that happened to NAME: who, when, why, and the scores that stand."""
    from mensura.stats.wording import several
    from mensura.track_record.ledger.showing import question_told, questions_told

    with _opened(place) as ledger:
        told: Any = questions_told(ledger) if name is None else question_told(ledger, name)
    if as_json:
        print_json(told)
    elif name is None:
        for one in told:
            click.echo(f"{one['name']}\t{one['state']}\t{several(one['forecasts'], 'forecast')}\t{one['text']}")
    else:
        click.echo(f"{told['text']} ({told['state']}; by {told['deadline']}; resolved by {told['resolving']})")
        for event in told["history"]:
            why = f": {event['why']}" if event["why"] else ""
            entered = f" (claimed; entered {event['entered'] or 'at an unknown time'})" if event["claimed"] else ""
            click.echo(f"{event['at']}{entered}\t{event['who']}\t{event['kind']} {event['words']}{why}".rstrip())
        for score in told["scores"]:
            value = "unknown" if score["value"] is None else f"{score['value']:.4f}"
            click.echo(f"{score['forecaster']}\t{score['rule']}\t{value}\tcoverage {score['coverage']:.0%}")
    next_step("mensura score ledger")


def _opened(place: str) -> "Ledger":
    from mensura.track_record.ledger.ledger import Ledger, ledger_url

    return Ledger(ledger_url(place))


def _moment(text: str | None) -> float | None:
    return None if text is None else _days(text)


def _days(text: str, *, end: bool = False) -> float:
    """Read a date, or a date and time in UTC, as days since 1970; a deadline by date lasts to the end of the day."""
    from datetime import UTC, datetime

    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        raise BadParameter(f"{text!r} is not a date; write it as 2027-05-01 or 2027-05-01T12:00.") from None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return moment.timestamp() / 86400 + (LAST_MINUTE if end and len(text) == 10 else 0.0)


def _shares(shares: tuple[str, ...]) -> Any:
    """Read `yes=70 no=30`, or bare percents of bins in their order."""
    from mensura.dialogue.spaces.percent import read_shares

    named = dict(share.rpartition("=")[::2] for share in shares if "=" in share)
    if named and len(named) < len(shares):
        raise BadParameter("Give OPTION=PERCENT for every alternative, or bare percents for every bin.")
    if named:
        return read_shares(named)
    return list(read_shares({f"Bin {place}": text for place, text in enumerate(shares, start=1)}).values())


def _number(text: str) -> float:
    try:
        return float(text[:-1]) / 100 if text.endswith("%") else float(text)
    except ValueError:
        raise BadParameter(f"{text!r} is not a number.") from None


@click.command("ledger")
@click.option("--rule", "rule_name", default="log", show_default=True, help="log, quadratic, spherical, phi:FORMULA.")
@click.option("--floor", type=float, help="Smallest probability the logarithm pays for; 0.01 unless given, as in show.")
@click.option("--every", type=float, help="Distance in days of the scheduled moments of calibration.")
@click.option("--compare", is_flag=True, help="Compare forecasters on equal terms, and ways of pooling them.")
@click.option("--by", multiple=True, type=click.Choice(["area", "topic", "time"]), help="Track record by these.")
@click.option("--periods", type=click.IntRange(2), help="Test whether bias persists over this many periods.")
@ledger_option
def score(place: str, **options: Any) -> FileScores:
    """Score everyone who forecast what is resolved by now, as `mensura score forecasting` does for files."""
    from mensura.track_record.ledger.reckoning import reckon

    with _opened(place) as ledger:
        return reckon(ledger, **options)
