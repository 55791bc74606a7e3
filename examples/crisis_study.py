"""Does an assistant that learns help in a crisis? Three conditions, thirty simulated participants in each.

    mensura study run examples/crisis_study.py --on processes:2
    mensura study analyse examples/crisis_study.py -o crisis.html

Everyone in it is simulated: scripted office workers whose skill, speed and diligence are drawn from distributions that
`mensura.catalog.crisis.subjects.traits` states, and who answer the survey by chance and a mood. Each condition has
thirty different ones. The study shows that the whole course works, from sessions to tables; it says nothing about
people. Run by itself, `python examples/crisis_study.py [SESSIONS]` carries it out in a separate store and prints the
means.
"""

import sys
import tempfile

from mensura.running.study.plan import Cast, ExclusionRule, Hypothesis, Stopping, Study

PACKAGE = "crisis-1"
CONDITIONS = ("cots", "radar-l", "radar+l")
PEOPLE = Cast("simulated", {"subject": "participant"}, simulated=True)


def plan(sessions: int) -> Study:
    """Return the study for a number of participants per condition."""
    return Study(
        name="crisis-study",
        question="Do people with an assistant do better, and is it learning that helps?",
        tests=("crisis",),
        casts=(PEOPLE,),
        conditions={name: {"condition": name, "package": PACKAGE, "survey": True} for name in CONDITIONS},
        chance="own",
        hypotheses=(
            Hypothesis("1: learning helps", "final", ("radar+l", "radar-l"), "greater"),
            Hypothesis("2: the assistant helps", "final", ("radar+l", "cots"), "greater"),
        ),
        exclusions=(ExclusionRule("did not finish", "status != finished"),),
        stopping=Stopping(most=sessions),
        seed=2006,
    )


study = plan(30)


def main(sessions: int) -> None:
    """Carry the study out and print the mean of each condition."""
    from mensura.running.run import summarise_run
    from mensura.running.study import conduct
    from mensura.store import open_store

    with tempfile.TemporaryDirectory() as folder, open_store(f"sqlite:///{folder}/crisis.db") as store:
        for state in conduct(plan(sessions), store=store).cells:
            scores = summarise_run(state.runs[0], store=store).scores
            parts = ", ".join(
                f"{name} {scores[name].value:.3f}" for name in ("schedule", "publishing", "web", "briefing")
            )
            print(f"{state.cell.condition:8} final {scores['final']}: {parts} (simulated)")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 30)
