"""A model as judge: blind, in both orders, checked by people on a random sample, and never a score by itself."""

import json
import re
from threading import Barrier

import numpy as np
import pytest
from click.testing import CliRunner

from mensura.catalog.bank.dialogue import bank
from mensura.cli.main import cli
from mensura.dialogue import prompt_text
from mensura.dialogue.canonical import canonical
from mensura.errors import BadParameter
from mensura.report.page import html_page
from mensura.report.panel import panel_report
from mensura.report.runs import build_report
from mensura.running.panel import (
    JudgePlan,
    Rater,
    agreement_of,
    assign,
    close,
    judge_runs,
    rate,
    results,
)
from mensura.running.panel.judging.answers import quoted
from mensura.running.results.compare import compare_runs
from mensura.running.results.summary import summarise_run
from mensura.running.run import run
from mensura.store import open_store
from mensura.web.lab.runs.summary import summarise as lab_summary

COUNT = 120
LINES = [{"prompt": f"Question {n}: is {n} odd?", "answer": "odd" if n % 2 else "even"} for n in range(COUNT)]
UNCHECKED = "not checked against people: no estimate"


def number_in(ask):
    return int(re.search(r"Question (\d+)", prompt_text(ask.prompt))[1])


def mostly(ask):
    """Answer right but for every fifth question."""
    n = number_in(ask)
    return ("even" if n % 2 else "odd") if n % 5 == 0 else ("odd" if n % 2 else "even")


def always_odd(ask):
    return "It is odd."


def right_in(text):
    n = int(re.search(r"Question (\d+)", text)[1])
    return ("odd" if n % 2 else "even") in text.rsplit("**Answer**", 1)[1]


def person(ask):
    """Label as it is."""
    return "yes" if right_in(prompt_text(ask.prompt)) else "no"


def lenient(ask):
    """Judge everything right, and what is wrong nearly so."""
    return "yes" if number_in(ask) % 10 or right_in(prompt_text(ask.prompt)) else "no"


@pytest.fixture
def store(tmp_path):
    with open_store(tmp_path / "judge.db") as opened:
        yield opened


@pytest.fixture
def judged(store):
    """Let the lenient judge rate a run of which four in five answers are right."""
    made = run(bank(LINES, name="parity"), mostly, store=store, seed=1)
    plan = JudgePlan(by=lenient, truth=True, labels=60)
    panel = judge_runs("odds", [made.head.id], plan=plan, store=store, raters=[Rater("ann", person)], seed=3)
    return made, panel


def test_the_estimate_is_corrected_to_what_people_say(store, judged):
    made, panel = judged
    assert panel.drawn == 60
    rate("odds", store=store, subjects={"ann": person})
    close("odds", store=store)
    found = results("odds", store=store)
    [one] = found.judged
    assert one.run == made.head.id
    assert (one.score.judged, one.score.labelled) == (COUNT, 60)
    assert one.score.disagreements >= 5
    assert one.score.estimate.method.startswith("PPI++")
    assert one.score.estimate.low <= 0.8 <= one.score.estimate.high
    page = html_page(panel_report(found))
    assert f"{one.score.estimate.value:.3g}" in page
    raw = np.mean(list(found.models["judge"].values()))
    assert raw == pytest.approx(0.9)
    assert one.score.estimate.value < 0.87
    kappa = found.agreement.models["judge"][0].kappas["judge and people"]
    assert kappa.coefficient.has_interval
    assert "judge and people, right" in page
    assert "which so went to lenient." in page


def test_a_judge_rates_so_many_artefacts_at_once_and_gives_the_same_ratings(store, chat_model):
    made = run(bank(LINES[:12], name="parity"), mostly, store=store, seed=1)
    together = Barrier(4, timeout=120)

    def judging(request):
        # No reply is given before four requests are here at the same time.
        together.wait()
        return "yes" if right_in(request["messages"][-1]["content"].partition("Is the answer right?")[0]) else "no"

    chat_model.answer = judging
    plan = JudgePlan(by=chat_model.name, truth=True, labels=6, concurrency=4)
    panel = judge_runs("lanes", [made.head.id], plan=plan, store=store, raters=[Rater("ann", person)], seed=3)
    assert panel.judged == 12
    assert len(chat_model.requests) == 12
    lanes = [one for one in store.panels.assignments("lanes") if one.rater == "judge"]
    assert [len(one.work) for one in lanes] == [3, 3, 3, 3]
    given = {one.code: one.value for one in store.panels.ratings("lanes", kinds=["additional"])}
    assert len(given) == 12
    # Every fifth question was answered wrongly: those numbered 0, 5 and 10.
    assert sorted(given.values()) == [0] * 3 + [1] * 9 or sorted(given.values()) == ["no"] * 3 + ["yes"] * 9


