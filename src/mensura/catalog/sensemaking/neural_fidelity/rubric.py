"""What the panel rates: first fidelity and completeness, then the detailed criteria, as rubrics of the laboratory."""

from typing import Any

from mensura.catalog.sensemaking.neural_fidelity.tables import criteria, preliminary_items, questions

GRADES = {"points": 5, "low": "none", "high": "full"}
VERDICT = ["fail", "pass"]
YES_NO = ["no", "yes"]
IMPLAUSIBLE, FUNCTIONAL, SIMPLIFIED, EVIDENCE = "implausible", "functional", "simplified", "evidence"


def preliminary_rubric() -> dict[str, Any]:
    """Fidelity and completeness, anatomical and functional, about a week after a delivery."""
    items = [{"key": key, "text": text, "scale": GRADES} for key, text in preliminary_items().items()]
    return {
        "instructions": (
            "Preliminary evaluation of a component model. Biologically plausible means consistent with current "
            "neuroscientific understanding, incomplete as it is; implausible means that it contradicts it. "
            "Completeness is relative to what sensemaking needs. Comment on progress of integration and on how biases "
            "arise."
        ),
        "items": items,
        "comments": True,
    }


def detailed_rubric() -> dict[str, Any]:
    """The four criteria as pass or fail, and the questions whose answers can fail a component by themselves."""
    items: list[dict[str, Any]] = [
        {"key": key, "text": text, "scale": VERDICT, "measure": "nominal"} for key, text in criteria().items()
    ]
    asked = questions()
    items += [{"key": key, "text": asked[key], "scale": YES_NO, "measure": "nominal"} for key in asked]
    return {
        "instructions": (
            "Detailed assessment of a component model: pass or fail on structure, function, dynamics and integration. "
            "A component that is biologically implausible fails. Purely functional parts are acceptable only where no "
            "mechanism is known."
        ),
        "items": items,
        "comments": True,
    }
