"""Documents: plain text, Markdown, PDF and patents, whole or in parts, without citations and equations."""
