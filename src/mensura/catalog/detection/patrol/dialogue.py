"""The patrol test: reports are free, more information costs, and acts in time prevent attacks; scored by cost."""

from collections.abc import Generator, Mapping
from dataclasses import asdict
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray

from mensura.catalog.detection.chance import patrol_chance
from mensura.catalog.detection.exhibits import patrol_exhibits
from mensura.catalog.detection.patrol.account import CostAccount, Tariff, plots_of
from mensura.catalog.detection.patrol.acts import acts
from mensura.catalog.detection.patrol.scoring import BRIEFING, score, scores
from mensura.catalog.detection.patrol.subjects import SUBJECTS
from mensura.catalog.detection.prompts import Dossier, Reports, Situation
from mensura.catalog.detection.taking import with_world_parameters
from mensura.catalog.detection.world.evidence import Evidence
from mensura.catalog.detection.world.making import ThreatWorld, make_world
from mensura.catalog.detection.world.parameters import parameters_from
from mensura.catalog.detection.world.patterns import KINDS, as_data
from mensura.catalog.detection.world.tables import evidence_tables, plain
from mensura.catalog.detection.world.transactions import Transactions
from mensura.catalog.detection.world.truth import ATTACK
from mensura.dialogue import Ask, Outcome, test

WORDS = """You guard a simulated society in which some groups prepare attacks. Reports come in by themselves. On every
day you may act: *inquire* about a name or *watch* a target (each costs a little and shows what truly happened around
them of late), *alert* a target (level 1 halves the damage of an attack there, level 2 prevents it, for a while), or
*arrest* someone: right if that person is in a team whose attack is under way, dear if not. Arresting the leader, or
half of the team, foils the attack. *Go on* when you are done. All costs and the damage are added up at the end; attacks
that went through are told on the next day of report."""
_BACK = 90


@test(
    "detection-patrol-v2",
    score=score,
    scores=scores,
    scoring="2",
    subjects=SUBJECTS,
    settings={"brief": {"days": 120, "step_days": 10}},
    chance=patrol_chance,
    exhibits=patrol_exhibits,
)
@with_world_parameters
def patrol(
    rng: np.random.Generator,
    *,
    step_days: Annotated[int, "How many days lie between two days on which the subject can act, 1 or more."] = 5,
    most_acts: Annotated[int, "How many acts are possible on such a day, 1 or more."] = 10,
    damage: Annotated[float, "What an attack costs that nobody prevents."] = 100.0,
    false_arrest: Annotated[float, "What the arrest of someone costs who is in no attack under way."] = 20.0,
    alert: Annotated[float, "What an alert costs for each of its levels."] = 3.0,
    information: Annotated[float, "What an inquiry or a watch costs."] = 1.0,
    alert_days: Annotated[int, "How many days an alert lasts."] = 20,
    **given: Any,
) -> Generator[Ask, Any, Outcome]:
    """Guard a simulated society: pay for information, and arrest or alert before attacks happen."""
    parameters = parameters_from(given)
    world = make_world(parameters, rng)
    prices = Tariff(damage, false_arrest, alert, information, alert_days)
    tables = {name: plain(columns) for name, columns in evidence_tables(world, rng).items()}
    reports = tables.pop("transactions")
    ledger = CostAccount(plots_of(world), prices)
    truth = {"plots": [asdict(plot) for plot in ledger.plots], "prices": asdict(prices)}
    known = {**parameters.as_json(), **asdict(prices)}
    briefing = Dossier(tables, as_data(left_out=world.hidden_methods), world.truth.known(-1, 0), known, WORDS)
    yield Ask(briefing, key=BRIEFING, truth=truth)
    space = acts(world.society.identities, world.means.targets, prices=asdict(prices), back=_BACK)
    rows = list(zip(*reports.values(), strict=True))
    reported = np.array(reports["reported"])
    places = briefing.places()
    attacks = [each["uid"] for each in world.truth.reference if each["type"] == ATTACK]
    before: list[tuple[Any, ...]] = []
    done = 0
    for today in range(step_days, parameters.days, step_days):
        upto = int(np.searchsorted(reported, today))
        stops = ledger.stops()
        came = np.flatnonzero(_happened(world, stops, world.evidence.only(slice(done, upto)))) + done
        fresh = [(len(before) + number, *rows[row][1:]) for number, row in enumerate(came.tolist())]
        stopped = {uid for uid, day in zip(attacks, stops, strict=True) if day < np.inf}
        cases = [each for each in world.truth.known(today - step_days, today) if each["uid"] not in stopped]
        shown = Reports(fresh, today, f"It is day {today}. What do you do?", cases, before, briefing)
        before, done = [*before, *fresh], upto
        for number in range(most_acts):
            state = (ledger.in_force(today), list(ledger.arrests), ledger.happened(today), places)
            desk = Situation(today, parameters.days, most_acts - number, ledger.costs(today), asdict(prices), *state)
            act = yield Ask([desk, shown], space, key=f"day-{today}-{number}", aside=ledger.plots)
            if act is None or act["call"] == "go_on":
                break
            found, words = _answer(world, ledger, today, act)
            shown = Reports(found, today, f"{words} It is still day {today}.", (), before, briefing)
    return Outcome(_end(ledger))


