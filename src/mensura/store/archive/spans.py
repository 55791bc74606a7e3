"""Spans: a run as OpenTelemetry traces by the conventions for generative AI, in the file form of OTLP (JSON lines)."""

import json
import re
from collections.abc import Iterator, Mapping
from hashlib import sha256
from importlib.metadata import version
from itertools import groupby
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from mensura.store.archive.export import Exported
from mensura.store.archive.told import SEALED, ToldAnswer, told_answers
from mensura.store.archive.writer import seeds_of
from mensura.store.head import RunHead
from mensura.store.store import Store
from mensura.text_file import unwritable

CONVENTIONS = "https://opentelemetry.io/schemas/1.38.0"
INTERNAL, CLIENT = 1, 3
ERROR = 2
EVALUATION = "gen_ai.evaluation.result"
PROVIDERS = {"api.openai.com": "openai", "api.anthropic.com": "anthropic"}
"""Hosts whose names the conventions know; every other host is named as it is."""

Span = dict[str, Any]


def export_spans(store: Store, run: str, path: str | Path, *, content: bool = False) -> Exported:
    """Write a run as traces: one for each session, with a span for each ask and an event for each of its scores.

    Parameters
    ----------
    content
        Whether prompts and replies go along; the conventions ask for a decision, since they may hold what is private.
        Truths and keys never do, and scores only once the run is over and opened.
    """
    head = store.runs.find(run)
    target, count = Path(path), 0
    try:
        target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        part = target.with_name(f".{target.name}.part")
        part.touch(mode=0o600)
        with part.open("w", encoding="utf-8") as file:
            for spans in _traces(store, head, content=content):
                file.write(json.dumps(_line(head, spans), ensure_ascii=False, allow_nan=False) + "\n")
                count += len(spans)
        part.replace(target)
    except OSError as error:
        raise unwritable(path, error) from error
    note = "" if head.opened else SEALED
    return Exported([target], {"spans": count}, seeds_of([head], with_seeds=False), note=note)


def _line(head: RunHead, spans: list[Span]) -> dict[str, Any]:
    facts = {"service.name": "mensura", "service.version": version("mensura"), "mensura.run": head.id}
    resource = _attributes({**facts, "mensura.seed": str(head.seed) if head.seed_public else None})
    scoped = {"scope": {"name": "mensura"}, "schemaUrl": CONVENTIONS, "spans": spans}
    return {"resourceSpans": [{"resource": {"attributes": resource}, "scopeSpans": [scoped]}]}


def _traces(store: Store, head: RunHead, *, content: bool) -> Iterator[list[Span]]:
    for _, group in groupby(told_answers(store, head), key=lambda told: told.session.id):
        told = list(group)
        spans = [_answer_span(one, head, content=content) for one in told]
        yield [_session_span(told[0], head, spans), *spans]


def _session_span(told: ToldAnswer, head: RunHead, spans: list[Span]) -> Span:
    failed = told.record.status not in ("finished", "open")
    facts = {
        "mensura.session": told.session.id,
        "mensura.test": head.test,
        "mensura.subject": ", ".join(head.who),
        "mensura.condition": head.condition,
        "mensura.item": told.address.item,
        "mensura.epoch": told.address.session + 1,
        "mensura.status": told.record.status,
        "mensura.excluded": told.excluded,
        "error.type": told.record.status if failed else None,
    }
    return {
        "traceId": _hash(told.session.id, 16),
        "spanId": _hash(f"{told.session.id} session", 8),
        "name": f"session {head.test}",
        "kind": INTERNAL,
        "startTimeUnixNano": min((span["startTimeUnixNano"] for span in spans), key=int),
        "endTimeUnixNano": max((span["endTimeUnixNano"] for span in spans), key=int),
        "attributes": _attributes(facts),
        **({"status": {"code": ERROR, "message": told.record.last_words}} if failed else {}),
    }


