import json
from pathlib import Path

import numpy as np
import pytest

from mensura.catalog.sensemaking.answers.check import check_answers
from mensura.catalog.sensemaking.answers.json_file import answers_from_json
from mensura.catalog.sensemaking.answers.record import answers_from_record
from mensura.catalog.sensemaking.dialogue import sensemaking
from mensura.catalog.sensemaking.minds import answer_exam, find_mind
from mensura.catalog.sensemaking.mitre.exam_reading import read_exam
from mensura.catalog.sensemaking.mitre.response_reading import read_responses
from mensura.catalog.sensemaking.mitre.response_writing import write_responses
from mensura.catalog.sensemaking.people import respondents_of
from mensura.catalog.sensemaking.showing.atlas import Bars
from mensura.catalog.sensemaking.showing.percents import PercentAllocation, Percents
from mensura.catalog.sensemaking.subjects import SUBJECTS
from mensura.dialogue import Image, Map, Refused, prompt_data, prompt_text
from mensura.dialogue.canonical import canonical
from mensura.dialogue.spaces.described import read_space
from mensura.errors import MensuraError
from mensura.running.take import take
from mensura.subjects import find_subject


class Watching:
    """Answers as another subject does, and keeps what it was asked and told."""

    def __init__(self, subject):
        self.subject, self.asks, self.told = subject, [], []

    def begin(self, rng):
        self.subject.begin(rng)

    def feedback(self, told):
        self.told.append(told)
        self.subject.feedback(told)

    def __call__(self, ask):
        self.asks.append(ask)
        return self.subject(ask)


def _taken(folder, name, **parameters):
    subject = Watching(SUBJECTS[name]())
    return take(sensemaking, subject, seed=7, parameters={"exam": str(folder), "breaks": False, **parameters}), subject


@pytest.fixture(scope="module")
def bayesian(folder):
    return _taken(folder, "bayesian")


@pytest.mark.parametrize("name", ["normative", "conservative", "averaging", "uniform-sigint"])
def test_a_mind_answers_the_dialogue_as_it_answers_the_exam(folder, name):
    exam = read_exam(folder)
    taken, _ = _taken(folder, name)
    assert taken.record.status == "finished", taken.record.last_words
    asked = respondents_of([check_answers(answers_from_record(taken.record), exam)], exam)
    direct = answer_exam(exam, find_mind(name), rng=np.random.default_rng(0))
    plain = respondents_of([check_answers(direct, exam)], exam)
    for number in range(1, 8):
        np.testing.assert_allclose(asked.tasks[number].stages, plain.tasks[number].stages, atol=1e-9)
        np.testing.assert_allclose(asked.tasks[number].allocation, plain.tasks[number].allocation, atol=1e-9)
        np.testing.assert_array_equal(asked.tasks[number].layers, plain.tasks[number].layers)
        np.testing.assert_array_equal(asked.tasks[number].surprise, plain.tasks[number].surprise)
        np.testing.assert_allclose(asked.tasks[number].drawn, plain.tasks[number].drawn, atol=1e-9)


def test_the_session_scores_as_the_same_answers_from_a_file(folder, bayesian):
    from mensura.catalog.sensemaking.assessment.skill import skill_by_task

    taken, _ = bayesian
    exam = read_exam(folder)
    scores = sensemaking.score(taken.record, taken.truths)
    skill = skill_by_task(exam, respondents_of([check_answers(answers_from_record(taken.record), exam)], exam))
    for name, kind in (("s1", "s1"), ("s2", "s2")):
        for key, value in zip(scores.values[name].keys, scores.values[name].values, strict=True):
            number, place = map(int, key.split("."))
            assert value == pytest.approx(getattr(skill[number], kind)[0, place - 1], abs=1e-9)
    assert len(scores.values["s1"].keys) == 10 + 5 + 5 + 10 + 10 + 10
    assert len(scores.values["s2"].keys) == 65


def test_items_come_in_the_order_of_the_exam_however_truths_are_kept(bayesian):
    taken, _ = bayesian
    plain = sensemaking.score(taken.record, taken.truths)
    shuffled = sensemaking.score(taken.record, dict(sorted(taken.truths.items(), reverse=True)))
    for name in ("s1", "s2"):
        assert plain.values[name].keys == shuffled.values[name].keys
        np.testing.assert_allclose(plain.values[name].values, shuffled.values[name].values, rtol=1e-12)
    assert plain.values["s1"].keys[:11] == (*(f"1.{k}" for k in range(1, 11)), "2.1")


