"""Items: what became of each item in one run or several, and the answers to one of them."""

from collections.abc import Sequence
from typing import Annotated, Any
from urllib.parse import urlencode

from fastapi import APIRouter, Depends, Query, Request
from pydantic import BaseModel, Field

from mensura.errors import BadParameter
from mensura.exhibit import cell_words
from mensura.running.items.cell import cells_of, item_data
from mensura.running.items.exhibit import OVER, total_words
from mensura.running.items.summary import share_right, subject_summaries
from mensura.running.items.table import ItemTable
from mensura.running.items.view import DIFFER, SORTS, VERDICTS, ItemView
from mensura.store.head import RunHead
from mensura.store.people.accounts import Account
from mensura.web.lab.items.answers import MOST, ItemAnswer, answers_of
from mensura.web.lab.items.difference import word_difference
from mensura.web.lab.office import office
from mensura.web.lab.page import View, shows
from mensura.web.lab.pages.runs import declared_view, exact_run, facts_of
from mensura.web.lab.people.access import listing
from mensura.web.lab.people.rights import can, seen_runs
from mensura.web.lab.sessions.secrecy import asked_questions
from mensura.web.laboratory import laboratory

router = APIRouter()
PAGE = 50
MOST_RUNS = 20
OFFERED = 50
Word = Annotated[str, Field(max_length=300)]
Words = Annotated[list[Word], Field(max_length=MOST_RUNS)]


class Looked(BaseModel):
    """The view: everything in the address of a page, so that it can be shared."""

    run: Words = []
    tag: Words = []
    subject: Word = ""
    outcome: Word = ""
    differ: Word = ""
    text: Word = ""
    sort: Word = ""
    score: Word = ""
    page: int = Field(1, ge=1, le=1_000_000)

    @property
    def view(self) -> ItemView:
        """Which items are looked at, and in which order."""
        tags = tuple(tag for tag in self.tag if tag)
        return ItemView(tags, self.subject, self.outcome, self.differ, self.text.strip(), self.sort or "bank")

    def link(self, item: str = "", **changes: Any) -> str:
        """Return the address of the same view, of another page or order of it, or of one of its items."""
        said = {**self.data(), **({"page": 1} if changes else {}), **changes}
        usual = {"page": 1, "sort": "bank"}
        told = {name: value for name, value in said.items() if value and usual.get(name) != value}
        return f"/lab/items{f'/{item}' if item else ''}?{urlencode(told, doseq=True)}"

    def data(self) -> dict[str, Any]:
        """Return the address as JSON."""
        return {**self.model_dump(), **{name: [one for one in getattr(self, name) if one] for name in ("run", "tag")}}


def looked(address: Annotated[Looked, Query()]) -> Looked:
    """Read the address of a page."""
    return address


Here = Annotated[Looked, Depends(looked)]


@shows(router, "/lab/items", "items.html")
def items(
    request: Request,
    account: Annotated[Account, Depends(listing("see runs"))],
    here: Here,
    choose: bool = False,
    now: bool = False,
) -> View:
    """Show what became of each item, subject beside subject, or runs to choose from."""
    heads, told = chosen_runs(request, here)
    shown: View = {"looked": here, "chosen": [head.id for head in heads], "offered": None, "table": None}
    shown["calibration"] = f"/lab/calibration?{urlencode({'run': shown['chosen']}, doseq=True)}"
    if choose or not heads:
        tests: list[str | None] = [*{head.test: None for head in heads}] or [None]
        found = [head for test in tests for head in reversed(seen_runs(request, test, limit=OFFERED))]
        return {**shown, "offered": [facts_of(request, head, {}) for head in found]}
    tables = office(request).items
    waits = now or request.url.path.endswith(".json") or "hx-request" in request.headers
    table = tables.of(heads) if waits else tables.soon(heads)
    return {**shown, "table": None if table is None else _table_view(told_table(request, table, here, told=told), here)}


