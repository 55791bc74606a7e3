"""Calibration by simulated people of known kinds: items, groups, rules, and grades that move."""

import json

import numpy as np
import pytest
from click.testing import CliRunner

from mensura.catalog.imitation.schema_calibration.dialogue import schema_calibration
from mensura.catalog.imitation.winograd.calibration.answers import PersonAnswer, answers_of, read_answers
from mensura.catalog.imitation.winograd.calibration.calibration import calibrate_schemas
from mensura.catalog.imitation.winograd.calibration.ease import EASES, ease_of, profiles
from mensura.catalog.imitation.winograd.calibration.items import keys_of
from mensura.catalog.imitation.winograd.calibration.rules import InclusionRules, read_rules
from mensura.catalog.imitation.winograd.command import command
from mensura.catalog.imitation.winograd.dialogue import winograd
from mensura.catalog.imitation.winograd.files import read_schemas
from mensura.catalog.imitation.winograd.schema import read_schema
from mensura.cli.main import cli
from mensura.errors import BadData, BadFile, BadParameter
from mensura.running.take import take
from mensura.stats.response.functioning import GroupFunctioning


def schemas(kinds):
    """Make twins named after the kind that both of them are."""
    return tuple(
        read_schema(
            {
                "id": f"{kind.replace(' ', '-')}-{number}",
                "answers": ["Ann", "Eve"],
                "sentences": [
                    {"text": f"Ann met Eve and [she] was {number} early.", "right": 0},
                    {"text": f"Ann met Eve and [she] was {number} late.", "right": 1},
                ],
            }
        )
        for number, kind in enumerate(kinds)
    )


def simulated(rows, *, persons, group="", rng, odd=(), sure=True, prefix="p"):
    """Simulate answers of people to items by the profile of the item's kind; to `odd` items they answer at 0.35."""
    found = []
    for person in range(persons):
        skill = rng.normal(0, 0.6)
        for key in keys_of(rows).values():
            kind = next(one for one in EASES if key.id.startswith(one.replace(" ", "-")))
            right_sure, right, wrong_sure, _ = profiles(2)[kind]
            share = 0.35 if key.id in odd else right_sure + right
            logit = np.log(share / (1 - share)) + skill
            correct = rng.random() < 1 / (1 + np.exp(-logit))
            chance = right_sure / (right_sure + right) if correct else wrong_sure / (1 - right_sure - right)
            wrong = "Eve" if key.right == "Ann" else "Ann"
            confidence = (0.9 if rng.random() < chance else 0.4) if sure else None
            answer = key.right if correct else wrong
            found.append(
                PersonAnswer(f"{prefix}{group}{person}", key.id, answer, confidence, group, "simulated people")
            )
    return found


@pytest.fixture(scope="module")
def kinds():
    rows = schemas([kind for kind in EASES for _ in range(4)])
    return rows, simulated(rows, persons=40, rng=np.random.default_rng(7))


def test_calibrators_who_guess_do_not_agree():
    rows = read_schemas()
    rng = np.random.default_rng(2)
    said = [
        PersonAnswer(f"p{person}", key.id, str(rng.choice(key.options)))
        for person in range(12)
        for key in keys_of(rows).values()
    ]
    found = calibrate_schemas(rows, said, rules=InclusionRules()).agreement
    assert not found.coefficient.excludes(0)


def test_the_form_leaves_answers_that_can_be_calibrated():
    taken = take(schema_calibration, schema_calibration.subjects["sure"](), seed=2, parameters={"groups": "a,b"})
    found = answers_of([taken.record], sample="one simulated person")
    assert len(found) == 120
    assert {one.group for one in found} <= {"a", "b"}
    assert {one.sample for one in found} == {"one simulated person"}
    assert all(one.confidence == 1 for one in found)
    calibrated = calibrate_schemas(read_schemas(), found, rules=InclusionRules(least_answers=1))
    assert len(calibrated.items) == 120


def test_of_the_schema_test_only_plain_sentences_are_taken_for_answers():
    taken = take(winograd, winograd.subjects["nearest"](), seed=2)
    assert len(answers_of([taken.record])) == 120


@pytest.mark.parametrize("groups", ["a", "a,a"])
def test_one_group_is_no_groups(groups):
    with pytest.raises(BadParameter, match="at least two"):
        schema_calibration.refuse(groups=groups)


def test_items_of_known_kinds_are_told_apart(kinds):
    found = calibrate_schemas(*kinds, rules=InclusionRules())
    named = [(one.item.rsplit("-", 1)[0].replace("-", " "), one.likeliest.replace("-", " ")) for one in found.items]
    easy = {"dead easy", "Aunt Edna easy"}
    assert all((kind in easy) == (said in easy) for kind, said in named)
    # Simulated people differ in skill, which the profiles do not know: neighbouring kinds may be mistaken.
    assert sum(kind == said for kind, said in named) >= 26
    assert all(sum(one.ease.values()) == pytest.approx(1) for one in found.items)


