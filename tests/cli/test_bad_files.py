"""What scorers of files are given wrongly is refused in one sentence that does not repeat the file."""

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
