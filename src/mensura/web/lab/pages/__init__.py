"""The experimenters' pages, one noun per file; each has a `.json` twin."""
