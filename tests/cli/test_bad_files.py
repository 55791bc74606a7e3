"""What scorers of files are given wrongly is refused in one sentence that does not repeat the file."""

from itertools import pairwise

import pytest


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["forecasting-appraisal", "--believed", "nan,nan", "--said", "0.2,0.8"], "Probabilities are numbers"),
        (["forecasting-appraisal", "--believed", "inf,0", "--said", "0.2,0.8"], "Probabilities are numbers"),
        (["forecasting", "--forecasts", "f.csv", "--rule", "phi:1/0"], "'1/0' is not a formula in u"),
        (["forecasting-words", "--readings", "empty.csv"], "empty.csv holds no reading"),
        (["forecasting-words", "--chart", "nowhere.csv", "--probability", "0.5"], "There is no file nowhere.csv"),
        (
            ["detection", "--spec", "f.csv", "--reference", "f.csv", "--hypotheses", "f.csv"],
            "must be a mapping of keys",
        ),
    ],
)
def test_a_wrong_file_or_number_is_refused_in_a_sentence(mensura, words, sentence, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "empty.csv").touch()
    (tmp_path / "f.csv").write_text("probability,outcome\n" + "0.7,1\n0.4,0\n" * 200)
    done = mensura("score", *words)
    assert done.status == 1
    assert sentence in done.err
    assert len(done.err) < 600
    assert "Traceback" not in done.err
    assert "Warning" not in done.err


DEEP = {
    "deep.yaml": "- " * 30_000,
    "deep.json": '{"a":' * 50_000,
    "deep.jsonl": "[" * 50_000,
    "nul.yaml": "a: \0",
    "bomb.yaml": "a: &a [x, x]\n"
    + "".join(f"{name}: &{name} [{', '.join([f'*{before}'] * 9)}]\n" for before, name in pairwise("abcdefghi")),
    "cut.npy": "\x93NUMPY",
}


@pytest.mark.parametrize(
    "words",
    [
        "study check deep.yaml",
        "study check bomb.yaml",
        "study run nul.yaml",
        "panel create deep.yaml",
        "score detection --spec deep.yaml --reference deep.jsonl --hypotheses deep.jsonl",
        "score detection --spec bomb.yaml --reference deep.jsonl --hypotheses deep.jsonl",
        "score detection --spec nul.yaml --reference deep.jsonl --hypotheses deep.jsonl",
        "score detection --spec counter-terrorism --reference deep.jsonl --hypotheses deep.jsonl",
        "list ./deep.yaml",
        "list lm-eval:./deep.yaml",
        "list ./deep.jsonl",
        "list ./deep.json",
        "generate crisis --lint bomb.yaml",
        "constraints show deep.yaml",
        "constraints show deep.json",
        "adaptivity deep.json",
        "arcade starts import cut.npy --game pong --out S.json",
        "arcade starts show deep.json",
        "run coin --as recorded:deep.jsonl",
        "run task-environments --task deep.json --as chance",
        "run puzzles --bank deep.jsonl --as chance",
        "puzzles verify deep.jsonl",
        "imitation code deep.jsonl",
        "imitation blunder deep.jsonl",
        "winograd bench deep.jsonl",
    ],
)
def test_a_file_that_is_nested_too_deeply_or_broken_is_refused_with_its_name(mensura, words, tmp_path):
    for name, content in DEEP.items():
        (tmp_path / name).write_text(content, encoding="latin-1")
    done = mensura(*words.split())
    assert done.status == 1
    said = done.err.strip().splitlines()[-1]
    assert said.startswith("mensura: ")
    assert any(name in said for name in DEEP if name in words)
    assert "Traceback" not in done.err
    assert len(said) < 400
