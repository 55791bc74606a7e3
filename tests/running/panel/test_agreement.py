"""Agreement coefficients of panels, from ratings that papers and textbooks print."""

import numpy as np
import pytest

from mensura.running.panel.agreement import agreement_on

NAN = float("nan")


def by_rater(rows):
    return {
        (f"r{rater}", f"a{place:02}", "item"): value
        for rater, row in enumerate(rows)
        for place, value in enumerate(row)
        if not np.isnan(value)
    }


def test_krippendorffs_example_of_four_observers_has_his_alphas():
    # Krippendorff (2011), Computing Krippendorff's alpha-reliability, section C: nominal .743, interval .849.
    rows = [
        [1, 2, 3, 3, 2, 1, 4, 1, 2, NAN, NAN, NAN],
        [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, NAN, 3],
        [NAN, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, NAN],
        [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, NAN],
    ]
    values = by_rater(rows)
    assert agreement_on("item", values, measure="nominal").alpha.coefficient.value == pytest.approx(0.743, abs=5e-4)
    assert agreement_on("item", values, measure="ordinal").alpha.coefficient.value == pytest.approx(0.815, abs=5e-4)
    assert agreement_on("item", values, measure="interval").alpha.coefficient.value == pytest.approx(0.849, abs=5e-4)


def test_shrout_and_fleiss_example_has_their_correlations():
    # Shrout and Fleiss (1979), tables 2 and 4: ICC(2,1) = .29, and ICC(1,1) = .17 where raters differ by target.
    rows = [[9, 6, 8, 7, 10, 6], [2, 1, 4, 1, 5, 2], [5, 3, 6, 2, 6, 4], [8, 2, 8, 6, 9, 7]]
    found = agreement_on("item", by_rater(rows), measure="interval")
    assert found.intraclass.coefficient.value == pytest.approx(0.29, abs=5e-3)
    other = [[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]]
    spread = {
        (f"r{4 * target + place}", f"a{target}", "item"): float(value)
        for target, row in enumerate(other)
        for place, value in enumerate(row)
    }
    found = agreement_on("item", spread, measure="interval")
    assert "one-way" in found.intraclass.name
    assert found.intraclass.coefficient.value == pytest.approx(0.17, abs=5e-3)


def test_kappa_of_two_raters_is_that_of_the_textbook_table():
    # Two raters, 50 applications: 20 both yes, 5 and 10 split, 15 both no; kappa is exactly 0.4.
    first, second = [1] * 25 + [0] * 25, [1] * 20 + [0] * 5 + [1] * 10 + [0] * 15
    found = agreement_on("item", by_rater([first, second]), measure="nominal", points=(0, 1))
    assert found.kappas["r0 and r1"].coefficient.value == pytest.approx(0.4)


def test_weights_of_kappa_go_by_the_points_of_the_scale_and_not_by_those_that_were_used():
    rows = [[1, 1, 7, 7, 2, 7, 1, 2], [1, 2, 7, 1, 2, 7, 1, 1]]
    whole = agreement_on("item", by_rater(rows), measure="ordinal", points=tuple(range(1, 8)))
    observed = np.mean(np.abs(np.subtract(*rows)))
    expected = np.mean([abs(a - b) for a in rows[0] for b in rows[1]])
    assert whole.kappas["r0 and r1"].coefficient.value == pytest.approx(1 - observed / expected)


def test_without_two_raters_of_one_artefact_agreement_is_not_told():
    found = agreement_on("item", by_rater([[1, NAN], [NAN, 2]]), measure="ordinal")
    assert found.alpha is None
    assert found.sentence == "item: no artefact was rated by two raters, so agreement cannot be told."
