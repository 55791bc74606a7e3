"""Every parameter of every test says what it is and which values it takes, everywhere it is shown."""

import pytest

from mensura.catalog.find import find_test, list_tests
from mensura.web.lab.catalog import describe

FILES = {
    "items.jsonl": '{"prompt": "2 + 2?", "answer": "4", "options": ["3", "4"]}\n',
    "survey.yaml": "items: [{text: 'I rely on {tool}.'}]\nscale: 5\nwords: {tool: the robot}\n",
    "task.yaml": "task: sums\ndataset_path: json\ndataset_kwargs: {data_files: {test: rows.jsonl}}\ntest_split: test\n"
    "doc_to_text: '{{question}}'\ndoc_to_target: '{{answer}}'\noutput_type: generate_until\n",
    "rows.jsonl": '{"question": "2 + 2?", "answer": "4"}\n',
}


def undocumented(test):
    """Return the parameters whose sentence is missing, too short, unfinished or only their name."""
    wrong = []
    for parameter in test.parameters.values():
        words = parameter.about.rstrip(".").lower().replace("-", " ").split()
        new = [word for word in words if word not in parameter.name.split("_")]
        if len(words) < 4 or len(new) < 3 or not parameter.about.endswith(".") or not parameter.about[0].isupper():
            wrong.append(f"{test.id} {parameter.name}: {parameter.about!r}")
    return wrong


@pytest.mark.parametrize("id", list_tests())
def test_every_parameter_of_a_registered_test_says_what_it_is(id):
    assert undocumented(find_test(id)) == []


@pytest.mark.parametrize("id", list_tests())
def test_the_api_and_the_page_of_a_test_say_so_too(id):
    shown = {each["name"]: each["about"] for each in describe(find_test(id))["parameters"]}
    assert shown == {name: parameter.about for name, parameter in find_test(id).parameters.items()}


@pytest.mark.parametrize("name", ["items.jsonl", "survey.yaml", "task.yaml"])
def test_tests_made_of_files_say_what_their_parameters_are(name, tmp_path):
    for file, text in FILES.items():
        (tmp_path / file).write_text(text)
    test = find_test(f"{tmp_path}/{name}")
    assert test.parameters
    assert undocumented(test) == []


def test_gymnasium_environments_say_what_their_parameters_are():
    pytest.importorskip("gymnasium")
    assert undocumented(find_test("gym:CartPole-v1")) == []


@pytest.mark.parametrize("id", list_tests())
def test_a_default_that_is_empty_is_explained_in_the_sentence(id):
    wrong = [
        f"{id} {parameter.name}: {parameter.about}"
        for parameter in find_test(id).parameters.values()
        if parameter.default_words == "none" and "none" not in parameter.about
    ]
    assert wrong == []


@pytest.mark.parametrize("id", list_tests())
def test_values_that_are_the_only_ones_are_shown(id):
    for parameter in find_test(id).parameters.values():
        assert all(str(choice) in parameter.described() for choice in parameter.choices), parameter.name