def test_chances_of_kinds_are_calibrated_where_items_are_as_the_model_says():
    rng = np.random.default_rng(3)
    said, was = [], []
    for _ in range(1500):
        kind = EASES[rng.integers(4)]
        counts = rng.multinomial(12, rng.dirichlet(20 * np.array(profiles(2)[kind])))
        for name, chance in ease_of(tuple(int(one) for one in counts), options=2).items():
            said.append(chance)
            was.append(name == kind)
    said, was = np.array(said), np.array(was)
    for low in (0.2, 0.4, 0.6):
        held = (said >= low) & (said < low + 0.2)
        error = 4 * np.sqrt(0.25 / held.sum())
        assert abs(said[held].mean() - was[held].mean()) < error


def test_without_confidence_ambiguous_and_narrow_cannot_be_told_apart():
    found = ease_of((10, 0, 10, 0), options=2, asked=False)
    assert found["ambiguous"] == pytest.approx(found["too narrow"])


def test_every_item_is_reported_and_what_is_left_out_has_its_reason(kinds):
    found = calibrate_schemas(*kinds, rules=InclusionRules(agreement=0.8))
    assert [one.item for one in found.items] == list(keys_of(kinds[0]))
    assert all(bool(one.reason) != one.included for one in found.items)
    assert 0 < sum(one.included for one in found.items) < len(found.items)
    assert sum("NOT included" in line for line in found.lines()) == sum(not one.included for one in found.items)


def test_an_item_that_is_harder_for_one_group_is_found_and_others_are_not():
    rng = np.random.default_rng(11)
    rows = schemas(["Aunt-Edna easy"] * 5)
    said = simulated(rows, persons=120, group="old", rng=rng)
    said += simulated(rows, persons=120, group="young", rng=rng, odd={"Aunt-Edna-easy-2/0"})
    found = calibrate_schemas(rows, said, rules=InclusionRules(differing=False))
    functioning = found.groups["old"]
    assert isinstance(functioning, GroupFunctioning)
    assert [name for name, one in functioning.items.items() if one.differs] == ["Aunt-Edna-easy-2/0"]
    assert "easier for old" in found.one_aunt
    out = {one.item: one.reason for one in found.items if not one.included}
    assert "Aunt-Edna-easy-2/0" in out


def test_a_grade_moves_with_the_calibrators_and_stays_where_they_agree():
    rng = np.random.default_rng(5)
    rows = schemas(["dead easy"] * 6)
    odd = {"dead-easy-0/0", "dead-easy-1/0", "dead-easy-2/1"}
    said = simulated(rows, persons=30, group="here", rng=rng)
    said += simulated(rows, persons=30, group="there", rng=rng, odd=odd)
    keys = keys_of(rows)
    wrong = {name: "Eve" if key.right == "Ann" else "Ann" for name, key in keys.items()}
    system = [PersonAnswer("machine", name, wrong[name] if name in odd else key.right) for name, key in keys.items()]
    found = calibrate_schemas(rows, said, rules=InclusionRules(), takers=system)
    by = {one.calibrators: one for one in found.grades}
    assert by["nobody: all items"].grade.value == pytest.approx(9 / 12)
    assert by["here"].grade.value == pytest.approx(9 / 12)
    assert (by["there"].items, by["there"].grade.value) == (9, 1)
    assert by["here"].moves[0] <= 9 / 12 <= by["here"].moves[1]


def test_groups_of_takers_are_compared_too_and_too_few_say_so():
    rng = np.random.default_rng(13)
    rows = schemas(["dead easy"] * 3)
    takers = simulated(rows, persons=3, group="machines", rng=rng) + simulated(rows, persons=3, group="people", rng=rng)
    found = calibrate_schemas(rows, simulated(rows, persons=12, rng=rng), rules=InclusionRules(), takers=takers)
    assert "Too small" in found.takers["machines"] or "needs" in found.takers["machines"]
    assert "not told apart by group" in found.one_aunt


def test_the_order_of_answers_changes_nothing(kinds):
    rows, said = kinds
    one = calibrate_schemas(rows, said, rules=InclusionRules(), takers=said[:32]).as_json()
    other = calibrate_schemas(rows, said[::-1], rules=InclusionRules(), takers=said[:32][::-1]).as_json()
    assert json.dumps(one) == json.dumps(other)


def test_rules_have_a_hash_that_changes_with_them_and_strange_ones_are_refused(tmp_path):
    file = tmp_path / "rules.yaml"
    file.write_text("agreement: 0.9\nwritten: before the data\n")
    assert read_rules(file).agreement == 0.9
    assert read_rules(file).hash != InclusionRules().hash
    file.write_text("agreemnt: 0.9\n")
    with pytest.raises(Exception, match="agreement"):
        read_rules(file)


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("{", "an answer is"),
        ('{"person": "a", "item": "x/0", "answer": "y"}', "already, in line 1"),
        ('{"person": "b", "item": "x/0", "answer": "y", "confidence": 2}', "between 0 and 1"),
    ],
)
def test_a_broken_line_of_answers_is_named(line, words, tmp_path):
    file = tmp_path / "answers.jsonl"
    file.write_text('{"person": "a", "item": "x/0", "answer": "y"}\n' + line)
    with pytest.raises(BadFile, match="line 2") as caught:
        read_answers(file)
    assert words in str(caught.value)