def test_answers_stand_in_the_details_ready_to_be_assessed(folder, bayesian):
    taken, _ = bayesian
    scores = sensemaking.score(taken.record, taken.truths)
    exam = read_exam(folder)
    again = check_answers(answers_from_json(json.loads(json.dumps(scores.details["answers"]))), exam)
    assert again.faults == ()
    assert len(again.tasks[5]) == 10


def test_a_session_can_be_written_in_the_original_format(folder, bayesian, tmp_path):
    exam = read_exam(folder)
    answers = check_answers(answers_from_record(bayesian[0].record), exam)
    write_responses(answers, exam, tmp_path / "session.xml")
    again = check_answers(read_responses(tmp_path / "session.xml"), exam)
    assert again.tasks[6][3].layers == answers.tasks[6][3].layers
    assert again.tasks[5][2].stages[3].values == pytest.approx(answers.tasks[5][2].stages[3].values)


def test_nothing_shown_before_the_feedback_gives_truth_parameters_or_distances_away(folder, bayesian):
    _, subject = bayesian
    exam = read_exam(folder)
    for ask in subject.asks:
        assert ask.truth is None
        text = canonical(prompt_data(ask.prompt))
        number = ask.key.partition(".")[0]
        if number in "56":
            place = int(ask.key.split(".")[1])
            for miles in exam.tasks[int(number)].trials[place - 1].distances:
                assert f"{miles:.6f}"[:-1] not in text
        assert "normative" not in text
        assert "truth" not in text
        assert "base_rate" not in text


def test_s2_is_told_after_each_trial_and_s1_only_after_the_task(bayesian):
    _, subject = bayesian
    told = [(ask.key, prompt_text(ask.prompt)) for ask in subject.told]
    after_trials = [text for key, text in told if key.endswith(".truth") and not key.startswith("7.")]
    assert len(after_trials) == 50
    assert all("You score" in text and "S1" not in text for text in after_trials)
    ends = [text for _, text in told if text.startswith("That was Task")]
    assert len(ends) >= 6
    assert all("(S1)" in text and "(S2)" in text for text in ends[:6])


def test_likelihoods_stand_beside_the_prior_at_every_report(bayesian):
    _, subject = bayesian
    for ask in subject.asks:
        number, _, rest = ask.key.partition(".")
        what = rest.partition(".")[2]
        if number in "56" and what.isdigit():
            (bars,) = [part for part in ask.prompt if isinstance(part, Bars)]
            assert list(bars.sets) == ["Before", "The report alone"]
            assert sum(bars.sets["The report alone"].values()) == pytest.approx(100)


def test_neutral_words_are_the_default_and_the_originals_a_condition(folder, bayesian):
    def said(subject):
        return " ".join(prompt_text(ask.prompt) for ask in [*subject.asks, *subject.told]).lower()

    loaded = ("attack", "troop", "enemy", "insurgent")
    assert not any(word in said(bayesian[1]) for word in loaded)
    _, original = _taken(folder, "bayesian", wording="original", tasks="56")
    assert "attack" in said(original)


def test_the_reverse_order_turns_the_menu_round(folder):
    _, standard = _taken(folder, "bayesian", tasks="6")
    _, reverse = _taken(folder, "bayesian", tasks="6", order="reverse")
    menu = [next(a for a in s.asks if a.key == "6.1.layer1").space.options for s in (standard, reverse)]
    assert menu[0] == tuple(reversed(menu[1]))
    assert menu[0][0] == "IMINT"


def test_pictures_show_the_same_map_to_models_that_see(folder):
    _, subject = _taken(folder, "bayesian", tasks="4", pictures=True)
    ask = next(ask for ask in subject.asks if ask.key == "4.1.0")
    (image,) = [part for part in ask.prompt if isinstance(part, Image)]
    assert image.content.startswith(b"\x89PNG")
    assert any(isinstance(part, Map) for part in ask.prompt)


def test_task_7_reveals_the_group_when_the_exam_says_and_shows_the_last_five_events(folder, bayesian):
    _, subject = bayesian
    exam = read_exam(folder)
    told = {ask.key: prompt_text(ask.prompt) for ask in subject.told}
    for place, trial in enumerate(exam.tasks[7].trials, start=1):
        assert ("group" in told[f"7.{place}.truth"]) == trial.group_shown
    for ask in subject.asks:
        if ask.key.startswith("7.") and ask.key.endswith(".keep"):
            place = int(ask.key.split(".")[1])
            (drawn,) = [part for part in ask.prompt if isinstance(part, Map)]
            seen = [feature for feature in drawn.features if feature.layer == "events"]
            assert len(seen) == min(5, place - 1)


