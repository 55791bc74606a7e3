"""Review: answers that a person may read once more and change, where the test allows it."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from mensura.dialogue import Ask, Questions, Space, prompt_data
from mensura.running.live import Live
from mensura.web.drawing.prompt import number as written
from mensura.web.participant.typed import typed_fields
from mensura.web.participant.view import AskView, Given, View

if TYPE_CHECKING:
    from mensura.web.participant.seat import Seat


def answered(seat: "Seat", live: Live) -> Mapping[int, tuple[Ask, Any]]:
    """Return the asks that a person can answer anew, by number, each with what it was answered last."""
    return live.session.answered.get(seat.role, {})


def earlier(seat: "Seat", live: Live, number: int) -> View | None:
    """Return a question that was answered, to be answered anew; None where that cannot be done (any more)."""
    found = answered(seat, live)
    if number not in found or live.session.status != "open" or live.session.stopped_by:
        return None
    ask, _ = found[number]
    assert ask.space is not None
    view = View("back", seat.invitation, seat.named(ask))
    view.prompt = prompt_data(ask.prompt, page=True)
    view.ask = AskView(number, ask.key, ask.space.described(), "")
    view.question, view.questions = seat.counted(live, ask)
    view.back = max((one for one in found if one < number), default=None)
    return view


def revise(seat: "Seat", live: Live, form: Mapping[str, str], *, number: int, nonce: str) -> None:
    """Take a changed answer."""
    ask, _ = answered(seat, live).get(number, (None, None))
    value = None if ask is None or ask.space is None else ask.space.parse(form)
    typed = typed_fields(form, value)
    live.session.revise(value, role=seat.role, number=number, nonce=nonce, notes={"typed": typed} if typed else {})


def review(seat: "Seat", live: Live) -> list[Given]:
    """Return all that a person has answered and can still change."""
    found = answered(seat, live).items()
    return [Given(number, seat.named(ask), _pairs(ask, value)) for number, (ask, value) in found]


def _pairs(ask: Ask, value: Any) -> list[tuple[str, str]]:
    """Return what was asked and answered, as people read it."""
    assert ask.space is not None
    if isinstance(ask.space, Questions):
        return [(text, said(space, value[key])) for key, (text, space) in ask.space.questions.items()]
    return [("", said(ask.space, value))]


def said(space: Space, value: Any) -> str:
    """Write an answer as people read it, shares as percents.

    >>> from mensura.dialogue import Distribution, Likert
    >>> said(Distribution(("yes", "no")), {"yes": 0.25, "no": 0.75}), said(Likert(7), 3)
    ('yes: 25 %, no: 75 %', '3')
    """
    if isinstance(value, Mapping):
        return ", ".join(f"{name}: {said(space, part)}" for name, part in value.items())
    if isinstance(value, list):
        return "; ".join(said(space, part) for part in value)
    return f"{100 * value:g} %" if space.percent and isinstance(value, (int, float)) else written(value)
