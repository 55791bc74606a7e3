import shutil

import numpy as np
import pytest

from mensura.catalog.sensemaking.mitre.exam_reading import find_exam, read_exam
from mensura.catalog.sensemaking.mitre.exam_writing import Reveal, write_exam
from mensura.catalog.sensemaking.solving.normative import Solutions, solve
from mensura.errors import BadFile, BadParameter
from mensura.xml_file import read_xml


def _plain(text):
    """A number as a number, a type without its prefix, other words as they are."""
    try:
        return float(text)
    except ValueError:
        return text.rpartition(":")[2] if text.startswith("ns") else text


def _assert_same(first, second, path=""):
    path = f"{path}/{first.tag}"
    assert first.tag == second.tag, path
    assert {k: _plain(v) for k, v in first.items()} == {k: _plain(v) for k, v in second.items()}, path
    assert [_plain(w) for w in (first.text or "").split()] == [_plain(w) for w in (second.text or "").split()], path
    assert [child.tag for child in first] == [child.tag for child in second], path
    for one, other in zip(first, second, strict=True):
        _assert_same(one, other, path)


@pytest.mark.parametrize("name", ["FinalExam.xml", "FinalExam_RL.xml"])
def test_final_exam_written_again_is_the_same_file_element_by_element(data, tmp_path, name):
    exam = read_exam(data / "exam_final" / name)
    write_exam(exam, tmp_path / "exam.xml")
    _assert_same(read_xml(data / "exam_final" / name), read_xml(tmp_path / "exam.xml"))
    assert read_exam(tmp_path / "exam.xml") == exam


def test_tables_written_again_hold_the_same_cells(data, final_exam, tmp_path):
    write_exam(final_exam, tmp_path / "exam.xml")
    written = sorted(tmp_path.glob("*.csv"))
    assert len([path for path in written if path.name.startswith("task")]) == 65

    def cells(path):
        return [line.rstrip(",").lower().split(",") for line in path.read_text().split() if line]

    for path in written:
        assert cells(path) == cells(data / "exam_final" / path.name)


def test_the_subjects_copy_has_no_truth_parameters_or_distances(final_exam, tmp_path):
    write_exam(final_exam, tmp_path / "exam.xml", reveal=Reveal.QUESTIONS)
    root = read_xml(tmp_path / "exam.xml")
    for tag in ("GroundTruth", "AttackDispersionParameters", "CenterToAttackDistances", "CentersToAttackDistances"):
        assert root.find(f".//{tag}") is None


def test_truth_can_be_given_without_parameters_or_distances(final_exam, tmp_path):
    write_exam(final_exam, tmp_path / "exam.xml", reveal=Reveal.TRUTH)
    root = read_xml(tmp_path / "exam.xml")
    assert root.find(".//GroundTruth") is not None
    assert root.find(".//CentersToAttackDistances") is None
    assert root.find(".//AttackDispersionParameters") is None


def test_a_folder_gives_its_fullest_exam_in_standard_order(data):
    assert find_exam(data / "exam_final").name == "FinalExam.xml"


def test_a_folder_without_an_exam_is_named(tmp_path):
    with pytest.raises(BadFile, match="No exam in"):
        read_exam(tmp_path)


def test_a_missing_path_is_named(tmp_path):
    with pytest.raises(BadFile, match="does not exist"):
        read_exam(tmp_path / "nowhere")


@pytest.fixture
def copied(final_exam, tmp_path):
    write_exam(final_exam, tmp_path / "exam.xml")
    return tmp_path


def test_trailing_commas_blank_lines_and_other_header_case_do_not_matter(final_exam, copied):
    for name in ("task5_1.csv", "task1_1.csv", "ROAD_3.csv"):
        lines = (copied / name).read_text().splitlines()
        lines[0] = lines[0].upper()
        (copied / name).write_text("\ufeff" + "\n".join(line + ",," for line in lines) + "\n\n,,,\n")
    assert read_exam(copied / "exam.xml") == final_exam


def test_a_missing_table_is_named(copied):
    (copied / "task4_3.csv").unlink()
    with pytest.raises(BadFile, match=r"task4_3\.csv is missing"):
        read_exam(copied)


def test_a_bad_number_in_a_table_is_named_with_line_and_column(copied):
    text = (copied / "task2_1.csv").read_text().replace("C,Location,15,39", "C,Location,here,39")
    (copied / "task2_1.csv").write_text(text)
    with pytest.raises(BadFile, match=r"task2_1\.csv, line 2: column x should be a number, got 'here'"):
        read_exam(copied)


def test_an_unknown_feature_code_is_named(copied):
    text = (copied / "task5_1.csv").read_text().replace("1,Location,57,81,A,1,2", "1,Location,57,81,A,7,2")
    (copied / "task5_1.csv").write_text(text)
    with pytest.raises(BadFile, match=r"task5_1\.csv, line 2: IMINT is '7'; expected 1 government, 2 military"):
        read_exam(copied)


