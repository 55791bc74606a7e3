"""What the server sends to a judge: the same page and JSON whoever sits behind which letter, but for the words."""

import json
import re

import pytest

from mensura.web.participant.invitation import Frame, invite
from tests.web.participant.test_lobby import until

CAST = {"judge": "human", "human": "human", "machine": "eliza"}
OF_ITS_OWN = [
    r'name="csrf" value="[^"]*"', r'data-csrf="[^"]*"', r'name="nonce" value="[^"]*"', r"/p/[\w-]+",
    r"<b>Witness [AB]</b><span>[^<]*</span>", r'"text": "[^"]*", "mine": false',
]  # fmt: skip
"""What differs from link to link, and the words of witnesses."""


def plain(text):
    for pattern in OF_ITS_OWN:
        text = re.sub(pattern, "", text)
    return text


@pytest.mark.parametrize("talk", ["turns", "free"])
def test_pages_and_json_of_a_judge_are_alike_whoever_sits_where(enter, store, hand_clock, talk):
    told = {"form": "machine-human", "belief": "end", "talk": talk, "seconds": 900}
    links = invite("imitation", CAST, store=store, sessions=8, seed=3, parameters=told, frame=Frame())[1]
    seen: dict[str, list[str]] = {}
    for judge_link, human_link in zip(links[::2], links[1::2], strict=True):
        judge, human = enter(judge_link.path), enter(human_link.path)
        judge.look()
        shown = []

        def keep(judge=judge, shown=shown):
            shown.extend([plain(judge.text), plain(json.dumps(judge.state))])

        keep()
        judge.answer(**{"answer.0": "both", "answer.1": "Well?"})
        until(lambda human=human: human.look() and human.kind == "ask")
        side = re.search(r'data-side="([AB])"', human.text)[1]
        events = lambda session=judge_link.session: store.events.of(session)  # noqa: E731
        until(lambda events=events: any(event.role == "machine" and event.kind == "answer" for event in events()))
        judge.look()
        keep()
        hand_clock.wait(5)
        human.answer("Hello.")
        until(lambda events=events: any(event.role == "host" and event.kind == "ask" for event in events()))
        judge.look()
        keep()
        hand_clock.wait(120)
        until(lambda judge=judge: judge.look() and judge.text.count("<b>Witness") == 2)
        keep()
        seen.setdefault(side, shown)
        if len(seen) == 2:
            break
    assert seen["A"] == seen["B"]


def test_the_time_left_of_a_talk_is_its_own_where_others_go_on_beside_it(enter, links, store, hand_clock):
    cast = {f"judge{n}": "keyword" for n in (2, 3, 4)} | {"judge1": "human"}
    cast |= {f"{who}{n}": name for n in range(1, 5) for who, name in (("machine", "eliza"), ("human", "parrot"))}
    (link,) = links("imitation", cast, form="loebner", belief="end")
    judge = enter(link.path)
    until(lambda: any(event.role.startswith("host") for event in store.events.of(link.session)))
    assert judge.state["seconds_left"] == 1500
