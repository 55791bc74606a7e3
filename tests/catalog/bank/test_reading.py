"""Reading items: every mistake is named with its line, and what was written comes back."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mensura.catalog.bank.reading import clean_name, read_file, read_item, read_items
from mensura.dialogue import Choice, Item, Number, Probability, Text
from mensura.errors import BadFile, BadParameter

GOOD = '{"prompt": "2 + 2?", "answer": 4}'


def write(folder, *lines, name="items.jsonl"):
    path = folder / name
    path.write_bytes("\n".join(lines).encode())
    return path


def test_a_line_may_say_all_that_an_item_has(tmp_path):
    line = {
        "prompt": "7 * 8?",
        "options": ["54", "56"],
        "answer": "56",
        "id": 7,
        "tags": ["easy", "sums"],
        "group": "products",
        "licence": "CC0",
    }
    (item,) = read_file(write(tmp_path, json.dumps(line)))
    assert (item.prompt, item.space, item.answer) == ("7 * 8?", Choice(("54", "56")), "56")
    assert (item.id, item.tags, item.group, item.licence) == ("7", ("easy", "sums"), "products", "CC0")


def test_a_line_needs_no_more_than_a_prompt(tmp_path):
    (item,) = read_file(write(tmp_path, '{"prompt": "Why?"}'))
    assert (item.space, item.answer, item.id, item.tags, item.key) == (Text(), None, "", (), item.hash)
    (same,) = read_file(
        write(tmp_path, '{"prompt": "Why?", "answer": null, "options": null, "tags": null, "id": null}')
    )
    assert same.hash == item.hash


def test_numbers_among_options_can_be_the_answer():
    item = read_item({"prompt": "?", "options": [3, 1, 2], "answer": 1})
    assert (item.space, item.answer) == (Choice(("3", "1", "2")), "1")


def test_empty_lines_line_ends_and_byte_order_marks_do_not_matter(tmp_path):
    lines = ['{"prompt": "a\u2028b", "answer": "ö"}', "", "   ", GOOD]
    plain = read_file(write(tmp_path, *lines))
    path = tmp_path / "windows.jsonl"
    path.write_bytes(b"\xef\xbb\xbf" + "\r\n".join([*lines, ""]).encode())
    assert [item.hash for item in read_file(path)] == [item.hash for item in plain]
    assert len(plain) == 2


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ('{"prompt": "?", "answer": 4', "This is not JSON: .* at character 28. Write one JSON object with `prompt`"),
        ("[", "This is not JSON"),
        ("[" * 100_000, "This is not JSON"),
        ('{"prompt": "?", "answer": NaN}', "This is not JSON: NaN is not a number; write null"),
        ('"text"', "An item is a JSON object; got 'text'"),
        ('["a", "b"]', "An item is a JSON object"),
        ('{"answer": 4}', "It has no `prompt`"),
        ('{"prompt": " ", "answer": 4}', "It has no `prompt`"),
        ('{"prompt": 5, "answer": 4}', "It has no `prompt`"),
        ('{"prompt": "\\ud800"}', "`prompt` holds a character that cannot be stored"),
        ('{"prompt": "?", "awnser": 4}', "There is no part of an item called 'awnser'. Did you mean answer"),
        ('{"prompt": "?", "choices": ["a"]}', ".*Parts are prompt, answer, options, id, tags, group, licence, space"),
        ('{"prompt": "?", "space": "probabilty"}', "There is no kind of space called 'probabilty'"),
        ('{"prompt": "?", "options": ["a", "b"], "answer": "c"}', "The answer must be one of a, b; got 'c'"),
        (
            '{"prompt": "?", "answer": 11, "space": {"kind": "number", "high": 10}}',
            "The answer must be at most 10; got 11",
        ),
        ('{"prompt": "?", "answer": "", "tags": "easy"}', "`tags` is a list of texts"),
        ('{"prompt": "?", "answer": "", "tags": [1]}', "`tags` is a list of texts"),
        ('{"prompt": "?", "id": [1]}', "`id` is a text"),
        ('{"prompt": "?", "id": true}', "`id` is a text"),
        ('{"prompt": "?", "group": {}}', "`group` is a text"),
        ('{"prompt": "?", "licence": 1.5}', "`licence` is a text"),
        ('{"prompt": "2 + 2?", "answer": 5}', "This asks the same question as .*items.jsonl:1. Keep one of them"),
        ('{"prompt": "?", "id": "one"}', "The id 'one' is also that of .*items.jsonl:2. Give it another"),
    ],
)
def test_a_wrong_line_is_refused_in_a_sentence_with_its_number(tmp_path, line, words):
    path = write(tmp_path, GOOD, '{"prompt": "first?", "id": "one"}', "", line)
    with pytest.raises(BadFile, match=rf"items\.jsonl:4: {words}"):
        read_file(path)


def test_files_that_are_missing_empty_or_not_utf8_say_so(tmp_path):
    with pytest.raises(BadFile, match=r"none.jsonl cannot be read: No such file or directory. Check the path"):
        read_file(tmp_path / "none.jsonl")
    for lines in ((), ("", " ")):
        with pytest.raises(BadFile, match=r"items.jsonl holds no items. Write one JSON object"):
            read_file(write(tmp_path, *lines))
    path = tmp_path / "latin.jsonl"
    path.write_bytes(b'\n{"prompt": "gr\xfcn"}')
    with pytest.raises(BadFile, match=r"latin.jsonl:2: this is not UTF-8. Save the file as UTF-8"):
        read_file(path)
    path.write_bytes(GOOD.encode("utf-16"))
    with pytest.raises(BadFile, match=r"latin.jsonl:1: this is not UTF-8"):
        read_file(path)


def test_a_space_for_all_is_for_the_lines_that_name_none(tmp_path):
    path = write(tmp_path, '{"prompt": "a", "answer": true}', '{"prompt": "b", "answer": 1, "space": "number"}')
    first, second = read_file(path, space="probability")
    assert (first.space, first.answer, second.space) == (Probability(), 1, Number())
    with pytest.raises(BadFile, match=r"items.jsonl:1: There is no kind of space called 'odds'"):
        read_file(path, space="odds")


def test_data_may_be_dicts_items_or_a_function_that_yields_them():
    def sums():
        for i in range(3):
            yield {"prompt": f"{i} + 1?", "answer": i + 1}

    made = read_items(sums)
    assert (len(made), made.name) == (3, "sums")
    mixed = read_items([Item("?", Choice(("a", "b")), "B", tags=["x"]), {"prompt": "!", "space": Probability()}])
    assert (mixed.name, mixed.items[0].answer, mixed.items[0].tags) == ("bank", "b", ("x",))
    assert read_items(mixed, name="again").hash == mixed.hash


def test_wrong_data_is_refused_with_its_place():
    with pytest.raises(BadFile, match="Item 2 of sums: It has no `prompt`"):
        read_items([{"prompt": "?"}, {}], name="sums")
    with pytest.raises(BadFile, match="Item 2 of bank: This asks the same question as Item 1 of bank"):
        read_items([{"prompt": "?"}, {"prompt": "?"}])
    with pytest.raises(BadFile, match="Item 1 of bank: The answer must be at most 3"):
        read_items([Item("?", Number(high=3), 4)])
    with pytest.raises(BadFile, match="bank holds no items"):
        read_items([])
    for wrong in ({"prompt": "?"}, Item("?", Text()), 7):
        with pytest.raises(BadParameter, match="from a file or from many items"):
            read_items(wrong)


def test_a_name_is_made_from_that_of_a_file():
    assert [clean_name(name) for name in ("Items", "my items.final", "Ü-1", "???")] == [
        "items",
        "my-items-final",
        "u-1",
        "bank",
    ]


texts = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"), max_size=20)
words = texts.map(str.strip).filter(bool)
answers = st.one_of(
    st.none(), st.booleans(), st.integers(-(10**9), 10**9), st.floats(allow_nan=False, allow_infinity=False), texts
)


@st.composite
def lines(draw):
    line = {"prompt": draw(words), "id": draw(words), "tags": draw(st.lists(words)), "group": draw(texts)}
    line["licence"] = draw(texts)
    if draw(st.booleans()):
        line["options"] = draw(st.lists(words, min_size=2, max_size=6, unique=True))
        line["answer"] = draw(st.none() | st.sampled_from(line["options"]))
    else:
        line["answer"] = draw(answers)
    return line


@settings(deadline=None)
@given(lines())
def test_what_a_line_says_comes_back(line):
    item = read_item(json.loads(json.dumps(line)))
    assert (item.prompt, item.id, list(item.tags)) == (line["prompt"], line["id"], line["tags"])
    assert (item.group, item.licence) == (line["group"], line["licence"])
    wanted = {True: "yes", False: "no"}[line["answer"]] if isinstance(line["answer"], bool) else line["answer"]
    assert item.answer == wanted
    if "options" in line:
        assert item.space == Choice(tuple(line["options"]))
    if item.answer is not None:
        assert item.space.check(item.answer) == item.answer


@settings(deadline=None)
@given(lines(), answers, st.lists(words), words)
def test_neither_answer_nor_tags_nor_names_move_the_hash(line, answer, tags, name):
    item = read_item(line)
    other = Item(item.prompt, item.space, answer, id=name, tags=tuple(tags), group=name)
    assert other.hash == item.hash
    assert read_item({**line, "prompt": line["prompt"] + "!"}).hash != item.hash


@settings(deadline=None)
@given(st.lists(lines(), min_size=1, max_size=5, unique_by=(lambda one: one["prompt"], lambda one: one["id"])))
def test_items_of_a_file_are_those_of_its_lines_in_any_order(tmp_path_factory, made):
    folder = tmp_path_factory.mktemp("bank")
    written = [json.dumps(one, ensure_ascii=False) for one in made]
    forth, back = read_file(write(folder, *written)), read_file(write(folder, *reversed(written)))
    assert [item.hash for item in forth] == [item.hash for item in back][::-1]
    assert forth.hash == back.hash == read_items(made).hash
