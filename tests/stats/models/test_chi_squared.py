import numpy as np
import pytest
from scipy.stats import chi2_contingency, fisher_exact

from mensura.errors import BadData
from mensura.stats import chi_squared, goodness_of_fit

STUDIES = 500


def test_statistic_and_p_agree_with_scipy():
    counts = [[20, 30, 25], [35, 15, 25]]
    expected = chi2_contingency(counts, correction=False)
    found = chi_squared(counts)
    assert (found.statistic, found.p) == pytest.approx((expected.statistic, expected.pvalue))
    assert (found.freedom, found.test) == (2, "chi-squared")


def test_association_and_its_absence_are_said_in_words():
    assert chi_squared([[30, 10], [10, 30]]).sentence.startswith("Rows and columns go together: Cramér's V is ")
    assert chi_squared([[20, 20], [19, 21]]).sentence.startswith(
        "The data do not show that rows and columns go together"
    )


def test_small_two_by_two_tables_get_fishers_test():
    found = chi_squared([[3, 1], [1, 3]])
    assert (found.test, found.p) == ("Fisher's exact test", pytest.approx(fisher_exact([[3, 1], [1, 3]]).pvalue))
    assert found.association.method == "none: an expected count is below 5"


def test_small_larger_tables_are_dealt_at_random():
    counts = [[5, 1, 0], [1, 4, 1], [0, 1, 5]]
    found = chi_squared(counts, rng=np.random.default_rng(1))
    rough = chi2_contingency(counts).pvalue
    assert found.test == "9999 random tables"
    assert rough / 3 < found.p < rough * 6
    with pytest.raises(BadData, match="hand in rng"):
        chi_squared(counts)


def test_empty_rows_and_columns_are_left_out():
    assert chi_squared([[30, 10, 0], [18, 22, 0], [0, 0, 0]]).p == chi_squared([[30, 10], [18, 22]]).p


@pytest.mark.parametrize(
    ("counts", "message"),
    [
        ([[1, 2]], "2 rows and 2 columns"),
        ([[1.5, 2], [3, 4]], "whole numbers"),
        ([[-1, 2], [3, 4]], "whole numbers"),
    ],
)
def test_what_is_no_table_of_counts_is_refused(counts, message):
    with pytest.raises(BadData, match=message):
        chi_squared(counts)


def test_mendels_peas_fit_his_shares():
    # Mendel's 556 peas against 9:3:3:1 give chi-squared 0.470 with 3 degrees of freedom (Fisher 1936).
    found = goodness_of_fit([315, 108, 101, 32], shares=np.array([9, 3, 3, 1]) / 16)
    assert found.statistic == pytest.approx(0.470, abs=0.0005)
    assert found.sentence.startswith("The counts may well be as expected")


def test_misfit_and_small_counts_are_said():
    assert goodness_of_fit([50, 10]).sentence.startswith("The counts do not fit what was expected")
    assert goodness_of_fit([3, 1]).sentence.endswith("The smallest expected count is 2, so this is rough.")


@pytest.mark.parametrize(
    ("counts", "shares"), [([5], None), ([0, 0], None), ([1, 2], [0.5, 0.6]), ([1, 2], [1.0]), ([1, -2], None)]
)
def test_counts_and_shares_that_do_not_go_together_are_refused(counts, shares):
    with pytest.raises(BadData, match="Give "):
        goodness_of_fit(counts, shares=shares)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("rows", "columns", "n", "strength"),
    [(2, 2, 60, 0.5), (3, 4, 200, 0.3), (5, 5, 300, 0.2)],
)
def test_interval_of_association_covers(rows, columns, n, strength):
    rng = np.random.default_rng([2, rows, columns])
    shares, truth = associated(rows, columns, strength)
    tables = rng.multinomial(n, shares.ravel(), size=STUDIES).reshape(STUDIES, rows, columns)
    estimates = [chi_squared(counts, rng=rng).association for counts in tables if smallest(counts) >= 5]
    assert len(estimates) > STUDIES / 2
    assert 0.93 <= np.mean([e.low <= truth <= e.high for e in estimates]) <= 0.97


def associated(rows, columns, strength):
    """Shares between independence and a diagonal, mixed so that Cramér's V is as wanted."""
    even = np.full((rows, columns), 1 / (rows * columns))
    diagonal = np.zeros((rows, columns))
    for i in range(max(rows, columns)):
        diagonal[i % rows, i % columns] += 1 / max(rows, columns)
    mixes = [even + share * (diagonal - even) for share in np.linspace(0, 1, 2001)]
    values = np.array([cramer(mix) for mix in mixes])
    best = int(np.abs(values - strength).argmin())
    return mixes[best], values[best]


def cramer(shares):
    expected = np.outer(shares.sum(axis=1), shares.sum(axis=0))
    return np.sqrt(((shares - expected) ** 2 / expected).sum() / (min(shares.shape) - 1))


def smallest(counts):
    return np.outer(counts.sum(axis=1), counts.sum(axis=0)).min() / counts.sum()
