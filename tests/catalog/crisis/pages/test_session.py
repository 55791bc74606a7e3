"""Whole sessions in the browser: plain tools, an assistant, two people; each ends with scores."""

import pytest

pytestmark = pytest.mark.browser


def finish(desk):
    """Leave the office and wait for the last page."""
    desk.page.locator("button:text-is('Finish and leave')").click()
    desk.page.locator("button", has_text="Yes, finish").click()
    desk.page.locator("button", has_text="Continue").click()
    desk.page.wait_for_selector("h1:has-text('Thank you')")


def test_a_person_with_plain_tools_edits_the_site_briefs_and_is_scored(sit):
    desk = sit("cots")
    page = desk.page
    assert page.locator(".desk-tab", has_text="Assistant").count() == 0
    desk.tab("Schedule")
    page.click("[data-drop='great:0']")
    page.locator(".days button", has_text="Tue").click()
    page.click("[data-drop='great:9']")
    page.locator("button:text-is('Cut')").click()
    page.click("[data-drop='terrace:9']")
    desk.click("button:text-is('Paste')")
    assert "Terrace Room" in desk.said
    desk.tab("Web site")
    assert page.locator(".differs").count() == 0
    # Entries are found by what the schedule calls their events.
    page.fill("input[type=search]", "papers a1")
    assert page.locator(".entry-card h3").all_inner_texts() == ["Papers A1"]
    page.fill("input[type=search]", "")
    page.click("[data-place='at:site.site-dinner.room']")
    page.keyboard.press("Control+A")
    page.keyboard.type("Terrace Room")
    page.keyboard.press("Enter")
    desk.settled()
    page.locator(".option", has_text="People").click()
    page.click("[data-place='at:site.site-kofi.name']")
    page.keyboard.press("Control+A")
    page.keyboard.type("Kofi Mensah")
    page.keyboard.press("Enter")
    desk.settled()
    desk.tab("Briefing")
    page.fill("textarea", "The Great Hall is lost on Tuesday. The dinner moves to the Terrace Room.")
    desk.click("button:text-is('Send')")
    assert "12 words" not in desk.said
    assert "This is what was sent" in page.inner_text(".briefing")
    desk.tab("Manual")
    page.locator(".pick", has_text="Planner's manual").click()
    page.wait_for_selector(".prose")
    assert "Every event has a room of its own" in page.inner_text(".prose")
    finish(desk)
    assert page.locator(".results td", has_text="final").count() == 1
    beneath = page.locator(".results tr", has_text="final").locator("xpath=following-sibling::tr[1]").inner_text()
    assert all(word in beneath for word in ("floor 0.306", "lost by schedule", "lost by briefing")), beneath
    scores = desk.store.results.history(desk.session)[-1].scores.values
    assert 0 < float(scores["briefing"]) <= 1
    office = desk.office()
    assert office.place["dinner"] == ("terrace", 9)
    assert office.site["site-kofi"]["name"] == "Kofi Mensah"


def test_a_person_accepts_what_the_assistant_proposes(sit):
    desk = sit("radar+l")
    page = desk.page
    page.wait_for_selector(".letter")
    page.locator(".letter", has_text="under water").click()
    page.wait_for_selector(".message .body")
    desk.tab("Assistant")
    desk.click("button:text('Propose a schedule')")
    page.wait_for_selector(".proposal .parts li")
    moves = page.locator(".parts li").count()
    assert moves >= 3
    page.locator(".parts input[type=checkbox]").first.uncheck()
    desk.click("button:text('Accept what is ticked')")
    assert "done" in desk.said
    office = desk.office()
    accepted = [each for each in office.history if each.proposal == "p1" and each.ok]
    assert len(accepted) >= 1
    assert 1 not in office.proposals["p1"].accepted
    assert page.locator(".parts .tick").count() == len(office.proposals["p1"].accepted)
    desk.tab("Briefing")
    desk.click("button:text('Ask the assistant for a draft')")
    page.wait_for_selector("button:text('Put it into the editor')")
    page.locator("button", has_text="Put it into the editor").click()
    assert len(page.input_value("textarea")) > 20
    desk.click("button:text-is('Send')")
    finish(desk)
    scores = desk.store.results.history(desk.session)[-1].scores.values
    assert float(scores["schedule"]) > 0


