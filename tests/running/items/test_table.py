"""Items of several runs stand in one table: paired by content, each subject once, nothing lost and nothing doubled."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from mensura.dialogue import Noted
from mensura.errors import BadParameter, UnknownName
from mensura.running.items.cell import cells_of
from mensura.running.items.summary import share_right, subject_summaries
from mensura.running.items.table import ItemTable, item_table
from mensura.running.items.view import ItemView
from mensura.running.plan import Selection
from mensura.running.results.summary import summarise_run
from mensura.running.run import RunOptions, run
from mensura.store import Store, open_store
from mensura.subjects.model.cost.spending import Spending
from tests.sums import addends, model, notes, program, write_sums

TOGETHER = RunOptions(selection=Selection(together=True))


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    with open_store(tmp_path_factory.mktemp("items") / "x.db") as opened:
        yield opened


@pytest.fixture(scope="module")
def bank(tmp_path_factory: pytest.TempPathFactory) -> str:
    return write_sums(tmp_path_factory.mktemp("bank") / "sums.jsonl", 12)


@pytest.fixture(scope="module")
def table(store: Store, bank: str) -> ItemTable:
    """Give the sums as a model took them twice, each by itself, and a program once, in one conversation."""
    apart = run(bank, model, store=store, sessions=2, seed=1).head.id
    together = run(bank, program, store=store, seed=2, options=TOGETHER).head.id
    return item_table([apart, together], store=store)


def words(table: ItemTable, row: int) -> list[str]:
    return [cell.words for cell in cells_of(table, row)]


def test_items_are_paired_whether_they_were_dialogues_of_their_own_or_one_conversation(table: ItemTable) -> None:
    assert len(table.rows) == 12
    assert [row.prompt for row in table.rows[:2]] == ["What is 1 + 2?", "What is 4 + 3?"]
    assert table.asked.tolist() == [[2, 1]] * 12
    assert table.rows[0].tags == ("hard",)
    assert words(table, 0) == ["2 of 2 right", "right"]
    assert words(table, 3) == ["0 of 2 right", "right"], "the model is off by one where the second number is 5"
    assert words(table, 7)[0] == "0 of 2 right, 2 refused"
    assert words(table, 10) == ["2 of 2 right", "wrong"], "the program cannot add 31"
    assert words(table, 11) == ["0 of 2 right", "wrong"]


def test_each_subject_counts_once_in_the_share_right_of_an_item_however_often_it_was_asked(table: ItemTable) -> None:
    over = share_right(table, 3)
    assert (over.value, over.n) == (0.5, 2), "wrong twice and right once are two subjects, not three answers"
    assert over.method == "Clopper-Pearson with effective n over 2 subjects"
    assert 0 < over.low < 0.5 < over.high < 1


def test_subjects_have_the_estimate_of_their_runs_page_over_all_items(table: ItemTable, store: Store) -> None:
    view = ItemView()
    for one in subject_summaries(table, view.rows(table), view=view):
        expected = summarise_run(store.runs.find(one.run), store=store).scores["accuracy"]
        assert (one.estimate.value, one.estimate.low, one.estimate.high) == pytest.approx(
            (expected.value, expected.low, expected.high)
        )
        assert (one.items, one.estimate.n, one.estimate.method) == (12, expected.n, expected.method)


def test_epochs_count_by_their_mean_and_it_is_said_where_the_run_reduces_them_otherwise(table: ItemTable) -> None:
    first = table.runs[0]
    by_majority = replace(first, circumstances=replace(first.circumstances, reduce="majority"))
    voted = replace(table, runs=(by_majority, table.runs[1]))
    one, other = subject_summaries(voted, ItemView().rows(voted), view=ItemView())
    assert one.estimate.note.startswith("This is the mean over epochs; the run's page has majority.")
    assert "epochs" not in other.estimate.note


def test_what_a_subject_spent_is_summed_and_what_is_not_known_is_not_zero(table: ItemTable) -> None:
    first, second = subject_summaries(table, ItemView().rows(table), view=ItemView())
    assert (first.tokens.value, first.tokens.unknown) == (2 * sum(15 + second for second in range(2, 14)), 0)
    assert first.cost.value == pytest.approx(24 * 0.001)
    assert first.seconds == 0.5
    assert (second.tokens.value, second.tokens.unknown) == (None, 12)
    assert second.seconds is not None, "how long a program took is known from the events"


def test_the_same_question_with_another_key_is_another_item(store: Store, bank: str, tmp_path: Path) -> None:
    right = run(bank, program, store=store, seed=1).head.id
    changed = tmp_path / "sums.jsonl"
    changed.write_text(Path(bank).read_text().replace('"answer": "3"', '"answer": "4"'))
    wrong = run(str(changed), program, store=store, seed=1).head.id
    found = item_table([right, wrong], store=store)
    assert len(found.rows) == 13
    assert [row.name for row in found.rows if row.prompt == "What is 1 + 2?"] == [
        found.rows[0].name,
        f"{found.rows[0].name}-2",
    ]
    assert words(found, 0) == ["right", "not asked"]


def test_items_pair_where_the_bank_is_gone_and_only_lose_their_tags(store: Store, tmp_path: Path) -> None:
    path = tmp_path / "gone.jsonl"
    bank = write_sums(path, 4)
    ids = [run(bank, program, store=store, seed=1).head.id, run(bank, model, store=store, options=TOGETHER).head.id]
    whole = item_table(ids, store=store)
    path.unlink()
    left = item_table(ids, store=store)
    assert left.asked.tolist() == whole.asked.tolist() == [[1, 1]] * 4
    assert [row.name for row in left.rows] == [row.name for row in whole.rows]
    assert {row.tags for row in left.rows} == {()}


def test_permuted_options_are_the_same_item(store: Store, bank: str) -> None:
    ids = [run(bank, model, store=store, seed=seed, parameters={"shuffle": True}).head.id for seed in (1, 2)]
    assert item_table(ids, store=store).asked.tolist() == [[1, 1]] * 12


def test_an_item_without_an_answer_and_a_lost_one_have_their_rows(store: Store, tmp_path: Path) -> None:
    bank = tmp_path / "open.jsonl"
    bank.write_text('{"prompt": "Will it rain?", "options": ["yes", "no"]}\n{"prompt": "2 + 2?", "answer": 4}\n')
    result = run(str(bank), lambda ask: 4 if "2" in ask.prompt else "yes", store=store, seed=1)
    found = item_table([result.head.id], store=store)
    assert [row.prompt for row in found.rows] == ["Will it rain?", "2 + 2?"], "in the order of the bank"
    assert [words(found, row) for row in (0, 1)] == [["unresolved"], ["0"]]
    unasked = RunOptions(spending=Spending(probe=False))
    lost = run(str(bank), "llm:m@http://127.0.0.1:9/v1#retries=0", store=store, seed=1, options=unasked).head.id
    both = item_table([result.head.id, lost], store=store)
    assert [words(both, row)[1] for row in (0, 1)] == ["lost", "lost"]


def test_an_answer_that_was_only_looked_up_is_no_new_observation(store: Store, bank: str) -> None:
    done: set[str] = set()

    def remembering(ask: Any) -> Noted:
        first, second = addends(ask.prompt)
        again = ask.prompt in done
        done.add(ask.prompt)
        return Noted(str(first + second), {**notes("sum", 1), "cached": again})

    options = RunOptions(selection=Selection(limit=3))
    id = run(bank, remembering, store=store, sessions=3, seed=1, options=options).head.id
    assert item_table([id], store=store).asked.tolist() == [[1], [1], [1]]
    all_cached = run(
        bank, lambda ask: Noted("3", {"cached": True}), store=store, sessions=2, seed=1, options=options
    ).head.id
    assert item_table([all_cached], store=store).asked.tolist() == [[1], [1], [1]], "the first stands for the others"


def test_excluded_sessions_do_not_count(store: Store, bank: str) -> None:
    id = run(bank, program, store=store, sessions=2, seed=1, options=RunOptions(selection=Selection(limit=2))).head.id
    store.exclusions.decide(store.sessions.of(id)[0].id, excluded=True, reason="Fire alarm.", planned=False, who="Erin")
    assert sorted(item_table([id], store=store).asked.ravel().tolist()) == [1, 2]


def test_what_is_kept_back_tells_no_verdict_in_any_number(table: ItemTable) -> None:
    hidden = table.withholding({table.rows[0].name})
    assert np.isnan(hidden.means[0]).all()
    assert not np.isnan(hidden.means[1]).any()
    assert words(hidden, 0) == ["answered", "answered"]
    assert np.isnan(share_right(hidden, 0).value)
    only = ItemView(text=table.rows[0].prompt)
    for one in subject_summaries(hidden, only.rows(hidden), view=only):
        assert np.isnan(one.estimate.value), "a search for one item must not tell what its mean is"
    assert 0 not in ItemView(outcome="right").rows(hidden)
    assert all(word == "answered" for word in words(table.withholding(None), 5))


def rows(table: ItemTable, **wanted: Any) -> list[int]:
    return list(ItemView(**wanted).rows(table))


def test_a_view_selects_by_tag_words_outcome_subject_and_disagreement(table: ItemTable) -> None:
    assert rows(table, tag=("hard",)) == [0, 3, 6, 9]
    assert rows(table, text="31 + ") == [10]
    assert rows(table, outcome="refused") == [7]
    assert rows(table, outcome="wrong") == [3, 10, 11], "what was refused is looked for by its own name"
    assert rows(table, outcome="wrong", subject="program") == [10, 11]
    assert rows(table, outcome="wrong", subject=table.runs[0].head.id) == [3, 11]
    assert rows(table, differ="subjects") == [3, 7, 10]
    assert rows(table, differ="people") == [], "nobody here is a person"
    assert rows(table, outcome="lost") == rows(table, outcome="not asked") == []


def test_a_view_orders_by_difficulty_disagreement_tokens_and_time_with_the_unknown_last(table: ItemTable) -> None:
    assert rows(table, sort="hardest")[:2] == [11, 3]
    assert rows(table, sort="easiest")[-1] == 11
    assert rows(table, sort="differ")[:3] == [3, 7, 10]
    assert rows(table, sort="tokens")[:2] == [11, 10]
    assert rows(table, sort="tokens", subject="program") == list(range(12)), "all unknown: as asked"
    assert sorted(rows(table, sort="seconds")) == list(range(12))
    assert rows(table.withholding({table.rows[11].name}), sort="hardest")[-1] == 11


def test_items_chosen_by_their_outcome_give_no_interval(table: ItemTable) -> None:
    view = ItemView(outcome="wrong")
    for one in subject_summaries(table, view.rows(table), view=view):
        assert not one.estimate.has_interval
        assert one.estimate.method == "none: these items were chosen by their outcome"


@pytest.mark.parametrize(
    ("wanted", "said"),
    [
        ([("tagg", "hard")], "Did you mean tag?"),
        ([("outcome", "wron")], "Did you mean wrong?"),
        ([("differ", "people?")], "Did you mean people?"),
    ],
)
def test_a_misspelt_condition_brings_the_right_one(wanted: list[tuple[str, str]], said: str) -> None:
    with pytest.raises(UnknownName, match=said.replace("?", r"\?")):
        ItemView.of(wanted)


def test_a_score_that_is_a_number_has_no_right_and_wrong(store: Store) -> None:
    id = run("coin", "stated", store=store, seed=1, parameters={"flips": 4}).head.id
    found = item_table([id], store=store, score="quadratic_score")
    assert len(found.rows) == 4
    with pytest.raises(BadParameter, match="not right or wrong but a number"):
        ItemView(outcome="right").rows(found)
    assert cells_of(found, 0)[0].verdict == "scored"
    assert float(words(found, 0)[0]) == pytest.approx(found.means[0, 0], rel=0.01)
    with pytest.raises(UnknownName, match="accuracy"):
        found.by("accuracy")


def test_the_order_of_runs_changes_neither_means_nor_pairs(table: ItemTable, store: Store) -> None:
    turned = item_table([run.head.id for run in reversed(table.runs)], store=store)
    place: Callable[[str], int] = turned.find
    for row, item in enumerate(table.rows):
        assert turned.means[place(item.name)].tolist() == table.means[row][::-1].tolist()
    assert replace(table).labels == ["model", "program"]
