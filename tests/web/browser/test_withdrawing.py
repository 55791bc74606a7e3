"""A person withdraws in a real browser: what they typed is nowhere any more, and pages say what stays."""

import zipfile
from pathlib import Path

import pytest

from mensura.errors import BadParameter
from mensura.running.panel import Artefact, Rater, assign, invite_raters, open_panel, progress_of, results
from mensura.running.panel.artefact import session_artefacts
from mensura.running.study.archiving import archive, release
from mensura.running.study.observing import ObserverNotes
from mensura.store import export_run
from mensura.store.people.invitations import Step
from mensura.store.sealed.proof import audit_run
from tests.proofs import proofs

pytestmark = pytest.mark.browser
ESSAY = f"{Path(__file__).parents[1] / 'essay.py'}:essay"
LETTERS = f"{Path(__file__).parents[1] / 'essay.py'}:letters"
MARK = "Zanzibarium"
CONSENT = Step("consent", text="You will write.")
RUBRIC = {
    "comments": True,
    "items": [
        {"key": "clear", "text": "It is clear.", "scale": {"points": 5}},
        {"key": "points", "text": "Pick.", "pick": 1, "scale": {"points": 5}},
    ],
}


def wait_for(page, kind):
    page.wait_for_selector(f'main[data-ready][data-kind="{kind}"]')


def write(page, words):
    asked = page.locator("[data-ask]").get_attribute("data-ask")
    page.locator("textarea, input[name=answer]").first.fill(words)
    page.get_by_role("button", name="Answer").click()
    page.wait_for_selector(f'main[data-ready]:not(:has([data-ask="{asked}"]))')


def withdraw(page):
    page.get_by_role("link", name="Withdraw").click()
    page.get_by_role("checkbox").check()
    page.get_by_role("button", name="Withdraw and erase").click()
    page.wait_for_selector('main[data-kind="withdrawn"]')


def found_in(place, *words):
    """Name the files of a database, and of what SQLite keeps beside it, that hold any of these words."""
    folder = Path(place).parent
    files = sorted(folder.glob(f"{Path(place).name}*"))
    assert files
    return [(file.name, word) for file in files for word in words if word.encode() in file.read_bytes()]


def members(path):
    with zipfile.ZipFile(path) as archive_:
        return b"".join(archive_.read(name) for name in archive_.namelist()).decode()


@pytest.fixture
def written(people, invited, store):
    """Somebody who has consented and written two texts; their page stands at the end of the session."""
    link = invited(ESSAY, before=[CONSENT])[0]
    page = people(link)
    said = page.inner_text("main")
    assert "a numbered place was taken, when it began and ended, so that your time can be paid" in said, (
        "said before the consent"
    )
    page.get_by_role("checkbox").check()
    page.get_by_role("button", name="Take part").click()
    wait_for(page, "ask")
    write(page, f"{MARK} is cold.")
    assert MARK in page.inner_text("main")
    write(page, f"Because of {MARK}.")
    wait_for(page, "over")
    store.invitations.name(link.invitation.number, name=f"Ms {MARK}", contact=f"{MARK}@example.org")
    return link, page


