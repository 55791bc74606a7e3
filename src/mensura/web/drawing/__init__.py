"""What prompts show, drawn: charts and maps as SVG, words as HTML."""
