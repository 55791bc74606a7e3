"""The mail of many worlds: exact numbers, no variable left, tasks that can be done, references that mean one thing."""

import re
from collections import Counter
from datetime import date, timedelta
from random import Random

import pytest

from mensura.catalog.crisis.mail.receipt import forms
from mensura.catalog.crisis.mail.style import _close, wording
from mensura.catalog.crisis.mail.template import by_case
from mensura.catalog.crisis.packages.build import build, build_world
from mensura.catalog.crisis.packages.find import find_package
from mensura.catalog.crisis.packages.package import Package
from mensura.catalog.crisis.world.parameters import PackageParameters
from mensura.catalog.crisis.world.time import slot_words

WORLDS = [Package(name=f"mail-{seed}", seed=seed) for seed in range(400, 405)]


@pytest.fixture(scope="module", params=WORLDS, ids=lambda package: package.name)
def world(request):
    return build(request.param)


def arriving(world):
    return [letter for letter in world.letters if letter.tick >= 0]


def test_there_are_exactly_as_many_messages_and_as_much_noise_as_asked_for(world):
    assert len(arriving(world)) == 107
    assert sum(not letter.tasks for letter in arriving(world)) == 42


def test_the_predecessors_mailbox_has_more_than_a_hundred_messages_with_a_receipt_for_each_order(world):
    old = [letter for letter in world.letters if letter.tick < 0]
    assert len(old) > 100
    receipts = {letter.order: letter for letter in old if letter.order}
    assert set(receipts) == {order.id for order in world.orders}
    for order in world.orders:
        assert order.id in receipts[order.id].body
        assert world.room[order.room].name in receipts[order.id].body
        assert receipts[order.id].sender == order.vendor


def test_every_kind_of_task_is_there_as_often_as_asked_for(world):
    kinds = Counter(task.kind for letter in arriving(world) for task in letter.tasks)
    expected = {
        "crisis": 2, "publish": 1, "briefing": 2, "room_fact": 14, "event_fact": 12, "availability": 11,
        "preference": 10, "web": 13, "query": 10, "order": 5,
    }  # fmt: skip
    assert kinds == expected


def test_some_messages_bring_two_tasks_of_different_kinds(world):
    doubles = [letter for letter in arriving(world) if len(letter.tasks) == 2]
    assert len(doubles) == 15
    assert all(letter.tasks[0].kind != letter.tasks[1].kind for letter in doubles)
    assert all(len(letter.tasks) <= 2 for letter in arriving(world))


def test_letters_come_in_order_and_tasks_in_time(world):
    ticks = [letter.tick for letter in world.letters]
    assert ticks == sorted(ticks)
    assert all(letter.tick <= 0.76 * world.minutes * 60 for letter in arriving(world) if letter.tasks)
    first = arriving(world)[0]
    assert (first.tick, first.tasks[0].kind, first.sender) == (0, "crisis", world.boss)


def test_no_variable_or_mark_is_left_in_any_message(world):
    for letter in world.letters:
        for words in (letter.subject, letter.body):
            assert not re.search(r"\{[a-z_]+[^}]*\}|\[\[|\]\]|[\x02\x03]", words), letter.id
            assert words.strip()


def test_what_a_task_hangs_on_is_in_the_letter_letter_by_letter(world):
    """Carelessness never touches a key value."""
    for letter, task in world.tasks.values():
        words = f"{letter.subject}\n{letter.body}"
        if task.kind == "web":
            assert str(task.target["value"]) in words, letter.id
        elif task.kind == "room_fact" and task.target["fact"].startswith("capacity"):
            assert re.search(rf"\b{task.target['value']}\b", words), letter.id
        elif task.kind == "room_fact":
            assert task.target["fact"] == "equipment"
            assert task.target["value"] == list(world.room[task.target["room"]].equipment)
        elif task.kind == "event_fact" and task.target["fact"] == "attendance":
            assert re.search(rf"\b{task.target['value']}\b", words), letter.id
            assert world.event[task.target["event"]].attendance == task.target["value"]
        elif task.kind == "order":
            assert world.vendor[task.target["vendor"]].name in words, letter.id


