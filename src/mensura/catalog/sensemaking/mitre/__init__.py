"""The file formats of the original software: exams, their tables, and response files."""
