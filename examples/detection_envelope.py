"""Where do detectors break? A sweep over how much of the world can be seen, and over how much is noise.

    mensura study run examples/detection_envelope.py
    mensura study analyse examples/detection_envelope.py -o envelope.html

Run by itself, `python examples/detection_envelope.py [PICTURE.svg]` carries the study out in a separate store, prints
a table, and draws the envelope. Worlds are simulated.
"""

import sys
import tempfile
from pathlib import Path

from mensura.running.study.plan import Cast, Hypothesis, Stopping, Study

DETECTORS = ("echo", "rules", "links")
OBSERVABILITY = (0.25, 0.5, 0.75, 1.0, 1.25)
CORRUPTION = (1.0, 5.0)

study = Study(
    name="detection-envelope",
    question="How much must be seen, and how much may be wrong, before detectors do no better than the evidence?",
    tests=("detection",),
    casts=tuple(Cast(name, {"": name}) for name in DETECTORS),
    conditions={"": {"batch_days": 1000}},
    factors={"observability": OBSERVABILITY, "corruption": CORRUPTION},
    hypotheses=(
        Hypothesis(
            "links help when much is seen",
            "attack_mean_f",
            ("links in observability=1.0, corruption=1.0", "rules in observability=1.0, corruption=1.0"),
            "greater",
        ),
    ),
    stopping=Stopping(most=24),
    seed=2006,
)


def main(picture: Path | None) -> None:
    """Carry the study out and show how the mean F of attacks depends on what can be seen."""
    from mensura.running.study import conduct, exhibits_of
    from mensura.store import open_store

    with tempfile.TemporaryDirectory() as folder, open_store(f"sqlite:///{folder}/sweep.db") as store:
        conduct(study, store=store)
        envelope, *_ = exhibits_of(study, store=store)
    print(envelope.title, envelope.words, sep="\n")
    for row in (envelope.columns, *envelope.rows):
        print("".join(cell.ljust(width) for cell, width in zip(row, (24, 16, 20, 18, 4), strict=True)))
    if picture is not None:
        picture.write_text(envelope.figures[0].svg)
        print(f"Wrote {picture}.")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else None)
