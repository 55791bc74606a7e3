"""The inbox: time brings mail, a save is enough to go on, misses are counted."""

import numpy as np
import pytest

from mensura.catalog.inbox.dialogue import inbox
from mensura.catalog.inbox.mail import FOLDERS, TEXTS, draw_mail
from mensura.dialogue import Ask, Instance, Mailbox, Message, Noted, Session, Wait, generator, make_record, replay
from mensura.errors import Invalid, Late, MensuraError, SubjectLost
from mensura.running.driver import drive
from mensura.running.scoring.scoring import score_record
from mensura.running.take import take
from mensura.store import MemoryJournal
from mensura.subjects import SubjectSpec
from mensura.subjects.chance import Chance
from mensura.subjects.subject import knows


def events_of(subject, *, seed=1, **parameters):
    journal = MemoryJournal()
    knowing = frozenset({"subject"} if knows(subject) else ())
    session = Session(Instance(inbox, inbox.fill(parameters), seed, knowing=knowing))
    drive(session, {"subject": subject}, journal=journal)
    assert session.status == "finished"
    return journal.events


def scores_of(subject, *, seed=1, **parameters):
    taken = take(inbox, subject, seed=seed, parameters=parameters)
    scores = score_record(inbox, taken.record, taken.truths)
    return {name: items.values for name, items in scores.values.items()}, scores.details


def arrivals(events):
    return [(event.key, event.tick) for event in events if event.kind == "tell" and event.key.startswith("m")]


class Babbler:
    """Files, waits and talks by chance."""

    recomputes = True

    def begin(self, rng):
        self.rng = rng

    def __call__(self, ask):
        return Wait() if self.rng.random() < 0.2 else Noted(ask.space.draw(self.rng))


@pytest.mark.parametrize("name", ["talkative", "clerk", "guesser"])
def test_whatever_one_does_mail_arrives_at_the_same_ticks(name):
    silent = events_of(inbox.subjects["silent"]())
    other = events_of(inbox.subjects[name]())
    assert arrivals(silent) == arrivals(other)
    assert len(arrivals(silent)) == 16
    assert len(other) > len(silent)


def test_mail_arrives_at_the_tick_it_was_drawn_for():
    drawn = draw_mail(generator(1), phase=0, messages=8, phase_ticks=120, patience=30)
    told = dict(arrivals(events_of(Babbler())))
    assert all(told[mail.message.id] == mail.message.tick for mail in drawn)


def test_going_on_from_every_save_gives_the_rest_of_the_session_again():
    given = {"phases": 3, "messages": 3, "phase_ticks": 40, "patience": 15}
    events = events_of(Babbler(), seed=5, **given)
    instance = Instance(inbox, inbox.fill(given), 5)
    assert sum(event.kind == "save" for event in events) == 3
    for end in range(1, len(events) + 1):
        part = replay(instance, events[:end])
        full = replay(instance, events[:end], from_save=False)
        assert part.open == full.open
        assert (part.clock.now, part.paused, part.status) == (full.clock.now, full.paused, full.status)
    assert part.status == "finished"


def test_the_clock_stands_still_in_the_break():
    session = Session(Instance(inbox, inbox.fill(), 1))
    session.start()
    while session.paused is None:
        session.advance(session.deadline)
    assert session.clock.now == 120
    session.advance(100_000)
    assert session.clock.now == 120
    session.unpause()
    assert 120 < session.deadline <= 240


def test_the_clerk_files_everything_right_and_in_time():
    scores, details = scores_of(inbox.subjects["clerk"]())
    assert scores["handled_score"].tolist() == [1.0] * 16
    assert details == {"filed": 16, "missed": 0}
    assert (scores["delay"] >= 2).all()


def test_a_few_words_place_all_texts_but_one():
    signs = inbox.subjects["keywords"]()
    wrong = []
    for folder in FOLDERS:
        for subject, body in TEXTS[folder]:
            ask = Ask(Mailbox([Message("m1", "Ada", subject, body)]))
            if signs(ask)["arguments"]["folder"] != folder:
                wrong.append(subject)
    assert wrong == ["Be rich"]


