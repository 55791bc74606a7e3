"""What people read is in plain English: `tools/english.py` finds the phrases to avoid."""

import importlib.util
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SPEC = importlib.util.spec_from_file_location("english", ROOT / "tools" / "english.py")
english = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(english)


@pytest.fixture
def tree(tmp_path):
    """Return a function that writes a file of a small tree whose list of sentences is empty at first."""

    def write(name, text):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return tmp_path

    write(english.BASELINE, "")
    return write


def found(root):
    return [(hit.sentence.path, hit.sentence.line, hit.phrase) for hit in english.find_hits(root)]


def test_a_new_sentence_fails_with_its_place_and_what_to_write_instead(tree, capsys):
    root = tree("src/a.py", '"""Draw cards."""\n\n\ndef shuffle(n):\n    """Draw so many cards."""\n')
    assert english.main([], root) == 1
    said = capsys.readouterr().out
    assert "src/a.py:5: Draw so many cards." in said
    assert "instead of 'so many': the number" in said


def test_a_listed_sentence_passes_wherever_it_moves(tree):
    root = tree(english.BASELINE, "Draw so many cards.\n")
    tree("src/deck/b.py", 'TEXT = 1\n\n\ndef shuffle(n):\n    """Draw so many cards."""\n')
    assert english.main([], root) == 0


def test_a_listed_sentence_passes_only_as_often_as_it_is_listed(tree):
    root = tree(english.BASELINE, "Draw so many cards.\n")
    tree("src/a.py", 'def a():\n    """Draw so many cards."""\n')
    tree("src/b.py", 'def b():\n    """Draw so many cards."""\n')
    assert english.main([], root) == 1
    tree(english.BASELINE, "Draw so many cards.\n" * 2)
    assert english.main([], root) == 0


def test_a_repaired_sentence_leaves_the_list_by_the_command_that_is_named(tree, capsys):
    root = tree(english.BASELINE, "Draw so many cards.\nThe page stands below it.\n")
    tree("docs/a.md", "The page stands below it.\n")
    assert english.main([], root) == 1
    said = capsys.readouterr().out
    assert "no longer in the tree: Draw so many cards." in said
    assert "python tools/english.py --shrink" in said
    assert english.main(["--shrink"], root) == 0
    assert (root / english.BASELINE).read_text() == "The page stands below it.\n"


def test_shrinking_never_adds(tree):
    root = tree("docs/a.md", "The page stands below it.\n")
    assert english.main(["--shrink"], root) == 1
    assert (root / english.BASELINE).read_text() == ""


def test_shrinking_resolves_a_merge_conflict(tree):
    conflict = (
        "<<<<<<< HEAD\nDraw so many cards.\nThe page stands below it.\n=======\nThe page stands below it.\n>>>>>>> b\n"
    )
    root = tree(english.BASELINE, conflict)
    tree("docs/a.md", "The page stands below it.\n")
    assert english.main(["--shrink"], root) == 0
    assert (root / english.BASELINE).read_text() == "The page stands below it.\n"


def test_a_line_added_to_the_list_by_hand_fails(tree, capsys):
    root = tree(english.BASELINE, "Draw so many cards.\n")
    tree("docs/a.md", "Draw so many cards.\n\nThe page stands below it.\n")
    for command in (
        ["init", "-q"],
        ["add", "."],
        ["-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "Begin"],
    ):
        subprocess.run(["git", *command], cwd=root, check=True)
    tree(english.BASELINE, "Draw so many cards.\nThe page stands below it.\n")
    assert english.main([], root) == 1
    assert "it had 1 entries and has 2" in capsys.readouterr().out


@pytest.mark.parametrize(
    "docstring",
    [
        "Say whether it ended.",
        "What follows an ask.",
        "Who takes the test.",
        "Whether it has ended.",
        "Tell who left it.",
    ],
)
def test_the_docstring_of_a_function_begins_with_a_verb_that_fits(tree, docstring):
    root = tree("src/a.py", f'"""Endings of a session."""\n\n\ndef a():\n    """{docstring}"""\n')
    assert found(root) == [("src/a.py", 5, " ".join(docstring.split()[: 2 if docstring[0] == "T" else 1]))]


def test_the_docstring_of_a_field_may_begin_with_whether(tree):
    fields = '    a: bool\n    """Whether it has ended."""\n    b: str\n    """What it is called."""\n'
    root = tree("src/a.py", f'class A:\n    """An ending of a session."""\n\n{fields}')
    assert found(root) == [("src/a.py", 7, "What")]


def test_a_module_may_begin_with_its_question(tree):
    assert found(tree("examples/a.py", '"""What makes a collective intelligent?"""\n')) == []


def test_the_docstring_of_a_test_may_tell_a_subject_what_to_do(tree):
    root = tree("src/a.py", '@test("a-v1")\ndef a(rng):\n    """Say which coin is bent."""\n')
    assert found(root) == []


def test_messages_are_read_whole_without_comments_and_fields(tree):
    message = (
        '# so many comments\nraise Bad(\n    f"{place!r} is {n:.0f} rooms, "  # which is no text\n'
        '    "which is no plan."\n)\n'
    )
    root = tree("src/a.py", message)
    (hit,) = english.find_hits(root)
    assert (hit.sentence.text, hit.sentence.line) == ("{} is {} rooms, which is no plan.", 3)


def test_docs_are_read_without_code_and_tables_by_cell(tree):
    page = (
        "# So many pages\n\n`so many`\n\n```sh\nso many words\n```\n\n"
        "| a | b |\n|---|---|\n| it is one | it is no plan |\n"
    )
    assert found(tree("docs/a.md", page)) == [("docs/a.md", 1, "So many"), ("docs/a.md", 11, "is no")]


def test_pages_are_read_with_their_attributes_and_translated_strings(tree):
    page = (
        '<p>The plan <b>is</b> no\nlist of {{ n }} rooms.</p>\n<script>"so many words here"</script>\n'
        '<button title="Draw so many cards">{{ _("Go on with it") }}</button>\n{# so many notes here #}\n'
    )
    assert sorted(found(tree("src/a.html", page))) == [
        ("src/a.html", 1, "is no"),
        ("src/a.html", 4, "Go on with"),
        ("src/a.html", 4, "so many"),
    ]


def test_scripts_are_read_by_their_strings_only(tree):
    script = (
        "// so many notes here\nconst a = `The plan is no ${b.c({})} at all`;\n"
        "const d = /\"so many/.test('a so many b c');\n"
    )
    assert found(tree("src/a.js", script)) == [("src/a.js", 2, "is no"), ("src/a.js", 3, "so many")]


@pytest.mark.parametrize(
    "text", ["There is no test called that.", "It is no longer than that.", "It stands in for a person."]
)
def test_plain_phrases_are_left_alone(tree, text):
    assert found(tree("docs/a.md", text)) == []


@pytest.mark.parametrize("target", ["checks", "test"])
def test_the_checks_run_it(target):
    plan = subprocess.run(["make", "-n", target], cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert "tools/english.py" in plan.stdout
