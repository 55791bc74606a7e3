"""Five formats: what is loaded and saved again is equal, and what strangers write is read as they meant it."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as some

from mensura.catalog.constraints.families.find import agent_names, find_problem
from mensura.catalog.constraints.formats.find import load, save, text_of
from mensura.catalog.constraints.oracle.find import truth_of
from mensura.catalog.constraints.problem.problem import Problem
from mensura.errors import BadData, BadFile, BadParameter, MensuraError

ENDINGS = {"json": "json", "yaml": "yaml", "frodo": "xml", "dischoco": "xml"}
FAMILIES = ["queens:n=5", "colouring:n=9,links=12", "random:n=6,private=yes", "max-discsp:per_agent=2", "sensors:n=9"]
FAMILIES += ["meetings", "meetings:private=yes", "proteins", "robots:n=3", "robots:n=3,goal=min", "random:p2=0"]


@pytest.mark.parametrize("form", ENDINGS)
@pytest.mark.parametrize("text", FAMILIES)
def test_what_is_saved_and_loaded_is_equal(text, form, tmp_path):
    problem = find_problem(text, np.random.default_rng(5))
    path = save(problem, tmp_path / f"one.{ENDINGS[form]}", form=form)
    again = load(str(path))
    assert again == problem
    if form != "json":
        assert text_of(again, form) == path.read_text()


cost = some.one_of(some.integers(-5, 5), some.floats(-9, 9), some.just(float("inf")))


@given(table=some.lists(cost, min_size=6, max_size=6), objective=some.sampled_from(["min", "max"]))
def test_any_costs_survive_any_format(table, objective, tmp_path_factory):
    sign = -1 if objective == "max" else 1
    rows = [[i, "ab"[j], sign * table[3 * j + i]] for i in range(3) for j in range(2)]
    problem = Problem.read(
        {
            "name": "one",
            "objective": objective,
            "domains": {"d": [0, 1, 2], "e": ["a", "b"]},
            "variables": {"x": "d", "y": "e"},
            "agents": {"a": ["x", "y"]},
            "constraints": [{"scope": ["x", "y"], "costs": rows}],
        }
    )
    folder = tmp_path_factory.mktemp("any")
    for form, ending in ENDINGS.items():
        if not (form == "dischoco" and problem.objective == "max"):
            assert load(str(save(problem, folder / f"{form}.{ending}", form=form))) == problem


def test_a_graph_to_colour_survives_dimacs(tmp_path):
    path = tmp_path / "graph.col"
    path.write_text("c a triangle and a tail\np edge 4 5\ne 1 2\ne 2 3\ne 3 1\ne 1 3\ne 3 4\n")
    problem = load(str(path))
    assert (len(problem.constraints), problem.values["x1"], agent_names(str(path))) == (
        4,
        (0, 1, 2),
        ("x1", "x2", "x3", "x4"),
    )
    assert truth_of(problem).solutions == 12
    assert truth_of(load(f"{path}:k=2")).flag == "unsolvable"
    assert load(str(save(problem, tmp_path / "graph2.col"))).constraints == problem.constraints
    with pytest.raises(BadData, match="graphs to colour and nothing else"):
        text_of(find_problem("queens:n=4", np.random.default_rng(1)), "col")


PYDCOP = """
name: lights
objective: min
domains:
  colors: {values: [R, G], type: color}
  level: {values: ["0 .. 4"]}
variables:
  v1: {domain: colors, cost_function: -0.1 if v1 == 'R' else 0.1}
  v2: {domain: colors}
  m1: {domain: level}
external_variables:
  s1: {domain: level, initial_value: 2}
constraints:
  c1: {type: intention, function: 1 if v1 == v2 else 0}
  c2:
    type: extensional
    variables: [v1, v2]
    values: {5: R R, 3: G R | G G}
    default: 1
  c3: {type: extensional, variables: v2, values: {10: R | G}}
  c4: {type: intention, function: 10 * (abs(m1 - 3) + abs(s1 - 3))}
