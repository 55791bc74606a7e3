import numpy as np
import pytest
from scipy.stats import ttest_1samp, ttest_ind
from statsmodels.regression.linear_model import OLS
from statsmodels.regression.mixed_linear_model import MixedLM

from mensura.errors import BadData
from mensura.stats import mixed_model


def course(rng, *, people, each, within=0.5, between=0.5, slope=0.0):
    who = np.repeat(np.arange(people), each)
    tool = np.tile(["no", "yes"], people * each // 2)
    trained = np.where(np.arange(people) % 2 == 0, "a", "b")[who]
    own = rng.normal(size=people)[who]
    lift = within + slope * rng.normal(size=people)[who]
    score = own + lift * (tool == "yes") + between * (trained == "b") + rng.normal(size=len(who))
    return {"score": score, "who": who, "tool": tool, "trained": trained, "hour": np.arange(len(who)) % each}


def test_values_agree_with_statsmodels():
    data = course(np.random.default_rng(1), people=12, each=8)
    found = mixed_model(data, outcome="score", group="who", factors=["tool"], covariates=["hour"])
    design = np.column_stack([np.ones(96), data["hour"], data["tool"] == "yes"]).astype(float)
    expected = MixedLM(data["score"], design, groups=data["who"]).fit(reml=True)
    assert [e.value for e in found.effects.values()] == pytest.approx(list(expected.fe_params), abs=1e-4)
    assert list(found.effects) == ["intercept", "hour", "tool yes rather than no"]
    assert (found.groups, found.n, found.converged) == (12, 96, True)
    assert 0 < found.between < 1


def test_degrees_of_freedom_follow_where_an_effect_varies():
    data = course(np.random.default_rng(2), people=10, each=6)
    found = mixed_model(data, outcome="score", group="who", factors=["tool", "trained"])
    methods = {name: effect.method for name, effect in found.effects.items()}
    assert "t of 49 degrees" in methods["tool yes rather than no"]
    assert "t of 8 degrees" in methods["trained b rather than a"]
    sloped = mixed_model(data, outcome="score", group="who", factors=["tool"], slopes=["tool"], level=0.9)
    assert sloped.effects["tool yes rather than no"].method == "mixed model with t of 9 degrees of freedom, 90 %"


def test_effects_shown_and_not_shown_are_said_in_words():
    data = course(np.random.default_rng(3), people=10, each=8, within=3.0)
    data["score"][0] = np.nan
    words = mixed_model(data, outcome="score", group="who", factors=["tool"], covariates=["hour"]).sentence
    assert words.startswith("Across 10 groups (79 rows), with their own levels allowed for:")
    assert "tool yes rather than no makes a difference of" in words
    assert "hour is not shown to make a difference:" in words
    assert words.endswith("1 row with unknown values left out.")


def test_a_fit_that_did_not_settle_is_said():
    data = course(np.random.default_rng(4), people=6, each=4)
    found = mixed_model(data, outcome="score", group="who", factors=["tool"])
    unsettled = type(found)(**{name: getattr(found, name) for name in found.__slots__} | {"converged": False})
    assert unsettled.sentence.endswith("The fit did not settle: do not rely on it.")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({}, "at least one factor or covariate"),
        ({"factors": ["tool"], "slopes": ["hour"]}, "Slopes must be among"),
        ({"factors": ["tool", "three"], "slopes": ["three"]}, "factor of two values; 'three' has more"),
        ({"covariates": ["hour", "again"]}, "cannot be told apart"),
        ({"factors": ["tool"], "group": "trained"}, "5 groups or more; got 2"),
    ],
)
def test_models_that_cannot_be_fitted_are_refused(options, message):
    data = course(np.random.default_rng(5), people=8, each=6)
    data |= {"again": data["hour"], "three": np.tile(["x", "y", "z"], 16)}
    with pytest.raises(BadData, match=message):
        mixed_model(data, outcome="score", **{"group": "who"} | options)


def test_in_a_balanced_design_effects_between_people_are_those_of_their_means():
    for seed in range(4):
        data = course(np.random.default_rng([6, seed]), people=10, each=6)
        found = mixed_model(data, outcome="score", group="who", factors=["tool", "trained"])
        means = data["score"].reshape(10, 6).mean(axis=1)
        expected = ttest_ind(means[1::2], means[0::2]).confidence_interval()
        trained = found.effects["trained b rather than a"]
        assert (trained.low, trained.high) == pytest.approx((expected.low, expected.high), abs=1e-3)


def test_in_a_balanced_design_effects_within_people_are_those_of_a_two_way_table():
    data = course(np.random.default_rng(7), people=10, each=6)
    found = mixed_model(data, outcome="score", group="who", factors=["tool"])
    people = np.eye(10)[data["who"]]
    fit = OLS(data["score"], np.column_stack([people, data["tool"] == "yes"])).fit()
    tool = found.effects["tool yes rather than no"]
    assert (tool.low, tool.high) == pytest.approx(tuple(fit.conf_int()[-1]), abs=1e-3)


def test_effects_that_differ_between_people_are_those_of_their_differences():
    data = course(np.random.default_rng(8), people=20, each=6, slope=1.5)
    found = mixed_model(data, outcome="score", group="who", factors=["tool"], slopes=["tool"])
    scores = data["score"].reshape(20, 6)
    expected = ttest_1samp(scores[:, 1::2].mean(axis=1) - scores[:, 0::2].mean(axis=1), 0).confidence_interval()
    tool = found.effects["tool yes rather than no"]
    assert (tool.low, tool.high) == pytest.approx((expected.low, expected.high), abs=1e-3)


def test_people_who_do_not_differ_leave_ordinary_least_squares():
    rng = np.random.default_rng(9)
    score = rng.normal(size=(8, 6))
    score -= score.mean(axis=1, keepdims=True)
    tool = np.tile(["no", "yes"], 24)
    data = {"score": score.ravel(), "tool": tool, "who": np.repeat(np.arange(8), 6)}
    found = mixed_model(data, outcome="score", group="who", factors=["tool"])
    expected = OLS(score.ravel(), np.column_stack([np.ones(48), tool == "yes"])).fit()
    assert found.between == pytest.approx(0, abs=1e-3)
    assert found.effects["tool yes rather than no"].value == pytest.approx(expected.params[1], abs=1e-6)


def test_data_no_optimiser_can_fit_are_refused(monkeypatch):
    def fail(self, **options):
        raise np.linalg.LinAlgError("Singular matrix")

    monkeypatch.setattr(MixedLM, "fit", fail)
    with pytest.raises(BadData, match="leave out slopes or factors"):
        mixed_model(course(np.random.default_rng(1), people=6, each=4), outcome="score", group="who", factors=["tool"])


@pytest.mark.slow
@pytest.mark.proof
def test_intervals_cover_effects_in_unbalanced_designs():
    rng = np.random.default_rng(10)
    within, between = [], []
    for _ in range(200):
        data = course(rng, people=10, each=6)
        kept = rng.random(60) < 0.8
        kept[::6] = True
        data = {name: column[kept] for name, column in data.items()}
        found = mixed_model(data, outcome="score", group="who", factors=["tool", "trained"])
        tool, trained = found.effects["tool yes rather than no"], found.effects["trained b rather than a"]
        within.append(tool.low <= 0.5 <= tool.high)
        between.append(trained.low <= 0.5 <= trained.high)
    # Balanced designs have exact intervals (above); 200 studies tell the rate to about 3 hundredths.
    assert 0.92 <= np.mean(within) <= 0.98
    assert 0.92 <= np.mean(between) <= 0.98
