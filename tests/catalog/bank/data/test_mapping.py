"""Columns as parts of items: the same question in any form of file is the same item, and every mistake has its row."""

import csv
import json

import duckdb
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mensura.catalog.bank.reading import read_file
from mensura.dialogue import Choice, Number, Text
from mensura.errors import BadFile, BadParameter

ROWS = [
    {"qid": 1, "question": "2 + 2?", "choices": ["3", "4"], "label": 1, "subject": "sums", "set": "test"},
    {"qid": 2, "question": 'Who said "no, \n never"?', "choices": ["Ann", "Bob"], "label": 0, "subject": "talk"},
    {"qid": 3, "question": "Größtes?", "choices": ["Ö", "ß"], "label": None, "subject": "sums", "set": "test"},
]
OWN = [{"id": row["qid"], "prompt": row["question"], "options": row["choices"], "answer": row["label"]} for row in ROWS]
MAPPING = "#prompt=question#options=choices#answer=label#id=qid#tags=subject"


def write_lines(path, rows):
    path.write_text("\n".join(json.dumps(row, ensure_ascii=False) for row in rows), encoding="utf-8")
    return path


def write_csv(path, rows, **how):
    with path.open("w", newline="", encoding=how.pop("encoding", "utf-8")) as file:
        writer = csv.DictWriter(file, list(rows[0]), **how)
        writer.writeheader()
        writer.writerows([{k: json.dumps(v) if isinstance(v, list) else v for k, v in row.items()} for row in rows])
    return path


def write_parquet(path, rows):
    source = write_lines(path.with_suffix(".source.jsonl"), rows)
    duckdb.execute(f"COPY (SELECT * FROM read_json('{source}')) TO '{path}' (FORMAT parquet)")
    return path


@pytest.fixture
def banks(tmp_path):
    wide = [{**row, "A": row["choices"][0], "B": row["choices"][1]} for row in ROWS]
    (tmp_path / "list.json").write_text(json.dumps(ROWS, indent=1))
    (tmp_path / "data#1.csv").write_bytes(write_csv(tmp_path / "plain.csv", ROWS).read_bytes())
    return {
        "lines": f"{write_lines(tmp_path / 'a.jsonl', ROWS)}{MAPPING}",
        "list": f"{tmp_path / 'list.json'}{MAPPING}",
        "parquet": f"{write_parquet(tmp_path / 'a.parquet', ROWS)}{MAPPING}",
        "csv": f"{tmp_path / 'data#1.csv'}{MAPPING}#answers=index",
        "semicolons and a mark": f"{write_csv(tmp_path / 's.csv', ROWS, delimiter=';', encoding='utf-8-sig')}"
        f"{MAPPING}#answers=index",
        "tabs": f"{write_csv(tmp_path / 't.tsv', ROWS, delimiter=chr(9))}{MAPPING}#answers=index",
        "wide": f"{write_csv(tmp_path / 'w.csv', wide)}#prompt=question#options=A,B#answer=label#id=qid#tags=subject"
        "#answers=index",
    }


def test_the_same_questions_in_any_form_of_file_are_the_same_items(tmp_path, banks):
    own = read_file(write_lines(tmp_path / "own.jsonl", OWN))
    for form, name in banks.items():
        bank = read_file(name)
        assert [item.hash for item in bank] == [item.hash for item in own], form
        assert bank.hash == own.hash, form
        assert [item.answer for item in bank] == ["4", "Ann", None], form
        assert [(item.id, item.tags) for item in bank] == [("1", ("sums",)), ("2", ("talk",)), ("3", ("sums",))], form


TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0\r"), min_size=1).filter(str.strip)
QUESTIONS = st.lists(
    st.tuples(TEXTS, st.lists(TEXTS.map(str.strip), min_size=2, max_size=4, unique=True), st.integers(0, 1)),
    min_size=1,
    max_size=4,
    unique_by=lambda one: one[0],
)


@settings(max_examples=50)
@given(QUESTIONS)
def test_whatever_a_text_holds_it_is_the_same_item_in_csv_and_in_json(tmp_path_factory, questions):
    folder = tmp_path_factory.mktemp("texts")
    rows = [{"q": text, "o": options, "k": place} for text, options, place in questions]
    own = [{"prompt": row["q"], "options": row["o"], "answer": row["o"][row["k"]]} for row in rows]
    plain = read_file(write_lines(folder / "own.jsonl", own))
    for path in (write_csv(folder / "a.csv", rows), write_lines(folder / "a.jsonl", rows)):
        assert read_file(f"{path}#prompt=q#options=o#answer=k#answers=index").hash == plain.hash


def test_columns_may_have_the_names_of_parts(tmp_path):
    rows = [{"prompt": "2 + 2?", "options": ["3", "4"], "answer": "B", "tags": ["easy", "sums"]}]
    for path in (write_csv(tmp_path / "a.csv", rows), write_parquet(tmp_path / "a.parquet", rows)):
        (item,) = read_file(path)
        assert (item.answer, item.tags) == ("4", ("easy", "sums"))


