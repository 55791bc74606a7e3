"""The office: what changes while the subject works, and how the world answers what is done."""