agents: {a1: {capacity: 100}, a2: {capacity: 100}}
"""


def test_pydcop_s_yaml_is_read_with_its_expressions(tmp_path):
    path = tmp_path / "lights.yaml"
    path.write_text(PYDCOP)
    problem = load(str(path))
    assert tuple(problem.agents) == ("v1", "v2", "m1")
    # -0.1 for v1 = R, 0 for unlike colours, 1 by default, 10 for v2, 10 * (0 + 1) for the light.
    assert problem.cost({"v1": "R", "v2": "G", "m1": 3}) == pytest.approx(20.9)
    assert problem.cost({"v1": "G", "v2": "G", "m1": 0}) == pytest.approx(0.1 + 1 + 3 + 10 + 40)
    assert load(str(save(problem, tmp_path / "again.yaml"))) == problem


@pytest.mark.parametrize(
    "function",
    [
        "__import__('os').system('true')",
        "().__class__",
        "open('/etc/passwd')",
        "[x for x in (1, 2)]",
        "(lambda: 1)()",
        "v1 := 2",
        "(v1 == v2) + 9 ** 9 ** 9",
        "'a' * (1000000000 + (v1 == v2))",
        "f'{v1}'",
        "(v1 == v2) / 0",
        "v9 + 1",
        "return 1",
        "(" * 500 + "1" + ")" * 500,
        "+".join(["1"] * 4000),
    ],
)
def test_an_expression_is_never_run_as_python(function, tmp_path):
    path = tmp_path / "evil.yaml"
    path.write_text(PYDCOP.replace("function: 1 if v1 == v2 else 0", f"function: {function!r}"))
    with pytest.raises(BadFile, match=r"evil\.yaml"):
        load(str(path))


FRODO = """<instance>
  <presentation name="sample" maxConstraintArity="2" maximize="false" format="XCSP 2.1_FRODO"/>
  <agents nbAgents="3"><agent name="aX"/><agent name="aY"/><agent name="idle"/></agents>
  <domains nbDomains="1"><domain name="three" nbValues="3">1 .. 3</domain></domains>
  <variables nbVariables="3">
    <variable name="X" domain="three" agent="aX"/>
    <variable name="Y" domain="three" agent="aY"/>
    <variable name="Z" domain="three" agent="aY"/>
  </variables>
  <predicates nbPredicates="1"><predicate name="far">
    <parameters>int A int B int D</parameters>
    <expression><functional>ge(abs(sub(A, B)), D)</functional></expression>
  </predicate></predicates>
  <relations nbRelations="2">
    <relation name="NEQ" arity="2" nbTuples="3" semantics="soft" defaultCost="0"> infinity: 1 1|2 2|3 3 </relation>
    <relation name="pref" arity="1" nbTuples="3" semantics="soft" defaultCost="5">-1: 1|2|2.5: 3</relation>
  </relations>
  <constraints nbConstraints="3">
    <constraint name="c1" arity="2" scope="X Y" reference="NEQ"/>
    <constraint name="c2" arity="1" scope="Z" reference="pref" agent="aY"/>
    <constraint name="c3" arity="2" scope="Y Z" reference="far"><parameters> Z Y 2 </parameters></constraint>
  </constraints>