def test_facts_that_letters_tell_are_the_truth_and_not_what_the_sheet_says(world):
    for letter, task in world.tasks.values():
        if task.kind == "room_fact":
            room = world.room[task.target["room"]]
            if task.target["fact"].startswith("capacity."):
                layout = task.target["fact"].split(".")[1]
                assert room.capacity[layout] == task.target["value"]
            else:
                assert set(room.assumed_equipment) != set(room.equipment)
        if task.kind == "event_fact" and task.target["fact"] == "attendance":
            event = world.event[task.target["event"]]
            assert event.assumed_attendance != 0, letter.id


def test_events_whose_sheet_is_wrong_are_told_of_in_a_letter(world):
    told = {task.target["event"] for _, task in world.tasks.values() if task.kind == "event_fact"}
    wrong = {event.id for event in world.events if event.assumed_attendance or event.assumed_needs is not None}
    assert wrong == told


def test_letters_bring_the_rules_that_name_them(world):
    brought = {rule for _, task in world.tasks.values() for rule in task.rules}
    assert brought == {rule.id for rule in world.rules if rule.source != "manual"}
    for letter, task in world.tasks.values():
        for rule in task.rules:
            assert world.rule[rule].source == letter.id
    assert sum(rule.source.startswith("b-old") for rule in world.rules) == 4


def test_nobody_is_away_twice_and_absences_leave_them_time(world):
    away = Counter(rule.person for rule in world.rules if rule.kind == "away")
    assert max(away.values()) == 1


def test_senders_know_what_they_write_about(world):
    for letter, task in world.tasks.values():
        if task.kind == "availability":
            assert task.target["person"] == letter.sender
        if task.kind == "preference":
            assert letter.sender in world.event[task.target["event"]].people


def test_an_own_session_is_the_only_one_the_writer_has(world):
    for letter in arriving(world):
        if re.search(r"\b(my (session|panel|tutorial|poster session)|the session I chair)\b", letter.body):
            # A person in one event only can say "my session" and be understood.
            mine = [event.id for event in world.events if letter.sender in event.people]
            said = {task.target["event"] for task in letter.tasks if "event" in task.target}
            if said:
                assert set(mine) == said or len(mine) != 1


def test_noise_is_not_repeated(world):
    noise = [letter.body for letter in arriving(world) if not letter.tasks]
    assert len(set(noise)) == len(noise)


