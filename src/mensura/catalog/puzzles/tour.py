"""What the puzzles show on the tour: one of them, drawn."""

from mensura.exhibit.tour_stop import Guide, TourStop


def tour(take: Guide) -> TourStop:
    """Let a solver of matrices and the chance baseline take matrices, and draw the first."""
    from mensura.catalog.puzzles.showing.drawing import draw_cell

    groups = {name: take("puzzles-v1", name, kinds="matrix", count=10) for name in ("raven", "chance")}
    right = {name: round(100 * group.estimates["accuracy"].value) for name, group in groups.items()}
    record, _ = next(iter(groups["raven"].records))
    prompt = record.content(record.answers[0].number)["prompt"]
    width = int(prompt["layout"].partition(":")[2] or 3)
    asked = "".join(_box(draw_cell(cell), "5.2rem") for cell in prompt["cells"])
    options = "".join(_box(draw_cell(cell), "3.2rem") for cell in prompt["options"])
    return TourStop(
        "Puzzles: problems of intelligence tests",
        "Ten kinds of problems, matrices among them, have one answer each that follows from what is shown, and their "
        "difficulty is measured.",
        f"A solver that looks for rules found {right['raven']} % of ten matrices, and guessing {right['chance']} %.",
        f'<style>.puzzle svg{{width:100%;height:100%}}</style><div class="puzzle" style="display:grid;'
        f'grid-template-columns:repeat({width},5.2rem);gap:.3rem;justify-content:center">{asked}</div>'
        f'<div class="puzzle" style="display:flex;gap:.3rem;justify-content:center;margin-top:.8rem;flex-wrap:wrap">'
        f"{options}</div>",
        f"{prompt['question']} The matrix and the options beneath it.",
        "mensura take puzzles --kinds matrix --as human",
    )


def _box(drawn: str, side: str) -> str:
    look = "display:flex;align-items:center;justify-content:center;border:1px solid #d9e0e7;border-radius:4px"
    return f'<div style="width:{side};height:{side};{look};font-size:1.6rem">{drawn}</div>'
