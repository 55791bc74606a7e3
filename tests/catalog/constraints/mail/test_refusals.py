"""What agents may not do is refused in a sentence, counted, and loses nothing else."""

import numpy as np
import pytest

from mensura.catalog.constraints.algorithms.abt import Abt
from mensura.catalog.constraints.dialogue import constraints
from mensura.catalog.constraints.mail.ends import RunEnds
from mensura.catalog.constraints.mail.letter import frozen
from mensura.dialogue import Refused
from mensura.errors import Invalid
from mensura.running.take import take
from tests.catalog.constraints.runs import carry, run


class Doing(Abt):
    """Solves the problem as it should, and at the start of one agent makes calls that cannot be."""

    calls = ()

    def start(self):
        if self.name == "x1":
            yield from self.calls
        yield from super().start()


@pytest.mark.parametrize(
    ("call", "sort", "words"),
    [
        (("send", "x9", "ok", 1, 0), "stranger", "x1 wrote to 'x9', and there is no such agent."),
        (("send", 7, "ok", 1, 0), "stranger", "x1 wrote to 7, and there is no such agent."),
        (("send", "x1", "ok", 1, 0), "itself", "x1 wrote to itself."),
        (("assign", "x1", 17, 0), "value", "x1 gave x1 the value 17, which is not in its domain."),
        (("assign", "x2", 1, 0), "variable", "x1 gave a value to 'x2', which is not its own."),
        (("stop", "tired", 0), "claim", "x1 stopped with 'tired'; a claim is solved, unsolvable, optimal."),
    ],
)
def test_a_call_that_cannot_be_is_counted_and_nothing_is_lost(call, sort, words):
    plain = run("abt", "queens:n=4")
    found = run(type("Doing", (Doing,), {"calls": (call,)})(), "queens:n=4")
    assert found["refused"] == {sort: 1}
    assert found["refusals"] == [words]
    assert [found[name] for name in ("verdict", "cycles", "checks")] == [
        plain[n] for n in ("verdict", "cycles", "checks")
    ]
    assert found["messages"]["total"] == plain["messages"]["total"]


def test_a_flood_is_cut_off_at_the_rate_limit():
    calls = (("send", ["x0"] * 5000, "spam", 0, 0),)
    found = run(type("Doing", (Doing,), {"calls": calls})(), "queens:n=4")
    assert found["messages"]["by_kind"]["spam"] == 1000 + 10 * 4
    assert found["refusals"] == ["x1 sent more than 1040 messages at one waking; the rest was not carried."]


def test_who_called_what_cannot_be_is_told_so_with_its_next_letters():
    told = []

    class Listening(Doing):
        calls = (("send", "x9", "ok", 1, 0),)

        def __call__(self, ask):
            told.extend(ask.prompt.refused)
            return super().__call__(ask)

    run(Listening(), "queens:n=4")
    assert told == ["x1 wrote to 'x9', and there is no such agent."]


@pytest.mark.parametrize(("claim", "verdict"), [("solved", "wrong"), ("unsolvable", "wrong"), ("optimal", "wrong")])
def test_a_false_claim_is_called_wrong(claim, verdict):
    found = run(type("Doing", (Doing,), {"calls": (("stop", claim, 0),)})(), "queens:n=4")
    assert found["verdict"] == verdict


def test_an_agent_that_dies_is_named_and_what_was_counted_is_kept():
    class Dying(Abt):
        def receive(self, mail):
            if self.name == "x2":
                raise RuntimeError("out of ideas")
            return super().receive(mail)

    taken = take(constraints, Dying(), seed=1, parameters={"problem": "queens:n=4"})
    found = constraints.score(taken.record, taken.truths).details["instances"][0]
    assert (found["verdict"], found["why"]) == ("crashed", "x2")
    # Six first values, and what x1 answered in the cycle in which x2 died.
    assert found["messages"]["total"] == 6 + 2
    assert taken.record.status == "crashed"


def test_an_agent_that_declines_ends_the_run():
    class Declining(Abt):
        def __call__(self, ask):
            return Refused("no") if self.name == "x2" else super().__call__(ask)

    found = run(Declining(), "queens:n=4")
    assert (found["verdict"], found["why"]) == ("crashed", "x2")


def test_what_json_cannot_hold_is_no_message():
    with pytest.raises(Invalid, match="A message holds what JSON can; got set"):
        frozen({"a": {1, 2}})
    with pytest.raises(Invalid, match="Names in a message are texts"):
        frozen({1: 2})
    assert frozen([np.int64(3), [1.5, None]]) == ((3, (1.5, None)), 3)


def test_readers_cannot_change_what_others_read():
    class Changing(Abt):
        def start(self):
            yield from super().start()
            if self.name == "x0":
                yield self.send(["x1", "x2"], "note", {"list": [1, {"deep": 2}]})

        def receive(self, mail):
            self.notes = [letter.data for letter in mail if letter.kind == "note"]
            for note in self.notes:
                note["list"][1]["deep"] = self.name
            return super().receive([letter for letter in mail if letter.kind != "note"])

    _, agents = carry("queens:n=5", Changing, ends=RunEnds(cycles=1))
    assert agents["x1"].notes == [{"list": (1, {"deep": "x1"})}]
    assert agents["x2"].notes == [{"list": (1, {"deep": "x2"})}]
