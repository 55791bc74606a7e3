"""Work is shared out with the stated overlap, evenly over raters and conditions; models never rate alone."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mensura.errors import BadParameter
from mensura.running.panel import Rater, assign, close, collect, open_panel, progress_of, rate, share_out
from mensura.store.people.invitations import Step


@settings(max_examples=60, deadline=None)
@given(
    sizes=st.lists(st.integers(1, 12), min_size=1, max_size=4),
    raters=st.integers(2, 6),
    overlap=st.integers(1, 4),
    seed=st.integers(0, 10**6),
)
def test_every_artefact_has_its_overlap_and_every_rater_an_even_share(sizes, raters, overlap, seed):
    overlap = min(overlap, raters)
    groups = {f"{group}-{i}": group for group, size in enumerate(sizes) for i in range(size)}
    names = [f"rater{i}" for i in range(raters)]
    rng = np.random.default_rng(seed)
    shares = share_out(dict.fromkeys(groups, overlap), groups=groups, raters=names, rng=rng)
    held = Counter(code for codes in shares.values() for code in codes)
    assert set(held.values()) == {overlap}
    assert all(len(set(codes)) == len(codes) for codes in shares.values())
    loads = [len(codes) for codes in shares.values()]
    assert max(loads) - min(loads) <= 1
    for group in range(len(sizes)):
        each = [sum(groups[code] == group for code in codes) for codes in shares.values()]
        assert max(each) - min(each) <= 2


def test_pairs_of_raters_are_mixed():
    groups = dict.fromkeys([f"a{i}" for i in range(24)], 0)
    names = ["ann", "bob", "cy", "dee"]
    shares = share_out(dict.fromkeys(groups, 2), groups=groups, raters=names, rng=np.random.default_rng(1))
    pairs = Counter(tuple(sorted(n for n in names if code in shares[n])) for code in groups)
    assert len(pairs) == 6


def test_a_language_model_alone_is_refused_in_words(store, rubric, artefacts):
    open_panel("essays", artefacts, rubric=rubric, store=store)
    model = Rater("model", "llm:some@http://127.0.0.1:9/v1")
    with pytest.raises(BadParameter, match="never alone"):
        assign("essays", [model], overlap=1, store=store)
    with pytest.raises(BadParameter, match="never alone"):
        assign("essays", [Rater("model", lambda ask: 1, nature="model")], overlap=1, store=store)


def test_a_language_model_does_not_count_for_the_overlap(store, rubric, artefacts):
    open_panel("essays", artefacts, rubric=rubric, store=store)
    raters = [Rater("ann"), Rater("model", "llm:some@http://127.0.0.1:9/v1")]
    with pytest.raises(BadParameter, match=r"needs 2 raters; there are 1 \(language models rate besides"):
        assign("essays", raters, overlap=2, store=store)
    made = assign("essays", raters, overlap=1, store=store)
    assert [(one.rater, one.kind, len(one.work)) for one in made] == [
        ("ann", "rating", 12),
        ("model", "additional", 12),
    ]


def test_a_language_model_cannot_pass_for_a_person():
    with pytest.raises(BadParameter, match="must be a model"):
        Rater("ann", "llm:some@http://127.0.0.1:9/v1", nature="person")
    assert Rater("team", "team:mean(chance,llm:some@http://127.0.0.1:9/v1)").nature_of == "model"


def test_a_panel_that_only_a_model_has_rated_cannot_be_closed(store, rubric, artefacts, judge):
    open_panel("essays", artefacts, rubric=rubric, store=store)
    assign("essays", [Rater("ann"), Rater("model", judge(), nature="model")], overlap=1, store=store)
    rate("essays", store=store, subjects={"model": judge()})
    with pytest.raises(BadParameter, match="never alone"):
        close("essays", store=store, unfinished=True)


def test_who_withdraws_is_erased_and_their_work_is_given_to_another(store, rubric, artefacts, judge):
    open_panel("essays", artefacts, rubric=rubric, store=store)
    made = assign("essays", [Rater("ann", judge()), Rater("bob", judge())], overlap=2, store=store)
    rate("essays", store=store, subjects={"ann": judge(), "bob": judge()})
    assert len(store.panels.ratings("essays")) == 48
    _, invitation = store.invitations.add([Step("session", session=made[1].session)])
    store.invitations.withdraw(invitation.number)
    collect("essays", store=store)
    assert {rating.rater for rating in store.panels.ratings("essays")} == {"ann"}
    again = assign("essays", [Rater("cy", judge())], overlap=2, store=store)
    assert [(one.rater, len(one.work)) for one in again] == [("cy", 12)]


def test_progress_counts_whole_artefacts(store, rubric, artefacts, judge):
    open_panel("essays", artefacts, rubric=rubric, store=store)
    assign("essays", [Rater("ann", judge()), Rater("bob", judge())], store=store)
    rate("essays", store=store, subjects={"ann": judge(), "bob": _Stopping(judge(), 5)})
    state = progress_of("essays", store=store)
    assert [(one.rater, one.rated, one.artefacts) for one in state.raters] == [("ann", 12, 12), ("bob", 2, 12)]
    with pytest.raises(BadParameter, match=r"bob \(2 of 12\)"):
        close("essays", store=store)


class _Stopping:
    """Answers so many asks and then fails."""

    def __init__(self, judge, answers):
        self.judge, self.left = judge, answers

    def __call__(self, ask):
        self.left -= 1
        if self.left < 0:
            raise RuntimeError("tired")
        return self.judge(ask)
