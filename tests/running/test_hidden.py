"""A subject in a sandbox is kept from the file of its test, and from what lies beside it and holds the answers."""

from types import SimpleNamespace

from mensura.dialogue import Bank, Choice, Item, Test
from mensura.running.hidden import hiding
from mensura.running.reference import reference
from mensura.subjects.sandbox.confinement import Confinement


def test_the_file_of_a_task_of_inspect_its_data_and_logs_are_hidden(tmp_path):
    for name in ("tasks.py", "samples.csv", "run.eval", "mine.txt"):
        (tmp_path / name).touch()
    (tmp_path / "logs").mkdir()
    test = Test("x-v1", lambda rng: iter(()), bank=Bank([Item("?", Choice(("a", "b")), "a")]))
    named = f"inspect:{tmp_path}/tasks.py@sums#top=3"
    hidden = hiding(Confinement(), reference=named, test=test, store=None, folders=[]).hidden
    assert {path for path in map(str, hidden) if path.startswith(str(tmp_path))} >= {
        f"{tmp_path}/{name}" for name in ("tasks.py", "samples.csv", "run.eval", "logs")
    }
    assert f"{tmp_path}/mine.txt" not in map(str, hidden)


def test_a_task_in_a_file_is_found_again_from_another_folder(tmp_path):
    (tmp_path / "tasks.py").touch()
    head = SimpleNamespace(
        test="inspect:sums-v2", details={"reference": "inspect:./tasks.py@sums#top=3", "folder": str(tmp_path)}
    )
    assert reference(head) == f"inspect:{tmp_path}/tasks.py@sums#top=3"