def _answer_span(told: ToldAnswer, head: RunHead, *, content: bool) -> Span:
    began = told.asked_at if told.asked_at is not None else head.created
    seconds = told.answer.seconds or 0.0
    model = told.notes.get("model")
    facts: dict[str, Any] = {"mensura.key": told.answer.key, "mensura.role": told.answer.role}
    facts["mensura.outcome"] = told.answer.status
    if model:
        facts |= _generation(told, str(told.record.cast.get(told.answer.role, "")))
    if content:
        facts |= _said(told, by_model=bool(model))
    end = _nanoseconds(began + seconds)
    failed = told.answer.status not in ("answered", "refused", "abstained", "withdrawn")
    facts["error.type"] = told.answer.status if failed else None
    return {
        "traceId": _hash(told.session.id, 16),
        "spanId": _hash(f"{told.session.id} {told.answer.number}", 8),
        "parentSpanId": _hash(f"{told.session.id} session", 8),
        "name": f"chat {facts['gen_ai.request.model']}" if model else "answer",
        "kind": CLIENT if model else INTERNAL,
        "startTimeUnixNano": _nanoseconds(began),
        "endTimeUnixNano": end,
        "attributes": _attributes(facts),
        "events": [_evaluation(name, value, end) for name, value in told.scores.items()],
        **({"status": {"code": ERROR}} if failed else {}),
    }


def _generation(told: ToldAnswer, subject: str) -> dict[str, Any]:
    """Return what the conventions say of one call of a model."""
    notes = told.notes
    named = re.match(r"llm:(?P<model>.*?)(?:@(?P<url>https?://[^#]*))?(?:#|$)", subject)
    url = urlsplit(named["url"] if named and named["url"] else "")
    asked = named["model"] if named else notes["model"]
    finish = notes.get("finish")
    return {
        "gen_ai.operation.name": "chat",
        "gen_ai.provider.name": PROVIDERS.get(url.hostname or "api.openai.com", url.hostname),
        "gen_ai.request.model": asked,
        "gen_ai.response.model": notes["model"],
        "gen_ai.response.finish_reasons": [str(finish)] if finish else None,
        "gen_ai.usage.input_tokens": notes.get("tokens_in"),
        "gen_ai.usage.output_tokens": notes.get("tokens_out"),
        "gen_ai.conversation.id": told.session.id,
        "server.address": url.hostname,
        "server.port": url.port,
        "mensura.cost": notes.get("cost"),
        "mensura.retries": notes.get("retries"),
    }


def _said(told: ToldAnswer, *, by_model: bool) -> dict[str, Any]:
    """Return prompts and reply; of a model in the shape of the conventions."""
    if not by_model:
        return {"mensura.prompt": told.prompt, "mensura.answer": told.said}
    asked = [_message(one) for one in told.notes.get("messages") or () if isinstance(one, Mapping)]
    if asked and asked[-1]["role"] == "assistant":
        # Whole talks end with the reply, which stands apart.
        asked.pop()
    reply = _message({"role": "assistant", "content": told.notes.get("reply") or told.said})
    reply["finish_reason"] = str(told.notes.get("finish") or "stop")
    return {"gen_ai.input.messages": json.dumps(asked), "gen_ai.output.messages": json.dumps([reply])}


def _message(one: Mapping[str, Any]) -> dict[str, Any]:
    content = one.get("content")
    words = content if isinstance(content, str) else json.dumps(content)
    return {"role": one.get("role"), "parts": [{"type": "text", "content": words}]}


def _evaluation(name: str, value: float, time: str) -> dict[str, Any]:
    facts = {"gen_ai.evaluation.name": name, "gen_ai.evaluation.score.value": value}
    return {"timeUnixNano": time, "name": EVALUATION, "attributes": _attributes(facts)}


def _attributes(facts: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Write facts as OTLP does, without those that are not known."""
    return [{"key": name, "value": _value(fact)} for name, fact in facts.items() if fact is not None and fact != ""]


def _value(fact: Any) -> dict[str, Any]:
    if isinstance(fact, bool):
        return {"boolValue": fact}
    if isinstance(fact, int):
        return {"intValue": str(fact)}
    if isinstance(fact, float):
        return {"doubleValue": fact}
    if isinstance(fact, list):
        return {"arrayValue": {"values": [_value(one) for one in fact]}}
    return {"stringValue": str(fact)}


def _hash(text: str, size: int) -> str:
    return sha256(text.encode()).digest()[:size].hex()


def _nanoseconds(seconds: float) -> str:
    return str(round(seconds * 1_000_000_000))
