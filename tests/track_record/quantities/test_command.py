import json
import math

import numpy as np
import pytest
from click.testing import CliRunner
from scipy.stats import norm

from mensura.cli.results.score import reporting
from mensura.errors import BadData, BadFile, BadParameter
from mensura.scores import crps_normal
from mensura.track_record.quantities.answer_file import read_quantities
from mensura.track_record.quantities.command import score
from mensura.track_record.quantities.forecast import QuantityForecast
from mensura.track_record.quantities.scoring import diagnose_quantities

LEVELS = (0.01, 0.25, 0.5, 0.75, 0.99)


def run(folder, *options):
    files = ["--forecasts", str(folder / "q.csv"), "--outcomes", str(folder / "v.csv")]
    return CliRunner().invoke(reporting(score), [*files, *options], catch_exceptions=False)


def data(folder, *options):
    def refuse(name):
        raise AssertionError(f"{name} is no JSON")

    found = json.loads(run(folder, "--json", *options).stdout, parse_constant=refuse)
    return {one["name"]: one for one in found["forecasters"]}


@pytest.fixture
def quantiles(tmp_path):
    """Simulate somebody whose bands are honest and somebody whose bands are three times too tight."""
    rng = np.random.default_rng(3)
    said, came = ["forecaster,question,level,value"], ["question,outcome"]
    for k in range(200):
        centre = rng.normal(50, 20)
        came.append(f"q{k},{centre + rng.normal(0, 6)}")
        for name, spread in (("honest", 6.0), ("tight", 2.0)):
            said += [f"{name},q{k},{level},{centre + spread * norm.ppf(level)}" for level in LEVELS]
    (tmp_path / "q.csv").write_text("\n".join(said) + "\n")
    (tmp_path / "v.csv").write_text("\n".join(came) + "\n")
    return tmp_path


def test_bands_that_are_too_tight_are_seen_with_an_interval(quantiles):
    found = data(quantiles)
    honest, tight = found["honest"]["band"], found["tight"]["band"]
    assert honest["claimed"] == pytest.approx(0.98)
    assert honest["outside"]["low"] < 0.02 < honest["outside"]["high"]
    # Two thirds of a deviation to either side of a band that should hold 2.3 deviations: 43.7 % outside.
    assert tight["outside"]["value"] == pytest.approx(2 * norm.sf(2.326 / 3), abs=0.09)
    assert tight["outside"]["low"] > 0.3
    assert "the bands are too tight" in found["tight"]["words"]
    assert found["tight"]["pit"]["probability"] < 0.01 < found["honest"]["pit"]["probability"]
    assert found["honest"]["losses"]["crps_loss"]["value"] < found["tight"]["losses"]["crps_loss"]["value"]
    assert found["honest"]["losses"]["interval_loss"]["value"] < found["tight"]["losses"]["interval_loss"]["value"]


def test_pictures_and_words_are_for_people(quantiles):
    result = run(quantiles, "--report", str(quantiles / "bands.html"))
    assert "the bands are too tight" in result.stdout
    page = (quantiles / "bands.html").read_text()
    assert page.count("<svg") >= 3
    assert "Do the bands hold what they claim?" in page


def bins_file(folder, *, questions=30):
    rng = np.random.default_rng(5)
    edges = np.linspace(0, 100, 11)
    said, came = ["forecaster,question,low,high,probability"], ["question,outcome,scale"]
    for k in range(questions):
        centre = rng.uniform(30, 70)
        cuts = norm(centre, 12).cdf(edges[1:-1])
        masses = np.diff(cuts, prepend=0, append=1)
        came.append(f"q{k},{np.clip(rng.normal(centre, 12), 0, 100)},100")
        said += [f"ada,q{k},{a},{b},{m}" for a, b, m in zip(edges[:-1], edges[1:], masses, strict=True)]
    (folder / "q.csv").write_text("\n".join(said) + "\n")
    (folder / "v.csv").write_text("\n".join(came) + "\n")


def test_probabilities_of_bins_are_scored_as_densities_and_get_a_functional_form(tmp_path):
    bins_file(tmp_path)
    ada = data(tmp_path)["ada"]
    assert ada["losses"]["logarithmic_score"]["low"] > 0
    assert ada["losses"]["quadratic_score"]["low"] > 0
    assert ada["losses"]["crps_loss"]["value"] < 0.2
    assert ada["fitted_forms"]["best"].get("normal", 0) > 20
    assert ada["fitted_forms"]["misfit"] < 1e-3
    assert ada["band"]["outside"]["value"] < 0.15


