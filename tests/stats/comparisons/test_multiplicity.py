import numpy as np
import pytest
from statsmodels.stats.multitest import multipletests

from mensura.errors import BadData
from mensura.stats import benjamini_hochberg, holm


def test_holm_agrees_with_its_definition():
    adjusted = holm([0.01, 0.04, 0.03, 0.005])
    # Sorted 0.005, 0.01, 0.03, 0.04 times 4, 3, 2, 1, made non-decreasing.
    assert adjusted.adjusted == pytest.approx((0.03, 0.06, 0.06, 0.02))
    assert adjusted.kept == (True, False, False, True)


def test_benjamini_and_hochbergs_published_example_is_met():
    # Benjamini and Hochberg (1995), section 3.2: of 15 p-values four are found at 0.05, where Bonferroni finds three.
    p = [
        0.0001,
        0.0004,
        0.0019,
        0.0095,
        0.0201,
        0.0278,
        0.0298,
        0.0344,
        0.0459,
        0.3240,
        0.4262,
        0.5719,
        0.6528,
        0.7590,
        1.0,
    ]
    assert sum(benjamini_hochberg(p).kept) == 4
    assert sum(holm(p).kept) == 3


@pytest.mark.parametrize(("adjust", "code"), [(holm, "holm"), (benjamini_hochberg, "fdr_bh")])
@pytest.mark.parametrize("n", [1, 2, 7, 40])
def test_adjusted_values_are_those_of_statsmodels(adjust, code, n):
    p = np.random.default_rng(n).choice([0, 1e-9, 0.001, 0.004, 0.01, 0.02, 0.05, 0.3, 1], size=n)
    assert list(adjust(p).adjusted) == multipletests(p, method=code)[1].tolist()


def test_tests_that_could_not_be_made_do_not_count():
    adjusted = holm([0.01, np.nan, 0.02])
    assert adjusted.adjusted[::2] == pytest.approx((0.02, 0.02))
    assert np.isnan(adjusted.adjusted[1])
    assert adjusted.kept == (True, False, True)
    assert adjusted.sentence == (
        "2 of 2 differences are significant after Holm; 1 test could not be made: "
        "the chance that any of these is a false alarm is at most 0.05."
    )


def test_no_tests_at_all_are_said():
    assert holm([]).sentence == "No comparison was planned."
    assert holm([np.nan]).kept == (False,)


def test_the_promise_of_benjamini_hochberg_is_a_share():
    words = benjamini_hochberg([0.001, 0.8], level=0.1).sentence
    assert words == (
        "1 of 2 differences is significant after Benjamini-Hochberg: at most a share of 0.1 of such findings "
        "is expected to be false."
    )


def test_what_is_no_probability_is_refused():
    with pytest.raises(BadData, match="between 0 and 1"):
        holm([0.2, 1.2])
