from math import nan

from mensura.stats.estimate import Estimate, without_interval
from mensura.stats.wording import bracket, compared, frequency, spoken


def test_an_unknown_p_is_an_unknown_share():
    assert frequency(nan) == "an unknown share"


def test_p_values_become_whole_numbers_of_studies():
    assert frequency(0.051) == "about 5 of 100"
    assert frequency(0.0012) == "about 1 of 1000"
    assert frequency(0.00009) == "fewer than 1 of 10000"
    assert frequency(1.0) == "about 100 of 100"


def test_an_unknown_interval_is_said():
    assert bracket(without_interval(1.0, n=1, reason="one value")) == "[no error estimate]"
    assert spoken(Estimate(0.5, 0.25, 0.75, 9, "t")) == "0.50 [0.25, 0.75]"


def test_the_higher_one_is_named_first_and_the_interval_turned():
    words = compared(
        names=("A", "B"), difference=Estimate(-0.2, -0.3, -0.1, 9, "t"), p=0.01, over="on the same 9 items", level=0.95
    )
    assert words.startswith("B scores higher than A by 0.20 [0.10, 0.30] on the same 9 items;")


def test_a_difference_that_is_not_shown_is_not_called_equality():
    words = compared(names=("A", "B"), difference=Estimate(0.1, -0.1, 0.3, 9, "t"), p=0.3, over="here", level=0.95)
    assert words.startswith("The data do not show a difference: A scores higher than B by 0.10 [-0.10, 0.30] here")
    assert words.endswith("That is not proof that they are equal.")


def test_interval_and_test_that_disagree_only_hint():
    words = compared(names=("A", "B"), difference=Estimate(0.2, 0.01, 0.3, 9, "t"), p=0.06, over="here", level=0.95)
    assert words.startswith("The data hint at a difference but do not settle it:")
