"""Identity: nothing that a judge's page receives, but the words, tells who is who."""

import json
from dataclasses import replace

import numpy as np
import pytest

from mensura.catalog.imitation.dialogue import imitation
from mensura.catalog.imitation.forms import form_of
from mensura.catalog.imitation.interrogation import Interrogation
from mensura.catalog.imitation.players.player import Player
from mensura.catalog.imitation.room import Hearing, QuestionRoom
from mensura.dialogue import Instance, Questions, Session, prompt_data

GAMES = 160


class Slow(Player):
    """A person, simulated: as wordy as the machine, but slow to write."""

    def reply(self, question, lines):
        return "x" * int(self.rng.integers(5, 80))


def received(seed, **given):
    """Play a game as people on pages meet it, machine fast and person slow; return what the judge's page received.

    All but the words: every change of what the page shows, when it came, the numbers and keys of asks, and of each
    talk how many messages it has and how long they are.
    """
    rng = np.random.default_rng(seed)
    parameters = imitation.fill({"messages": 4, **given})
    session = Session(Instance(imitation, parameters, seed))
    session.start()
    players = {"machine": Slow(), "human": Slow()}
    for player in players.values():
        player.begin(np.random.default_rng(rng.integers(2**32)))
    judge, asked, shown, before = "judge", 0, [], None
    since: dict[str, tuple[int, int]] = {}
    while session.status == "open":
        now = session.clock.now
        for role in session.open:
            if since.get(role, (0, 0))[0] != session.asked[role]:
                since[role] = session.asked[role], now
        # Who is ready first acts first: a program writes at once, a person takes their time, the host is exact.
        ready = {role: _ready(session.open[role], since[role][1]) for role in session.open}
        role = min(ready, key=lambda one: (ready[one], one != "host", one in players, session.asked[one]))
        ask, tick = session.open[role], max(ready[role], now)
        if session.deadline is not None and tick >= session.deadline:
            session.advance(session.deadline)
        elif role == judge:
            answer = _judged(ask, asked)
            asked += isinstance(ask.prompt, QuestionRoom)
            session.answer(answer, role=role, tick=tick)
        else:
            session.answer(tick - now if role == "host" else players[role](ask), role=role, tick=tick)
        seen = _page(session, judge) if session.status == "open" else before
        if seen != before:
            shown.append((session.clock.now, seen))
            before = seen
    # The truth is never in what was looked at: it is taken from where the store keeps it.
    truth = session.drain_truths()["verdict"]
    return shown, truth


def _ready(ask, since):
    """Return when a role will have done what it is asked: the host when the time has come that its key names."""
    if ask.role == "host":
        return int(ask.key.split("/")[1])
    # The judge reads both answers before the next question: who asks on sees who answers two questions at once.
    reading = 40 if isinstance(ask.prompt, QuestionRoom) else 3
    return since + {"judge": reading, "machine": 1, "human": 9}[ask.role]


def _judged(ask, asked):
    if isinstance(ask.prompt, QuestionRoom):
        text = "Well?" if asked < 4 else ""
        return {"to": "both", "text": text} if isinstance(ask.space, Questions) else text
    if not isinstance(ask.space, Questions):
        return 0.5
    options = ask.space.questions["verdict"][1].options
    return {"verdict": options[0], "probability": 0.5, "reason": "", "message": "none", "strategy": "small talk",
            "blunders": ""}  # fmt: skip


def _page(session, role):
    """Return what the page of a role gets now, without the words."""
    ask = session.open.get(role)
    if ask is not None:
        data, number, key = prompt_data(ask.prompt, page=True), session.asked[role], ask.key
        space = json.dumps(ask.space.described(), sort_keys=True)
    else:
        data, number, key, space = session.meanwhile(role).data(), 0, "", ""
    talks = [[talk["side"], *((line["id"], line["name"], line["mine"]) for line in talk["lines"])]
             for talk in data.pop("talks")]  # fmt: skip
    return talks, json.dumps(data, sort_keys=True), number, key, space


