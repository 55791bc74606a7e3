"""Scores over all games: by hand, by leaving out, and by the coverage of their intervals."""

import time

import numpy as np
import pytest

from mensura.catalog.imitation.pooled import pooled
from mensura.dialogue import Scores
from mensura.dialogue.record import POOLED

NAMES = (
    "right",
    "control_right",
    "difference",
    "auc",
    "dprime",
    "criterion",
    "survival_median",
    "rule70_p",
    "rule70_power",
)


def fact(*, truth="A", verdict="A", stated=0.8, lasted=60, ended=1, void="", decision=None, verdicts=None):
    one = {"verdict": verdict, "stated": stated, "role": "judge", "judge": "x"}
    return {
        "truth": truth,
        "decision": verdict if decision is None else decision,
        "void": void,
        "verdicts": verdicts or [one],
        "lasted": lasted,
        "ended": ended,
        "pretends": True,
    }


def run(games):
    """Return sessions with one game each; a list of games makes one session of several."""
    return {
        f"run/{place}": Scores({}, {POOLED: {"games": game if isinstance(game, list) else [game]}})
        for place, game in enumerate(games)
    }


def some(rights, n):
    """Return n games of which the first are right, the truth on both sides in turn."""
    games = []
    for place in range(n):
        truth = "AB"[place % 2]
        right = place < rights
        verdict = truth if right else "BA"[place % 2]
        games.append(fact(truth=truth, verdict=verdict, stated=0.8 if verdict == "A" else 0.2))
    return games


def test_right_identifications_have_the_exact_interval():
    found = pooled(run(some(22, 39)))["right"]
    assert (found.value, found.n, found.method) == (22 / 39, 39, "Clopper-Pearson")
    assert (found.low, found.high) == pytest.approx((0.3958, 0.7219), abs=1e-3)


@pytest.mark.parametrize(("right", "passes"), [(22, True), (23, False)])
def test_the_rule_of_1950_is_the_exact_test_with_its_power(right, passes):
    found = pooled(run(some(right, 39)))
    assert (found["rule70_p"].value <= 0.05) is passes
    assert found["rule70_power"].value == pytest.approx(0.832, abs=1e-3)
    assert "At most 22 right of 39" in found["rule70_p"].note


def test_without_control_games_nothing_is_said_of_them():
    found = pooled(run(some(5, 10)))
    assert found["control_right"] is None
    assert found["difference"] is None


def test_the_difference_is_of_wrong_decisions():
    found = pooled(run(some(10, 40)), run(some(30, 40)))
    assert found["control_right"].value == 0.75
    assert found["difference"].value == pytest.approx(0.5)
    assert found["difference"].low > 0


def test_void_games_and_hung_juries_are_not_right_or_wrong():
    games = [*some(6, 10), fact(void="the judge left"), fact(decision="hung")]
    assert pooled(run(games))["right"].n == 10


def test_no_game_is_unknown_and_not_zero():
    found = pooled(run([fact(void="the judge left")]))
    assert all(np.isnan(found[name].value) for name in NAMES if found[name] is not None)


def test_detection_counts_the_first_answer_as_the_signal():
    found = pooled(run(some(40, 40)))
    assert found["dprime"].value > 3
    leaning = [fact(truth="AB"[n % 2], verdict="A", stated=0.9) for n in range(40)]
    assert pooled(run(leaning))["criterion"].value < -1
    assert abs(pooled(run(leaning))["dprime"].value) < 0.1


def test_the_order_of_sessions_changes_nothing():
    games = [some(1, 2)[n % 2] | {"lasted": 10 + n, "ended": n % 2} for n in range(31)]
    first, second = pooled(run(games)), pooled(run(games[::-1]))
    assert all(first[name] is None or first[name].as_json() == second[name].as_json() for name in NAMES)


def test_judges_who_had_several_games_are_not_counted_as_independent():
    found = pooled(run([some(1, 4) for _ in range(10)]))
    assert found["right"].n == 10
    assert "sessions" in found["right"].method
    assert np.isnan(found["rule70_p"].value)
    assert "independent" in found["rule70_p"].method


