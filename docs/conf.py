"""How the site of the documentation is made: `make docs` builds it, and any warning is an error."""

import re
from importlib.metadata import version as installed

from sphinx.domains.python import PythonDomain

project = "Mensura"
author = "The authors of Mensura"
copyright = author
version = release = installed("mensura")

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "sphinx.ext.mathjax"]
myst_enable_extensions = ["dollarmath", "deflist"]
myst_heading_anchors = 3
exclude_patterns = ["_build", "pictures"]
source_suffix = {".md": "markdown"}

autodoc_member_order = "bysource"
autodoc_typehints = "description"
autodoc_default_options = {"members": True, "imported-members": True, "show-inheritance": True}
napoleon_numpy_docstring = True
napoleon_google_docstring = False
# A word in single backticks is code here, as in Markdown.
default_role = "code"

html_theme = "furo"
html_title = "Mensura"
html_show_copyright = False


def _references(app, what, name, obj, options, lines) -> None:
    """Turn numbered references into plain text: several docstrings share a page, each with a reference 1."""
    for number, line in enumerate(lines):
        lines[number] = re.sub(r"\[(\d+)\]_", r"[\1]", re.sub(r"^(\s*)\.\. (\[\d+\]) ", r"\1- \2 ", line))


_FOUND = {}


class _Names(PythonDomain):
    """Names of Python's, each looked for once in a place: types say the same few again and again."""

    def find_obj(self, env, modname, classname, name, type, searchmode=0):
        """Return what a name may mean, among all that is documented by now."""
        asked = modname, classname, name, type, searchmode, len(self.objects)
        if asked not in _FOUND:
            _FOUND[asked] = super().find_obj(env, modname, classname, name, type, searchmode)
        return _FOUND[asked]


def setup(app) -> None:
    """Register what is done to docstrings before they are read, and how names are found."""
    app.add_domain(_Names, override=True)
    app.connect("autodoc-process-docstring", _references, priority=400)
