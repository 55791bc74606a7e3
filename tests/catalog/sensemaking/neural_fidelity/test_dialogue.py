import json

import numpy as np
import pytest
import yaml
from click.testing import CliRunner

from mensura.catalog.sensemaking.neural_fidelity.command import generate
from mensura.catalog.sensemaking.neural_fidelity.dialogue import neural_fidelity
from mensura.catalog.sensemaking.neural_fidelity.submission import make_submission
from mensura.catalog.sensemaking.neural_fidelity.tables import find_waypoint, systems, waypoints
from mensura.catalog.sensemaking.neural_fidelity.verdict import advise, compliance
from mensura.errors import BadFile, BadParameter
from mensura.running.take import take


def _submission(**changes):
    data = {
        "performer": "Acme Labs",
        "model": "Cogito",
        "month": 23,
        "components": [
            {
                "system": system.name,
                "description": f"Our model Cogito of the {system.name} by Acme Labs.",
                "functions": list(system.functions),
                "claims": [{"text": "It spikes.", "citations": ["Hodgkin & Huxley 1952"]}],
                "integrated_with": [systems()[(place + 1) % 5].name],
            }
            for place, system in enumerate(systems()[:5])
        ],
    }
    return {**data, **changes}


def test_table_4_has_seven_brain_systems_with_their_functions():
    names = [system.name for system in systems()]
    assert len(names) == 7
    assert names[0] == "Prefrontal Cortex"
    assert "conflict monitoring" in {s.name: s.functions for s in systems()}["Anterior Cingulate Cortex"]


def test_table_5_counts_passes_only_at_months_23_and_42():
    required = {w.month: (w.implemented, w.integrated, w.passed) for w in waypoints()}
    assert required == {
        6: (3, 2, None), 11: (4, 3, None), 18: (5, 4, None), 23: (5, 5, 3),
        30: (6, 6, None), 36: (7, 7, None), 42: (7, 7, 5),
    }  # fmt: skip
    assert [w.month for w in waypoints() if w.official] == [23, 42]
    with pytest.raises(BadParameter, match="no waypoint at month 24"):
        find_waypoint(24)


GOOD = {"structure": 1, "function": 1, "dynamics": 1, "integration": 1, "implausible": 0, "functional": 0,
        "simplified": 1, "evidence": 1}  # fmt: skip


@pytest.mark.parametrize(
    ("change", "passes"),
    [
        ({}, True),
        ({"implausible": 1}, False),
        ({"implausible": 0.5}, True),
        ({"functional": 0.75}, False),
        ({"simplified": 0}, False),
        ({"evidence": 0.5}, False),
        ({"dynamics": 0.5}, False),
        ({"dynamics": 0.75}, True),
        ({"structure": float("nan")}, None),
    ],
)
def test_advice_follows_the_rules(change, passes):
    assert advise("x", {**GOOD, **change}).passes is passes


def test_a_component_nobody_rated_has_no_verdict():
    assert advise("x", {}).passes is None


def test_standing_at_a_waypoint_needs_components_joints_and_passes():
    submission = make_submission(_submission())
    verdicts = dict.fromkeys([component.system for component in submission.components], True)
    assert compliance(submission, verdicts).met
    names = list(verdicts)
    fewer = {name: name in names[:2] for name in names}
    assert not compliance(submission, fewer).met
    assert compliance(submission, {}, month=18).met
    assert compliance(submission, {}, month=18).passed is None
    assert not compliance(submission, verdicts, month=30).met


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        ([], "should be a mapping"),
        (_submission(components=[]), "names no components"),
        (_submission(budget=3), "no part called 'budget'"),
        (_submission(components=[{"system": "Cerebellum"}]), "is not one of the required brain systems"),
        (_submission(components=[{"system": "Temporal Cortex"}, {"system": "Temporal Cortex"}]), "twice"),
        (
            _submission(components=[{"system": "Temporal Cortex", "integrated_with": ["Parietal Cortex"]}]),
            "which is not among the components",
        ),
        (_submission(components=[{"system": "Temporal Cortex", "claims": [3]}]), "a claim is a text"),
        (_submission(month="late"), "month should be a whole number"),
    ],
)
def test_bad_submissions_are_named(data, sentence):
    with pytest.raises(BadFile, match=sentence):
        make_submission(data)