def test_two_people_share_the_office_and_their_notes(sit):
    subject, helper = sit("cots+a")
    for each in (subject, helper):
        each.page.wait_for_selector(".letter")
    helper.tab("Notes")
    helper.page.fill("textarea", "I take the flowers")
    helper.click("button:text('Keep it')")
    # The other's page still shows the moment before; what is done there counts all the same.
    subject.tab("Notes")
    subject.page.fill("textarea", "I take the rooms")
    subject.click("button:text('Keep it')")
    subject.page.wait_for_selector(".notes li >> nth=1")
    assert [(note.role, note.text) for note in subject.office().notes] == [
        ("helper", "I take the flowers"),
        ("subject", "I take the rooms"),
    ]


def test_what_a_companion_did_is_said_to_be_theirs(sit):
    subject, helper = sit("cots+a")
    for each in (subject, helper):
        each.page.wait_for_selector(".letter")
    helper.page.locator(".letter", has_text="under water").click()
    helper.page.wait_for_selector(".message .body")
    helper.page.fill(".message textarea", "We are on it.")
    helper.click("button:text('Send reply')")
    assert "You replied" in helper.page.inner_text(".answered")
    subject.page.locator(".letter", has_text="under water").click()
    subject.page.wait_for_selector(".answered")
    assert "Your helper replied" in subject.page.inner_text(".answered")
    for each, by in ((subject, "your helper"), (helper, None)):
        each.page.locator(".folder", has_text="Sent").click()
        each.page.locator(".letter").click()
        heads = each.page.locator(".message .heads dd").all_inner_texts()
        assert heads[2:] == ([by] if by else [])


def test_the_survey_shows_no_running_clock_and_the_end_no_categories(sit):
    desk = sit("cots", survey=True)
    page = desk.page
    page.locator("button:text-is('Finish and leave')").click()
    page.locator("button", has_text="Yes, finish").click()
    page.wait_for_selector("input[type=radio]")
    assert page.locator(".clock").count() == 0
    for _ in range(28):
        number = page.locator("[data-ask]").get_attribute("data-ask")
        page.locator("label.card").nth(2).click()
        page.locator("button", has_text="Answer").click()
        page.wait_for_selector(f"[data-ask]:not([data-ask='{number}'])")
    page.fill("textarea", "Larger screens.")
    page.locator("button", has_text="Answer").click()
    page.locator("button", has_text="Continue").click()
    page.wait_for_selector("h1:has-text('Thank you')")
    shown = page.inner_text(".results")
    assert "final" in shown
    assert "survey" not in shown
    assert "survey_ease_of_use" in desk.store.results.history(desk.session)[-1].scores.values


def test_a_playback_shows_the_office_as_it_was(sit, home):

    desk = sit()
    page = desk.page
    desk.tab("Schedule")
    page.locator("[data-event=papers]").click()
    page.select_option("[data-place='move:papers:room']", "terrace")
    desk.click("button:text-is('Move')")
    desk.tab("Mail")
    page.locator(".letter", has_text="under water").click()
    page.wait_for_selector(".message .body")
    desk.store.accounts.add("Erin", password="a long enough password", role="experimenter")
    page.goto(f"{home[0]}/lab")
    page.fill("input[name=name]", "Erin")
    page.fill("input[name=password]", "a long enough password")
    page.locator("main button").click()
    page.wait_for_load_state()
    numbers = [event.number for event in desk.store.events.of(desk.session) if event.kind == "ask"]
    run, address = desk.session.rsplit("/", 1)
    for at, place in ((numbers[0], "auditorium:0"), (numbers[1], "terrace:0")):
        page.goto(f"{home[0]}/lab/runs/{run}/sessions/{address}/playback?at={at}")
        page.locator(".desk-tab", has_text="Schedule").click()
        page.wait_for_selector(f"[data-drop='{place}'] [data-event=papers]")
    assert page.locator(".desk button:text-is('Move'), .leave-office").count() == 0
    page.locator("[data-step=last]").click()
    page.wait_for_selector(".message .body:has-text('A pipe has burst')")


