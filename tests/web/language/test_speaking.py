"""Pages speak the language of the invitation, else that of the browser, else English."""

import pytest

from mensura.errors import Invalid
from mensura.phrase import phrase
from mensura.store.people.invitations import Step
from mensura.web.language.collecting import write_language
from mensura.web.language.speaking import speaking, translate
from mensura.web.language.tongue import VARIABLE
from tests.web.drawing.test_prompt import FILLED
from tests.web.gallery import ASKS

CONSENT = Step("consent", text="Please read.")


@pytest.mark.parametrize(
    ("invited", "browser", "lang", "words"),
    [
        ("de", "es", "de", "Ihre Einwilligung"),
        ("", "fr, es;q=0.8", "es", "Su consentimiento"),
        ("", "zz", "en", "Your consent"),
        ("nonsense", "", "en", "Your consent"),
    ],
)
def test_the_invitation_comes_before_the_browser(links, enter, invited, browser, lang, words):
    person = enter(links(before=[CONSENT], details={"language": invited})[0].path)
    page = person.client.get(person.path, headers={"accept-language": browser})
    assert f'<html lang="{lang}" dir="ltr">' in page.text
    assert words in page.text
    state = person.client.get(f"{person.path}.json", headers={"accept-language": browser}).json()
    assert state["heading"] == words


def test_a_refusal_and_the_words_of_scripts_are_translated(links, enter):
    person = enter(links(flips=1, details={"language": "de"})[0].path)
    assert "Ihre Wahrscheinlichkeit" in person.text
    assert '"Add a row": "Zeile hinzufügen"' in person.text
    person.answer("0.6")
    assert "Meinen Sie 0.6 % oder 60 %?" in person.text


MISTAKES = ("", "abc", "-1", "1e9", "0.6", "x" * 600, "1,5", "nan", "½", "\x00", "1 2 3", "[1]", "200 %")


def refusal(space, form):
    """Return what is wrong with a form; None where nothing is."""
    try:
        space.check(space.parse(form))
    except Invalid as refused:
        return refused
    return None


@pytest.mark.parametrize("language", ["de", "es"])
def test_no_refusal_that_a_form_can_bring_is_left_in_english(language):
    met = 0
    for key, ask in ASKS.items():
        whole = FILLED[key]
        forms = [{}, *(dict.fromkeys(whole, mistake) for mistake in MISTAKES)]
        forms += [{**whole, name: mistake} for name in whole for mistake in MISTAKES]
        forms += [{other: value for other, value in whole.items() if other != name} for name in whole]
        for refused in filter(None, (refusal(ask.space, form) for form in forms)):
            with speaking(language):
                assert translate(refused.said) != str(refused), f"{key}: {refused}"
            met += 1
    assert met > 200


def test_parts_of_a_sentence_are_translated_too():
    said = phrase("{what} must be whole; got {got}.", what=phrase("Number {i}", i=2), got=0.5)
    with speaking("de"):
        assert translate(said) == "Zahl 2 muss ganz sein; angegeben wurde 0.5."
    assert translate(said) == said == "Number 2 must be whole; got 0.5."
    with speaking("de"):
        assert translate(phrase("")) == ""


def test_a_folder_adds_a_language_that_runs_from_right_to_left(links, enter, tmp_path, monkeypatch):
    path = write_language("ar", tmp_path)
    path.write_text(path.read_text().replace('msgid "Withdraw"\nmsgstr ""', 'msgid "Withdraw"\nmsgstr "انسحاب"'))
    monkeypatch.setenv(VARIABLE, str(tmp_path))
    person = enter(links(flips=1, details={"language": "ar"})[0].path)
    assert '<html lang="ar" dir="rtl">' in person.text
    assert "انسحاب" in person.text
    assert "Answer" in person.text


def test_a_page_that_is_not_there_says_so_in_the_language_of_the_browser(app):
    from starlette.testclient import TestClient

    page = TestClient(app).get("/p/nobody", headers={"accept-language": "es"})
    assert page.status_code == 404
    assert '<html lang="es"' in page.text
    assert "This link" not in page.text
    assert "Este enlace no se conoce aquí." in page.text
    assert "Este enlace no se conoce aquí." in TestClient(app).get("/join/x", headers={"accept-language": "es"}).text


def test_someone_whose_browser_keeps_no_cookies_is_told_so_in_their_language(links, enter):
    person = enter(links(flips=1, details={"language": "de"})[0].path)
    person.client.cookies.clear()
    refused = person.client.post(f"{person.path}/answer", data=person.hidden, headers={"accept-language": "de"})
    assert refused.status_code == 403
    assert "Ihr Link braucht Cookies dieser Seite" in refused.text
    body = {"content": b"--x", "headers": {"content-type": "multipart/form-data", "accept-language": "de"}}
    unreadable = person.client.post(f"{person.path}/answer", **body)
    assert "Das Formular konnte nicht gelesen werden" in unreadable.text