def test_additional_brain_systems_are_allowed_when_declared():
    data = _submission(components=[{"system": "Cerebellum", "additional": True, "description": "x"}])
    assert make_submission(data).components[0].additional


def test_functions_of_table_4_stand_beside_those_claimed():
    data = _submission(components=[{"system": "Temporal Cortex", "functions": ["Object representation"]}])
    (component,) = make_submission(data).components
    assert component.unclaimed() == ["semantic knowledge representation"]
    assert "(Table 4)**: object representation, semantic knowledge representation." in component.as_markdown()
    extra = _submission(components=[{"system": "Cerebellum", "additional": True}])
    assert make_submission(extra).components[0].unclaimed() == []


def test_claims_without_citations_are_listed():
    data = _submission(components=[{"system": "Temporal Cortex", "claims": ["It just works."]}])
    assert make_submission(data).components[0].uncited() == ["It just works."]


@pytest.fixture
def panel(tmp_path):
    (tmp_path / "model.yaml").write_text(yaml.safe_dump(_submission()))
    done = CliRunner().invoke(
        generate,
        ["--submission", str(tmp_path / "model.yaml"), "--out", str(tmp_path / "panels"), "--rater", "Ada", "--rater",
         "Ben", "--rater", "Eva"],
        catch_exceptions=False,
    )  # fmt: skip
    assert done.exit_code == 0
    return tmp_path


def test_a_submission_goes_through_the_laboratorys_panel_to_advice(panel):
    """Three raters, blind; one component is held implausible by two of them."""
    from mensura.dialogue import prompt_text
    from mensura.running.panel import close, rate, read_panel, results
    from mensura.store import open_store

    def rater(strict):
        def answer(ask):
            text = prompt_text(ask.prompt)
            assert "Acme" not in text
            assert "Cogito" not in text
            item = ask.key.rpartition("/")[2]
            if item == "comment":
                return ""
            if item == "implausible":
                return "yes" if strict and "Temporal Cortex" in text.splitlines()[2] else "no"
            return {"functional": "no", "simplified": "yes", "evidence": "yes"}.get(item, "pass")

        return answer

    plan = read_panel(panel / "panels" / "detailed.yaml")
    with open_store(f"sqlite:///{panel / 'store.db'}") as store:
        opened, assigned = plan.carry_out(store=store)
        assert len(opened.codes) == 5
        assert {one.rater for one in assigned} == {"Ada", "Ben", "Eva"}
        rate(plan.name, store=store, subjects={"Ada": rater(True), "Ben": rater(True), "Eva": rater(False)})
        close(plan.name, store=store)
        found = results(plan.name, store=store).as_json()
    (panel / "results.json").write_text(json.dumps(found, default=str))
    done = _mensura("--submission", str(panel / "model.yaml"), "--panel", str(panel / "results.json"), "--json")
    advice = json.loads(done.stdout)
    verdicts = {each["component"]: each["pass"] for each in advice["advice"]}
    assert verdicts == {system.name: system.name != "Temporal Cortex" for system in systems()[:5]}
    assert advice["standing"]["met"] is True
    assert advice["standing"]["passed"] == {"have": 4, "need": 3}
    assert advice["agreement"]


def test_the_preliminary_panel_rates_fidelity_and_completeness_anatomical_and_functional(panel):
    data = yaml.safe_load((panel / "panels" / "preliminary.yaml").read_text())
    assert [item["key"] for item in data["rubric"]["items"]] == [
        "fidelity_anatomical", "fidelity_functional", "completeness_anatomical", "completeness_functional",
    ]  # fmt: skip
    assert data["rubric"]["comments"] is True


