"""A run as frames: it is the run that the test would take, its figures are the mailman's, and a log gives the same."""

import pickle

import numpy as np
import pytest

from mensura.catalog.constraints.dialogue import constraints
from mensura.catalog.constraints.families.find import find_problem
from mensura.catalog.constraints.mail.letter import Letter
from mensura.catalog.constraints.mail.post import Post
from mensura.catalog.constraints.mail.share import shares_of
from mensura.catalog.constraints.showing.computing import compute
from mensura.catalog.constraints.showing.page import NetworkPage
from mensura.catalog.constraints.showing.replaying import replayed
from mensura.catalog.constraints.subjects import SUBJECTS
from mensura.dialogue import Address, Instance, Session
from mensura.errors import BadParameter, MensuraError
from mensura.running.driver import drive
from mensura.store import MemoryJournal

TERMS = {
    "sync": {},
    "one": {"reading": "one"},
    "async": {"execution": "async"},
    "delayed": {"delay": "uniform:1,5"},
    "lossy": {"loss": 0.1, "duplication": 0.1},
}
CASES = [
    ("abt", "queens:n=6"),
    ("awcs", "colouring:n=12,links=24"),
    ("dpop", "weighted-colouring:n=8"),
    ("mgm", "sensors"),
]


@pytest.mark.parametrize("terms", TERMS.values(), ids=TERMS)
@pytest.mark.parametrize(("who", "problem"), CASES)
def test_frames_add_up_to_what_the_mailman_counted(who, problem, terms):
    run = compute(who, seed=3, problem=problem, stop="cycles=40", **terms)
    [act], [frames] = run.acts, [act.data() for act in run.acts]
    report = act.report
    figures = [waking[4] for waking in frames["wakings"]]
    sent = [call for waking in frames["wakings"] for call in waking[3] if call[0] >= 0]
    by_kind = {kind: sum(call[1] == at for call in sent) for at, kind in enumerate(frames["kinds"])}
    assert by_kind == report["messages"]["by_kind"]
    assert sum(len(waking[2]) for waking in frames["wakings"]) == report["messages"]["received"]
    assert sum(one[0] for one in figures) == report["checks"]
    assert sum(one[1] for one in figures) == report["messages"]["obsolete"]
    assert sum(one[4] for one in figures) == report["size"]
    if report["cost"] is not None:
        assert (act.violated, pytest.approx(act.cost if report["objective"] != "satisfy" else act.violated)) == (
            report["violated"],
            report["cost"],
        )
    broken = {tuple(link) for link, bad in zip(frames["links"], turned(frames), strict=True) if bad}
    agents = {agent: at for at, agent in enumerate(frames["agents"])}
    if len(act.values) == len(act.problem.variables):
        wrong = act.problem.violated(act.values)
        assert broken == {tuple(sorted(agents[act.problem.owner[name]] for name in one.scope)) for one in wrong}
    if "loss" not in terms:
        read = [number for waking in frames["wakings"] for number in waking[2]]
        assert len(set(read)) == len(read)
        assert None not in read
        assert max(one[5] for one in figures) == report["nccc"]["0"]


def turned(frames):
    broken = [False] * len(frames["links"])
    for waking in frames["wakings"]:
        for call in waking[3]:
            for link in call[3] if call[0] == -1 else ():
                broken[link] = not broken[link]
    return broken


@pytest.mark.parametrize(("who", "problem"), [("abt", "queens:n=5"), ("awcs", "colouring:n=8,links=14")])
def test_a_log_gives_the_frames_of_the_same_run(who, problem):
    parameters = constraints.fill({"problem": problem})
    instance = Instance(constraints, parameters, 7, Address())
    journal = MemoryJournal()
    drive(Session(instance), {role: SUBJECTS[who]() for role in instance.roles}, journal=journal)
    [logged] = replayed(journal.events, parameters, name=who)["acts"]
    [computed] = compute(who, seed=7, problem=problem).data()["acts"]
    assert [waking[:5] for waking in texts(logged)] == [waking[:5] for waking in texts(computed)]
    for part in ("agents", "links", "kinds", "picture", "domains"):
        assert logged[part] == computed[part]
    # While it goes on, those who have not answered are waited for.
    half = replayed(journal.events[: len(instance.roles) + 3], parameters, name=who)
    assert (half["over"], len(half["acts"][0]["wakings"])) == (False, 3)
    assert half["waiting"] == list(instance.roles)[3:]
    with pytest.raises(MensuraError, match="holds no letters"):
        replayed([], parameters, name=who)