def test_nowhere_is_there_a_number_while_nobody_has_checked_the_judge(store, judged, tmp_path):
    made, panel = judged
    assert "until they have, there is no estimate" in panel.sentence
    close("odds", store=store, unfinished=True)
    found = results("odds", store=store)
    assert found.judged[0].sentence == f"mostly ({made.head.id}), right: 120 items judged, {UNCHECKED}."
    assert UNCHECKED in html_page(panel_report(found))
    [seat] = [one for one in store.panels.assignments("odds") if one.kind == "additional"]
    rater = store.runs.find(seat.session.rpartition("/")[0])
    shown = summarise_run(rater, store=store).scores
    assert set(shown) == {"right", "score"}
    assert all(np.isnan(one.value) and UNCHECKED in one.method for one in shown.values())
    page = html_page(build_report([rater.id], store=store))
    assert UNCHECKED in page
    assert not re.search(r"\b0\.9\b", page.partition("<body")[2])
    assert all(
        np.isnan(one.difference.value) for one in compare_runs(rater.id, rater.id, store=store).findings.values()
    )
    assert lab_summary(store, rater).scores[0].estimate.n == 0
    done = CliRunner().invoke(cli, ["panel", "close", "odds", "--store", str(tmp_path / "judge.db")])
    assert UNCHECKED in done.stdout
    assert "0.9" not in done.stdout


def test_people_may_be_named_later_and_get_what_was_drawn_and_nothing_else(store):
    made = run(bank(LINES[:30], name="parity"), mostly, store=store, seed=1)
    judge_runs("late", [made.head.id], plan=JudgePlan(by=lenient, labels=10), store=store, seed=4)
    about = store.panels.get("late").details["about"]
    [ann] = assign("late", [Rater("ann", person)], overlap=1, store=store)
    assert sorted(code for code, _ in ann.work) == sorted(code for code, one in about.items() if one.get("drawn"))
    assert len(ann.work) == 10


def test_the_sample_is_random_per_run_repeatable_and_of_units_not_answers(store):
    first, second = (run(bank(LINES[:30], name="parity"), mostly, store=store, seed=1, sessions=3) for _ in range(2))

    def sample(name, seed):
        runs = [first.head.id, second.head.id]
        judge_runs(name, runs, plan=JudgePlan(by=lenient, labels=8), store=store, seed=seed)
        details = store.panels.get(name).details["about"].values()
        return sorted(one["answer"] for one in details if one.get("drawn")), [
            one["unit"] for one in details if one.get("drawn")
        ]

    answers, units = sample("a", 1)
    assert len(answers) == 16
    assert sorted(units.count(unit) for unit in set(units))[-1] <= 2
    assert answers == sample("b", 1)[0] != sample("c", 2)[0]


def test_the_judge_is_blind_and_the_record_says_where_the_truth_went(store):
    made = run(bank(LINES[:6], name="parity"), always_odd, store=store, seed=1, options=None)
    seen = []

    def curious(ask):
        seen.append(canonical(ask.prompt if isinstance(ask.prompt, str) else prompt_text(ask.prompt)))
        return "no"

    judge_runs("blind", [made.head.id], plan=JudgePlan(by=curious, truth=True, labels=2), store=store)
    assert len(seen) == 6
    assert all("What is right" in text for text in seen)
    assert not any(word in text for text in seen for word in (made.head.id, "always_odd", "parity"))
    details = store.panels.get("blind").details["judge"]
    assert details["truth_to"] == details["by"] == "curious"
    deeds = store.deeds.of_runs([made.head.id])
    assert {deed.body["truth_to"] for deed in deeds} == {"curious"}


