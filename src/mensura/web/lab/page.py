"""Page: the experimenters' templates, and the two addresses that each page has: for people, and as JSON."""

from collections.abc import Callable
from functools import cache
from math import nan
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Request
from jinja2 import ChoiceLoader, Environment, PackageLoader
from starlette.responses import JSONResponse, Response

from mensura.dialogue import tally_words
from mensura.exhibit import cell_words
from mensura.report.content import folds
from mensura.stats.rounding import rounded
from mensura.store.people.accounts import Account
from mensura.web.drawing.prompt import environment
from mensura.web.lab.people.permission import Action
from mensura.web.lab.people.rights import can, rights_of
from mensura.web.lab.words import as_json, sentence, span, status_words, value_words, when
from mensura.web.language.tongue import tongues
from mensura.web.page import page

View = dict[str, Any]


def draw(request: Request, template: str, *, status: int = 200, **shown: Any) -> Response:
    """Draw a template for the account that is logged in; in it `can(action)` says what they may do.

    `can` is about the study that the page is of, or what is outside studies; `can_somewhere` about any.
    """
    account = getattr(request.state, "account", None)
    return page(
        request,
        f"lab/{template}",
        status=status,
        among=templates(),
        account=account,
        can=lambda action: account is not None and can(request, action),
        can_somewhere=_somewhere(request, account),
        home="/lab" if account is None else rights_of(request).home,
        twin=f"{request.url.path}.json" + (f"?{request.url.query}" if request.url.query else ""),
        **shown,
    )


def _somewhere(request: Request, account: Account | None) -> Callable[[Action], bool]:
    return lambda action: account is not None and rights_of(request).may_somewhere(action)


def shows(router: APIRouter, path: str, template: str) -> Callable[[Callable[..., View]], Callable[..., View]]:
    """Register what a function gives as a page, and as JSON at the same address with .json behind it."""

    def register(view: Callable[..., View]) -> Callable[..., View]:
        def drawn(request: Request, shown: Annotated[View, Depends(view)]) -> Response:
            return draw(request, template, **shown)

        def twin(shown: Annotated[View, Depends(view)]) -> Response:
            return JSONResponse(as_json(shown))

        # The twin first: the name of a run would swallow its ending.
        for address, endpoint, kind in ((f"{path}.json", twin, "json"), (path, drawn, "page")):
            router.add_api_route(
                address, endpoint, methods=["GET"], name=f"{view.__name__} {kind}", response_model=None
            )
        return view

    return register


@cache
def templates() -> Environment:
    """Return the templates of these pages, which may use those of the others and all that those use."""
    shared = environment()
    assert shared.loader is not None
    made = shared.overlay(
        loader=ChoiceLoader(
            [*(PackageLoader(f"mensura.{name}") for name in ("web.lab", "exhibit", "report")), shared.loader]
        )
    )
    made.globals = {**shared.globals, "languages": lambda: list(tongues())}
    made.filters = {
        **shared.filters,
        "when": when,
        "span": span,
        "value": value_words,
        "sentence": sentence,
        "status": status_words,
        "figure": cell_words,
        "rounded": _rounded,
        "outcomes": tally_words,
        "folds": folds,
    }
    return made


def _rounded(estimate: View) -> tuple[str, str, str]:
    """Write an estimate of a view, in which unknown numbers are None."""
    value, low, high = (nan if one is None else one for one in (estimate[end] for end in ("value", "low", "high")))
    return rounded(value, low, high)
