"""The shipped languages say everything, and a folder adds another."""

import pytest

from mensura.errors import BadParameter
from mensura.web.language.collecting import collected, faults, write_language
from mensura.web.language.tongue import FILE, SHIPPED


@pytest.mark.parametrize("name", ["de", "es"])
def test_a_shipped_language_is_complete(name):
    assert faults(SHIPPED / name / FILE) == []


def test_sentences_of_pages_controls_and_scripts_are_collected():
    places = {place for message in collected() for place, _ in message.locations}
    wanted = {"web/templates/participant/ask.html", "dialogue/spaces/pages/sum.js", "dialogue/spaces/percent.py"}
    assert wanted <= places


def test_a_new_language_lacks_everything_and_keeps_what_is_translated(tmp_path):
    path = write_language("fr", tmp_path)
    assert "missing: Withdraw" in faults(path)
    text = path.read_text().replace('msgid "Withdraw"\nmsgstr ""', 'msgid "Withdraw"\nmsgstr "Se retirer"')
    path.write_text(text + '\nmsgid "Nobody says this"\nmsgstr "Personne"\n')
    found = faults(path)
    assert "missing: Withdraw" not in found
    assert "no longer said: Nobody says this" in found
    assert 'msgstr "Se retirer"' in write_language("fr", tmp_path).read_text()


def test_a_translation_with_another_placeholder_is_a_fault(tmp_path):
    path = write_language("fr", tmp_path)
    path.write_text(path.read_text().replace('msgid "Number {i}"\nmsgstr ""', 'msgid "Number {i}"\nmsgstr "Nombre"'))
    assert "other placeholders than in English: Number {i}" in faults(path)


def test_a_name_that_is_no_language_is_refused(tmp_path):
    with pytest.raises(BadParameter, match="not the name of a language"):
        write_language("nonsense", tmp_path)
