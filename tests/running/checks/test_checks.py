"""Each check of the kit catches the fault it is for."""

import itertools
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest

from mensura.dialogue import (
    Ask,
    Choice,
    Items,
    Number,
    Outcome,
    Probability,
    Prompt,
    Save,
    Scores,
    TableView,
    Text,
    Timing,
    Wait,
    test,
)
from mensura.errors import BrokenTest, Invalid
from mensura.running.check import CheckOptions, check_test, make_trial, update_golden
from mensura.running.checks import (
    check_batch,
    check_chance_level,
    check_declines,
    check_ends,
    check_golden,
    check_invalid_refused,
    check_replays_alike,
    check_saves,
    check_truth_hidden,
    check_world_speed,
)
from mensura.running.checks.invalid import is_sentence

QUICK = CheckOptions(sessions=5, turns=200)


def trial_of(function, **declared):
    """Put a generator function under examination."""
    return make_trial(test("under-test-v1", **declared)(function), options=QUICK)


def good(rng, *, asks: int = 12):
    """Ask which of three is drawn."""
    for i in range(asks):
        drawn = "abc"[int(rng.integers(3))]
        yield Ask(f"Which letter? {i}", Choice(("a", "b", "c")), key=f"q{i}", truth=drawn)


def test_a_good_test_passes_every_check_that_applies():
    made = test("good-v1", chance={"accuracy": 1 / 3})(good)
    report = check_test(made, options=CheckOptions(sessions=20))
    assert report.passed, str(report)
    applied = {check.name for check in report.checks if check.passed}
    assert applied == {"ends", "declines", "replays alike", "truth hidden", "invalid answers", "chance level"}
    assert report.require() is report
    assert report.data()["passed"] is True


def test_a_test_without_end_is_caught():
    def endless(rng):
        while True:
            yield Ask("More?", Choice(("yes", "no")))

    found = check_ends(trial_of(endless))
    assert found.passed is False
    assert "does not finish within 200 asks" in found.words


def test_a_test_that_raises_is_caught_and_nothing_more_is_checked():
    def raising(rng):
        yield Ask("Well?", Choice(("yes", "no")))
        raise ZeroDivisionError("oops")

    report = check_test(test("raising-v1")(raising), options=QUICK)
    assert not report.passed
    assert len(report.checks) == 1
    assert "ZeroDivisionError: oops" in str(report)
    with pytest.raises(BrokenTest, match="does not keep the contract"):
        report.require()


def test_scoring_that_raises_is_caught():
    def score(record, truths):
        return {"first": float(record.answers[0].value)}

    found = check_ends(trial_of(good, score=score))
    assert found.passed is False
    assert "raised ValueError" in found.words
    assert "The scoring of" in found.words


def test_breaking_on_declined_answers_is_caught():
    def proud(rng):
        answer = yield Ask("A number?", Number(0, 1))
        yield Ask(f"Twice that is {answer * 2}.")

    found = check_declines(trial_of(proud))
    assert found.passed is False
    assert "declined answers" in found.words


def test_asking_for_ever_until_answered_is_caught():
    def stubborn(rng):
        answer = None
        while answer is None:
            answer = yield Ask("You must answer.", Choice(("yes", "no")))

    trial = trial_of(stubborn)
    assert check_ends(trial).passed
    found = check_declines(trial)
    assert found.passed is False
    assert "does not finish" in found.words


def test_breaking_only_on_lapses_is_caught():
    def timed(rng, *, clock):
        answer = yield Ask("Quick!", Number(0, 1), until=5)
        if answer is None and clock.now == 5:
            raise RuntimeError("too late")

    found = check_declines(trial_of(timed))
    assert found.passed is False
    assert "lapsed asks" in found.words


def test_chance_from_elsewhere_is_caught():
    outside = np.random.default_rng()

    def leaky(rng):
        yield Ask(f"Is it {outside.random()}?", Choice(("yes", "no")), key="q")

    found = check_replays_alike(trial_of(leaky))
    assert found.passed is False
    assert "two sessions of one seed differ" in found.words


def test_state_outside_the_generator_is_caught():
    calls = itertools.count()

    def stateful(rng):
        for _ in range(3):
            yield Ask(f"Ask number {next(calls)}.", Choice(("yes", "no")))

    assert check_replays_alike(trial_of(stateful)).passed is False


def saving(rng, *, saved=None):
    """Count, with a save after each ask."""
    start, total = (0, 0) if saved is None else (saved["i"], saved["total"])
    for i in range(start, 4):
        answer = yield Ask(f"So far {total}. Add?", Number(0, 9, integer=True), key=f"q{i}")
        total += answer or 0
        yield Save({"i": i + 1, "total": total})


