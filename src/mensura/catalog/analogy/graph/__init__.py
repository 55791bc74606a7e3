"""From text to graph: concepts, relations between them, and relations between relations."""
