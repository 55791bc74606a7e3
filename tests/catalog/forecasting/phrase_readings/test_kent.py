import numpy as np
import pytest

from mensura.catalog.forecasting.phrase_readings.kent import kent_chart, readings_spread
from mensura.errors import BadFile, BadParameter, UnknownName


def test_every_probability_has_one_phrase_and_lies_in_its_range():
    chart = kent_chart()
    for p in np.linspace(0, 1, 1001).tolist():
        phrase = chart.phrase(p)
        assert phrase.low <= p < phrase.high or p == phrase.low == phrase.high
    assert chart.phrase(0.85).words == "It is almost certain that"
    assert chart.phrase(0.8499).words == "It is probable that"


def test_phrases_are_read_back_to_their_ranges():
    chart = kent_chart()
    assert (chart.read("it is PROBABLE that ... not").low, chart.read("It is probable that not").high) == (0.15, 0.4)
    with pytest.raises(UnknownName, match="Did you mean"):
        chart.read("It is probably that")


def test_information_is_lost_except_at_the_middle_of_a_range():
    chart = kent_chart()
    middle = chart.read("It is probable that").middle
    assert chart.information_lost([middle])[0] == pytest.approx(0, abs=1e-12)
    # Page 33: 61 % told as "probable" and read as 80 %.
    assert chart.information_lost([0.61], read_as=[0.8])[0] > chart.information_lost([0.61])[0] > 0
    assert chart.information_lost([0.99], read_as=[1.0])[0] == np.inf


def test_another_chart_is_a_data_file(tmp_path):
    path = tmp_path / "chart.csv"
    path.write_text("low,high,phrase\n0,0.5,unlikely\n0.5,1,likely\n")
    assert kent_chart(path).phrase(0.5).words == "likely"
    assert kent_chart(path).phrase(1.0).words == "likely"
    path = tmp_path / "gap.csv"
    path.write_text("low,high,phrase\n0,0.4,unlikely\n0.5,1,likely\n")
    with pytest.raises(BadFile, match="without gaps"):
        kent_chart(path)
    path = tmp_path / "no.csv"
    path.write_text("a,b\n1,2\n")
    with pytest.raises(BadFile, match="low,high,phrase"):
        kent_chart(path)


def test_readings_show_their_spread_and_who_lies_outside():
    rng = np.random.default_rng(0)
    readings = [("It is probable that", float(p)) for p in rng.uniform(0.45, 0.95, 200)] + [("Maybe", 0.5)]
    probable, maybe = readings_spread(readings)
    assert probable.n == 200
    assert probable.low < 0.55 < 0.85 < probable.high
    assert probable.outside.low < 0.5 < probable.outside.high
    assert maybe.outside is None


def test_impossible_probabilities_are_refused():
    with pytest.raises(BadParameter, match="between 0 and 1"):
        kent_chart().phrase(1.2)
    with pytest.raises(BadParameter, match="between 0 and 1"):
        readings_spread([("It is certain that", 100)])


@pytest.mark.parametrize(
    ("probability", "words"),
    [
        (0.0, "It is impossible that"),
        (1e-9, "It is almost certain that ... not"),
        (0.005, "It is almost certain that ... not"),
        (0.995, "It is almost certain that"),
        (1 - 1e-9, "It is almost certain that"),
        (1.0, "It is certain that"),
    ],
)
def test_only_zero_is_impossible_and_only_one_certain(probability, words):
    assert kent_chart().phrase(probability).words == words


@pytest.mark.parametrize("probability", [0.0, 1.0])
def test_what_is_impossible_or_certain_loses_nothing_in_words(probability):
    chart = kent_chart()
    assert chart.read(chart.phrase(probability).words).middle == probability
    assert chart.information_lost([probability])[0] == 0