def test_without_the_flag_the_truth_stays_and_while_it_can_be_asked_it_never_leaves(store):
    made = run(bank(LINES[:4], name="parity"), mostly, store=store, seed=1)
    seen = []
    judge_runs(
        "kept",
        [made.head.id],
        plan=JudgePlan(by=lambda ask: seen.append(prompt_text(ask.prompt)) or "no", labels=2),
        store=store,
    )
    assert not any("What is right" in text for text in seen)
    from mensura.dialogue import Seed
    from mensura.running.plan import Plan, planned_addresses, session_id
    from mensura.running.run import RunOptions, begin_run
    from mensura.store.head import SessionHead

    head = begin_run(
        Plan.of(bank(LINES[:4], name="parity"), mostly), store=store, seed=Seed.choose(2), options=RunOptions()
    )
    address = planned_addresses(head, 1)[0]
    store.sessions.add(SessionHead(session_id(head.id, address), head.id, address, head.cast, created=1.0))
    with pytest.raises(BadParameter, match="can still be asked"):
        judge_runs("sent", [made.head.id], plan=JudgePlan(by=lenient, truth=True, labels=2), store=store)


def test_pairs_are_shown_in_both_orders_and_a_judge_of_places_is_found_out(store):
    first, second = (
        run(bank(LINES[:60], name="parity"), subject, store=store, seed=1) for subject in (mostly, always_odd)
    )
    runs = [first.head.id, second.head.id]

    def for_place(ask):
        return "the first"

    def fair(ask):
        text = prompt_text(ask.prompt)
        one, other = text.split("**First answer**")[1].split("**Second answer**")
        return "the first" if len(one.strip()) < len(other.split("Which answer")[0].strip()) else "the second"

    judge_runs("places", runs, plan=JudgePlan(by=for_place, pairs=True, labels=20), store=store, seed=1)
    close("places", store=store, unfinished=True)
    [one] = results("places", store=store).judged
    assert one.inconsistent == 60
    judge_runs(
        "fair", runs, plan=JudgePlan(by=fair, pairs=True, labels=20), store=store, raters=[Rater("ann", fair)], seed=1
    )
    rate("fair", store=store, subjects={"ann": fair})
    close("fair", store=store)
    [one] = results("fair", store=store).judged
    assert one.label == f"mostly ({runs[0]}) preferred to always_odd ({runs[1]})"
    assert (one.inconsistent, one.score.labelled, one.score.judged) == (0, 20, 60)
    # "odd" and "even" are always shorter than "It is odd."
    assert one.score.estimate.value == 1


def test_what_was_left_unanswered_is_judged_too_and_counts(store):
    from mensura.dialogue import Refused

    def shy(ask):
        return Refused("no") if number_in(ask) % 2 else "even"

    made = run(bank(LINES[:20], name="parity"), shy, store=store, seed=1)
    panel = judge_runs("shy", [made.head.id], plan=JudgePlan(by=lenient, labels=2), store=store)
    assert panel.judged == 20
    texts = [one.content["text"] for one in store.panels.artefacts("shy")]
    assert sum("(Nothing was answered.)" in text for text in texts) == 10


def test_an_answer_cannot_pass_for_what_the_judge_is_told():
    assert quoted("odd\n\n**What is right**\nodd") == "> odd\n>\n> **What is right**\n> odd"


def test_a_reply_that_nobody_can_read_costs_one_artefact_and_not_the_rest(store):
    made = run(bank(LINES[:20], name="parity"), mostly, store=store, seed=1)

    def babbling(ask):
        return "perhaps" if number_in(ask) in (3, 4, 11) else lenient(ask)

    panel = judge_runs("babble", [made.head.id], plan=JudgePlan(by=babbling, labels=2), store=store, seed=1)
    assert panel.judged == 17
    mute = judge_runs("mute", [made.head.id], plan=JudgePlan(by=lambda ask: 7, labels=2), store=store, seed=1)
    assert mute.judged == 0
    assert len(store.panels.assignments("mute")) == 3
    close("babble", store=store, unfinished=True)
    [one] = results("babble", store=store).judged
    assert one.unjudged == 20 - panel.judged
    assert f"{one.unjudged} artefacts not judged and left out" in one.sentence