def test_many_quantiles_come_near_the_crps_of_the_distribution():
    levels = np.arange(1, 1000) / 1000
    said = QuantityForecast("a", "q", "quantiles", norm.ppf(levels), levels, 0.7)
    assert said.losses()["crps_loss"] == pytest.approx(float(crps_normal(mean=0, deviation=1, outcome=0.7)), abs=2e-3)
    assert said.transform() == pytest.approx(norm.cdf(0.7), abs=1e-3)


def test_a_truth_beyond_all_values_lies_in_the_middle_of_what_is_left():
    said = QuantityForecast("a", "q", "quantiles", np.array([1.0, 2.0]), np.array([0.1, 0.9]), 5.0)
    assert said.transform() == pytest.approx(0.95)


@pytest.mark.parametrize(
    ("said", "came", "words"),
    [
        (
            "forecaster,question,level,value\na,q,0.1,5\na,q,0.9,4\n",
            "question,outcome\nq,3\n",
            "lies below that at level",
        ),
        (
            "forecaster,question,level,value\na,q,0.1,x\n",
            "question,outcome\nq,3\n",
            "row 1 .*value 'x' is not a number",
        ),
        ("forecaster,question,level,value\na,q,0.1,1\na,q,0.1,2\n", "question,outcome\nq,3\n", "level 0.1 appears"),
        (
            "forecaster,question,level,value\na,q,0,1\na,q,0.5,2\n",
            "question,outcome\nq,3\n",
            "close both ends of a distribution: give both of them, or levels strictly between 0 and 1",
        ),
        (
            "forecaster,question,level,value\na,q,1.2,3\na,q,0.5,2\n",
            "question,outcome\nq,3\n",
            "level 1.2 does not lie between 0 and 1",
        ),
        (
            "forecaster,question,level,value,time\na,q,0.1,1,5\na,q,0.5,2,5\n",
            "question,outcome,resolved\nq,3,4\n",
            "made after the quantity was known",
        ),
        (
            "forecaster,question,level,value,time\na,q,0.1,1,soon\na,q,0.5,2,5\n",
            "question,outcome\nq,3\n",
            "time 'soon' cannot be read",
        ),
        ("forecaster,question,level,value\na,q,0.5,1\n", "question,outcome\nq,3\n", "single quantile"),
        ("forecaster,question,level,value\na,q,0.1,1\na,q,0.9,2\n", "question,outcome\nq,much\n", "outcome 'much'"),
        (
            "forecaster,question,low,high,probability\na,q,0,1,0.5\na,q,2,3,0.5\n",
            "question,outcome\nq,3\n",
            "must touch",
        ),
        (
            "forecaster,question,low,high,probability\na,q,0,1,0.5\na,q,1,3,0.4\n",
            "question,outcome\nq,3\n",
            "sum to 0.9",
        ),
        (
            "forecaster,question,low,high,probability\na,q,0,1,-1\na,q,1,3,2\n",
            "question,outcome\nq,3\n",
            "probability -1",
        ),
        ("forecaster,question\na,q\n", "question,outcome\nq,3\n", "needs the columns"),
    ],
)
def test_bad_rows_are_named(tmp_path, said, came, words):
    (tmp_path / "q.csv").write_text(said)
    (tmp_path / "v.csv").write_text(came)
    with pytest.raises(BadFile, match=words):
        run(tmp_path)


def test_bins_with_open_ends_and_revisions_by_date_are_read(tmp_path):
    lines = ["forecaster,question,low,high,probability,time"]
    for day, middle in (("2026-01-01", 0.5), ("2026-01-06", 0.8)):
        side = (1 - middle) / 2
        lines += [f"a,q,,10,{side},{day}", f"a,q,10,20,{middle},{day}", f"a,q,20,,{side},{day}"]
    (tmp_path / "q.csv").write_text("\n".join(lines) + "\n")
    (tmp_path / "v.csv").write_text("question,outcome,resolved,closes\nq,15,2026-01-09,2026-01-11\nr,1,2026-01-12,\n")
    found = data(tmp_path)["a"]
    expected = 0.0
    for share, level in ((0.5, 0.25), (0.3, 0.1)):
        expected += share * float(crps_normal(mean=15, deviation=5 / norm.isf(level), outcome=15))
    assert found["losses"]["crps_loss"]["value"] == pytest.approx(expected)
    assert (found["n"], found["band"]["claimed"]) == (1, 0.5)


