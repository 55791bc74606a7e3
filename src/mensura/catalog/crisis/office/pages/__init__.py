"""Pages of the office in words, as Markdown."""
