"""The face of a study: small, readable, held by the plan, and refused in words where it is not."""

from base64 import b64encode

import pytest

from mensura.errors import BadFile, BadParameter, UnknownName
from mensura.running.study.people.brand import Brand, contrast, readable
from mensura.running.study.reading import read_study

PLAN = "name: faces\ntest: coin\ncasts: {{people: human}}\nsessions: 2\nseed: 1\ninvitation:\n  brand: {brand}\n"
SVG = b'<svg xmlns="http://www.w3.org/2000/svg"/>'
LOGO = f"data:image/svg+xml;base64,{b64encode(SVG).decode()}"


@pytest.mark.parametrize(
    ("data", "words"),
    [
        ({"colour": "teal"}, "A colour is written as #005a8c; got 'teal'"),
        ({"colour": "#ffcc00"}, "contrast to their background is 1.5, and text needs 4.5"),
        ({"colour": "#ffffff"}, "as dark as #"),
        ({"name": "x" * 81}, "one line of at most 80 characters"),
        ({"contact": "a\nb"}, "one line of at most 200"),
        ({"logo": "javascript:alert(1)"}, "a picture as a data: address"),
        ({"logo": "data:text/html;base64,PGI+"}, "a picture as a data: address"),
        ({"logo": "data:image/png;base64,A"}, "not base64"),
        ({"logo": "data:image/png;base64," + "A" * 40_000}, "at most 20000"),
        ("Sleep lab", "A brand has named parts"),
    ],
)
def test_what_cannot_be_shown_is_refused_in_words(data, words):
    with pytest.raises(BadParameter, match=words):
        Brand.read(data)


def test_an_unknown_part_is_named():
    with pytest.raises(UnknownName, match="Did you mean colour"):
        Brand.read({"color": "#005a8c"})


def test_the_colour_that_is_offered_instead_can_be_read():
    for colour in ("#ffcc00", "#ffffff", "#00ff00", "#8899aa"):
        with pytest.raises(BadParameter) as refused:
            Brand.read({"colour": colour})
        offered = str(refused.value).split("as dark as ")[1][:7]
        assert readable(offered) >= 4.5
    assert contrast("#ffffff", "#ffffff") == 1


def test_a_plan_in_a_file_holds_the_picture_that_it_names(tmp_path):
    (tmp_path / "logo.svg").write_bytes(SVG)
    path = tmp_path / "plan.yaml"
    path.write_text(PLAN.format(brand='{name: Sleep lab, logo: logo.svg, colour: "#00594f"}'))
    assert read_study(path).invitation["brand"]["logo"] == LOGO
    path.write_text(PLAN.format(brand="{logo: none.svg}"))
    with pytest.raises(BadFile, match=r"'none\.svg' cannot be read"):
        read_study(path)
    path.write_text(PLAN.format(brand="{logo: plan.yaml}"))
    with pytest.raises(BadFile, match="The logo is a picture"):
        read_study(path)