def test_a_column_of_the_name_of_a_part_is_that_part_unless_it_is_left_out(tmp_path):
    path = write_lines(tmp_path / "a.jsonl", [{"q": "?", "id": "one", "answer": "x", "other": [1]}])
    (item,) = read_file(f"{path}#prompt=q")
    assert (item.id, item.answer) == ("one", "x")
    (item,) = read_file(f"{path}#prompt=q#id=#answer=")
    assert (item.id, item.answer) == ("", None)


def test_a_template_joins_columns_and_paths_lead_into_them(tmp_path):
    rows = [
        {"passage": "Long.", "q": {"text": "Why?"}, "n": 7, "answers": {"text": ["because", "so"]}},
        {"passage": "Short.", "q": {"text": "How?"}, "n": 8, "answers": {"text": []}},
    ]
    name = f"{write_lines(tmp_path / 'a.jsonl', rows)}#prompt={{passage}}\\n\\n{{q.text}} ({{n}})#answer=answers.text.0"
    first, second = read_file(name)
    assert (first.prompt, first.answer) == ("Long.\n\nWhy? (7)", "because")
    assert (second.prompt, second.answer) == ("Short.\n\nHow? (8)", None)


@pytest.mark.parametrize(
    "choices",
    [
        {"text": ["Rome", "Oslo"], "label": ["1", "2"]},
        [{"text": "Rome", "label": "1"}, {"text": "Oslo", "label": "2"}],
    ],
)
def test_options_may_have_labels_by_which_answers_name_them(tmp_path, choices):
    name = f"{write_lines(tmp_path / 'a.jsonl', [{'q': '?', 'choices': choices, 'key': '2'}])}#prompt=q#answer=key"
    (item,) = read_file(f"{name}#options=choices.text#labels=choices.label")
    assert (item.space, item.answer) == (Choice(("Rome", "Oslo")), "Oslo")


@pytest.mark.parametrize("key", ["b", "Oslo"])
def test_options_may_be_an_object_whose_names_are_their_labels(tmp_path, key):
    rows = [{"q": "?", "choices": {"a": "Rome", "b": "Oslo", "c": None}, "key": key}]
    for path in (write_lines(tmp_path / "a.jsonl", rows), write_parquet(tmp_path / "a.parquet", rows)):
        (item,) = read_file(f"{path}#prompt=q#options=choices#answer=key")
        assert (item.space, item.answer) == (Choice(("Rome", "Oslo")), "Oslo")


@pytest.mark.parametrize(
    ("cells", "space", "answers"),
    [
        (["1", "2.5", ""], Number(), [1, 2.5, None]),
        (["007", "12", ""], Text(), ["007", "12", None]),
        (["TRUE", "false", ""], Choice(("yes", "no")), ["yes", "no", None]),
        (["1", "x", ""], Text(), ["1", "x", None]),
    ],
)
def test_cells_of_text_have_the_type_of_their_column(tmp_path, cells, space, answers):
    rows = [{"prompt": f"Question {n}", "answer": cell} for n, cell in enumerate(cells)]
    bank = read_file(write_csv(tmp_path / "a.csv", rows))
    assert [item.answer for item in bank] == answers
    assert [item.space for item in bank][:2] == [space, space]


def test_a_space_may_be_written_behind_the_name(tmp_path):
    path = write_csv(tmp_path / "a.csv", [{"prompt": "?", "answer": "4"}])
    assert [read_file(f"{path}#space={kind}").items[0].space for kind in ("text", "number")] == [Text(), Number()]
    (item,) = read_file(f'{path}#space={{"kind": "number", "low": 0, "high": 10}}')
    assert (item.space, item.answer) == (Number(0, 10), 4)


@pytest.mark.parametrize(
    ("way", "key", "right"),
    [
        ("index", "1", "2"),
        ("number", "1", "1"),
        ("letter", "b", "2"),
        ("text", "4", "4"),
        ("", "C", "4"),
        ("", "4", "4"),
    ],
)
def test_an_answer_names_an_option_in_the_way_that_is_said(tmp_path, way, key, right):
    path = write_csv(tmp_path / "a.csv", [{"q": "?", "A": 1, "B": 2, "C": 4, "key": key}])
    (item,) = read_file(f"{path}#prompt=q#options=A,B,C#answer=key#answers={way}")
    assert item.answer == right


def test_rows_with_fewer_options_leave_the_last_columns_empty(tmp_path):
    rows = [{"q": "?", "A": "x", "B": "y", "C": "", "key": "B"}, {"q": "!", "A": "x", "B": "", "C": "z", "key": "A"}]
    path = write_csv(tmp_path / "a.csv", rows)
    with pytest.raises(BadFile, match=r"a\.csv:3: One of the options is empty and a later one is not"):
        read_file(f"{path}#prompt=q#options=A,B,C#answer=key")
    bank = read_file(f"{path}#prompt=q#options=A,B,C#answer=key#bad=skip")
    assert [(item.space, item.answer) for item in bank] == [(Choice(("x", "y")), "y")]