@shows(router, "/lab/items/{item}", "item.html")
def one_item(
    request: Request,
    item: str,
    account: Annotated[Account, Depends(listing("see transcripts"))],
    here: Here,
    diff: Annotated[list[str] | None, Query(max_length=2)] = None,
) -> View:
    """Show one item with every answer to it, and how two of them differ."""
    heads, told = chosen_runs(request, here)
    if not heads:
        raise BadParameter("Say in which runs: open /lab/items/ITEM?run=RUN.")
    store = laboratory(request).store
    table = told_table(request, office(request).items.of(heads), here, told=told)
    row = table.find(item)
    answers = answers_of(table, row, store=store)
    rows = here.view.rows(table).tolist()
    place = rows.index(row) if row in rows else None
    around = {} if place is None else {"before": rows[place - 1] if place else None, "after": _get(rows, place + 1)}
    known = table.rows[row]
    hidden = bool(len(table.withheld) and table.withheld[row])
    body = store.exchanges.bodies([known.content]).get(known.content) or {}
    return {
        "looked": here,
        "item": item_data(table, row),
        "asked": {"prompt": body.get("prompt", known.prompt), "space": body.get("space")},
        "truth": None if hidden else _truth(request, table, row),
        "withheld": hidden,
        "score": declared_view(table.score),
        "over": OVER,
        "cells": _cells(table, row),
        "answers": answers,
        "more": int(sum((rows == row).sum() for rows in table.places)) - len(answers),
        "most": MOST,
        "place": None if place is None else place + 1,
        "found": len(rows),
        "around": {name: None if one is None else table.rows[one].name for name, one in around.items()},
        "difference": _difference(answers, diff or []),
    }


def chosen_runs(request: Request, here: Looked) -> tuple[list[RunHead], bool]:
    """Find the runs that are named, if all may be seen, and whether the truths of all of them may be told."""
    heads, told, studies = [], True, set[str]()
    for name in dict.fromkeys(filter(None, here.run)):
        heads.append(exact_run(request, name))
        told = told and can(request, "see truths")
        studies.update(request.state.studies)
    request.state.studies = studies
    return heads, told


def told_table(request: Request, table: ItemTable, here: Looked, *, told: bool) -> ItemTable:
    """Return a table by the score that is looked at, without verdicts on what someone is or will be asked."""
    table = table.by(here.score) if here.score else table
    heads = [run.head for run in table.runs]
    return table.withholding(asked_questions(laboratory(request).store, heads) if told else None)


def _table_view(table: ItemTable, here: Looked) -> View:
    rows = here.view.rows(table)
    pages = max(1, -(-len(rows) // PAGE))
    page = min(here.page, pages)
    return {
        "score": declared_view(table.score),
        "proportion": table.score.proportion,
        "scores": list(table.scores),
        "tags": table.tags,
        "outcomes": [one for one in VERDICTS if table.score.proportion or one not in VERDICTS[:3]],
        "differences": list(DIFFER if any(run.circumstances.people for run in table.runs) else DIFFER[:1]),
        "sorts": list(SORTS),
        "runs": [{"id": run.head.id, "label": label} for run, label in zip(table.runs, table.labels, strict=True)],
        "subjects": [
            {
                **one.as_json(),
                "tokens_words": total_words(one.tokens),
                "cost_words": total_words(one.cost),
            }
            for one in subject_summaries(table, rows, view=here.view)
        ],
        "items": [_item_view(table, row) for row in rows[(page - 1) * PAGE : page * PAGE].tolist()],
        "found": len(rows),
        "total": len(table.rows),
        "withheld": int(table.withheld.sum()),
        "page": page,
        "pages": pages,
        "over": OVER,
        "calibrated": any(row.calibration for row in table.rows),
    }


def _item_view(table: ItemTable, row: int) -> View:
    item, over = table.rows[row], share_right(table, row)
    return {
        "item": item.name,
        "prompt": " ".join(item.prompt.split()),
        "tags": list(item.tags),
        "over_subjects": over.as_json(),
        "words": cell_words(over),
        "cells": _cells(table, row),
        "difficulty": cell_words(item.parameter("b")),
        "discrimination": cell_words(item.parameter("a")),
    }


def _cells(table: ItemTable, row: int) -> list[View]:
    return [
        {"run": run.head.id, "label": label, "words": cell.words, **cell.as_json()}
        for run, label, cell in zip(table.runs, table.labels, cells_of(table, row), strict=True)
    ]


def _truth(request: Request, table: ItemTable, row: int) -> Any:
    """Return what is right; it is the same for all that are paired."""
    for column in range(len(table.runs)):
        for one in table.sightings(row, column):
            if one.id:
                return laboratory(request).store.truths.of(one.session).get(one.key)
    return None


def _difference(answers: Sequence[ItemAnswer], named: Sequence[str]) -> View | None:
    """Compare the replies of two answers, named by their sessions; None where not two of them are here."""
    found = [one for name in named for one in answers if one.session == name]
    if len(found) != 2:
        return None
    first, second = found
    pieces = word_difference(first.reply, second.reply)
    return {"first": first.label, "second": second.label, "named": list(named), "pieces": pieces}


def _get(rows: Sequence[int], place: int) -> int | None:
    return rows[place] if place < len(rows) else None
