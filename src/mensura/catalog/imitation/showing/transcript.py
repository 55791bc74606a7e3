"""Transcripts: a game as it can be read afterwards, with beliefs between the messages and blunders marked."""

from collections.abc import Sequence
from html import escape
from typing import Any

from mensura.catalog.imitation.game import GameMessage, PlayedGame
from mensura.exhibit.look import as_svg

STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; max-width: 46rem; margin: 2rem auto; padding: 0 1rem; color: #1f2933; }
ol { list-style: none; padding: 0; }
li { margin: .4rem 0; padding: .5rem .8rem; border-radius: 10px; background: #f2f5f8; }
li.judge { background: #e5f0f8; margin-inline-start: 15%; } li.answer { margin-inline-end: 15%; }
li.belief { background: none; color: #51606d; padding-block: 0; font-size: .9rem; }
li.blunder { outline: 3px solid #b3261e; } li.decided { outline: 3px solid #00598c; }
small { color: #51606d; }
p, span { overflow-wrap: anywhere; white-space: pre-wrap; } svg { max-width: 100%; height: auto; }
"""


def transcript_lines(game: PlayedGame) -> list[str]:
    """Return a game as lines of text: messages as they were released, beliefs after each exchange, verdicts."""
    lines = [f"{game.form.name}: {game.form.revealed(game.seats)}"]
    for kind, tick, one in in_order(game):
        if kind == "belief":
            lines.append(f"{tick:>5} s  belief that the pretender is what it plays: {one:.0%}")
            continue
        who = "Interrogator" if one.judge else f"{one.id.rstrip('0123456789') or one.side} ({one.role})"
        lines.append(
            f"{tick:>5} s  [{one.id or '–'}] {who}: {one.text}{''.join(f' <{mark}>' for mark in marks(game, one))}"
        )
    lines += [
        f"verdict of {one.role}: {one.verdict} ({'right' if one.right else 'wrong'}), by {one.strategy}: {one.reason}"
        for one in game.final
    ]
    return [*lines, f"void: {game.void}" if game.void else f"decision: {game.decision}"]


def in_order(game: PlayedGame) -> list[tuple[str, int, Any]]:
    """List messages and mean beliefs in the order of time, seconds counted from the beginning."""
    found: list[tuple[str, int, Any]] = [
        ("message", (one.sent if one.released is None else one.released) - game.began, one) for one in game.messages
    ]
    for exchange in dict.fromkeys(one.exchange for one in game.beliefs):
        own = [one for one in game.beliefs if one.exchange == exchange]
        mean = sum(one.value for one in own) / len(own)
        found.append(("belief", max(one.tick for one in own) - game.began, mean))
    return sorted(found, key=lambda one: one[1])


def marks(game: PlayedGame, message: GameMessage) -> list[str]:
    """Return what is said of a message: that it decided, was marked as a blunder, was planted, or never released."""
    found = [f"decided for {one.role}" for one in game.final if message.id and one.message == message.id]
    flagged = sum(message.id in one.blunders for one in game.final) if message.id else 0
    found += [f"blunder, by {flagged} of {len(game.final)}"] if flagged else []
    found += ["planted blunder"] if message.planted else []
    return found + (["never released"] if message.released is None else [])


def transcript_page(games: Sequence[PlayedGame], *, title: str) -> str:
    """Return games as one page that stands alone: curve of belief, then the talk; it holds the truth."""
    parts = [f"<h1>{escape(title)}</h1>"]
    for number, game in enumerate(games, start=1):
        parts.append(f"<h2>Game {number}: {escape(game.form.name)}</h2><p>{escape(game.form.revealed(game.seats))}</p>")
        parts += [_curve(game), "<ol>", *(_item(game, *one) for one in in_order(game)), "</ol>"]
        parts += [
            f"<p>{escape(line)}</p>"
            for line in transcript_lines(game)
            if line.startswith(("verdict", "decision", "void"))
        ]
    head = f'<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>{escape(title)}</title>'
    return (
        f'<!doctype html><html lang="en"><head>{head}<style>{STYLE}</style></head><body>{"".join(parts)}</body></html>'
    )


def _item(game: PlayedGame, kind: str, tick: int, one: Any) -> str:
    if kind == "belief":
        return f'<li class="belief">{tick} s: belief {one:.0%}</li>'
    said = marks(game, one)
    classes = ["judge" if one.judge else "answer"]
    classes += ["blunder"] if any("blunder" in mark for mark in said) else []
    classes += ["decided"] if any("decided" in mark for mark in said) else []
    who = f"Interrogator to {one.side}" if one.judge else f"Witness {one.side} ({one.role})"
    noted = f" <b>{escape('; '.join(said))}</b>" if said else ""
    head = f"<small>{tick} s · {escape(who)} · {escape(one.id)}{noted}</small>"
    return f'<li class="{" ".join(classes)}">{head}<br><span>{escape(one.text)}</span></li>'


def _curve(game: PlayedGame) -> str:
    points = [{"seconds": tick, "belief": one} for kind, tick, one in in_order(game) if kind == "belief"]
    if not points:
        return "<p>No beliefs were asked for.</p>"
    import altair

    blunders = [
        {"seconds": tick, "belief": 0.0}
        for kind, tick, one in in_order(game)
        if kind == "message" and any("blunder" in mark for mark in marks(game, one))
    ]
    scale = altair.Scale(domain=[0, 1])
    line = altair.Chart(altair.InlineData(points)).mark_line(point=True, interpolate="step-after")
    chart = line.encode(x=altair.X("seconds:Q", title="seconds"), y=altair.Y("belief:Q", scale=scale, title="belief"))
    if blunders:
        chart += altair.Chart(altair.InlineData(blunders)).mark_rule(color="#b3261e").encode(x="seconds:Q")
    return str(as_svg(chart.properties(width=560, height=160)))