def test_the_manager_decides_and_reviewers_concur_or_object():
    def manager(ask):
        if ask.key.startswith("decision/"):
            return "pass" if "Prefrontal" in ask.key else "fail"
        return "share" if ask.key == "sharing" else "Because of the evidence."

    cast = {"manager": manager, "reviewer 1": lambda ask: "concur", "reviewer 2": lambda ask: "object"}
    taken = take(neural_fidelity, cast, seed=1, parameters={"reviewers": 2})
    assert taken.record.status == "finished", taken.record.last_words
    scores = neural_fidelity.score(taken.record, taken.truths)
    assert scores.details["decisions"] == {"Prefrontal Cortex": "pass", "Parietal Cortex": "fail"}
    assert scores.values["passed"].values.mean() == 0.5
    assert scores.values["concurrence"].values.mean() == 0.5


def test_more_than_two_reviewers_are_refused():
    with pytest.raises(BadParameter, match="One or two experts"):
        neural_fidelity.cast_roles({"reviewers": 3})


RESULTS = {
    "artefacts": [
        {"source": system.name, "values": dict(GOOD), "raters": 3, "comments": ["Well argued.", ""]}
        for system in systems()[:5]
    ],
    "agreement": {"items": []},
}


def _files(tmp_path, **changes):
    (tmp_path / "model.yaml").write_text(yaml.safe_dump(_submission(**changes)))
    (tmp_path / "panel.json").write_text(json.dumps(RESULTS))
    return ["--submission", str(tmp_path / "model.yaml"), "--panel", str(tmp_path / "panel.json")]


def _decided(tmp_path, store, *, sharing, **decisions):
    """A stored session in which the manager decides and an expert concurs; gives the name of its run."""
    from mensura.running.run import run

    def manager(ask):
        what, _, name = ask.key.partition("/")
        if what == "decision":
            return decisions.get(name.partition(" ")[0], "pass")
        return sharing if what == "sharing" else f"Reasons on {name}."

    parameters = {"submission": str(tmp_path / "model.yaml"), "panel": str(tmp_path / "panel.json")}
    cast = {"manager": manager, "reviewer 1": lambda ask: "concur"}
    return run(neural_fidelity, cast, store=store, seed=1, parameters=parameters).head.id


def _mensura(*arguments):
    from mensura.cli.main import cli

    return CliRunner().invoke(cli, ["score", "neural-fidelity", *arguments], catch_exceptions=False)


def test_the_detailed_report_rests_on_the_managers_decisions_once_there_are_any(tmp_path):
    from mensura.store import open_store

    files = _files(tmp_path)
    advised = json.loads(_mensura(*files, "--json").stdout)
    assert advised["standing"]["rests_on"] == "the panel's advice"
    assert advised["standing"]["passed"] == {"have": 5, "need": 3}
    url = f"sqlite:///{tmp_path / 'store.db'}"
    with open_store(url) as store:
        run_id = _decided(tmp_path, store, sharing="keep", Temporal="fail", Parietal="fail", Prefrontal="fail")
    decided = json.loads(_mensura(*files, "--decision", run_id, "--store", url, "--json").stdout)
    assert decided["standing"]["rests_on"] == "the manager's decisions"
    assert decided["standing"]["passed"] == {"have": 2, "need": 3}
    assert decided["standing"]["met"] is False
    (row,) = [each for each in decided["advice"] if each["component"] == "Temporal Cortex"]
    assert (row["pass"], row["decision"]) == (True, "fail")
    assert row["reasons_for_decision"] == "Reasons on Temporal Cortex."
    assert row["reviews"] == {"reviewer 1": "concur"}
    assert row["comments"] == ["Well argued.", ""]


