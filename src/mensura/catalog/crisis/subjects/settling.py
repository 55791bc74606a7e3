"""Settling: the acts that a task of the world asks for, for those who are told the world: the oracle and lessons."""

from mensura.catalog.crisis.act import Act, call, words
from mensura.catalog.crisis.office.slots import slots_text
from mensura.catalog.crisis.world.conference import Conference
from mensura.catalog.crisis.world.mail import MailTask


def acts_for(task: MailTask, *, message: str, world: Conference, constraints: bool) -> list[Act]:
    """Return by which acts a task is settled; constraints are entered only where there is a tool for them."""
    target = task.target
    if task.kind == "room_fact":
        return [call("set_room_fact", room=target["room"], fact=target["fact"], value=words(target["value"]))]
    if task.kind == "event_fact":
        return [call("set_event_fact", event=target["event"], fact=target["fact"], value=words(target["value"]))]
    if task.kind == "web":
        return [call("edit_entry", entry=target["entry"], field=target["field"], value=words(target["value"]))]
    if task.kind == "query" and target.get("answer"):
        answer = target["answer"]
        said = answer if isinstance(answer, str) else str(answer[0])
        return [call("reply", message=message, text=f"Thank you for asking. {said}")]
    if task.kind == "order" and target.get("cancel"):
        return [call("cancel_order", order=target["order"])]
    if task.kind == "order" and {"order", "quantity"} <= set(target):
        return [call("change_order", order=target["order"], quantity=target["quantity"])]
    if task.kind == "order" and {"vendor", "item", "quantity", "event"} <= set(target):
        return [call("order", **{name: target[name] for name in ("vendor", "item", "quantity", "event")})]
    if constraints and task.kind in ("availability", "preference"):
        return [_constrain(world, rule) for rule in task.rules]
    return []


def _constrain(world: Conference, name: str) -> Act:
    rule = world.rule[name]
    said = {part: getattr(rule, part) for part in ("event", "other", "person", "place", "item")}
    filled = {part: value for part, value in said.items() if value}
    if rule.slots:
        filled["slots"] = slots_text(rule.slots)
    return call("constrain", kind=rule.kind, **filled)
