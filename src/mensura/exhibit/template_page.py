"""Pages of an instrument from templates of its own folder: one HTML file each, which loads nothing from anywhere."""

from functools import cache
from importlib.resources import files
from typing import Any


def template_page(package: str, template: str, **shown: Any) -> str:
    """Return the page of a template in a package's `templates`; everything shown is escaped, None reads `not scored`.

    These are pages of what was computed of documents. Results of a test are exhibits, which the report lays out.
    """
    return str(_environment(package).get_template(template).render(**shown))


def template_asset(package: str, name: str) -> str:
    """Return a style or script that stands beside the templates of a package."""
    return (files(package) / "templates" / name).read_text(encoding="utf-8")


@cache
def _environment(package: str) -> Any:
    from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape

    made = Environment(
        loader=PackageLoader(package),
        autoescape=select_autoescape(),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters["three"] = lambda value: "not scored" if value is None else f"{value:.3f}"
    return made