FRANK = {
    "id": "frank",
    "answers": ["Frank", "Bill"],
    "sentences": [
        {"text": "Frank was jealous when Bill said that [he] was the winner.", "word": "jealous", "right": 1},
        {"text": "Frank was pleased when Bill said that [he] was the winner.", "word": "pleased", "right": 0},
    ],
}
SURELY, HARDLY = 0.9, 0.3


@pytest.mark.parametrize(
    ("frank", "bill", "verdict"),
    [
        # Two groups read it in two ways, though 70 of 100 answer alike.
        ({"a": 36, "b": 6}, {"a": 4, "b": 14}, "ambiguous"),
        ({"": 35}, {"": 25}, "ambiguous"),
        ({"": 60}, {"": 0}, "clear"),
        ({"": 8}, {"": 2}, "undecided"),
    ],
)
def test_bench_and_calibrate_give_one_verdict(tmp_path, frank, bill, verdict):
    rows = [
        {"person": f"{group}{answer}{n}", "item": "frank/1", "answer": answer, "confidence": SURELY, "group": group}
        for answer, groups in (("Frank", frank), ("Bill", bill))
        for group, many in groups.items()
        for n in range(many)
    ]
    found = both(tmp_path, rows)
    assert found["bench"] == found["calibrate"] == verdict
    easy = found["ease"]["dead easy"] + found["ease"]["Aunt-Edna easy"]
    assert easy == 0 if verdict == "ambiguous" else easy > 0


def test_people_who_guess_and_know_it_make_a_sentence_too_narrow_for_both(tmp_path):
    rows = [
        {"person": f"p{n}", "item": "frank/1", "answer": ("Frank", "Bill")[n % 2], "confidence": HARDLY}
        for n in range(60)
    ]
    found = both(tmp_path, rows)
    assert found["bench"] == found["calibrate"] == "too narrow"
    assert found["ease"]["too narrow"] == 1


def both(tmp_path, rows):
    """Return the verdicts of the two commands on the same answers."""
    file, said = tmp_path / "frank.jsonl", tmp_path / "said.jsonl"
    file.write_text(json.dumps(FRANK))
    said.write_text("\n".join(map(json.dumps, rows)))
    tried = json.loads(CliRunner().invoke(command, ["bench", str(file), "--people", str(said), "--json"]).stdout)
    made = json.loads(CliRunner().invoke(command, ["calibrate", str(said), "--items", str(file), "--json"]).stdout)
    item = next(one for one in made["items"] if one["item"] == "frank/1")
    bench = tried["schemas"][0]["sentences"][1]["ambiguity"]["verdict"]
    assert (bench in tried["schemas"][0]["flags"]) == (bench in ("ambiguous", "too narrow"))
    return {"bench": bench, "calibrate": item["verdict"], "ease": item["ease"], "likeliest": item["likeliest"]}


def test_answers_to_other_items_are_refused(kinds):
    with pytest.raises(BadData, match="not an item of the schemas"):
        calibrate_schemas(kinds[0], [PersonAnswer("a", "x/0", "Ann")], rules=InclusionRules())


def test_the_verb_calibrates_our_own_schemas(tmp_path):
    file = tmp_path / "answers.jsonl"
    rows = [
        {"person": f"p{person}", "item": key.id, "answer": key.right, "confidence": 0.9, "sample": "twelve simulated"}
        for person in range(12)
        for key in keys_of(read_schemas()[:3]).values()
    ]
    file.write_text("\n".join(map(json.dumps, rows)))
    data = json.loads(CliRunner().invoke(command, ["calibrate", str(file), "--json"]).stdout)
    assert (data["sample"], data["persons"], len(data["items"])) == ("twelve simulated", 12, 120)
    told = CliRunner().invoke(command, ["calibrate", str(file)]).output
    assert "Calibrated by twelve simulated (12 persons)" in told
    assert "0 answers; the rules want 10" in told


def test_a_stored_run_is_calibrated_and_a_run_of_another_test_is_refused(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def mensura(*words):
        return CliRunner().invoke(cli, list(words))

    assert mensura("run", "schema-calibration", "--as", "chance", "--sessions", "3", "--seed", "1").exit_code == 0
    found = mensura("winograd", "calibrate", "last", "--sample", "three guessers, simulated", "--json")
    assert found.exit_code == 0, found.output
    assert "three guessers, simulated" in found.stdout
    assert mensura("run", "coin", "--as", "chance", "--seed", "1").exit_code == 0
    refused = mensura("winograd", "calibrate", "last")
    assert "give one of schema-calibration or winograd" in f"{refused.output}{refused.exception}"