def features(games):
    """Return numbers for a classifier, a row for each game: when what was shown, and every text but the words by name.

    A text that a page gets is a number by its place among all that occur, so that one letter or another order shows.
    """
    texts = sorted({text for shown, _ in games for _, seen in shown[:16] for text in _texts(seen)})
    place = {text: at for at, text in enumerate(texts)}
    rows = []
    for shown, _ in games:
        found = []
        for tick, seen in shown[:16]:
            found += [tick, *(len(talk) for talk in seen[0]), seen[2], *(place[text] for text in _texts(seen))]
        rows.append(found)
    width = max(map(len, rows))
    return np.array([row + [-1.0] * (width - len(row)) for row in rows])


def _texts(seen):
    talks, data, _, key, space = seen
    return [json.dumps(talks), data, key, space]


@pytest.mark.parametrize(("form", "talk"), [("standard", "turns"), ("standard", "free"), ("machine-human", "turns")])
def test_a_classifier_of_all_but_the_words_stays_at_chance(form, talk):
    games = [received(seed, form=form, talk=talk) for seed in range(GAMES)]
    shown = features(games)
    truths = np.array([truth == "A" for _, truth in games])
    assert 0.35 < truths.mean() < 0.65
    assert right_out_of_sample(shown, truths) < 0.62


def test_the_classifier_finds_a_telling_sign_where_there_is_one():
    games = [received(seed, form="standard", talk="free", delays=False) for seed in range(GAMES)]
    shown = features(games)
    truths = np.array([truth == "A" for _, truth in games])
    assert right_out_of_sample(shown, truths) > 0.95


def humans(interrogation):
    return [side for side, role in interrogation.seats.items() if role == "human"]


PLANTED = {
    "whose answer is awaited": lambda one, room: replace(room, awaited=tuple(humans(one))),
    "the order of addresses": lambda one, room: replace(room, to=tuple(sorted(room.to, key=humans(one).__contains__))),
    "a letter of the note": lambda one, room: replace(room, note="x" if humans(one) == ["A"] else "y"),
}


@pytest.mark.parametrize("leak", PLANTED)
def test_the_classifier_finds_what_is_planted(leak, monkeypatch):
    plain = Interrogation._room
    monkeypatch.setattr(
        Interrogation, "_room", lambda self, role, **more: PLANTED[leak](self, plain(self, role, **more))
    )
    games = [received(seed, form="standard") for seed in range(GAMES // 2)]
    assert right_out_of_sample(features(games), np.array([truth == "A" for _, truth in games])) > 0.9


@pytest.mark.parametrize("form", ["machine-human", "one"])
def test_in_a_free_talk_nothing_moves_for_a_judge_while_a_witness_writes(form):
    session = Session(Instance(imitation, imitation.fill({"form": form, "talk": "free"}), 3))
    session.start()
    text = {"to": "both", "text": "Well?"} if form == "machine-human" else "Well?"
    session.answer(text, role="judge", tick=2)
    before = _page(session, "judge")
    writers = [role for role in session.open if role in ("machine", "human")]
    for tick, role in enumerate(writers, start=3):
        session.answer("I think so.", role=role, tick=tick)
        assert _page(session, "judge") == before
    assert "host" in session.open
    session.advance(session.deadline)
    assert _page(session, "judge") != before


def right_out_of_sample(shown, truths):
    """Return how often a forest is right about games that it was not trained on."""
    from sklearn.ensemble import RandomForestClassifier
    from sklearn.model_selection import cross_val_score

    forest = RandomForestClassifier(60, random_state=1)
    return cross_val_score(forest, shown, truths, cv=5).mean()


@pytest.mark.parametrize("form", ["standard", "machine-human", "one", "jury"])
def test_what_a_page_gets_names_no_seat(form):
    told = form_of(form, jurors=2)
    for role in told.judges[:1]:
        parameters = imitation.fill({"form": form, "jurors": 2})
        session = Session(Instance(imitation, parameters, 5))
        session.start()
        first = next(iter(session.open))
        text = {"to": "both", "text": "Hi"} if told.pair else "Hi"
        session.answer(text, role=first)
        page = json.dumps(session.meanwhile(role).data())
        assert not any(f'"{name}"' in page for name in ("machine", "human", "man", "woman"))


def test_hearings_show_both_sides_in_the_same_shape():
    hearing = Hearing("What?", ())
    assert set(hearing.data()) == {"kind", "words", "talks", "choosing", "marking"}