def test_a_performer_sees_the_assessment_only_where_the_manager_shares_it(tmp_path):
    from mensura.store import open_store

    files = _files(tmp_path)
    url = f"sqlite:///{tmp_path / 'store.db'}"
    with open_store(url) as store:
        kept = _decided(tmp_path, store, sharing="keep")
        shared = _decided(tmp_path, store, sharing="share", Temporal="fail")
    with pytest.raises(BadParameter, match="has not shared"):
        _mensura(*files, "--decision", kept, "--store", url, "--for-performer")
    with pytest.raises(BadParameter, match="has not shared"):
        _mensura(*files, "--for-performer")
    page = tmp_path / "out.html"
    done = _mensura(*files, "--decision", shared, "--store", url, "--for-performer", "--report", str(page))
    assert done.exit_code == 0
    text = page.read_text()
    assert "Month 23: met" in text
    assert "src=" not in text
    assert "<link" not in text


def test_the_preliminary_report_gives_fidelity_by_completeness_and_progress(tmp_path):
    _files(tmp_path)
    values = {"fidelity_anatomical": 4.0, "fidelity_functional": 3.0, "completeness_anatomical": 2.0,
              "completeness_functional": None}  # fmt: skip
    results = {"artefacts": [{"source": "Temporal Cortex", "values": values, "raters": 2}], "agreement": None}
    (tmp_path / "first.json").write_text(json.dumps(results))
    arguments = ["--submission", str(tmp_path / "model.yaml"), "--preliminary", str(tmp_path / "first.json")]
    found = json.loads(_mensura(*arguments, "--json", "--report", str(tmp_path / "first.html")).stdout)
    assert found["kind"] == "preliminary"
    assert found["components"][0]["grades"] == values
    assert found["progress"]["implemented"] == {"have": 5, "need": 5}
    assert "preliminary report" in (tmp_path / "first.html").read_text()


def test_one_panel_at_a_time_is_reported(tmp_path):
    files = _files(tmp_path)
    with pytest.raises(BadParameter, match="results of one panel"):
        _mensura(*files, "--preliminary", files[-1])
    with pytest.raises(BadParameter, match="results of one panel"):
        _mensura(*files[:2])


def test_the_integrated_architecture_is_judged_beside_the_components_and_counts_for_no_waypoint(tmp_path):
    from mensura.catalog.sensemaking.neural_fidelity.submission import ARCHITECTURE
    from mensura.catalog.sensemaking.neural_fidelity.verdict import advice_from_panel

    submission = make_submission(_submission(architecture="Joined by known pathways.", biases="From limits of memory."))
    text = submission.architecture_markdown()
    assert "From limits of memory." in text
    artefacts = [*RESULTS["artefacts"], {"source": ARCHITECTURE, "values": {**GOOD, "integration": 0}}]
    advice = advice_from_panel({"artefacts": artefacts}, submission)
    assert advice[-1].component == ARCHITECTURE
    assert advice[-1].passes is False
    assert compliance(submission, {each.component: True for each in advice}).passed == (5, 3)
    assert make_submission(_submission()).architecture_markdown() is None


def test_manager_and_experts_are_told_what_the_waypoint_requires_and_see_the_evidence(tmp_path):
    from mensura.dialogue import prompt_text

    _files(tmp_path, components=_submission()["components"][:1])
    told, asked = [], []

    class Manager:
        def feedback(self, ask):
            told.append(prompt_text(ask.prompt))

        def __call__(self, ask):
            asked.append(prompt_text(ask.prompt))
            return ask.space.draw(np.random.default_rng(0))

    (tmp_path / "model.yaml").write_text(
        yaml.safe_dump(_submission(components=[{**_submission()["components"][0], "integrated_with": []}]))
    )
    parameters = {"submission": str(tmp_path / "model.yaml"), "panel": str(tmp_path / "panel.json")}
    take(neural_fidelity, {"manager": Manager(), "reviewer 1": lambda ask: "concur"}, seed=1, parameters=parameters)
    assert "5 components implemented and 5 integrated, 3 passing" in told[0]
    assert "Hodgkin & Huxley 1952" in asked[0]
