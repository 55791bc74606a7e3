"""Items side by side: what became of each question under every subject, people beside models."""