def test_half_of_the_illusions_last_so_long():
    games = [fact(lasted=at, ended=seen) for at, seen in ((1, 1), (2, 0), (3, 1), (4, 1), (5, 0), (6, 1))]
    assert pooled(run(games))["survival_median"].value == 4
    open_end = pooled(run([fact(lasted=9, ended=0)] * 5))["survival_median"]
    assert np.isnan(open_end.value)
    assert "More than half" in open_end.note


@pytest.mark.slow
@pytest.mark.parametrize("judges", [1, 4])
def test_intervals_of_right_and_auc_cover_also_where_games_share_judges(judges):
    rng = np.random.default_rng(20 + judges)
    truth, covered, areas, studies = 0.7, 0, [], 200
    sd = 1.0 if judges > 1 else 0.0
    quiet = np.sqrt(2) if judges > 1 else 1.0
    from scipy.special import ndtr

    for _ in range(studies):
        sessions = []
        for _ in range(40):
            lean = sd * rng.normal()
            games = []
            for _ in range(judges):
                side = "AB"[int(rng.integers(2))]
                # The strength of what a judge sees; their own keenness is shared by all of their games.
                seen = 0.5244 * quiet + lean + rng.normal()
                right = seen > 0
                verdict = side if right else "BA"["AB".index(side)]
                p = float(ndtr(seen))
                games.append(fact(truth=side, verdict=verdict, stated=p if side == "A" else 1 - p))
            sessions.append(games)
        found = pooled(run(sessions))
        covered += found["right"].low <= truth <= found["right"].high
        # P(x > y) for x ~ N(m, v) and y ~ N(-m, v): z of it is 2 m / sqrt(2 v).
        area = float(ndtr(0.5244 * np.sqrt(2)))
        if found["auc"].has_interval:
            # With fewer than 15 games on a side none is given.
            areas.append(found["auc"].low <= area <= found["auc"].high)
    assert covered / studies >= 0.92
    assert len(areas) > 0.8 * studies
    assert 0.92 <= np.mean(areas) <= 0.985


def test_leaving_out_each_unit_is_what_it_says_by_other_means():
    from sklearn.metrics import roc_auc_score

    from mensura.catalog.imitation.pooled import Verdicts, games_of

    rng = np.random.default_rng(9)
    sessions = [
        [
            fact(truth="AB"[int(rng.integers(2))], stated=round(float(rng.random()), 1))
            for _ in range(rng.integers(1, 4))
        ]
        for _ in range(30)
    ]
    seen = Verdicts.of(games_of(run(sessions)))
    for unit, area in enumerate(seen.areas()):
        rest = seen.unit != unit
        assert area == pytest.approx(roc_auc_score(seen.true[rest], seen.stated[rest]))


def test_juries_that_were_never_wrong_are_no_certainty():
    jury = [{"verdict": "A", "stated": 0.9, "role": f"juror{n}", "judge": "x"} for n in range(12)]
    other = [{"verdict": "B", "stated": 0.1, "role": f"juror{n}", "judge": "x"} for n in range(12)]
    found = pooled(run([fact(truth="AB"[n % 2], verdicts=(jury, other)[n % 2]) for n in range(40)]))
    # Leaving out one of them changes next to nothing: that gave d' from 5.71 to 5.75, and an area from 1 to 1.
    assert not any(found[name].has_interval for name in ("auc", "dprime", "criterion"))
    assert "0 or 1" in found["dprime"].method


def test_an_area_has_an_interval_within_its_bounds():
    rng = np.random.default_rng(4)
    sessions = [
        [fact(truth="AB"[n % 2], stated=float(np.clip(0.8 - 0.6 * (n % 2) + rng.normal(0, 0.2), 0, 1))) for n in (0, 1)]
        for _ in range(8)
    ]
    found = pooled(run(sessions))["auc"]
    assert 0 < found.low < found.value < found.high < 1


def test_thousands_of_juries_take_no_longer_each_than_tens():
    def seconds(juries):
        one = [{"verdict": "AB"[n % 2], "stated": n / 12, "role": f"juror{n}", "judge": "x"} for n in range(12)]
        sessions = run([fact(truth="AB"[n % 2], verdicts=one) for n in range(juries)])
        start = time.process_time()
        pooled(sessions)
        return (time.process_time() - start) / juries

    seconds(20)
    assert seconds(1600) < 5 * min(seconds(50) for _ in range(3))
