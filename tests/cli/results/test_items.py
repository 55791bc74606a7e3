"""`mensura items`: items side by side in a terminal, and the same as JSON."""

import pytest

from tests.sums import write_sums


@pytest.fixture
def taken(mensura, tmp_path):
    """Take eight sums by chance, and by always saying 3."""
    write_sums(tmp_path / "sums.jsonl", 8)
    for subject in ("chance", 'constant:"3"'):
        assert mensura("run", "./sums.jsonl", "--as", subject, "--seed", "1").status in (0, 3)
    return mensura


def test_items_print_subjects_and_items_with_where_and_how_the_interval_is_made(taken):
    done = taken("items", "last~1", "last", "--where", "tag=hard", "--limit", "2")
    assert done.status == 0, done.err
    subjects, items = done.out.split("\nItems\n")
    assert "share right" in subjects
    assert [line.split()[0] for line in subjects.splitlines()[2:4]] == ["subject", "chance"]
    assert "What is 1 + 2?" in items
    assert "What is 4 + 3?" not in items, "that one is easy"
    assert "What is 19 + 8?" not in items, "only two are shown"
    assert "Clopper and Pearson's" in items
    assert "3 of 8 items." in done.err
    assert "Next: mensura serve" in done.err


def test_items_are_read_by_machines(taken):
    data = taken("items", "last", "--json", "--sort", "hardest").json
    assert data["found"] == len(data["items"]) == 8
    assert data["items"][-1]["prompt"] == "What is 1 + 2?", "the only sum that is 3"
    (cell,) = data["items"][-1]["subjects"].values()
    assert (cell["verdict"], cell["mean"], cell["asked"]) == ("right", 1.0, 1)
    assert {next(iter(one["subjects"].values()))["verdict"] for one in data["items"][:-1]} == {"invalid"}
    assert data["subjects"][0]["estimate"]["value"] == pytest.approx(1 / 8)
    assert data["score"]["name"] == "accuracy"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--where", "hard"), "--where takes NAME=VALUE"),
        (("--where", "tagged=hard"), "no property of an item called 'tagged'. Did you mean tag?"),
        (("--where", "subject=nobody"), "There is no subject called 'nobody'"),
        (("--score", "acuracy"), "Did you mean accuracy?"),
        (("--sort", "hard"), "Did you mean hardest?"),
    ],
)
def test_a_mistake_is_one_sentence(taken, words, said):
    done = taken("items", "last", *words)
    assert done.status == 1
    assert said in done.err
