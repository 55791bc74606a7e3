"""One's own people: everyone who takes the exam in the laboratory is at once someone models are assessed against."""

import json

import numpy as np
import pytest
from click.testing import CliRunner

from mensura.catalog.sensemaking.answers.check import check_answers
from mensura.catalog.sensemaking.answers.record import answers_from_record
from mensura.catalog.sensemaking.assessment.assess import Benchmark, ModelSide, score_model
from mensura.catalog.sensemaking.dialogue import sensemaking
from mensura.catalog.sensemaking.generating import Design, generate_exam, write_generated
from mensura.catalog.sensemaking.minds import answer_exam, find_mind
from mensura.catalog.sensemaking.mitre.exam_reading import read_exam
from mensura.catalog.sensemaking.people import respondents_of
from mensura.catalog.sensemaking.subjects import SUBJECTS
from mensura.cli.main import cli
from mensura.errors import BadParameter
from mensura.running.live import LiveSessions
from mensura.running.run import run
from mensura.running.take import take
from mensura.store import open_store

DESIGN = Design(
    blocks_1=2, blocks_2=1, blocks_3=1, trials_4=2, trials_5=2, trials_6=2, trials_7=3, networks=1,
    shortest_wave=3, longest_wave=3,
)  # fmt: skip


@pytest.fixture(scope="module")
def exam(tmp_path_factory):
    folder = tmp_path_factory.mktemp("own") / "exam"
    write_generated(generate_exam(np.random.default_rng(8), design=DESIGN, id="own"), folder)
    return folder


@pytest.fixture(scope="module")
def laboratory(tmp_path_factory, exam):
    """A store in which three people finished the exam, one went away, and one took another exam."""
    web = pytest.importorskip("mensura.web.participant.invitation", reason="the web pages are not installed")
    url = f"sqlite:///{tmp_path_factory.mktemp('lab') / 'lab.db'}"
    with open_store(url) as store:
        head, links = web.invite(sensemaking, "human", store=store, seed=3, parameters={"exam": str(exam)}, sessions=4)
        for seed, link in enumerate(links[:3]):
            _answer(store, link.session, seed=seed)
        _, (alone,) = web.invite(sensemaking, "human", store=store, seed=4, parameters={"tasks": "4"})
        _answer(store, alone.session, seed=9)
        run(sensemaking, "bayesian", store=store, sessions=2, seed=1, parameters={"exam": str(exam)})
    return url, head.id, [link.session for link in links]


def _answer(store, session, *, seed):
    """Someone simulated answers a person's session through the laboratory, as the pages do."""
    live, subject = LiveSessions(store), SUBJECTS["simulated-person"]()
    subject.begin(np.random.default_rng(seed))
    told = 0
    while True:
        now = live.act(session, lambda each: each.session)
        if now.status != "open":
            return
        if now.paused is not None:
            live.act(session, lambda each: each.session.unpause())
            continue
        news = now.told.get("subject", [])
        number = now.asked["subject"]
        if told != number:
            for each in news:
                subject.feedback(each)
            told = number
        answer = subject(now.open["subject"])
        live.act(session, lambda each, answer=answer: each.session.answer(answer))


def _score(exam, store, *arguments):
    command = ["score", "sensemaking", "--exam", exam, "--store", store, "--draws", "0", "--json", *arguments]
    done = CliRunner().invoke(cli, [str(each) for each in command], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout), done.stderr


def test_a_run_of_ones_own_people_is_scored_by_one_command(laboratory, exam):
    store, run_id, sessions = laboratory
    found, _ = _score(exam, store, "--humans", run_id, "--model", "bayesian")
    assert found["people"] == 3
    assert found["exclusions"] == "computed"
    with open_store(store) as opened:
        answers = [answers_from_record(opened.records.find(session)) for session in sessions[:3]]
    assert all(each.human for each in answers)
    read = read_exam(exam)
    benchmark = Benchmark(read, respondents_of([check_answers(each, read) for each in answers], read))
    model = answer_exam(read, find_mind("bayesian"), rng=np.random.default_rng(0))
    side = ModelSide(benchmark, respondents_of([check_answers(model, read)], read))
    assert found["cpa"]["value"] == pytest.approx(float(score_model(benchmark, side).cpa), abs=1e-9)


def test_people_are_all_who_took_this_exam_and_nobody_else(laboratory, exam):
    store, run_id, _ = laboratory
    everyone, said = _score(exam, store, "--humans", "people", "--model", "bayesian")
    one_run, _ = _score(exam, store, "--humans", run_id, "--model", "bayesian")
    assert everyone["cpa"] == one_run["cpa"]
    assert everyone["people"] == 3
    assert "1 finished sessions took other exams and are excluded." in said


def test_a_stored_run_of_a_model_is_assessed_with_each_session_as_a_run(laboratory, exam):
    store, run_id, _ = laboratory
    stored, _ = _score(exam, store, "--humans", run_id, "--model", "last")
    named, _ = _score(exam, store, "--humans", run_id, "--model", "bayesian")
    assert stored["runs"] == 2
    assert stored["cpa"]["value"] == pytest.approx(named["cpa"]["value"], abs=1e-9)
    assert len(stored["parameters_hash"]) == len(named["parameters_hash"])