def test_saves_that_hold_everything_pass():
    found = check_saves(trial_of(saving))
    assert found.passed, found
    assert found.words.startswith("4 saves")


def test_a_save_that_forgets_is_caught():
    def forgetful(rng, *, saved=None):
        start, total = (0, 0) if saved is None else (saved, 0)
        for i in range(start, 4):
            answer = yield Ask(f"So far {total}. Add?", Number(1, 9, integer=True), key=f"q{i}")
            total += answer or 0
            yield Save(i + 1)

    found = check_saves(trial_of(forgetful))
    assert found.passed is False
    assert "then from the save at 3: event 4" in found.words


def test_a_save_that_comes_twice_is_caught():
    def twice(rng, *, saved=None):
        for i in range(saved or 0, 3):
            yield Save(i)
            yield Ask(f"Number {i}?", Choice(("yes", "no")), key=f"q{i}")

    found = check_saves(trial_of(twice))
    assert found.passed is False
    assert "once more when it goes on from it" in found.words


def test_a_save_that_does_not_survive_json_is_caught():
    def keyed(rng, *, saved=None):
        seen = {} if saved is None else saved
        for i in range(len(seen), 3):
            yield Ask(f"Seen {sorted(seen.items(), key=str)}.", Choice(("yes", "no")), key=f"q{i}")
            seen[i] = True
            yield Save(dict(seen))

    assert check_saves(trial_of(keyed)).passed is False


def test_saves_that_are_not_taken_back_are_caught():
    def deaf(rng):
        yield Ask("One?", Choice(("yes", "no")))
        yield Save({})
        yield Ask("Two?", Choice(("yes", "no")))

    found = check_saves(trial_of(deaf))
    assert found.passed is False
    assert "add saved=None to its arguments" in found.words


def test_no_saves_is_no_fault():
    assert check_saves(trial_of(good)).passed is None

    def never(rng, *, saved=None):
        yield Ask("One?", Choice(("yes", "no")))

    assert "takes `saved` but yields no Save" in check_saves(trial_of(never)).words


def test_the_right_answer_in_a_fixed_place_of_the_options_is_caught():
    def first_is_right(rng):
        for i in range(12):
            letters = tuple(rng.permutation(list("abcd")).tolist())
            yield Ask("Which?", Choice(letters), key=f"q{i}", truth=letters[0])

    found = check_truth_hidden(trial_of(first_is_right))
    assert found.passed is False
    assert "options, number 1" in found.words


def test_the_right_answer_in_the_key_is_caught():
    def keyed(rng):
        for i in range(12):
            right = "abc"[int(rng.integers(3))]
            yield Ask("Which?", Choice(("a", "b", "c")), key=f"q{i}-{right}", truth=right)

    found = check_truth_hidden(trial_of(keyed))
    assert found.passed is False
    assert "part 2 of the key" in found.words


@dataclass(frozen=True)
class Sly(Prompt):
    """Shows a question and carries its answer."""

    kind: ClassVar[str] = "sly"
    question: str
    answer: str

    def data(self):
        return {"kind": self.kind, "question": self.question}

    def text(self):
        return self.question


def test_the_right_answer_behind_the_prompt_is_caught():
    def sly(rng):
        for i in range(12):
            right = "abc"[int(rng.integers(3))]
            yield Ask(Sly("Which?", right), Choice(("a", "b", "c")), key=f"q{i}", truth=right)

    found = check_truth_hidden(trial_of(sly))
    assert found.passed is False
    assert "the attribute answer of the prompt" in found.words


def test_tests_without_truths_have_none_to_hide():
    assert check_truth_hidden(trial_of(saving)).passed is None


@dataclass(frozen=True)
class Grumpy(Text):
    """Refuses without a sentence."""

    kind: ClassVar[str] = "grumpy"

    def check(self, answer):
        if not isinstance(answer, str):
            raise Invalid("no")
        return answer


@dataclass(frozen=True)
class Fragile(Text):
    """Raises where it should refuse."""

    kind: ClassVar[str] = "fragile"

    def check(self, answer):
        return answer.strip()


@dataclass(frozen=True)
class Greedy(Text):
    """Takes anything."""

    kind: ClassVar[str] = "greedy"

    def check(self, answer):
        return "anything"


@dataclass(frozen=True)
class Restless(Text):
    """Changes its own valid answers."""

    kind: ClassVar[str] = "restless"

    def check(self, answer):
        return super().check(answer) + "."