def test_a_wrong_number_of_sites_is_named(copied):
    lines = (copied / "task4_2.csv").read_text().splitlines()
    (copied / "task4_2.csv").write_text("\n".join(lines[:-1]))
    with pytest.raises(BadFile, match=r"Task 4, trial 2: task4_2\.csv should hold one Group and the sites 1 2 3 4"):
        read_exam(copied)


def test_a_table_outside_the_exams_folder_is_refused(copied):
    text = (copied / "exam.xml").read_text().replace('"task1_1.csv"', '"../../etc/passwd"')
    (copied / "exam.xml").write_text(text)
    with pytest.raises(BadFile, match="outside its folder"):
        read_exam(copied)


def test_an_unknown_layer_in_the_exam_is_named(copied):
    text = (copied / "exam.xml").read_text().replace("ns2:MovintLayer", "ns2:RumintLayer", 1)
    (copied / "exam.xml").write_text(text)
    with pytest.raises(BadFile, match=r"Task 5, trial 1: 'RUMINT' is not an INT"):
        read_exam(copied)


def test_a_truncated_exam_is_named(copied):
    text = (copied / "exam.xml").read_text()
    (copied / "exam.xml").write_text(text[: len(text) // 2])
    with pytest.raises(BadFile, match="is malformed XML"):
        read_exam(copied / "exam.xml")


def test_reading_does_not_depend_on_where_the_folder_lies(data, final_exam, tmp_path):
    shutil.copytree(data / "exam_final", tmp_path / "elsewhere")
    assert read_exam(tmp_path / "elsewhere") == final_exam


def test_a_site_one_unit_off_the_roads_is_moved_onto_them_and_named(final_exam, tmp_path):
    write_exam(final_exam, tmp_path / "exam.xml", reveal=Reveal.TRUTH)
    table = tmp_path / "task4_3.csv"
    site, roads = final_exam.tasks[4].trials[2].sites[0], final_exam.roads[final_exam.tasks[4].trials[2].roads]
    x, y = next(
        (site.place.x + dx, site.place.y + dy)
        for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1))
        if roads.nearest(site.place._replace(x=site.place.x + dx, y=site.place.y + dy)) == site.place
    )
    lines = table.read_text().splitlines()
    lines[2] = lines[2].replace(f"{site.place.x:g},{site.place.y:g}", f"{x:g},{y:g}")
    table.write_text("\n".join(lines) + "\n")
    moved = read_exam(tmp_path / "exam.xml")
    taken = f"({x:g}, {y:g}) is not on a road; ({site.place.x:g}, {site.place.y:g}) is taken."
    assert moved.faults == (f"{tmp_path / 'exam.xml'}, Task 4, trial 3, task4_3.csv, line 3: {taken}",)
    assert moved.tasks[4] == read_exam(_copy(final_exam, tmp_path)).tasks[4]
    assert all(np.isfinite(answer.stages).all() for answer in solve(moved)[4])


def _copy(exam, folder):
    (folder / "copy").mkdir()
    write_exam(exam, folder / "copy" / "exam.xml", reveal=Reveal.TRUTH)
    return folder / "copy" / "exam.xml"


def test_the_final_exam_has_nothing_to_mend(final_exam):
    assert final_exam.faults == ()


def test_a_task_is_solved_when_it_is_needed_and_no_other(final_exam, tmp_path):
    write_exam(final_exam, tmp_path / "exam.xml")
    text = (tmp_path / "exam.xml").read_text()
    fourth = text.index("Task_4_Phase")
    (tmp_path / "exam.xml").write_text(text[:fourth] + text[fourth:].replace("SocintLayer", "ImintLayer", 1))
    solved = Solutions(read_exam(tmp_path / "exam.xml"))
    assert (list(solved), len(solved), 7 in solved) == ([1, 2, 3, 4, 5, 6], 6, False)
    assert len(solved[5]) == 10
    with pytest.raises(BadParameter, match="Task 4 trial 1 shows IMINT"):
        solved[4]


@pytest.mark.parametrize("text", ["nan", "inf", "1e999", "north"])
def test_a_coordinate_is_a_finite_number(final_exam, tmp_path, text):
    write_exam(final_exam, tmp_path / "exam.xml")
    table = tmp_path / "task1_1.csv"
    lines = table.read_text().splitlines()
    lines[1] = f"A,Location,{text},5"
    table.write_text("\n".join(lines) + "\n")
    with pytest.raises(BadFile, match=r"task1_1\.csv, line 2: column x should be a number, got"):
        read_exam(tmp_path / "exam.xml")