@pytest.mark.parametrize(
    ("rows", "mapping", "words"),
    [
        ([{"q": "a"}], "", "has the columns q. Say what they mean after its name: .*#prompt=q#answer=COLUMN"),
        ([{"q": "a"}], "#answer=q", "has no column `prompt`; its columns are q. Say which it is: #prompt=COLUMN"),
        ([{"question": "a"}], "#prompt=qestion", "There is no column called 'qestion'. Did you mean question?"),
        ([{"q": "a"}, {"q": None}], "#prompt=q", r":2: It has no `prompt`: .* got None"),
        ([{"q": "a"}, {"q": 5}], "#prompt=q", r":2: It has no `prompt`: .* got 5"),
        ([{"q": "a"}, {"q": "a"}], "#prompt=q", r":2: This asks the same question as .*:1. Keep one of them"),
        ([{"q": "a", "n": None}], "#prompt={q} {n}", ":1: The column 'n' of a template is a text or a number"),
        ([{"q": "a", "o": "x|y"}], "#prompt=q#options=o", ":1: `options` is a list of texts; got 'x|y'"),
        ([{"q": "a", "o": 3, "k": 1}], "#prompt=q#options=o#answer=k", ":1: `options` is a list of texts; got 3"),
        ([{"q": "a", "o": ["x", "y"], "k": 1}], "#prompt=q#options=o#answer=k#labels=k", ":1: `labels` is a list of"),
        ([{"q": "a", "o": [["x"], ["y"]]}], "#prompt=q#options=o", ":1: Each option is a text or a number; got"),
        (
            [{"q": "a", "o": ["x", "y"], "k": "2"}],
            "#prompt=q#options=o#answer=k",
            ":1: .*not one of the options. Say how",
        ),
        ([{"q": "a", "o": ["x", "y"], "k": 2}], "#prompt=q#options=o#answer=k#answers=index", ":1: .*names option 2"),
        ([{"q": "a", "k": ["x"]}], "#prompt=q#answer=k", r":1: What kind of answer \['x'\] is cannot be guessed"),
        ([{"q": "a"}], "#prompt=q#split=test", "has no column `split`, so it has no split 'test'. Leave out #split"),
        ([{"q": "a", "split": "train"}], "#prompt=q#split=test", "holds no items in the split test"),
    ],
)
def test_a_mistake_is_one_sentence_that_names_file_and_row(tmp_path, rows, mapping, words):
    path = write_lines(tmp_path / "a.json", rows)
    with pytest.raises(BadFile, match=rf"a\.json.*{words}"):
        read_file(f"{path}{mapping}")


@pytest.mark.parametrize(
    ("setting", "words"),
    [
        ("#promt=q", "There is no setting called 'promt'. Did you mean prompt?"),
        ("#answers=q", "#answers says how answers name an option: index, number, letter, text; got 'q'"),
        ("#bad=drop", "there is no #bad=drop"),
        ("#config=x", "is a file and has no configurations"),
    ],
)
def test_a_setting_that_there_is_not_is_refused(tmp_path, setting, words):
    path = write_lines(tmp_path / "a.jsonl", [{"prompt": "?"}])
    with pytest.raises(BadParameter, match=words):
        read_file(f"{path}{setting}")


@pytest.mark.parametrize("keys", [("A", "B"), ("B", "A")])
def test_answers_that_are_options_in_one_row_and_letters_in_another_are_refused(tmp_path, keys):
    rows = [{"q": "?", "o": ["B", "A"], "k": keys[0]}, {"q": "!", "o": ["x", "y"], "k": keys[1]}]
    path = write_lines(tmp_path / "a.jsonl", rows)
    with pytest.raises(BadFile, match=r"a\.jsonl:2: Some answers are options, others their numbers or letters"):
        read_file(f"{path}#prompt=q#options=o#answer=k")
    assert [item.answer for item in read_file(f"{path}#prompt=q#options=o#answer=k#answers=letter")] == [
        rows[place]["o"]["AB".index(keys[place])] for place in (0, 1)
    ]


def test_rows_that_are_no_items_are_left_out_and_counted_where_that_is_said(tmp_path):
    rows = [{"q": "a", "k": "x"}, {"q": ""}, {"q": "b"}, {"q": "a"}]
    bank = read_file(f"{write_lines(tmp_path / 'a.jsonl', rows)}#prompt=q#answer=k#bad=skip")
    assert [item.prompt for item in bank] == ["a", "b"]
    assert bank.remarks[0] == "Items without an answer: 1 of 2; they are asked and not scored."
    assert bank.remarks[1].startswith("Rows that are left out: 2. The first is ")
    assert "a.jsonl:2: It has no `prompt`" in bank.remarks[1]
    assert bank.where(limit=1).remarks == bank.remarks[1:]
    assert bank.origin.details["left_out"] == 2


def test_one_file_may_hold_several_splits(tmp_path):
    path = write_parquet(tmp_path / "a.parquet", [{"prompt": "a", "split": "train"}, {"prompt": "b", "split": "test"}])
    assert [item.prompt for item in read_file(f"{path}#split=test")] == ["b"]
    assert (len(read_file(path)), read_file(f"{path}#split=test").name) == (2, "a-test")
