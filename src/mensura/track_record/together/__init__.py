"""Several forecasters of the same questions: compared on equal terms, and pooled."""