def test_who_says_nothing_misses_everything():
    scores, details = scores_of(inbox.subjects["silent"]())
    assert scores["missed_loss"].tolist() == [1.0] * 16
    assert np.isnan(scores["accuracy"]).all()
    assert details == {"filed": 0, "missed": 16}


def test_guessing_is_right_one_time_in_four():
    scores, _ = scores_of(inbox.subjects["guesser"](), phases=60)
    values = scores["accuracy"]
    assert abs(values.mean() - 1 / 4) < 4 * values.std(ddof=1) / np.sqrt(len(values))


class Leaves:
    """Lets a dozen asks go by and is gone."""

    def __init__(self, how):
        self.how = how
        self.asked = 0

    def __call__(self, ask):
        self.asked += 1
        if self.asked > 12:
            raise self.how("enough")
        return Wait()


def test_a_session_that_we_lost_says_nothing_of_mail_not_yet_due(monkeypatch):
    # Only our own code may say that a subject was lost.
    monkeypatch.setattr("mensura.subjects.guard._raised_outside", lambda error: False)
    taken = take(inbox, Leaves(SubjectLost), seed=2)
    scores = score_record(inbox, taken.record, taken.truths).values
    assert taken.record.status == "lost"
    assert np.isnan(scores["missed_loss"].values).any()
    assert np.nansum(scores["missed_loss"].values) > 0


def test_mail_that_came_after_a_crash_was_missed():
    taken = take(inbox, Leaves(RuntimeError), seed=2)
    scores = score_record(inbox, taken.record, taken.truths).values
    assert taken.record.status == "crashed"
    assert (scores["missed_loss"].values == 1).all()
    assert (scores["handled_score"].values == 0).all()


def test_an_answer_after_new_mail_came_is_late_and_one_about_filed_mail_is_invalid():
    session = Session(Instance(inbox, inbox.fill(), 1))
    session.start()
    number = session.asked["subject"]
    while not session.open["subject"].prompt.messages:
        session.advance(session.deadline)
    with pytest.raises(Late):
        session.answer({"call": "wait", "arguments": {}}, number=number)
    first = session.open["subject"].prompt.messages[0].id
    act = {"call": "file", "arguments": {"message": first, "folder": "keep"}}
    session.answer(act)
    with pytest.raises(Invalid):
        session.answer(act)


def test_chance_gets_through_and_is_scored():
    taken = take(inbox, Chance(), seed=3)
    assert taken.record.status == "finished"
    assert taken.record.counts()["invalid"] == 0


def test_a_language_model_files_mail_by_calling_functions(chat_model):
    def act(request):
        (tool, *_) = [one["function"] for one in request["tools"]]
        if tool["name"] == "wait":
            return {"call": "wait", "arguments": {}}
        choices = tool["parameters"]["properties"]
        return {
            "call": "file",
            "arguments": {"message": choices["message"]["enum"][0], "folder": choices["folder"]["enum"][0]},
        }

    chat_model.answer, chat_model.native = act, True
    taken = take(inbox, SubjectSpec(chat_model.name).make(inbox), seed=1, parameters=inbox.settings["short"])
    assert taken.record.status == "finished"
    assert taken.record.counts()["invalid"] == 0
    filed = [answer.value for answer in taken.record.answers if answer.value and answer.value["call"] == "file"]
    assert len(filed) == 3


def test_mail_that_does_not_fit_is_refused_with_a_sentence():
    with pytest.raises(MensuraError, match="do not fit into a phase of 20 ticks"):
        draw_mail(generator(1), phase=0, messages=8, phase_ticks=20, patience=15)


def test_every_folder_has_texts_and_no_subject_line_belongs_to_two():
    subjects = [subject for folder in FOLDERS for subject, _ in TEXTS[folder]]
    assert len(set(subjects)) == len(subjects) == 16


def test_records_are_read_from_events_alone():
    record = make_record(events_of(inbox.subjects["clerk"]()), test="inbox-v1", parameters=inbox.fill())
    assert record.status == "finished"
    assert record.counts()["answered"] == 16