def test_a_models_and_stored_peoples_answers_are_written_as_response_files(laboratory, exam, tmp_path):
    from mensura.catalog.sensemaking.mitre.response_reading import read_responses
    from mensura.catalog.sensemaking.people import read_people

    store, run_id, _ = laboratory
    folder = tmp_path / "responses"
    found, said = _score(exam, store, "--humans", run_id, "--model", "bayesian", "--responses", folder)
    assert "Wrote 22 response files" in said
    (model,) = folder.glob("*bayesian.xml")
    assert read_responses(model).tasks.keys() == set(range(1, 8))
    again, said = _score(exam, store, "--humans", folder, "--model", "bayesian")
    people = read_people(folder, read_exam(exam))
    assert len(people) == again["people"] == 3
    assert list(people.models) == again["models_left_out"] == [str(model)]
    assert f"1 of the files of answers is a model's and is left out: {model}." in again["notes"]
    assert again["cpa"]["value"] == pytest.approx(found["cpa"]["value"], abs=1e-9)


def test_a_bias_that_cannot_be_assessed_is_neither_passed_nor_failed(laboratory, exam):
    store, run_id, _ = laboratory
    found, _ = _score(exam, store, "--humans", run_id, "--model", "bayesian")
    biases = found["cfa"]["biases"]
    assessed = {name for name, bias in biases.items() if bias["items"]}
    assert 0 < len(assessed) < len(biases)
    assert {name for name, bias in biases.items() if bias["pass"] is not None} == assessed
    assert found["cfa"]["of"] == len(assessed)
    command = ["score", "sensemaking", "--exam", str(exam), "--humans", run_id, "--model", "bayesian", "--store", store]
    words = CliRunner().invoke(cli, [*command, "--draws", "0"], catch_exceptions=False).stdout
    assert f"{found['cfa']['passed']} of {len(assessed)} of their biases that can be assessed" in words
    assert words.count("not assessed") >= len(biases) - len(assessed)


def test_excluded_sessions_do_not_count(laboratory, exam):
    store, run_id, sessions = laboratory
    with open_store(store) as opened:
        opened.exclusions.decide(sessions[0], reason="left the room", who="Ada")
    found, _ = _score(exam, store, "--humans", run_id, "--model", "bayesian")
    assert found["people"] == 2
    with open_store(store) as opened:
        opened.exclusions.decide(sessions[0], reason="came back", who="Ada", excluded=False)


def test_programs_that_stand_in_for_people_are_marked_as_simulated(laboratory, exam, tmp_path):
    url = f"sqlite:///{tmp_path / 'pilot.db'}"
    with open_store(url) as store:
        run(sensemaking, "simulated-person", store=store, sessions=3, seed=1, parameters={"exam": str(exam)})
    found, _ = _score(exam, url, "--humans", "last", "--model", "normative")
    assert any("3 of the 3 people are simulated" in note for note in found["notes"])


def test_sessions_of_other_exams_cannot_be_averaged(laboratory, exam, tmp_path):
    store, _, _ = laboratory
    other = tmp_path / "other"
    write_generated(generate_exam(np.random.default_rng(9), design=DESIGN, id="other"), other)
    with pytest.raises(BadParameter, match="took other exams than"):
        _score(other, store, "--humans", "people", "--model", "bayesian")


def test_a_run_of_another_test_is_refused(exam, tmp_path):
    url = f"sqlite:///{tmp_path / 'coins.db'}"
    with open_store(url) as store:
        run("coin", "chance", store=store, seed=1, parameters={"flips": 2})
    with pytest.raises(BadParameter, match=r"is of coin-v1; give one of sensemaking-v1"):
        _score(exam, url, "--humans", "last", "--model", "bayesian")


# People who answer through the laboratory are assessed against above, and pages give what programs give: see
# test_browser.py.
@pytest.mark.proof
@pytest.mark.browser
def test_two_people_in_the_browser_are_assessed_against_at_once(lab, exam):
    from importlib.util import module_from_spec, spec_from_file_location
    from pathlib import Path

    from mensura.web.participant.invitation import Frame, invite

    script = Path(__file__).parents[3] / "benchmarks" / "sensemaking" / "scripted_person.py"
    spec = spec_from_file_location("scripted_person", script)
    scripted = module_from_spec(spec)
    spec.loader.exec_module(scripted)
    store, home, page = lab
    parameters = {"exam": str(exam), "tasks": "456", "breaks": False}
    _, links = invite(sensemaking, "human", store=store, seed=2, parameters=parameters, sessions=2, frame=Frame())
    for seed, link in enumerate(links):
        program = take(sensemaking, SUBJECTS["simulated-person"](), seed=seed, parameters=parameters)
        scripted.ScriptedPerson(page, program.record.given()).take(home + link.path)
    found, _ = _score(exam, store.url, "--humans", "people", "--model", "bayesian")
    assert found["people"] == 2
    assert found["tasks"]["5"]["rsr"] is not None
    assert found["tasks"]["6"]["rmr"] is not None
