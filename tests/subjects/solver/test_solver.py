"""Solvers: functions of several steps round any subject, with every step in the record."""

import asyncio
import threading
from importlib.metadata import EntryPoint

import numpy as np
import pytest

import mensura
from mensura.dialogue import Ask, Choice, Noted, Number, Outcome, Probability, Refused, Text, Wait, test
from mensura.errors import BadFile, BadParameter, SubjectCrashed, SubjectLost, UnknownName
from mensura.running.run import RunOptions, resume_run
from mensura.running.together import AtOnce
from mensura.subjects import Constant, SubjectSpec
from mensura.subjects.loop import wait_for
from mensura.subjects.sandbox.confinement import Confinement
from mensura.subjects.sandbox.isolation import isolation_of
from mensura.subjects.solver.solver import Solved

HEADS = Ask("Heads?", Probability(), key="heads", truth=1, reward=2.0)


@test("even-v1", subjects={"half": lambda ask: 0.5})
def even(rng):
    """Say the chance of heads."""
    yield Ask("Heads?", Probability())


def twice(ask, *, add: float = 0.0):
    """Give the mean of two answers."""
    first = yield ask
    second = yield ask
    return (first + second) / 2 + add


def at_once(ask, *, samples: int = 3):
    """Give the largest answer of several copies."""
    replies = yield [ask] * samples
    return Noted(max(replies), {"heard": "all"})


class Paid:
    """Answers with what it cost, plainly and in asyncio."""

    def __init__(self, *answers, cost=0.5):
        self.left, self.cost, self.asked, self.heard = list(answers), cost, [], []

    def __call__(self, ask):
        self.asked.append(ask)
        return Noted(
            self.left.pop(0), {"model": "m", "tokens_in": 3, "tokens_out": 4, "cost": self.cost, "seconds": 1.5}
        )

    async def answer(self, ask):
        await asyncio.sleep(0)
        return self(ask)

    def feedback(self, told):
        self.heard.append(told.prompt)

    def remember(self, ask, answer):
        self.heard.append((ask.key, answer))


def both_ways(make):
    """Ask a subject by its call, and another one like it by its coroutine; both must give the same."""
    plain, awaited = make(), make()
    reply = plain(HEADS)
    assert wait_for(awaited.answer(HEADS)) == reply
    return reply


def test_every_step_is_noted_and_what_it_cost_is_added():
    reply = both_ways(lambda: Solved([Paid(0.25, 0.75)], solve=twice))
    step = {"model": "m", "tokens_in": 3, "tokens_out": 4, "cost": 0.5, "seconds": 1.5}
    assert reply.value == 0.5
    assert reply.notes == {
        "tokens_in": 6,
        "tokens_out": 8,
        "cost": 1.0,
        "seconds": 3.0,
        "solver": "twice",
        "steps": [{"answer": 0.25, **step}, {"answer": 0.75, **step}],
    }


def test_a_cost_that_is_not_known_is_not_zero():
    one, other = Paid(0.5), Paid(0.75, cost=None)
    reply = Solved([one, other], solve=at_once, options={"samples": 2})(HEADS)
    assert (reply.notes["cost"], reply.notes["tokens_in"]) == (None, 6)


def test_what_all_steps_took_from_a_cache_is_no_new_observation():
    def gives(*cached):
        left = iter(cached)
        return lambda ask: Noted(0.5, {"cached": True} if next(left) else {})

    assert Solved([gives(True, True)], solve=twice)(HEADS).notes["cached"] is True
    assert "cached" not in Solved([gives(True, False)], solve=twice)(HEADS).notes


def test_several_copies_are_asked_at_once_and_heard_in_order():
    reply = both_ways(lambda: Solved([Paid(0.1), Paid(0.9), Paid(0.5)], solve=at_once))
    assert (reply.value, reply.notes["heard"]) == (0.9, "all")
    assert [step["answer"] for step in reply.notes["steps"]] == [0.1, 0.9, 0.5]