def test_what_was_drawn_stays_on_the_map(folder):
    _, subject = _taken(folder, "normative", tasks="23")
    for ask in subject.asks:
        number, _, what = [*ask.key.split(".", 2), ""][:3]
        layer = {"2": "your circles", "3": "your centres"}[number]
        if what.startswith(("circle", "centre")) or what == "0":
            (drawn,) = [part for part in ask.prompt if isinstance(part, Map)]
            own = "".join(feature.label[-1] for feature in drawn.features if feature.layer == layer)
            assert own == ("ABCD" if what == "0" else "ABCD"[: "ABCD".index(what[-1])])


def test_feedback_shows_the_truth_on_the_map_and_says_it_once(folder, bayesian):
    _, subject = bayesian
    exam = read_exam(folder)
    for told in subject.told:
        if told.key.endswith(".truth") and not told.key.startswith("7."):
            number, place = map(int, told.key.split(".")[:2])
            trial = exam.tasks[number].trials[place - 1]
            (drawn,) = [part for part in told.prompt if isinstance(part, Map)]
            (truth,) = [feature for feature in drawn.features if feature.layer == "what happened"]
            assert truth.label == f"truth {trial.truth}"
            assert drawn.text() == ""


def test_task_7_sells_one_report_of_a_kind_and_earns_what_the_exam_says(folder, tmp_path):
    from dataclasses import replace

    from mensura.catalog.sensemaking.mitre.exam_writing import write_exam

    exam = read_exam(folder)
    write_exam(
        replace(exam, tasks={**exam.tasks, 7: replace(exam.tasks[7], credits_for_correct=2.0)}), tmp_path / "exam.xml"
    )
    told = {}

    class Spender:
        def feedback(self, ask):
            told[ask.key] = prompt_text(ask.prompt)

        def __call__(self, ask):
            if ask.key.endswith("allocation"):
                return {"1": 40.0, "2": 30.0, "3": 20.0, "4": 10.0}
            return ask.space.options[-1] if ".buy" in ask.key else ask.space.draw(np.random.default_rng(0))

    taken = take(sensemaking, Spender(), seed=1, parameters={"exam": str(tmp_path), "tasks": "7", "breaks": False})
    given = taken.record.given()
    sold = [given[key] for key in given if key.startswith("7.1.buy")]
    # SIGINT for 2, then MOVINT and IMINT for 1 each; of each kind one.
    assert sold == ["SIGINT-D", "MOVINT", "IMINT"]
    put = {"1": 40, "2": 30, "3": 20, "4": 10}
    for place, trial in enumerate(exam.tasks[7].trials, start=1):
        assert f"You earn {2 * put[trial.truth_site] / 100:.2f} credits" in told[f"7.{place}.truth"]


def test_an_exam_may_say_itself_that_its_menu_is_reversed(folder, tmp_path):
    from dataclasses import replace

    from mensura.catalog.sensemaking.mitre.exam_writing import write_exam

    exam = read_exam(folder)
    frame = replace(exam.tasks[6].frame, reverse_layer_order=True)
    write_exam(replace(exam, tasks={**exam.tasks, 6: replace(exam.tasks[6], frame=frame)}), tmp_path / "exam.xml")
    reversed_, _ = _taken(tmp_path, "bayesian", tasks="6")
    plain, _ = _taken(folder, "bayesian", tasks="6")
    forced, _ = _taken(tmp_path, "bayesian", tasks="6", order="standard")
    orders = [answers_from_record(each.record).layer_order for each in (reversed_, plain, forced)]
    assert orders == ["reverse", "standard", "standard"]


def test_declined_answers_are_missing_and_the_rest_is_scored(folder):
    inner = SUBJECTS["bayesian"]()

    class Declining(Watching):
        def __call__(self, ask):
            answer = super().__call__(ask)
            return Refused("no") if ask.key in ("5.2.3", "6.1.layer2", "4.1.allocation") else answer

    taken = take(
        sensemaking, Declining(inner), seed=7, parameters={"exam": str(folder), "tasks": "456", "breaks": False}
    )
    exam = read_exam(folder)
    checked = check_answers(answers_from_record(taken.record), exam, file="session")
    said = [str(fault) for fault in checked.faults]
    assert "session, task 5, trial 2, stage 3: the distribution is missing." in said
    assert "session, task 4, trial 1: the allocation is missing." in said
    assert any("task 6, trial 1: 2 INTs are chosen where 3" in fault for fault in said)
    assert np.isfinite(sensemaking.score(taken.record, taken.truths).values["s1"].values).all()