def texts(act):
    """Write texts out: what agents know, which a log does not hold, has numbers among them."""
    wakings = [[*waking] for waking in act["wakings"]]
    for waking in wakings:
        waking[3] = [[*call[:2], act["texts"][call[2]]] if call[0] >= 0 else call for call in waking[3]]
    return wakings


def test_robots_are_a_chain_of_pictures():
    run = compute("abt", seed=2, problem="robots:n=3,moves=4,side=8")
    acts = run.data()["acts"]
    assert 1 < len(acts) <= 4
    seen = [sum(row.count(".") for row in act["picture"]["cells"]) for act in acts]
    assert seen == sorted(seen)
    assert seen[0] < seen[-1]
    assert acts[0]["picture"]["board"] == [8, 8]


def test_agents_are_placed_apart_and_the_same_way_each_time():
    picture = compute("awcs", problem="scale-free:n=60", stop="cycles=1").acts[0].picture
    places = {tuple(place) for place in picture["at"]}
    assert len(places) == 60
    assert picture == compute("abt", problem="scale-free:n=60", stop="cycles=1").acts[0].picture
    lattice = compute("dpop", problem="proteins:sequence=HPPH,lattice=cubic").acts[0].picture
    assert (lattice["kind"], "board" in lattice, lattice["marks"]) == ("lattice", False, "HPPH")


def test_the_page_tells_what_an_agent_knows_at_any_waking():
    asked = {"who": ["abt"], "seed": 1, "parameters": {"problem": "queens:n=4"}}
    page = NetworkPage()
    [run] = page.answer(asked)["runs"]
    [act] = run["acts"]
    for number in (5, 12):
        waking = act["wakings"][number - 1]
        agent = act["agents"][waking[1]]
        kept = {name: act["texts"][text] for name, text in waking[5].items()}
        assert page.answer(asked | {"want": "known", "act": 0, "waking": number, "agent": agent})["known"] == kept
    assert "x0" in kept["view"]


@pytest.mark.parametrize(
    "asked",
    [
        [],
        {"who": []},
        {"who": ["abt", "abt", "abt"]},
        {"who": ["human"]},
        {"who": ["program:rm"]},
        {"who": ["abt"], "seed": -1},
        {"who": ["abt"], "parameters": {"oracle": 1}},
        {"who": ["abt"], "parameters": {"problem": "queens:n=9999"}},
        {"who": ["abt"], "parameters": {"execution": "real"}},
        {"who": ["abt"], "parameters": {"problem": "meetings"}},
        {"who": ["abt"], "want": "known", "agent": "nobody"},
    ],
)
def test_what_cannot_be_watched_is_refused_in_a_sentence(asked):
    with pytest.raises(MensuraError):
        NetworkPage().answer(asked)


def test_a_long_run_ends_at_a_limit_of_messages(monkeypatch):
    monkeypatch.setattr("mensura.catalog.constraints.showing.computing.MOST_MESSAGES", 200)
    run = compute("dsa", problem="colouring:n=6,links=10", stop="cycles=100000")
    assert run.verdicts == ["limit"]
    assert run.acts[0].letters < 300
    with pytest.raises(BadParameter, match="2000"):
        compute("abt", problem="scale-free:n=2001")


def test_a_run_that_is_shown_ends_when_its_seconds_are_over(monkeypatch):
    passed = iter(range(100))
    monkeypatch.setattr("mensura.catalog.constraints.showing.computing.monotonic", lambda: next(passed))
    run = compute("dsa", problem="colouring:n=6,links=10", stop="seconds=5,cycles=50")
    assert run.verdicts == ["limit"]
    [act] = run.acts
    assert act.report["why"] == "seconds"
    assert max(waking[0] for waking in act.wakings) == 3


def test_a_post_shows_its_page_the_share_and_travels_without_it_twice():
    share = shares_of(find_problem("queens:n=4", np.random.default_rng(1)), {f"x{i}": i for i in range(4)})["x2"]
    post = Post(None, [Letter("x0", "ok", 1)], 3, (), share)
    assert post.page_data()["share"]["agent"] == "x2"
    assert post.data()["share"] is None
    assert pickle.loads(pickle.dumps(post)).known is None


def test_a_small_run_with_costs_is_told_whether_its_end_is_the_best():
    verdicts = {
        (who, problem): compute(who, problem=problem).verdicts
        for who in ("dpop", "chance")
        for problem in ("proteins:sequence=HPPH,box=2", "weighted-colouring:n=40,links=60")
    }
    assert list(verdicts.values()) == [["optimal"], ["optimum unknown"], ["quiet but wrong"], ["optimum unknown"]]
