"""Score three forecasters whose forecasts are revised until resolution, and write the report.

Run it as it stands for simulated forecasters, or give the file `governors_elections.csv` of FiveThirtyEight's
"checking our work" data (CC BY 4.0) to score their models of elections:

    python examples/forecasting_report.py [governors_elections.csv] [report.html]
"""

import csv
import sys
import tempfile
from datetime import date, timedelta
from pathlib import Path

import numpy as np

from mensura.report import write_file_report
from mensura.track_record.file_scores import forecast_scores
from mensura.track_record.files.scoring import look_further, read_files, score_book


def write_rows(path, header, rows):
    """Write a CSV."""
    with path.open("w", newline="") as file:
        csv.writer(file).writerows([header, *rows])


def elections(source, folder):
    """Turn the published table into forecasts and outcomes; an election is settled the day after."""
    forecasts, outcomes = [], {}
    opened = {}
    for row in csv.DictReader(source.open()):
        question = f"{row['year']} {row['state']}{' special' if row['special'] == 'true' else ''}"
        model = row["forecast_type"] or "only"
        forecasts.append((model, question, row["candidate"] or row["party"], row["probwin"], row["forecast_date"]))
        opened[question] = min(opened.get(question, "9"), row["forecast_date"])
        if row["probwin_outcome"] == "1":
            day = date.fromisoformat(row["election_date"]) + timedelta(days=1)
            outcomes[question] = (row["candidate"] or row["party"], day.isoformat())
    write_rows(folder / "f.csv", ["forecaster", "question", "option", "probability", "time"], forecasts)
    rows = [(question, winner, opened[question], day) for question, (winner, day) in outcomes.items()]
    write_rows(folder / "o.csv", ["question", "outcome", "opened", "closes"], rows)


def simulated(folder):
    """Simulate three forecasters who see more and more of what decides each question; one overvalues it."""
    rng = np.random.default_rng(1)
    forecasts, outcomes = [], []
    for k in range(150):
        steps = rng.normal(0, 0.6, 10)
        happens = rng.random() < 1 / (1 + np.exp(-steps.sum()))
        for name, stretch in (("careful", 0.6), ("realist", 1.0), ("bold", 2.0)):
            for day in range(0, 10, 3):
                odds = stretch * steps[: day + 1].sum()
                p = round(float(np.clip(1 / (1 + np.exp(-odds)), 0.01, 0.99)), 3)
                for option, share in (("yes", p), ("no", round(1 - p, 3))):
                    forecasts.append((name, f"q{k}", option, share, day))
        outcomes.append((f"q{k}", "yes" if happens else "no", 0, 10))
    write_rows(folder / "f.csv", ["forecaster", "question", "option", "probability", "time"], forecasts)
    write_rows(folder / "o.csv", ["question", "outcome", "opened", "closes"], outcomes)


def main(arguments):
    """Score, compare, test for persistent bias, and write the report."""
    source = next((Path(each) for each in arguments if each.endswith(".csv")), None)
    report = next((Path(each) for each in arguments if each.endswith(".html")), None)
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        elections(source, folder) if source else simulated(folder)
        book = read_files(folder / "f.csv", folder / "o.csv")
    scored = score_book(book, skip_bad=True)
    look_further(scored, book, compare=True, periods=3)
    print(f"{'forecasters of elections' if source else 'simulated forecasters'}; {len(scored.bad)} bad rows left out")
    for diagnosis in sorted(scored.diagnoses, key=lambda each: -each.score.value):
        print(f"{diagnosis.name:8s} log score {diagnosis.score}; coverage {diagnosis.coverage:.2f}")
        print(f"         {diagnosis.verdict.words}")
    for standing in scored.together.comparison.standings:
        print(f"on equal terms: {standing.name:8s} {standing.skill}")
    for pooled in scored.together.pools:
        print(f"pool {pooled.method:16s} {pooled.score}")
    if report:
        write_file_report(forecast_scores(scored), report)
        print(f"The pictures are in {report}.")


if __name__ == "__main__":
    main(sys.argv[1:])
