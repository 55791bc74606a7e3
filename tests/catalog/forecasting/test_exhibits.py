import numpy as np
import pytest

from mensura.catalog.forecasting.dialogue import forecasting
from mensura.catalog.forecasting.settings import SETTINGS
from mensura.catalog.forecasting.subjects import SUBJECTS
from mensura.exhibit import Group
from mensura.running.scoring.scoring import score_record
from mensura.running.take import take


def group(name, subject, *, setting, sessions=2):
    """Take the test a few times and gather what an exhibit is given."""
    taken = [take(forecasting, subject, seed=seed, parameters=SETTINGS[setting]) for seed in range(sessions)]
    scores = [score_record(forecasting, one.record, one.truths) for one in taken]
    return Group(name, "", taken[0].record.parameters, scores, records=[(one.record, one.truths) for one in taken])


def test_a_run_is_shown_as_a_track_record_is():
    realist = group("realist", SUBJECTS["realistic"](), setting="urns")
    caesar = group("caesar", SUBJECTS["caesar"](), setting="urns")
    shown = {exhibit.title: exhibit for exhibit in forecasting.exhibits([realist, caesar])}
    names = [row[0] for row in shown["Who scores how much"].rows]
    assert names == ["realist", "caesar"]
    assert "2 sessions together" in shown["caesar"].words
    assert "Overvalues" in shown["caesar"].words
    assert all(figure.svg.startswith("<svg") for figure in shown["caesar"].figures)
    answered = sum(scores.values["logarithmic_score"].values.size for scores in realist.scores)
    assert shown["Who scores how much"].rows[0][1] == answered


@pytest.mark.parametrize("setting", ["quantities", "bins"])
def test_bands_of_quantities_are_shown_as_those_of_files(setting):
    tight = group("tight", lambda ask: tightly(ask.space), setting=setting)
    shown = {exhibit.title: exhibit for exhibit in forecasting.exhibits([tight])}
    (row,) = shown["Do the bands hold what they claim?"].rows
    assert row[2].value > 0.5
    assert "too tight" in row[-1]
    assert shown["Losses and scores"].rows[0][0] == "tight"


def tightly(space):
    middle = (space.low + space.high) / 2
    if space.bins:
        return [float(k == 0) for k in range(space.bins)]
    return np.linspace(middle, middle + 1, len(space.levels)).tolist()