def test_in_asyncio_a_subject_without_a_coroutine_answers_in_a_thread():
    where = []

    def slow(ask):
        where.append(threading.current_thread() is threading.main_thread())
        return 0.25

    group = Solved([Paid(0.75), slow], solve=at_once, options={"samples": 2})
    assert wait_for(group.answer(HEADS)).value == 0.75
    assert where == [False]
    assert wait_for(Solved([slow], solve=twice).answer(HEADS)).value == 0.25


def test_in_asyncio_a_member_that_fails_fails_the_solver():
    def broken(ask):
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        wait_for(Solved([Paid(0.5), broken], solve=at_once, options={"samples": 2}).answer(HEADS))


@pytest.mark.parametrize("solve", [twice, at_once])
def test_what_was_paid_before_or_beside_a_failure_is_kept_with_it(solve):
    class Leaving(Paid):
        def __call__(self, ask):
            if not self.left:
                failed = SubjectLost("Gone.")
                failed.notes = {"tokens_in": 1, "tokens_out": 1, "cost": None}
                raise failed
            return super().__call__(ask)

    def made():
        members = [Leaving(0.5)] if solve is twice else [Leaving(0.5), Leaving(), Leaving(0.7)]
        return Solved(members, solve=solve)

    with pytest.raises(SubjectLost, match="Gone") as plainly:
        made()(HEADS)
    with pytest.raises(SubjectLost, match="Gone") as awaited:
        wait_for(made().answer(HEADS))
    # Asked one after the other, the third of three is not asked any more.
    assert plainly.value.notes == {"tokens_in": 4, "tokens_out": 5, "cost": None, "seconds": 1.5}
    beside = 2 if solve is at_once else 1
    assert awaited.value.notes["tokens_in"] == 3 * beside + 1


def test_a_summary_that_a_step_took_is_counted_with_it():
    def summing(ask):
        return Noted(0.5, {"tokens_in": 3, "cost": 1.0, "summary": {"text": "so far", "tokens_in": 5, "cost": 2.0}})

    notes = Solved([summing], solve=twice)(HEADS).notes
    assert (notes["tokens_in"], notes["cost"]) == (16, 6.0)


def test_neither_function_nor_subject_sees_the_truth_and_a_reward_is_told_once():
    seen = []

    def watching(ask):
        seen.append(ask.truth)
        return (yield from twice(ask))

    inner = Paid(0.25, 0.75)
    Solved([inner], solve=watching)(HEADS)
    assert seen == [None]
    assert [ask.truth for ask in inner.asked] == [None, None]
    assert [ask.reward for ask in inner.asked] == [2.0, None]


def test_a_subject_that_is_declared_to_know_is_told_and_its_solver_is_marked():
    class Oracle:
        knows = "truth"

        def __call__(self, ask):
            return ask.truth

    solver = Solved([Oracle()], solve=twice)
    assert (solver.knows, solver(HEADS).value) == ("truth", 1)


def test_refusals_and_waits_reach_the_function_and_its_own_reach_the_record():
    def second_chance(ask):
        first = yield ask
        return (yield ask) if isinstance(first, Refused) else first

    replies = iter([Refused("no"), 0.5])
    reply = Solved([lambda ask: next(replies)], solve=second_chance)(HEADS)
    assert (reply.value, reply.notes["steps"]) == (0.5, [{"refused": "no"}, {"answer": 0.5}])
    assert Solved([lambda ask: Wait()], solve=second_chance)(HEADS) == Wait()


def test_a_session_passes_through_to_the_subject():
    inner = Paid(0.5)
    solver = Solved([inner], solve=twice)
    solver.begin(np.random.default_rng(1))
    solver.feedback(Ask("Told."))
    solver.remember(HEADS, 0.5)
    solver.end(Outcome())
    solver.close()
    assert inner.heard == ["Told.", ("heads", 0.5)]
    assert not hasattr(Solved([Constant(1)], solve=twice), "remember")
    assert Solved([Constant(1)], solve=twice).recomputes


