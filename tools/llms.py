"""Write docs/llms.txt, the list of pages for language models, from the docs: `python tools/llms.py`."""

import re
from pathlib import Path

DOCS = Path(__file__).parents[1] / "docs"
TREE = re.compile(r"```\{toctree\}\n:caption: (.+)\n(?:.*\n)*?\n((?:.+\n)+)```")
FENCED = re.compile(r"^```.*?^```", re.M | re.S)


def listing(docs: Path = DOCS) -> str:
    """Return the pages by section, each with its title and its first sentence."""
    index = (docs / "index.md").read_text(encoding="utf-8")
    about = index.split("\n\n")[1].replace("**", "").replace("\n", " ")
    parts = [f"# Mensura\n\n> {about}"]
    for section, pages in TREE.findall(index):
        lines = [_line(docs / f"{name}.md") for name in pages.split() if (docs / f"{name}.md").exists()]
        parts.append("\n".join([f"## {section}\n", *lines]))
    return "\n\n".join(parts) + "\n"


def _line(page: Path) -> str:
    text = FENCED.sub("", page.read_text(encoding="utf-8"))
    title = re.search(r"^# (.+)$", text, re.M)
    prose = [block for block in text.split("\n\n") if re.match(r"[\w`*\[Λ]", block)]
    plain = re.sub(r"\[([^\]]+)\]\([^)]*\)", r"\1", " ".join(prose[0].split())) if prose else ""
    first = re.split(r"(?<=[.:?])\s", plain, maxsplit=1)[0]
    return f"- [{title[1] if title else page.stem}]({page.name}): {first}"


if __name__ == "__main__":
    (DOCS / "llms.txt").write_text(listing(), encoding="utf-8")
