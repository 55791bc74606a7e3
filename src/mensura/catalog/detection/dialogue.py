"""The detection test: reports come in over simulated time; raise alerts on the way, and say at the end what went on."""

from collections.abc import Generator
from math import inf
from typing import Annotated, Any

import numpy as np

from mensura.catalog.detection.chance import detection_chance
from mensura.catalog.detection.exhibits import detection_exhibits
from mensura.catalog.detection.prompts import Dossier, Reports
from mensura.catalog.detection.scoring import FINAL, SCORES, score
from mensura.catalog.detection.settings import SETTINGS
from mensura.catalog.detection.space import Hypotheses
from mensura.catalog.detection.subjects import SUBJECTS
from mensura.catalog.detection.taking import with_world_parameters
from mensura.catalog.detection.world.making import make_world
from mensura.catalog.detection.world.parameters import parameters_from
from mensura.catalog.detection.world.patterns import as_data
from mensura.catalog.detection.world.tables import evidence_tables, plain
from mensura.dialogue import Ask, Outcome, test

WORDS = """Somewhere in this simulated society some groups prepare attacks on targets, while everyone else, and they
themselves at other times, use the same things peacefully. Reports of single transactions come in: many are missing,
some are wrong. A person may go by several names; what is listed of a false name is made up, and most members of threat
groups are listed in the place of someone else. An attack uses a *destructive mode*, which needs certain capabilities
and resources to be applied at the target.

Say which attacks happened: when, against what, in which mode, by whom, led by whom, by which group. Alerts before an
attack is over earn more the earlier they come; a false alert costs."""


@test(
    "detection-v2",
    extra="detection",
    score=score,
    scores=SCORES,
    scoring="4",
    subjects=SUBJECTS,
    settings=SETTINGS,
    chance=detection_chance,
    exhibits=detection_exhibits,
)
@with_world_parameters
def detection(
    rng: np.random.Generator,
    *,
    batch_days: Annotated[
        int,
        "How many days of reports come at a time, 1 or more; with `days` or more, all reports come at the end.",
    ] = 30,
    **given: Any,
) -> Generator[Ask, Any, Outcome]:
    """Find the attacks that are hidden among the transactions of a simulated society."""
    parameters = parameters_from(given)
    world = make_world(parameters, rng)
    tables = {name: plain(columns) for name, columns in evidence_tables(world, rng).items()}
    reports = tables.pop("transactions")
    patterns = as_data(left_out=world.hidden_methods)
    briefing = Dossier(tables, patterns, world.truth.known(-1, 0), parameters.as_json(), WORDS)
    yield Ask(briefing)
    space = Hypotheses(world.society.identities, world.means.targets, len(world.means.needs), parameters.days)
    rows = list(zip(*reports.values(), strict=True))
    edges = list(range(batch_days, parameters.days, batch_days))
    reported = np.array(reports["reported"])
    done = 0
    for today in edges:
        upto = int(np.searchsorted(reported, today))
        words = f"It is day {today}. Raise alerts of attacks under way, or none: only new ones, each once."
        cases = world.truth.known(today - batch_days, today)
        shown = Reports(rows[done:upto], today, words, cases, rows[:done], briefing)
        yield Ask(shown, space, key=f"alerts-{today}", aside=world.truth.reference)
        done = upto
    words = "The time is over. Give all your hypotheses: attacks, threat groups, and persons with several names."
    cases = world.truth.known(edges[-1] if edges else 0, inf)
    last = Reports(rows[done:], parameters.days, words, cases, rows[:done], briefing)
    truth = {
        "reference": world.truth.reference,
        "in_evidence": world.truth.in_evidence,
        "days": {f"alerts-{today}": today for today in edges},
    }
    yield Ask(last, space, key=FINAL, truth=truth, aside=world.truth.reference)
    return Outcome("Thank you. That was all.")