@pytest.mark.parametrize(
    ("solve", "words"),
    [
        (lambda ask: 0.5, "is not a generator"),
        (lambda ask: (yield "what?"), "yielded 'what\\?'; it yields Asks"),
        (lambda ask: (yield Ask("Told.")), "it yields Asks with a space"),
        (lambda ask: (yield [ask, ask]), "asks 2 copies of the subject and has 1; let it take `samples`"),
    ],
)
def test_a_function_that_is_no_solver_is_told_what_one_is(solve, words):
    with pytest.raises(SubjectCrashed, match=words):
        Solved([Constant(0.5)], solve=solve)(HEADS)


def test_solvers_are_named_nested_and_of_ones_own(tmp_path):
    (tmp_path / "mine.py").write_text(
        "def lower(ask, *, rng, by=0.1):\n"
        "    reply = yield ask\n"
        "    return reply - by - 0 * rng.random()\n\n"
        "class Lower:\n"
        "    def __init__(self, *, by, folder):\n"
        "        self.by = by\n"
        "    def __call__(self, ask):\n"
        "        return (yield ask) - self.by\n"
    )

    def make(name, **options):
        return SubjectSpec(name, options, folder=str(tmp_path)).make(even)

    reply = make("solve:./mine.py:lower(half)#by=0.25")(HEADS)
    assert (reply.value, reply.notes["solver"]) == (0.25, "./mine.py:lower")
    assert make("solve:./mine.py:Lower(half)#by=0.25")(HEADS).value == 0.25
    nested = make("solve:./mine.py:lower(team:mean(half,solve:self-consistency(half)#samples=2))")
    found = nested(HEADS)
    assert found.value == 0.4
    assert found.notes["steps"][0]["members"][1]["notes"]["solver"] == "self-consistency"
    assert nested.name == "solve:./mine.py:lower(team:mean(half,solve:self-consistency(half)#samples=2))"
    solver = make("solve:cot(program:true)", members={"program:true": {"answer_seconds": 3}})
    assert solver.members[0].bounds.answer_seconds == 3


@pytest.mark.parametrize(
    ("name", "kind", "words"),
    [
        ("solve:cott(half)", UnknownName, "no solver called 'cott'. Did you mean cot"),
        ("solve:cot(halv)", UnknownName, "Did you mean half"),
        ("solve:cot", BadParameter, "solve:SOLVER\\(SUBJECT\\)"),
        ("solve:cot()", BadParameter, "solve:SOLVER\\(SUBJECT\\)"),
        ("solve:cot(half)#depth=2", BadParameter, "no option of this subject called 'depth'"),
        ("solve:self-consistency(half)#samples=0", BadParameter, "at least 1; got 0"),
        ("solve:few-shot(half)", BadParameter, "few-shot cannot be made: missing a required.*examples"),
    ],
)
def test_what_is_wrong_with_the_name_of_a_solver_is_said(name, kind, words):
    with pytest.raises(kind, match=words):
        SubjectSpec(name).find(even)


def test_cost_sandbox_and_knowledge_are_those_of_the_subject_inside():
    inside = isolation_of(SubjectSpec("solve:cot(llm:m@http://localhost/v1)"), even, Confinement())
    assert (inside.kind, [name for name, _ in inside.members]) == ("outside", ["llm:m@http://localhost/v1"])
    assert isolation_of(SubjectSpec("solve:./mine.py:mine(chance)"), even, Confinement()).kind == "trusted"
    assert isolation_of(SubjectSpec("solve:cot(program:true)"), even, Confinement(sandbox="off")).kind == "not isolated"
    assert SubjectSpec("solve:cot(program:true)").is_stranger(even)
    assert SubjectSpec("solve:critique(solve:cot(llm:m))").is_costly
    assert not SubjectSpec("solve:cot(half)").knows(even)