@pytest.mark.parametrize(("closes", "loss"), [("2026-01-11", (0.1 * 18 + 0.1 * 2) / 12), ("", 18 / 12)])
def test_without_a_planned_end_only_the_first_forecast_counts(tmp_path, closes, loss):
    lines = ["forecaster,question,level,value,time"]
    for day, low, high in (("2026-01-01", 6, 24), ("2026-01-02", 14, 16)):
        lines += [f"a,q,{level},{value},{day}" for level, value in ((0, low), (0.5, 15), (1, high))]
    (tmp_path / "q.csv").write_text("\n".join(lines) + "\n")
    (tmp_path / "v.csv").write_text(f"question,outcome,resolved,closes\nq,15,2026-01-03,{closes}\nr,1,2026-01-12,\n")
    # An even density of width w about the truth has the loss w/12.
    assert data(tmp_path)["a"]["losses"]["crps_loss"]["value"] == pytest.approx(loss)


def test_a_quantity_counts_when_its_planned_end_has_come(tmp_path):
    (tmp_path / "q.csv").write_text("forecaster,question,level,value,time\na,q,.1,6,2026-01-01\na,q,.9,24,2026-01-01\n")
    (tmp_path / "v.csv").write_text("question,outcome,resolved,closes\nq,15,2026-01-03,2026-01-11\n")
    with pytest.raises(BadFile):
        run(tmp_path)


def test_a_lone_bin_with_an_open_end_is_no_distribution(tmp_path):
    (tmp_path / "q.csv").write_text("forecaster,question,low,high,probability\na,q,10,,1\n")
    (tmp_path / "v.csv").write_text("question,outcome\nq,15\n")
    with pytest.raises(BadFile, match="open ends needs two values"):
        run(tmp_path)


def test_the_rest_is_scored_where_bad_rows_may_be_skipped(quantiles):
    text = (quantiles / "q.csv").read_text()
    (quantiles / "q.csv").write_text(text + "honest,q500,0.5,x\nhonest,unheard,0.1,1\nhonest,unheard,0.9,2\n")
    result = run(quantiles, "--json", "--skip-bad")
    found = json.loads(result.stdout)
    assert found["skipped"] == {"bad_rows": 1, "unresolved": 1}
    assert "skipped: q.csv, row 2001" in result.stderr


def test_bands_of_different_width_are_not_mixed(tmp_path):
    lines = ["forecaster,question,level,value", "a,q,0.1,1", "a,q,0.9,2", "a,r,0.25,1", "a,r,0.75,2"]
    (tmp_path / "q.csv").write_text("\n".join(lines) + "\n")
    (tmp_path / "v.csv").write_text("question,outcome\nq,3\nr,1\n")
    with pytest.raises(BadData, match="bands of 50 %, 80 %"):
        run(tmp_path)


def one_by_one(forecasts):
    """Return the forecasts of columns as single ones, revisions after what they revise."""
    parts = [
        (question, value, level, outcome, scale, share, first, many.form)
        for many in forecasts
        for question, value, level, outcome, scale, share, first in zip(
            *(getattr(many, name) for name in ("question", "values", "levels", "outcome", "scale", "share", "first")),
            strict=True,
        )
    ]
    parts.sort(key=lambda part: (part[0], not part[6]))
    return [QuantityForecast("a", str(part[0]), part[7], *part[1:7]) for part in parts]


@pytest.mark.parametrize("form", ["quantiles", "bins"])
def test_forecasts_told_in_many_ways_are_scored_in_columns_as_one_by_one(tmp_path, form):
    rng = np.random.default_rng(8)
    head = {"quantiles": "level,value", "bins": "low,high,probability"}[form]
    said, came = [f"forecaster,question,{head},time"], ["question,outcome,scale,resolved,closes"]
    for k in range(60):
        came.append(f"q{k},{rng.normal():.2f},{rng.integers(1, 3)},9,{10 if k % 3 else ''}")
        for time in range(1 + k % 2):
            if form == "quantiles":
                levels = [(0, 0.5, 1), (0, 0.2, 0.5, 0.7, 1)][rng.integers(2)]
                # Rounded, so that some values are equal.
                told = zip(levels, np.sort(rng.normal(size=len(levels)).round(1)), strict=True)
            else:
                edges, masses = np.arange(-3, 4), rng.integers(0, 3, 6)
                masses[2] += 1
                told = zip(edges[:-1], edges[1:], masses / masses.sum(), strict=True)
            said += [f"a,q{k},{','.join(map(str, row))},{time}" for row in told]
    (tmp_path / "q.csv").write_text("\n".join(rng.permutation(said[1:]).tolist()).join([said[0] + "\n", "\n"]))
    (tmp_path / "v.csv").write_text("\n".join(came) + "\nlast,1,1,12,\n")
    read = read_quantities(tmp_path / "q.csv", tmp_path / "v.csv")
    assert sum(len(many.values) for many in read.forecasts) == 90
    together, alone = diagnose_quantities(read.forecasts), diagnose_quantities(one_by_one(read.forecasts))
    assert together.n == alone.n == 60
    for name, loss in alone.losses.items():
        assert together.losses[name].value == pytest.approx(loss.value)
        assert together.losses[name].high == pytest.approx(loss.high)
    np.testing.assert_allclose(together.pit.counts, alone.pit.counts)
    assert together.pit.probability == pytest.approx(alone.pit.probability)
    assert together.coverage.outside == alone.coverage.outside
    assert (together.forms, together.misfit) == (alone.forms, pytest.approx(alone.misfit, nan_ok=True))