</instance>"""


def test_frodo_s_xml_is_read_with_relations_and_predicates(tmp_path):
    path = tmp_path / "sample.xml"
    path.write_text(FRODO)
    problem = load(str(path))
    assert dict(problem.agents) == {"aX": ("X",), "aY": ("Y", "Z")}
    assert [one.hard for one in problem.constraints] == [True, False, True]
    assert problem.constraints[1].table.tolist() == [-1, -1, 2.5]
    assert problem.constraints[1].known_to == ("aY",)
    assert (truth_of(problem).optimum, truth_of(problem).solutions) == (-1, 2)
    assert load(str(save(problem, tmp_path / "again.xml"))) == problem
    path.write_text(FRODO.replace("sub(A, B)", "system(A)"))
    with pytest.raises(BadFile, match="is not a parameter, number or operator"):
        load(str(path))


DISCHOCO = """<instance>
  <presentation name="p" type="DCOP" benchmark="RandomDCOP" model="Simple" constraintModel="TKC" format="XDisCSP 1.0"/>
  <agents nbAgents="2"><agent name="A1" id="1" description="Agent 1"/><agent name="A2" id="2"/></agents>
  <domains nbDomains="1"><domain name="D1" nbValues="2">1..2</domain></domains>
  <variables nbVariables="2">
    <variable agent="A1" name="X1.1" id="1" domain="D1"/><variable agent="A2" name="X2.1" id="1" domain="D1"/>
  </variables>
  <constraints nbConstraints="1">
    <constraint name="C0" model="TKC" arity="2" scope="X1.1 X2.1" reference="R0"/>
  </constraints>
  <relations nbRelations="1">
    <relation name="R0" arity="2" semantics="soft" defaultCost="infinity">7:1 1|3:1 2|9:2 1|8:2 2</relation>
  </relations>
  <GuiPresentation type="DCOP"/>
</instance>"""


def test_dischoco_s_xml_is_read(tmp_path):
    path = tmp_path / "p.xml"
    path.write_text(DISCHOCO)
    problem = load(str(path))
    assert (truth_of(problem).optimum, truth_of(problem).assignment) == (3, {"X1.1": 1, "X2.1": 2})
    again = load(str(save(problem, tmp_path / "again.xml", form="dischoco")))
    assert again == problem


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("a.json", "{", "is not JSON"),
        ("a.json", '{"domains": {"d": []}, "variables": {"x": "d"}}', "The domain 'd' is empty"),
        ("a.yaml", "a: [", "this is not YAML"),
        ("a.yaml", "objective: least", "objective is min or max"),
        ("a.yaml", PYDCOP.replace("default: 1", ""), "gives no cost to some values"),
        ("a.yaml", PYDCOP.replace("[v1, v2]", "[v1, v1]"), "no variable constrains itself"),
        ("a.yaml", PYDCOP.replace("[R, G]", "7"), "has a list of values"),
        ("a.yaml", PYDCOP.replace("[v1, v2]", "3"), "What c2 is about is a list of names"),
        ("a.yaml", PYDCOP.replace("{5: R R, 3: G R | G G}", "R R"), "values is an object"),
        ("a.yaml", PYDCOP.replace("{5: R R,", "{much: R R,"), "A cost is a number; got 'much'"),
        ("a.yaml", PYDCOP + "distribution_hints: {must_host: {a1: 3}}", "What a1 must host is a list of names"),
        ("a.xml", '<?xml version="1.0" encoding="UXF-8"?><instance/>', "unknown encoding"),
        ("a.xml", "<instance/>", "with a <presentation>"),
        ("a.xml", '<!DOCTYPE x [<!ENTITY a "b">]><instance/>', "document type or entities"),
        ("a.xml", FRODO.replace('scope="X Y"', 'scope="X W"'), "unknown variable 'W'"),
        ("a.xml", FRODO.replace("1 .. 3", "1..9999999999"), "more than 1,000,000 values"),
        ("a.col", "p edge 2 1\ne 1 3\n", "nodes go from 1 to 2"),
        ("a.col", "p edge 2 1\ne 1 1\n", "links 1 with itself"),
        ("a.col", "e 1 2\n", "before the line"),
        ("a.col", "", "no line `p edge"),
    ],
)
def test_a_wrong_file_is_refused_in_one_sentence_that_names_it(name, text, words, tmp_path):
    (tmp_path / name).write_text(text)
    with pytest.raises(MensuraError, match=words) as refused:
        load(str(tmp_path / name))
    assert name in str(refused.value)


def test_a_missing_file_and_a_number_of_colours_where_none_belongs_are_refused(tmp_path):
    with pytest.raises(BadFile, match="cannot be read"):
        load(str(tmp_path / "none.json"))
    (tmp_path / "a.json").write_text("{}")
    with pytest.raises(BadParameter, match="take a number of colours"):
        load(f"{tmp_path / 'a.json'}:k=3")
