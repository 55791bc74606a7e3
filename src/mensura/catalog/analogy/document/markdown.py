"""The text of Markdown: headings keep their line, code and pictures are left out."""


def plain_markdown(text: str) -> str:
    """Return Markdown as plain text, headings as lines that begin with #."""
    from markdown_it import MarkdownIt

    found: list[str] = []
    heading = ""
    for token in MarkdownIt("commonmark").enable("table").parse(text):
        if token.type == "heading_open":
            heading = "# "
        elif token.type == "inline":
            pieces = []
            for child in token.children or ():
                if child.type == "text":
                    pieces.append(child.content)
                elif child.type in ("softbreak", "hardbreak"):
                    pieces.append(" ")
            found.append(heading + "".join(pieces))
            heading = ""
    return "\n\n".join(found)