def test_rows_of_a_file_never_become_objects(quantiles):
    read = read_quantities(quantiles / "q.csv", quantiles / "v.csv")
    assert [(many.forecaster, many.values.shape) for many in read.forecasts] == [
        ("honest", (200, 5)),
        ("tight", (200, 5)),
    ]


def one_forecast(folder, masses, outcome, *, scale=""):
    """Write one forecast of bins of ten, as masses, and what came."""
    said = [f"ada,q,{10 * i},{10 * (i + 1)},{mass}" for i, mass in enumerate(masses)]
    (folder / "q.csv").write_text("\n".join(["forecaster,question,low,high,probability", *said]) + "\n")
    (folder / "v.csv").write_text(f"question,outcome{',scale' if scale else ''}\nq,{outcome}{scale and f',{scale}'}\n")


def test_density_scores_of_bins_are_the_formulas_of_the_report(tmp_path):
    one_forecast(tmp_path, (0.1, 0.6, 0.2, 0.1), 15)
    losses = data(tmp_path)["ada"]["losses"]
    density, square = 0.06, (0.1**2 + 0.6**2 + 0.2**2 + 0.1**2) / 10
    # Page 11: log K p(t) with K = 1, and 2 p(t) less the integral of p².
    assert losses["logarithmic_score"]["value"] == pytest.approx(math.log(density))
    assert losses["quadratic_score"]["value"] == pytest.approx(2 * density - square) == pytest.approx(0.078)
    assert "2 p(t) − ∫ p²" in run(tmp_path).stdout
    one_forecast(tmp_path, (0.1, 0.6, 0.2, 0.1), 15, scale="5")
    losses = data(tmp_path)["ada"]["losses"]
    assert losses["logarithmic_score"]["value"] == pytest.approx(math.log(5 * density))
    assert losses["quadratic_score"]["value"] == pytest.approx(5 * 0.078)
    assert "K is 1, or the question's scale" in run(tmp_path).stdout


def test_normalised_density_scores_pay_nothing_for_a_flat_density_and_say_so(tmp_path):
    one_forecast(tmp_path, (0.25, 0.25, 0.25, 0.25), 15)
    losses = data(tmp_path, "--normalised")["ada"]["losses"]
    assert losses["logarithmic_score"]["value"] == pytest.approx(0)
    assert losses["quadratic_score"]["value"] == pytest.approx(0)
    one_forecast(tmp_path, (0.1, 0.6, 0.2, 0.1), 15)
    losses = data(tmp_path, "--normalised")["ada"]["losses"]
    assert losses["quadratic_score"]["value"] == pytest.approx(40 * 0.078 - 1)
    assert "a flat density scores 0" in run(tmp_path, "--normalised").stdout


def test_a_density_of_zero_scores_minus_infinity_unless_a_floor_is_named(tmp_path):
    one_forecast(tmp_path, (0.5, 0.5, 0, 0), 25)
    found = json.loads(run(tmp_path, "--json").stdout)
    estimate = found["forecasters"][0]["losses"]["logarithmic_score"]
    assert (estimate["value"], estimate["value_words"]) == (None, "minus infinity")
    plain = run(tmp_path).stdout + run(tmp_path).stderr
    assert "--floor 0.01" in plain
    assert "at least" not in plain
    held = data(tmp_path, "--floor", "0.01")["ada"]["losses"]["logarithmic_score"]["value"]
    assert held == pytest.approx(math.log(0.0025 / 10))
    assert "at least 0.01/n" in run(tmp_path, "--floor", "0.01").stdout
    with pytest.raises(BadParameter, match="floor"):
        run(tmp_path, "--floor", "1.5")
