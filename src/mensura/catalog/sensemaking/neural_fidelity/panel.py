"""The two panels of a submission, as files the laboratory opens."""

from collections.abc import Sequence
from pathlib import Path

from mensura.catalog.sensemaking.neural_fidelity.rubric import detailed_rubric, preliminary_rubric
from mensura.catalog.sensemaking.neural_fidelity.submission import ARCHITECTURE, Submission


def write_panels(submission: Submission, folder: Path, *, raters: Sequence[str] = ()) -> list[Path]:
    """Write the components as texts and the two panels as YAML; the performer's name is masked in all of them."""
    import yaml

    folder.mkdir(parents=True, exist_ok=True)
    artefacts = []
    written = []
    for place, component in enumerate(each for each in submission.components if each.implemented):
        path = folder / f"component_{place + 1}.md"
        path.write_text(component.as_markdown(), encoding="utf-8")
        written.append(path)
        artefacts.append({"file": path.name, "condition": "submission", "source": component.system})
    architecture = submission.architecture_markdown()
    if architecture is not None:
        path = folder / "architecture.md"
        path.write_text(architecture, encoding="utf-8")
        written.append(path)
        artefacts.append({"file": path.name, "condition": "submission", "source": ARCHITECTURE})
    masked = [name for name in (submission.performer, submission.model) if name]
    for name, rubric in (("preliminary", preliminary_rubric()), ("detailed", detailed_rubric())):
        panel = {
            "name": f"{name}-month-{submission.month}",
            "rubric": rubric,
            "artefacts": artefacts,
            "raters": list(raters),
            "overlap": max(2, len(raters)),
            "mask": masked,
            "keep": ["submission"],
            "resolution": "parity",
        }
        path = folder / f"{name}.yaml"
        path.write_text(yaml.safe_dump(panel, sort_keys=False, allow_unicode=True), encoding="utf-8")
        written.append(path)
    return written
