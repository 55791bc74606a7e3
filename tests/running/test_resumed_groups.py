"""Each member of a group that was killed remembers what itself was asked and answered, as if nothing had happened."""

import pytest

from mensura.dialogue import Ask, Choice, Refused, test
from mensura.running.run import resume_run, run
from mensura.store import open_store
from mensura.subjects.team import Team
from tests.running.killing import killed
from tests.subjects.model.scripted import answered, model_server


@test("ruled-v1")
def ruled(rng):
    """Follow the rules."""
    yield Ask("The rules: say yes.")
    for number in range(4):
        yield Ask(f"{number}?", Choice(("yes", "no")), key=f"k{number}")
        yield Ask(f"{number} is over.")


RULED = f"{__file__}:ruled"


def by_model(request):
    return answered("yes" if request["model"] == "first" else "no")


def heard(requests, model):
    """Return the whole conversation of a model: its last request has it. Spaces in its own answers may differ."""
    last = [one for one in requests if one["model"] == model][-1]
    return [part["content"].replace(" ", "") for part in last["messages"]]


@pytest.mark.parametrize(
    "form",
    [
        "team:vote(llm:first@{url},llm:second@{url})",
        # They never agree, so that the team refuses; its members have answered all the same.
        "team:majority(llm:first@{url},llm:second@{url})",
        "assisted:llm:first@{url}+llm:second@{url}",
        "team:vote(solve:critique(llm:first@{url}),llm:second@{url})",
        "fault:drop(team:vote(llm:first@{url},llm:second@{url}))#rate=0",
    ],
)
def test_members_hear_the_same_with_and_without_a_kill(tmp_path, form):
    with model_server(by_model) as server:
        with open_store(tmp_path / "whole.db") as store:
            run(RULED, form.format(url=server.url), store=store, seed=1)
        whole = server.requests
    asks = len(whole) // 4
    # Two asks are answered; within the third the process is killed.
    with model_server(*[by_model] * (2 * asks), (200, answered("yes"), {}, 30), by_model) as server:
        place = str(tmp_path / "killed.db")
        killed(server, form.format(url=server.url), place, after=2 * asks + 1, test=RULED)
        with open_store(place) as store:
            assert resume_run("last", store=store).counts["finished"] == 1
    resumed = server.requests[2 * asks + 1 :]
    assert len(resumed) == 2 * asks
    for model in ("first", "second"):
        assert heard(resumed, model) == heard(whole, model)


class Recalling:
    """Keeps what it is asked, and what it is reminded of."""

    def __init__(self, says):
        self.says, self.kept = says, []

    def __call__(self, ask):
        return self.says

    def remember(self, ask, answer):
        self.kept.append((ask.prompt, answer))


def test_without_notes_of_its_members_a_team_reminds_all_of_its_own_answer():
    members = [Recalling("yes"), Recalling("no")]
    team, ask = Team(members, rule="vote"), Ask("0?", Choice(("yes", "no")), key="k0")
    team.remember(ask, "yes")
    assert [member.kept for member in members] == [[("0?", "yes")]] * 2


def test_a_member_that_refused_is_not_told_that_it_answered():
    members = [Recalling(Refused("no")), Recalling("no")]
    team, ask = Team(members, rule="vote"), Ask("0?", Choice(("yes", "no")), key="k0")
    reply = team(ask)
    team.remember(ask, reply.value, notes=reply.notes)
    assert [member.kept for member in members] == [[], [("0?", "no")]]
    assert not hasattr(Team([lambda ask: "yes"], rule="vote"), "remember")
