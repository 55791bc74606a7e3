"""Chat: roles talk to each other for a while. Each message is an answer, so that the record and replay need no more."""

from collections.abc import Generator, Mapping, Sequence
from typing import Any

from mensura.dialogue.ask import Ask, Round
from mensura.dialogue.clock import Clock
from mensura.dialogue.prompts.chat_log import ChatLog, Utterance
from mensura.dialogue.spaces.text import Text


def chat(
    roles: Sequence[str] | Mapping[str, str],
    *,
    words: str = "",
    key: str = "chat",
    turns: bool = False,
    most: int = 20,
    longest: int = 500,
    typing: bool = False,
    until: int | None = None,
    clock: Clock | None = None,
) -> Generator[Round, Any, list[Utterance]]:
    """Let roles talk, and return what was said: `said = yield from chat(("first", "second"))`.

    Each role is asked for a message and shown all that was said. Who writes first is heard first; the others are
    then asked anew, and what they were writing stays on their page. An empty message says nothing: its role is asked
    again when someone else has spoken. The talk is over when nobody has more to say, or the time has come.

    Parameters
    ----------
    roles
        Who takes part; as a mapping, what each is called by the others.
    words
        What the talk is about, in Markdown.
    key
        Name of the messages in the record.
    turns
        Whether they speak one after the other, in the order of the roles; an empty message passes.
    most, longest
        How many messages each may write, and how long each may be.
    typing
        Whether people see who is typing. Programs are never seen to.
    until
        Tick at which the talk ends, for tests that take `clock`.
    clock
        Where the ticks of messages come from.

    Examples
    --------
    >>> talk = chat(("a", "b"), most=1)
    >>> [ask.role for ask in next(talk).asks]
    ['a', 'b']
    >>> [ask.role for ask in talk.send({"b": "Hello"}).asks]
    ['a']
    """
    names = dict(roles) if isinstance(roles, Mapping) else {role: role for role in roles}
    said: list[Utterance] = []
    left = dict.fromkeys(names, most)
    quiet: set[str] = set()
    order = list(names)
    while True:
        speaking = [role for role in order if left[role] and role not in quiet]
        asks = [
            Ask(
                ChatLog(tuple(said), role, names, words, longest, left[role], typing),
                Text(longest=longest, lines=2),
                key=key,
                role=role,
            )
            for role in (speaking[:1] if turns else speaking)
        ]
        if not asks or (until is not None and clock is not None and clock.now >= until):
            return said
        given = yield Round(asks, need="any", until=until)
        if not given:
            # The time has come, or those who were asked have left or declined.
            quiet.update(names if until is not None and clock is None else (ask.role for ask in asks))
        for role, text in given.items():
            if turns:
                order = [*order[order.index(role) + 1 :], *order[: order.index(role) + 1]]
            if text.strip():
                said.append(Utterance(role, text, 0 if clock is None else clock.now))
                left[role] -= 1
                quiet.clear()
            else:
                quiet.add(role)