@pytest.mark.parametrize("place", [*proofs(0), 1, *proofs(2)])
def test_a_person_who_withdraws_is_nowhere_any_more(people, written, store, home, tmp_path, place):
    link, page = written
    run = link.session.partition("/")[0]
    head = store.runs.find(run)
    store.exclusions.decide(link.session, reason=f"{MARK} slept.", who="Ann")
    ObserverNotes(store).note(link.invitation.number, f"{MARK} yawned.", who="Ann")
    mine = session_artefacts(run, store=store, condition="a")
    others = [Artefact.from_text(f"Another text, {i}.", condition="b") for i in range(2)]
    panel = bob_meets_it_at(place, [*mine, *others], store)
    raters = {one.rater: people(_At(f"/p/{one.token}")) for one in invite_raters(panel, store=store)}
    sessions = [one.session for one in store.panels.assignments(panel)]
    for rater in raters.values():
        rater.get_by_role("button", name="Continue").click()
        wait_for(rater, "ask")
    # Ann has rated all three and quotes the text; Bob has just come to it, or has it still before him.
    for _ in range(12):
        if raters["ann"].locator('main[data-kind="ask"]').count() == 0:
            break
        rate(raters["ann"])
    while MARK not in raters["bob"].inner_text("main"):
        rate(raters["bob"])
    progress_of(panel, store=store)
    assert any(MARK in rating.comment for rating in store.panels.ratings(panel))
    export_run(store, run, tmp_path / "before.zip", format="zip")
    given = {"to": "Dr Who", "why": "a second look", "training": "seen", "store": store}
    with pytest.raises(BadParameter, match="Names of participants occur in answers"):
        release([head], tmp_path / "out.zip", **given)
    release([head], tmp_path / "out.zip", with_names=True, **given)
    archive([head], [tmp_path / "one", tmp_path / "two"], store=store)
    assert MARK in members(tmp_path / "before.zip")
    assert found_in(home[1], MARK)

    withdraw(page)
    said = page.inner_text("main")
    assert "your data have been erased" in said
    assert "given to Dr Who on" in said
    assert "a second look" in said
    assert "archive of the laboratory" in said
    assert page.evaluate("sessionStorage.length") == 0
    assert found_in(home[1], MARK) == []

    raters["bob"].reload()
    raters["bob"].wait_for_selector("main[data-ready]")
    seen = [raters["bob"].inner_text("main")]
    while raters["bob"].locator('main[data-kind="ask"]').count():
        rate(raters["bob"])
        seen.append(raters["bob"].inner_text("main"))
    assert not [text for text in seen if MARK in text]
    progress_of(panel, store=store)
    store.panels.close(panel)
    assert len(results(panel, store=store).artefacts) == 2
    for one in [run, *(name.partition("/")[0] for name in sessions)]:
        assert audit_run(store, one).whole, str(audit_run(store, one))
    assert "were erased on" in audit_run(store, run).erasures[0]
    export_run(store, run, tmp_path / "after.zip", format="zip")
    assert MARK not in members(tmp_path / "after.zip")
    assert found_in(home[1], MARK) == []


def bob_meets_it_at(place, artefacts, store):
    """Open panels until the text of the person has this place in Bob's order; gives the name of the panel."""
    for seed in range(100):
        name = f"ice {place} {seed}"
        open_panel(name, artefacts, rubric=RUBRIC, store=store, seed=seed)
        _, bob = assign(name, [Rater("ann"), Rater("bob")], store=store)
        texts = {one.code: one.content["text"] for one in store.panels.artefacts(name)}
        if MARK in texts[bob.work[place][0]]:
            return name
    raise AssertionError("no seed gives this order")


def rate(page):
    """Answer what a rater is asked, quoting what is to be rated."""
    asked = page.locator("[data-ask]").get_attribute("data-ask")
    text = page.locator("textarea")
    if text.count():
        text.first.fill(f"It says {MARK}." if MARK in page.inner_text("main") else "")
    else:
        page.locator("input[type=radio]").nth(2).check(force=True)
    page.get_by_role("button", name="Answer").click()
    page.wait_for_selector(f'main[data-ready]:not(:has([data-ask="{asked}"]))')


class _At:
    def __init__(self, path):
        self.path = path


def test_who_withdraws_from_a_session_with_others_takes_only_their_own(people, invited, store, home):
    first, second = invited(LETTERS)
    pages = [people(first), people(second)]
    for page, words in zip(pages, (f"I am {MARK}", "I am Bo"), strict=True):
        wait_for(page, "ask")
        page.locator("textarea, input[name=answer]").first.fill(words)
        page.get_by_role("button", name="Answer").click()
    pages[1].wait_for_selector(f"text={MARK}")
    withdraw(pages[0])
    pages[1].reload()
    assert "Someone withdrew" in pages[1].inner_text("main")
    assert MARK not in pages[1].inner_text("main")
    assert [event.value for event in store.events.of(first.session) if event.kind == "answer"] == ["I am Bo"]
    proof = audit_run(store, first.session.partition("/")[0])
    assert proof.whole, str(proof)
    assert "were erased on" in proof.erasures[0]
    assert found_in(home[1], MARK) == []
    withdraw(pages[1])
    assert found_in(home[1], "I am Bo") == []