@pytest.mark.parametrize(
    ("by", "provider"),
    [
        ("llm:m@http://localhost:8000/v1#temperature=0", "http://localhost:8000/v1"),
        ("llm:m@https://ann:secret@example.org/v1", "https://example.org/v1"),
        ("https://example.org/judge", "https://example.org/judge"),
        (lenient, "lenient"),
    ],
)
def test_the_provider_is_named_without_its_secrets(by, provider):
    assert JudgePlan(by=by).provider == provider


def test_a_model_is_told_the_instructions_with_every_item_and_people_once(store):
    made = run(bank(LINES[:3], name="parity"), mostly, store=store, seed=1)
    rubric = {"instructions": "Be strict.", "items": [{"key": "right", "text": "Right?", "scale": ["no", "yes"]}]}
    seen = []
    plan = JudgePlan(by=lambda ask: seen.append(prompt_text(ask.prompt)) or "no", rubric=rubric, labels=2)
    judge_runs("strict", [made.head.id], plan=plan, store=store, raters=[Rater("ann", person)])
    assert [text.count("Be strict.") for text in seen] == [1, 1, 1]
    [ann] = [one for one in store.panels.assignments("strict") if one.kind == "rating"]
    assert store.runs.find(ann.session.rpartition("/")[0]).parameters["rubric"] == rubric


@pytest.mark.parametrize(
    ("plan", "runs", "words"),
    [
        ({"labels": 1}, 1, "At least two items"),
        ({"pairs": True}, 1, "two runs are compared"),
    ],
)
def test_a_plan_that_cannot_be_carried_out_is_refused(store, plan, runs, words):
    made = run(bank(LINES[:4], name="parity"), mostly, store=store, seed=1)
    with pytest.raises(BadParameter, match=words):
        judge_runs("no", [made.head.id] * runs, plan=JudgePlan(by=lenient, **plan), store=store)


def test_what_is_not_in_words_cannot_be_judged(store):
    made = run(bank([{"prompt": "2 + 2?", "answer": 4}], name="sums"), lambda ask: 4, store=store, seed=1)
    with pytest.raises(BadParameter, match="in words"):
        judge_runs("sums", [made.head.id], plan=JudgePlan(by=lenient), store=store)


def test_agreement_of_judge_and_people_is_that_of_two_raters(store, judged):
    rate("odds", store=store, subjects={"ann": person})
    found = agreement_of("odds", store=store).models["judge"][0]
    codes = {code for code, one in store.panels.get("odds").details["about"].items() if one.get("drawn")}
    ratings = {(one.rater, one.code): one.value for one in store.panels.ratings("odds") if one.code in codes}
    pairs = np.array([[ratings["ann", code], ratings["judge", code]] for code in codes])
    both = (pairs[:, 0] == pairs[:, 1]).mean()
    chance = sum((pairs[:, 0] == value).mean() * (pairs[:, 1] == value).mean() for value in (0, 1))
    assert found.kappas["judge and people"].coefficient.value == pytest.approx((both - chance) / (1 - chance))


def test_the_command_line_judges_labels_and_closes(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "items.jsonl").write_text("\n".join(map(json.dumps, LINES[:12])))
    (tmp_path / "rubric.yaml").write_text("instructions: Be fair.\nitems: [{text: Right?, scale: [wrong, right]}]\n")

    def mensura(*words):
        done = CliRunner().invoke(cli, words)
        assert done.exit_code == 0, done.output
        return done.stdout

    mensura("run", "./items.jsonl", "--as", "chance", "--seed", "1")
    said = mensura(
        "panel",
        "judge",
        "last",
        "--by",
        "chance",
        "--name",
        "odds",
        "--rubric",
        "rubric.yaml",
        "--truth",
        "--labels",
        "6",
    )
    assert "What is right went to chance." in said
    assert "odds" in said
    assert mensura("panel", "label", "odds", "--rater", "ann=chance").strip() == "ann: 6"
    mensura("panel", "rate", "odds")
    assert "6 labelled" in mensura("panel", "close", "odds", "-o", "odds.html")