@dataclass(frozen=True)
class Picky(Text):
    """Refuses what it draws itself."""

    kind: ClassVar[str] = "picky"

    def check(self, answer):
        if isinstance(answer, str) and answer == "please":
            return answer
        raise Invalid("Say please.")

    def draw(self, rng):
        return "please" if rng.random() < 0.5 else "now"


@pytest.mark.parametrize(
    ("space", "words"),
    [
        (Grumpy(), "which is no sentence"),
        (Fragile(), "instead of refusing it"),
        (Greedy(), "takes anything"),
        (Restless(), "does not leave its own valid answer"),
        (Picky(), "and refuses it"),
    ],
)
def test_spaces_that_do_not_check_are_caught(space, words):
    def asking(rng):
        yield Ask("Please?", space)

    found = check_invalid_refused(trial_of(asking))
    assert found.passed is False
    assert words in found.words, found.words


def test_asking_nothing_is_no_fault():
    def telling(rng):
        yield Ask("Nothing to do.")

    assert check_invalid_refused(trial_of(telling)).passed is None


def test_sentences_are_told_from_mumbling():
    assert is_sentence("Choose one of red, blue.")
    assert not is_sentence("invalid")
    assert not is_sentence("a value is out of range")


@pytest.mark.parametrize(
    ("chance", "passed", "words"),
    [
        ({"accuracy": 1 / 3}, True, "declared 0.3333"),
        ({"accuracy": 0.9}, False, "declared 0.9"),
        ({"brilliance": 0.5}, False, "scores are accuracy"),
        ({}, None, "none is declared"),
    ],
)
def test_wrong_chance_levels_are_caught(chance, passed, words):
    made = test("level-v1", chance=chance)(good)
    found = check_chance_level(make_trial(made, options=CheckOptions(sessions=20)))
    assert found.passed is passed
    assert words in found.words


def test_a_chance_level_that_is_exact_must_be_exact():
    def score(record, truths):
        return {"constant": 2.0}

    assert check_chance_level(trial_of(good, score=score, chance={"constant": 2.0})).passed
    assert check_chance_level(trial_of(good, score=score, chance={"constant": 2.1})).passed is False


def test_an_event_too_rare_to_be_seen_is_no_fault():
    def score(record, truths):
        return {"reached": Items([1.0] * 10)}

    # Fifty hits in fifty are likely at 0.999 and out of the question at 0.7.
    assert check_chance_level(trial_of(good, score=score, chance={"reached": 0.999})).passed
    assert check_chance_level(trial_of(good, score=score, chance={"reached": 0.7})).passed is False


def test_a_level_for_what_is_never_scored_is_caught():
    def score(record, truths):
        return {"never": Items([np.nan])}

    found = check_chance_level(trial_of(good, score=score, chance={"never": 0.0}))
    assert found.passed is False
    assert "too few to judge" in found.words


def test_a_test_of_its_own_chance_is_measured_by_that():
    class AlwaysA:
        def __call__(self, ask):
            return "a"

    def all_a(rng):
        for i in range(3):
            yield Ask("Which?", Choice(("a", "b")), key=f"q{i}", truth="a")

    assert check_chance_level(trial_of(all_a, subjects={"chance": AlwaysA}, chance={"accuracy": 1.0})).passed


def running_world(rng, *, clock, fair: bool = True):
    """A world of ten ticks that tells its time; unfair, it steps on answers too."""
    step = 0
    while step < 10:
        edge = clock.now + 1 if not fair else step + 1
        yield Ask("Go on?", Choice(("yes", "no")), key="act", until=edge)
        if not fair or clock.now >= step + 1:
            step += 1
            yield Ask(f"Step {step}.", key=f"step{step}")
    return Outcome()


class Quiet:
    """Says nothing."""

    def __call__(self, ask):
        return Wait()


class Chatty:
    """Says yes to everything."""

    def __call__(self, ask):
        return "yes"


PACE = {"subjects": {"silent": Quiet, "talkative": Chatty}, "timing": Timing(cost=0)}


def test_a_world_that_steps_on_answers_is_caught():
    def unfair(rng, *, clock):
        return (yield from running_world(rng, clock=clock, fair=False))

    found = check_world_speed(trial_of(unfair, **PACE))
    assert found.passed is False
    assert "for a silent subject, but" in found.words


