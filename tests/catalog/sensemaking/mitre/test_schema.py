"""Every file we write in the original formats is valid by the original's own schemas, under a real validator."""

import json
import re

import numpy as np
import pytest

from mensura.catalog.sensemaking.answers.check import check_answers
from mensura.catalog.sensemaking.answers.json_file import answers_from_json
from mensura.catalog.sensemaking.generating import generate_exam, write_generated
from mensura.catalog.sensemaking.minds import answer_exam, find_mind
from mensura.catalog.sensemaking.minds.simulated import simulate_people
from mensura.catalog.sensemaking.mitre.exam_reading import read_exam
from mensura.catalog.sensemaking.mitre.exam_writing import write_exam
from mensura.catalog.sensemaking.mitre.response_reading import read_responses
from mensura.catalog.sensemaking.mitre.response_writing import write_responses

etree = pytest.importorskip("lxml.etree", reason="lxml validates by schema")


@pytest.fixture(scope="module")
def faults(data):
    """What the schemas find wrong with a file, as sentences."""
    schema = etree.XMLSchema(etree.parse(str(data / "schemas" / "IcarusCPD_1_Schema.xsd")))

    def found(path):
        schema.validate(etree.parse(str(path)))
        return [f"{path.name}:{error.line}: {error.message}" for error in schema.error_log]

    return found


@pytest.fixture(scope="module")
def generated(tmp_path_factory):
    folder = tmp_path_factory.mktemp("generated")
    return folder, write_generated(generate_exam(np.random.default_rng(6), id="generated-6"), folder)


def test_the_validator_itself_refuses_what_the_schemas_do(faults, data, tmp_path):
    original = (data / "exam_final" / "exam.xml").read_text(encoding="utf-8")
    broken = tmp_path / "broken.xml"
    broken.write_text(re.sub("<GridSize", "<Grid", original, count=1).replace("</GridSize>", "</Grid>"))
    assert faults(data / "exam_final" / "exam.xml") == []
    assert faults(broken)


def test_the_final_exam_written_again_is_valid(faults, final_exam, tmp_path):
    write_exam(final_exam, tmp_path / "again.xml", tables=False)
    assert faults(tmp_path / "again.xml") == []


def test_generated_exams_are_valid_however_much_they_tell(faults, generated):
    _, written = generated
    files = [path for path in written if path.suffix == ".xml"]
    assert len(files) == 3
    assert [fault for path in files for fault in faults(path)] == []


@pytest.mark.parametrize("number", ["101", "201"])
def test_a_persons_answers_written_again_are_valid(faults, data, final_exam, tmp_path, number):
    for file in (data / "subject_xml_examples").glob(f"S_BED_{number}_*.xml"):
        (tmp_path / file.name).write_bytes(file.read_bytes())
    written = write_responses(read_responses(tmp_path), final_exam, tmp_path / "again")
    assert len(written) == 7
    assert [fault for path in written for fault in faults(path)] == []


def test_the_published_models_answers_are_valid(faults, data, final_exam, tmp_path):
    model = check_answers(answers_from_json(json.loads((data / "results_bayesian.json").read_text())), final_exam)
    write_responses(model, final_exam, tmp_path / "model.xml")
    assert faults(tmp_path / "model.xml") == []


@pytest.mark.parametrize("name", ["normative", "uniform", "chance"])
def test_reference_subjects_answers_are_valid_and_name_what_each_int_is_worth(faults, generated, tmp_path, name):
    exam = read_exam(generated[0])
    answers = answer_exam(exam, find_mind(name), rng=np.random.default_rng(1))
    write_responses(answers, exam, tmp_path / "model.xml")
    assert faults(tmp_path / "model.xml") == []
    worth = list(etree.parse(str(tmp_path / "model.xml")).iter("ExpectedUtility"))
    assert len(worth) >= 10 * (7 + 3 + 3)


def test_simulated_peoples_answers_are_valid(faults, generated, tmp_path):
    exam = read_exam(generated[0])
    (person,) = simulate_people(exam, count=1, rng=np.random.default_rng(1))
    written = write_responses(person, exam, tmp_path)
    assert len(written) == 7
    assert [fault for path in written for fault in faults(path)] == []