def _end(ledger: CostAccount) -> str:
    parts = ", ".join(f"{what} {cost:g}" for what, cost in ledger.costs().items())
    return f"All costs together: {ledger.total():g} ({parts}). Doing nothing would have cost {ledger.worst():g}."


def _answer(
    world: ThreatWorld, ledger: CostAccount, today: int, act: Mapping[str, Any]
) -> tuple[list[tuple[Any, ...]], str]:
    """Carry an act out: what it shows, and what is said."""
    hit = ledger.act(today, act)
    arguments = act["arguments"]
    if act["call"] == "arrest":
        part = "was part of an attack under way" if hit else "was not part of any attack under way"
        return [], f"{arguments['name']} {part}."
    if act["call"] == "alert":
        last = today + ledger.prices.alert_days
        return [], f"{arguments['target']} is on alert {arguments['level']} up to day {last}."
    rows = _true_rows(world, ledger, today, arguments)
    about = arguments.get("name") or arguments.get("target")
    return rows, f"{about}: {len(rows)} transactions of the last {_BACK} days."


def _happened(world: ThreatWorld, stops: list[float], table: Evidence | Transactions) -> NDArray[np.bool_]:
    """Return which rows come about: an attack that was stopped does nothing more, and never strikes."""
    stop = np.full(len(world.exploitations) + 1, np.inf)
    stop[world.exploitations.attacks] = stops
    strike = np.isfinite(stop[table.event]) & (table.kind == KINDS.index("incident"))
    return np.asarray(~strike & (table.day <= stop[table.event]))


def _true_rows(world: ThreatWorld, ledger: CostAccount, today: int, about: Mapping[str, str]) -> list[tuple[Any, ...]]:
    """What truly happened around a name or at a target, under usual names."""
    table, society = world.transactions, world.society
    recent = (table.day <= today) & (table.day >= today - _BACK) & _happened(world, ledger.stops(), table)
    if "target" in about:
        chosen = recent & (table.target == _number(about["target"])) & (table.target >= 0)
    else:
        place = np.flatnonzero(society.identity == _number(about["name"]))
        person = int(np.searchsorted(society.alias_start, place[0], side="right")) - 1 if len(place) else -2
        chosen = recent & ((table.actor == person) | (table.other == person))
    usual, assets = society.identity[society.alias_start[:-1]], world.means.asset_names()
    return [
        (
            None,
            today,
            int(table.day[row]),
            KINDS[table.kind[row]],
            f"I{usual[table.actor[row]]}" if table.actor[row] >= 0 else None,
            f"I{usual[table.other[row]]}" if table.other[row] >= 0 else None,
            assets[table.item[row]] if table.item[row] >= 0 else None,
            f"T{table.target[row]}" if table.target[row] >= 0 else None,
        )
        for row in np.flatnonzero(chosen)[np.argsort(table.day[chosen], kind="stable")].tolist()
    ]


def _number(name: str) -> int:
    return int(name[1:]) if name[1:].isdecimal() else -2
