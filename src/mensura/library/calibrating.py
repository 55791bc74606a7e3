"""Calibration in a program or a notebook: how hard items are and how able persons are, on one scale."""

from mensura.library.given import StoreLike, opened
from mensura.library.runs import RunLike, Runs, given_ids
from mensura.running.calibrating.responses import Persons, read_responses, responses_of
from mensura.running.items.table import item_table
from mensura.stats.response.measurement import Measurement
from mensura.stats.response.responses import read_model


def calibrate(
    *responses: RunLike,
    model: str = "2pl",
    score: str | None = None,
    persons: Persons = "subjects",
    store: StoreLike = None,
) -> Measurement:
    """Calibrate the items of runs, or of one CSV of right and wrong answers.

    Parameters
    ----------
    responses
        Ids of stored runs, what `mensura.run` gave, or the path of one file that ends in .csv.
    model
        "rasch", "2pl" or "3pl".
    score
        By which score of the runs; None: the one that the most items have.
    persons
        What one person is in runs: "subjects" (each human, program and model) or "sessions".

    Returns
    -------
    Measurement
        `calibrated.items`, `abilities`, `fits`, `functioning`, `link`, and all of it by `as_json()`.
    """
    chosen = read_model(model)
    if len(responses) == 1 and isinstance(responses[0], str) and responses[0].lower().endswith(".csv"):
        return read_responses(responses[0]).measure(chosen)
    places = [one.store for one in responses if isinstance(one, Runs)]
    with opened(store if store is not None else next(iter(places), None)) as place:
        table = item_table([id for run in responses for id in given_ids(run)], store=place, score=score)
        return responses_of(table, persons=persons).measure(chosen)