def test_a_world_that_steps_on_time_alone_passes():
    def fair(rng, *, clock):
        return (yield from running_world(rng, clock=clock))

    class ChattyEnough:
        """Says yes a few times, then nothing: at no cost, talk without pause would never let time pass."""

        said = 0

        def __call__(self, ask):
            self.said += 1
            return Wait() if self.said % 4 == 0 else "yes"

    pace = {**PACE, "subjects": {"silent": Quiet, "talkative": ChattyEnough}}
    found = check_world_speed(trial_of(fair, **pace))
    assert found.passed, found
    idle_only = check_world_speed(trial_of(fair))
    assert idle_only.passed
    assert "would tell more" in idle_only.words


def test_a_test_without_clock_has_no_pace():
    assert check_world_speed(trial_of(good)).passed is None


@pytest.mark.parametrize(("accuracy", "passed"), [(1.0, True), (0.8, False)])
def test_a_batch_form_that_says_otherwise_is_caught(accuracy, passed):
    def batch(rng, subject, **parameters):
        return Scores({"accuracy": accuracy}) if isinstance(subject, Knowing) else None

    class Knowing:
        def __call__(self, ask):
            return "a"

    def all_a(rng):
        for i in range(3):
            yield Ask("Which?", Choice(("a", "b")), key=f"q{i}", truth="a")

    made = {"subjects": {"knowing": Knowing, "other": Chatty}, "batch": batch}
    found = check_batch(trial_of(all_a, **made))
    assert found.passed is passed


def test_a_batch_form_with_other_scores_is_caught_and_none_is_no_fault():
    def batch(rng, subject, **parameters):
        return Scores({"else": 1.0})

    class Letters:
        def __call__(self, ask):
            return "a"

    found = check_batch(trial_of(good, subjects={"letters": Letters}, batch=batch))
    assert found.passed is False
    assert "the arrays else" in found.words
    assert check_batch(trial_of(good)).passed is None
    assert check_batch(trial_of(good, subjects={"a": Letters}, batch=lambda rng, subject, **given: None)).passed is None


def test_a_batch_form_that_raises_is_caught():
    def batch(rng, subject, **parameters):
        raise IndexError("oops")

    made = test("raising-v1", subjects={"chatty": Chatty}, batch=batch)(good)
    report = check_test(made, options=QUICK)
    assert [(check.name, check.words) for check in report.failed] == [("batch", "it raised IndexError: oops")]


def test_a_change_of_behaviour_shows_as_a_readable_diff(tmp_path):
    before = test("golden-v1")(good)
    path = update_golden(before, tmp_path, options=QUICK, asks=6)
    assert path.name == "golden-v1.jsonl"
    # Written with six asks, compared as it was written whatever the parameters now.
    assert check_golden(make_trial(before, options=QUICK), tmp_path).passed

    def changed(rng, *, asks: int = 12):
        for ask in good(rng, asks=asks):
            ask.prompt = ask.prompt.replace("Which letter?", "What letter?")
            yield ask

    found = check_golden(make_trial(test("golden-v1")(changed), options=QUICK), tmp_path)
    assert found.passed is False
    assert "raise the version" in found.words
    assert "-{" in found.words
    assert "What letter? 0" in found.words
    assert check_golden(make_trial(before, options=QUICK), None).passed is None
    assert check_golden(make_trial(before, options=QUICK), tmp_path / "elsewhere").passed is None


def test_of_a_long_session_the_rest_is_kept_as_a_hash(tmp_path):
    def long(rng, *, last: str = "end"):
        for i in range(200):
            yield Ask(f"Number {i if i < 199 else last}?", Probability(), key=f"q{i}")

    made = make_trial(test("long-v1")(long), options=CheckOptions())
    path = update_golden(made.test, tmp_path)
    assert '"further events"' in path.read_text()
    assert check_golden(made, tmp_path).passed

    def other(rng, *, last: str = "end"):
        yield from long(rng, last="close")

    assert check_golden(make_trial(test("long-v1")(other)), tmp_path).passed is False


def test_a_truth_that_always_stands_at_one_place_of_the_prompt_is_caught():
    def telling(rng):
        for i in range(12):
            truth = float(rng.random())
            yield Ask(TableView(("hint", "noise"), [(truth, rng.random())]), Number(), key=f"k{i}", truth=truth)

    def evident(rng):
        for i in range(12):
            shown = [int(number) for number in rng.permutation(5)]
            yield Ask(f"Which is largest: {shown}?", Number(), key=f"k{i}", truth=4)

    found = check_truth_hidden(trial_of(telling))
    assert found.passed is False
    assert "part 1 of the prompt, rows, number 1, number 1" in found.words
    assert check_truth_hidden(trial_of(evident)).passed
