"""Whatever is given to the library, what cannot be used is refused in one sentence."""

import pytest

import mensura
from mensura.errors import BadParameter


@pytest.mark.parametrize(
    ("arguments", "options", "sentence"),
    [
        ((7, "chance"), {}, "A test is a name, a path, a generator function or a Test; got 7."),
        (("coin", None), {}, "A subject is a name, a path, a function, a class or a SubjectSpec; got None."),
        (("coin", []), {}, "name at least one subject"),
        (("coin", "chance"), {"sessions": "many"}, "A run has at least one session; got 'many'."),
        (("coin", "chance"), {"seed": "abc"}, "A seed is a whole number from 0 up; got 'abc'."),
        (("coin", "chance"), {"store": 3}, "A store is a path, a URL or an open store; got 3."),
    ],
)
def test_what_cannot_be_used_is_refused_in_one_sentence(tmp_path, arguments, options, sentence):
    with pytest.raises(BadParameter, match=sentence.replace(".", r"\.")):
        mensura.run(*arguments, **({"store": tmp_path / "x.db"} | options))


def test_only_runs_are_compared(tmp_path):
    runs = mensura.run("coin", "chance", store=tmp_path / "x.db")
    with pytest.raises(BadParameter, match="A run is named by its id, or given as one of Runs; got 7"):
        mensura.compare(runs, 7)
