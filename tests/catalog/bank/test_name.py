"""Names of banks: a path, and behind it what its columns mean."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mensura.catalog.bank.name import BankName
from mensura.catalog.find import file_in
from mensura.errors import BadParameter


@pytest.mark.parametrize(
    ("name", "path", "settings"),
    [
        ("items.jsonl", "items.jsonl", {}),
        ("./a.csv#prompt=q#answer=l", "./a.csv", {"prompt": "q", "answer": "l"}),
        ("./a#1.csv#prompt=q", "./a#1.csv", {"prompt": "q"}),
        ("./a#b=1.csv", "./a#b=1.csv", {}),
        ("./a#b=1.csv#prompt=q", "./a#b=1.csv", {"prompt": "q"}),
        ("./folder#split=test", "./folder", {"split": "test"}),
        (r"./a.csv#prompt=# {p}\n\n#{q}", "./a.csv", {"prompt": "# {p}\n\n#{q}"}),
        ("./a.CSV#prompt=Frage №", "./a.CSV", {"prompt": "Frage №"}),
        ("./a.csv#prompt=f(x)=1", "./a.csv", {"prompt": "f(x)=1"}),
        ("./t.yaml#num_fewshot=3", "./t.yaml", {"num_fewshot": "3"}),
    ],
)
def test_a_name_is_a_path_and_what_columns_mean(name, path, settings):
    assert BankName.read(name) == BankName(path, settings)


@given(st.text("ab#=. ", max_size=12))
def test_any_name_is_parted_without_loss(text):
    named = BankName.read(f"./x.csv#prompt={text.replace('#', '')}")
    assert (named.path, named.settings["prompt"]) == ("./x.csv", text.replace("#", ""))


def test_a_part_that_is_said_twice_is_refused():
    with pytest.raises(BadParameter, match="says twice what prompt is"):
        BankName.read("./a.csv#prompt=q#prompt=r")


def test_the_file_in_a_name_is_found_whatever_stands_around_it():
    names = ["coin", "owner/name-v1", "gym:CartPole-v1", "package.module:dice", "./mine.py:dice", "a.jsonl"]
    names += ["./a.csv#prompt=q", "lm-eval:t/a.yaml#num_fewshot=1", "~/folder#split=test", "survey.yaml"]
    found = ["", "", "", "", "./mine.py", "a.jsonl", "./a.csv", "t/a.yaml", "~/folder", "survey.yaml"]
    assert [file_in(name) for name in names] == found
