"""Shards: jobs that share no more than the plan take all sessions of a study, each once."""

import pytest

from mensura.errors import BadParameter
from mensura.running.study import Cast, Stopping, Study, analyse, conduct, progress_of, register
from mensura.running.study.shard import StudyShard
from mensura.store import export_run, import_archive, open_store

PLAN = {
    "name": "coins",
    "tests": ("coin",),
    "casts": (Cast("stated", {"": "stated"}), Cast("half", {"": "half"})),
    "stopping": Stopping(most=5),
    "seed": 1,
}
STUDY = Study(**PLAN)


def scores_of(store):
    estimated = analyse(STUDY, store=store).estimated
    return {cell: scores["quadratic_score"].estimate for cell, scores in estimated.items()}


def test_shards_of_one_store_are_the_whole_study(tmp_path):
    with open_store(f"sqlite:///{tmp_path}/whole.db") as whole, open_store(f"sqlite:///{tmp_path}/parts.db") as parts:
        conduct(STUDY, store=whole)
        register(STUDY, store=parts)
        for number, taken in ((1, 2), (2, 4), (3, 5)):
            # The third shard of three has one session of five, the others two.
            conduct(STUDY, store=parts, shard=StudyShard(number, 3))
            states = progress_of(STUDY, store=parts).cells
            assert [state.counts["finished"] for state in states] == [taken, taken]
            assert all(len(state.runs) == 1 for state in states)
        assert scores_of(parts) == scores_of(whole)


def test_shards_of_stores_of_their_own_are_brought_together(tmp_path):
    with (
        open_store(f"sqlite:///{tmp_path}/whole.db") as whole,
        open_store(f"sqlite:///{tmp_path}/joined.db") as joined,
    ):
        conduct(STUDY, store=whole)
        for number in (1, 2):
            with open_store(f"sqlite:///{tmp_path}/{number}.db") as part:
                conduct(STUDY, store=part, shard=StudyShard(number, 2))
                for state in progress_of(STUDY, store=part).cells:
                    path = tmp_path / f"{number}-{state.cell.name}.zip"
                    export_run(part, state.runs[0].id, path, format="zip")
                    import_archive(joined, path)
        assert [state.counts["finished"] for state in progress_of(STUDY, store=joined).cells] == [5, 5]
        assert scores_of(joined) == scores_of(whole)


@pytest.mark.parametrize("text", ["0/3", "4/3", "2", "a/b", "1/0"])
def test_what_is_no_shard_is_refused(text):
    with pytest.raises(BadParameter, match="which of how many"):
        StudyShard.read(text)


def test_a_study_whose_sessions_depend_on_others_is_not_parted(tmp_path):
    narrow = Study(**{**PLAN, "stopping": Stopping(most=50, width=0.1, score="quadratic_score")})
    with open_store(f"sqlite:///{tmp_path}/s.db") as store, pytest.raises(BadParameter, match="cannot be parted"):
        conduct(narrow, store=store, shard=StudyShard(1, 2))