def test_every_session_without_an_exam_file_has_an_exam_of_its_own():
    first = take(sensemaking, SUBJECTS["uniform"](), seed=1, parameters={"tasks": "4", "breaks": False})
    second = take(sensemaking, SUBJECTS["uniform"](), seed=2, parameters={"tasks": "4", "breaks": False})
    assert first.truths != second.truths


@pytest.mark.parametrize(
    ("parameters", "sentence"),
    [
        ({"tasks": "89"}, "Tasks are named by their numbers"),
        ({"order": "random"}, "standard or reverse"),
        ({"wording": "rude"}, "no wording called 'rude'"),
        ({"exam": "/nowhere"}, "does not exist"),
    ],
)
def test_bad_parameters_are_sentences(parameters, sentence):
    with pytest.raises(MensuraError, match=sentence):
        list(sensemaking.function(np.random.default_rng(0), **parameters))


def test_the_example_path_of_settings_is_complete():
    for values in sensemaking.settings.values():
        assert set(values) <= set(sensemaking.parameters)
    assert Path(sensemaking.function.__code__.co_filename).name == "dialogue.py"


def test_every_ask_says_the_rules_that_it_needs(bayesian):
    _, subject = bayesian
    for ask in subject.asks:
        number, _, what = [*ask.key.split(".", 2), ""][:3]
        text = prompt_text(ask.prompt)
        if (number, what) == ("4", "0") or what.startswith("layer") or (number == "7" and what in ("groups", "sites")):
            assert "35 % at 5, 25 % at 10" in text, ask.key
        if (number == "6" and what.startswith("layer")) or (number == "7" and what in ("groups", "sites")):
            assert "chatter makes that group seven times as likely" in text, ask.key
        if number == "7" and what in ("groups", "sites"):
            assert "is behind the next with chance 85 %" in text, ask.key
        if number in "56" and what.isdecimal():
            assert "likely as" in text, ask.key
        if what == "allocation":
            assert "percent on the right one" in text, ask.key
        if (number == "4" and what == "0") or (number == "3" and what.startswith(("0", "centre"))):
            assert "road 1 at (" in text, ask.key


def test_all_tasks_send_a_model_less_than_two_megabytes(bayesian):
    _, subject = bayesian
    model = find_subject("llm:any@http://localhost:9/v1", sensemaking)()
    # Each ask stands alone, so that what was sent before is not sent again.
    assert model.manner.memory == 0
    assert find_subject("llm:any@http://localhost:9/v1#memory=3", sensemaking)().manner.memory == 3
    prompts = sum(len(prompt_text(each.prompt).encode()) for each in [*subject.asks, *subject.told])
    schemas = sum(2 * len(json.dumps(ask.space.schema())) for ask in subject.asks)
    system = len(subject.asks) * len(model.manner.system)
    assert prompts + schemas + system < 2e6
    trials = [ask.key.split(".")[:2] for ask in subject.asks if "road 1 at (" in prompt_text(ask.prompt)]
    for number in ("4", "5", "6"):
        assert sum(each[0] == number for each in trials) == 10


def test_parts_of_the_exam_are_not_called_parts_of_the_study(bayesian):
    """A study's pages say "Part 1 of 2" above whatever is taken."""
    _, subject = bayesian
    told = "\n".join(prompt_text(each.prompt) for each in subject.told)
    assert "## Task 7" in told
    assert "Part " not in told
    assert "part 1" not in told.lower()


def test_a_python_file_draws_from_the_spaces_of_the_test(folder, tmp_path):
    (tmp_path / "mine.py").write_text(
        "import numpy as np\n\nrng = np.random.default_rng(0)\n\n\ndef respond(ask):\n    return ask.space.draw(rng)\n"
    )
    subject = find_subject(f"{tmp_path / 'mine.py'}:respond", sensemaking)()
    taken = take(
        sensemaking, subject, seed=1, parameters={"exam": str(folder), "tasks": "5", "trials": 1, "breaks": False}
    )
    assert taken.record.status == "finished", taken.record.last_words


@pytest.mark.parametrize("space", [Percents(tuple("ABCD")), PercentAllocation(tuple("ABCD"))])
def test_a_space_that_cannot_be_loaded_is_read_as_the_one_it_is_like(space):
    read = read_space({**space.described(), "kind": "hidden"}, schema=space.schema())
    answer = read.draw(np.random.default_rng(0))
    assert space.check(answer) == answer
    assert read.schema() == space.schema()
    assert read_space(space.described()) == space
