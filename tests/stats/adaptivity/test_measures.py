import re
from pathlib import Path

from mensura.stats import adaptivity

PAGE = Path(__file__).parents[3] / "docs" / "adaptivity.md"


def test_the_page_prints_the_table_of_names():
    shown = PAGE.read_text().split("<!-- measures:", 1)[1].split("\n\n", 1)[0].splitlines()[3:]
    assert shown == [f"| {one.name} | {one.source} | {one.definition} | `{one.field}` |" for one in adaptivity.MEASURES]


def test_every_field_of_the_table_exists():
    made = {
        "transfer_forms": adaptivity.TransferForms,
        "curve_transfer": adaptivity.CurveTransfer,
        "continual": adaptivity.Continual,
    }
    for one in adaptivity.MEASURES:
        function, field = re.fullmatch(r"(\w+)\(\)(?:\.(\w+))?", one.field).groups()
        assert callable(getattr(adaptivity, function))
        assert field is None or field in made[function].__annotations__