def test_the_break_comes_by_itself_and_after_it_everything_lies_where_it_lay(sit, monkeypatch):
    from mensura.catalog.crisis import dialogue
    from mensura.catalog.crisis.settings import Halves

    monkeypatch.setattr(dialogue, "Halves", lambda half, end: Halves(3, end))
    desk = sit()
    page = desk.page
    desk.tab("Briefing")
    page.fill("textarea", "Not yet sent")
    desk.tab("Notes")
    page.fill("textarea", "before the break")
    # Nothing is done, and no mail comes before the half is over.
    page.locator("button", has_text="Go on").click()
    page.wait_for_selector("main[data-ready] .desk")
    assert page.locator("main > .note").all_inner_texts() == []
    assert page.input_value("textarea") == "before the break"
    desk.tab("Briefing")
    assert page.input_value("textarea") == "Not yet sent"
    desk.click("button:text-is('Send')")
    assert desk.office().briefing == "Not yet sent"


def test_the_helper_is_told_when_the_office_closes_while_the_other_answers_the_survey(sit):
    subject, helper = sit("cots+a", survey=True)
    for each in (subject, helper):
        each.page.wait_for_selector(".letter")
    for each in (helper, subject):
        each.page.locator("button:text-is('Finish and leave')").click()
        each.page.locator("button", has_text="Yes, finish").click()
    subject.page.wait_for_selector("input[type=radio]")
    helper.page.wait_for_selector(".waiting .told")
    assert "Thank you for helping" in helper.page.inner_text(".told")
    assert helper.page.locator(".desk").count() == 0


@pytest.mark.proof
def test_nothing_can_be_done_in_an_office_that_waits_and_no_assistant_is_made_up(sit):
    subject, helper = sit("cots+a")
    for each in (subject, helper):
        each.page.wait_for_selector(".letter")
    helper.page.locator("button:text-is('Finish and leave')").click()
    helper.page.locator("button", has_text="Yes, finish").click()
    helper.page.wait_for_selector(".desk[data-waiting]")
    assert helper.page.inner_text(".desk-wait") == "One moment …"
    helper.tab("Notes")
    helper.page.fill("textarea", "too late")
    helper.page.locator("button", has_text="Keep it").click()
    assert helper.page.input_value("textarea") == "too late"
    # After a while the page says for whom one waits.
    helper.page.wait_for_selector(".waiting h1:has-text('Please wait for the others')")
    subject.tab("Notes")
    subject.page.fill("textarea", "alone now")
    subject.click("button:text('Keep it')")
    assert [note.text for note in subject.office().notes] == ["alone now"]


def test_a_briefing_that_was_not_sent_goes_to_the_chair_when_one_leaves(sit):
    desk = sit()
    desk.tab("Briefing")
    desk.page.fill("textarea", "The Great Hall is lost.")
    desk.tab("Notes")
    finish(desk)
    assert desk.office().briefing == "The Great Hall is lost."


@pytest.mark.proof
def test_a_briefing_that_was_not_sent_goes_to_the_chair_before_the_time_is_up(sit, monkeypatch):
    from mensura.catalog.crisis import dialogue
    from mensura.catalog.crisis.settings import Halves

    monkeypatch.setattr(dialogue, "Halves", lambda half, end: Halves(1800, 28))
    desk = sit()
    desk.tab("Briefing")
    desk.page.fill("textarea", "The Great Hall is lost.")
    desk.page.locator("button", has_text="Continue").click()
    assert desk.office().briefing == "The Great Hall is lost."
