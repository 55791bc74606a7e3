"""The table of coverage as Markdown, put between two marks of a page."""

from pathlib import Path

from benchmarks.coverage.cells import Cell
from benchmarks.coverage.simulate import Result

BEGIN, END = "<!-- coverage:begin -->", "<!-- coverage:end -->"
LEAST, MOST = 0.93, 0.98
HEAD = "| cell | population | method | coverage | mean width | false claims |\n|---|---|---|---|---|---|"


def written(results: list[tuple[Cell, Result]]) -> str:
    """Write the table, the cells that cover too little with what the software says there, and those too wide."""
    repetitions = min(result.repetitions for _, result in results)
    parts = [
        f"{len(results)} cells of {repetitions} simulated studies each, made by `make coverage`; coverage is known to "
        f"± {1.96 * (0.95 * 0.05 / repetitions) ** 0.5:.3f}, and more exactly near .93, where five times as many were "
        "simulated. The mean width is on the scale of the score. False claims "
        "are shares of studies whose interval leaves out 0 although the truth is 0. An estimate without an interval "
        "claims nothing, and counts as covering.",
        "",
        *_short(results),
        "",
        *_wide(results),
        "",
        *_false(results),
        "",
        "<details>",
        "<summary>All cells</summary>",
        "",
        HEAD,
    ]
    for group in dict.fromkeys(cell.group for cell, _ in results):
        parts.append(f"| **{group}** | | | | | |")
        parts += [_row(cell, result) for cell, result in results if cell.group == group]
    return "\n".join([*parts, "", "</details>"])


def put(text: str, *, page: Path, begin: str = BEGIN, end: str = END) -> None:
    """Put the text between two marks of a page, or at its end with a heading where it has none."""
    before = page.read_text() if page.exists() else ""
    if begin not in before or end not in before:
        before = f"{before.rstrip()}\n\n## Coverage\n\n{begin}\n{end}\n"
    head, rest = before.split(begin, 1)
    _, tail = rest.split(end, 1)
    page.write_text(f"{head}{begin}\n{text}\n{end}{tail}")


def _row(cell: Cell, result: Result) -> str:
    claims = f"{result.claims:.3f}" if cell.truth == 0 and cell.compares else ""
    cover = f"**{result.coverage:.3f}**" if result.coverage < LEAST else f"{result.coverage:.3f}"
    return f"| {cell.name} | {cell.population} | {result.method} | {cover} | {result.width:.3g} | {claims} |"


def _short(results: list[tuple[Cell, Result]]) -> list[str]:
    short = [(cell, result) for cell, result in results if result.coverage < LEAST]
    if not short:
        return [f"No cell covers less than {LEAST:.0%}."]
    said: dict[str, list[str]] = {}
    for cell, result in short:
        said.setdefault(result.note, []).append(f"{cell.group}: {cell.name} ({result.coverage:.3f})")
    lines = [f"**{len(short)} cells cover less than 93 %.** What the software says beside such an estimate:", ""]
    return lines + [f"- “{note}”: {'; '.join(names)}." for note, names in said.items()]


def _wide(results: list[tuple[Cell, Result]]) -> list[str]:
    wide = [(cell, result) for cell, result in results if cell.is_large and result.coverage > MOST]
    if not wide:
        return ["No cell of 100 units or more, ten failures and successes among them, covers more than 98 %."]
    names = "; ".join(f"{cell.group}: {cell.name} ({result.coverage:.3f})" for cell, result in wide)
    return [f"Of 100 units or more, these cover more than 98 %: {names}."]


def _false(results: list[tuple[Cell, Result]]) -> list[str]:
    fair = [(cell, result) for cell, result in results if cell.exchangeable]
    worst, result = max(fair, key=lambda one: one[1].claims)
    return [
        f"Where two subjects could be exchanged ({len(fair)} cells), a difference is claimed in at most "
        f"{result.claims:.1%} of studies ({worst.group}: {worst.name})."
    ]