def test_no_aside_worry_or_subject_is_repeated_in_a_world(world):
    bodies = "\n".join(letter.body for letter in world.letters)
    styles = Counter(world.person[letter.sender].style for letter in world.letters if letter.sender in world.person)
    dealt = {"chatty": ("openers", "closers"), "pompous": ("prefaces",), "anxious": ("worries", "worries_last")}
    for style, name in ((style, name) for style, names in dealt.items() for name in names):
        pool, most = wording(name), styles[style]
        said = [bodies.count(words) for words in pool]
        assert max(said) <= -(-most // len(pool))
    subjects = Counter(letter.subject.lower() for letter in world.letters if not letter.order)
    assert max(subjects.values()) == 1


def unsigned(letter, writer):
    """Give the words of a letter without its signature."""
    closings = {_close(writer, Random(seed)) for seed in range(60)}
    signed = max((one for one in closings if letter.body.endswith(one)), key=len, default="")
    return letter.body.removesuffix(signed)


def test_nobody_writes_of_themselves_by_name(world):
    checked = 0
    for letter in world.letters:
        # A writer who asks for another name on the site has to say it.
        if letter.sender in world.person and not any(task.kind == "web" for task in letter.tasks):
            writer = world.person[letter.sender]
            first = writer.name.split()[0]
            words = unsigned(letter, writer)
            if first not in (world.person[id].name.split()[0] for id in (world.boss, world.predecessor)):
                assert not re.search(rf"\b{re.escape(first)}\b", words.partition("\n\n")[2] or words), letter.id
                checked += 1
    assert checked > 100


def test_every_vendor_has_a_form_of_its_own_with_all_that_an_order_needs(world):
    receipts = {letter.order: letter for letter in world.letters if letter.order}
    for order in world.orders:
        vendor, words = world.vendor[order.vendor], receipts[order.id].body
        item = next(one.name for one in vendor.items if one.id == order.item)
        when = slot_words(order.slot, first=world.first)
        for said in (order.id, item, str(order.quantity), world.event[order.event].short, when, vendor.name):
            assert said in words
        assert f"{vendor.change_fee:.2f}" in words
        assert f"{vendor.cancel_fee:.2f}" in words
    openings = [one for form in forms().values() for one in form.openings]
    assert set(forms()) == {vendor.id for vendor in world.vendors}
    assert len(set(openings)) == len(openings)


def test_the_conference_is_named_with_its_article(world):
    for letter in world.letters:
        for match in re.finditer(re.escape(world.title), letter.body):
            assert letter.body[: match.start()].lower().endswith("the "), letter.id


def test_there_are_hundreds_of_bodies_before_variation():
    cases = by_case()
    assert sum(len(those) for those in cases.values()) > 300
    assert len(cases["noise"]) >= 60
    assert len(cases["backstory"]) >= 60
    signals = [one for case, those in cases.items() if case not in ("noise", "backstory") for one in those]
    assert len(signals) >= 150
    assert len({one.body for those in cases.values() for one in those}) == sum(len(those) for those in cases.values())
    ids = [one.id for those in cases.values() for one in those]
    assert len(set(ids)) == len(ids)


def test_a_corpus_shifted_in_time_says_other_days_and_nothing_else_changes():
    package = find_package("crisis-1")
    later = package.model_copy(update={"first": package.first + timedelta(days=28)})
    one, other = build(package), build(later)
    assert [letter.id for letter in one.letters] == [letter.id for letter in other.letters]
    assert other.today - one.today == timedelta(days=28)
    assert one.letter["m-1"].body != other.letter["m-1"].body or one.letter["m-5"].body != other.letter["m-5"].body
    assert "17 May" in one.manual
    assert "14 June" in other.manual
    assert all("May" not in letter.body or "May I" in letter.body for letter in other.letters if letter.tasks)


def test_a_conference_may_begin_on_any_day_of_the_week():
    package = find_package("practice-1").model_copy(update={"first": date(2028, 3, 2)})
    assert "Thursday 2 March" in build(package).manual


def test_an_evaluator_can_change_key_values():
    package = find_package("crisis-1").model_copy(update={"variables": {"wifi_password": "oak-nine-kilo"}})
    world = build(package)
    assert "oak-nine-kilo" in world.pages["wireless"]
    asked = [task for _, task in world.tasks.values() if task.kind == "query"]
    before = [task for _, task in build_world("crisis-1").tasks.values() if task.kind == "query"]
    assert len(asked) == len(before)


def test_another_number_of_messages_is_exact_too():
    parameters = PackageParameters(messages=90, noise=30, queries=6, web=9, room_facts=12)
    world = build(Package(name="x", seed=3, parameters=parameters))
    assert len(arriving(world)) == 90
    assert sum(not letter.tasks for letter in arriving(world)) == 30


# In worlds of these seeds chance once drew a title, and a rate, that stood on the site already.
@pytest.mark.parametrize("seed", [77, 135])
def test_every_change_of_the_site_that_is_asked_for_changes_something(seed):
    world = build(Package(name="mine", seed=seed))
    site = {entry.id: entry.fields for entry in world.site}
    wanted = [task.target for _, task in world.tasks.values() if task.kind == "web"]
    assert wanted
    assert [target for target in wanted if site[target["entry"]][target["field"]] == target["value"]] == []