def test_two_runs_pair_by_item_whatever_the_solver_the_examples_and_the_permutation(tmp_path):
    """The same items asked plainly, and few-shot with permuted options: every item has its partner."""
    items = tmp_path / "items.jsonl"
    items.write_text(
        "\n".join(f'{{"prompt": "{i} + 1?", "options": ["right", "wrong"], "answer": 0}}' for i in range(8))
    )
    shots = tmp_path / "shots.jsonl"
    shots.write_text('{"prompt": "90 + 1?", "answer": "91"}\n')
    with mensura.open_store(tmp_path / "x.db") as store:
        plain = mensura.run(str(items), "chance", store=store, seed=1)
        name = f"solve:few-shot(chance)#examples={shots}#shots=1"
        solved = mensura.run(str(items), name, store=store, seed=2, parameters={"shuffle": True})
        found = mensura.compare(plain, solved, store=store)
        (notes, *_) = [answer.notes for record in store.records.of(solved.ids[0]) for answer in record.answers]
    assert found.findings["accuracy"].paired
    assert found.findings["accuracy"].difference.n == 8
    assert notes["solver"] == "few-shot"
    assert len(notes["examples"]) == 1


@pytest.mark.parametrize("beside", [False, True])
@pytest.mark.parametrize(
    "name", ["solve:self-consistency(chance)#samples=3", "team:mean(chance,solve:critique(chance))"]
)
def test_many_sessions_at_once_have_the_answers_of_one_after_the_other(tmp_path, monkeypatch, name, beside):
    lines = [{"prompt": f"Item {i}", "answer": True, "space": "probability"} for i in range(6)]
    bank = mensura.bank(lines, name="six")
    with mensura.open_store(tmp_path / "x.db") as store:
        alone = mensura.run(bank, name, store=store, seed=1)
        monkeypatch.setattr(SubjectSpec, "answers_beside", beside)
        at_once = mensura.run(bank, name, store=store, seed=1, options=RunOptions(AtOnce(4)))
        given = [
            {
                record.item: [(answer.value, answer.notes) for answer in record.answers]
                for record in store.records.of(id)
            }
            for id in (*alone.ids, *at_once.ids)
        ]
    assert given[0] == given[1]
    assert len(given[0]) == 6


def test_a_run_is_not_resumed_with_another_solver_or_other_examples(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.py").write_text("def once(ask):\n    return (yield ask)\n")
    (tmp_path / "shots.jsonl").write_text('{"prompt": "A bent coin.", "answer": 0.6}')
    name = "solve:./mine.py:once(solve:few-shot(stated)#examples=shots.jsonl#shots=1)"
    with mensura.open_store(tmp_path / "x.db") as store:
        done = mensura.run("coin", name, store=store, seed=1)
        assert sorted(done.result.head.details["code"]) == ["./mine.py:once", "shots.jsonl"]
        resume_run(done.ids[0], store=store)
        (tmp_path / "shots.jsonl").write_text('{"prompt": "A straight coin.", "answer": 0.5}')
        with pytest.raises(BadFile, match=r"shots\.jsonl was changed"):
            resume_run(done.ids[0], store=store)


def test_choices_and_numbers_pass_through_our_own_solvers():
    for space, value in ((Choice(("a", "b")), "b"), (Number(), 3), (Text(), "word")):
        ask = Ask("?", space)
        for title in ("self-consistency", "critique"):
            subject = SubjectSpec(f"solve:{title}(constant:{value})").make(even)
            assert space.check(subject(ask).value) == value


def test_packages_bring_solvers_by_entry_point(monkeypatch):
    point = EntryPoint("twice", f"{__name__}:twice", "mensura.solvers")
    monkeypatch.setattr("mensura.subjects.solver.solver.extensions", lambda group: {"twice": point})
    reply = SubjectSpec("solve:twice(half)#add=0.25").make(even)(HEADS)
    assert (reply.value, reply.notes["solver"]) == (0.75, "twice")
    assert isolation_of(SubjectSpec("solve:twice(half)"), even, Confinement()).kind == "trusted"
