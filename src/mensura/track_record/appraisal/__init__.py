"""Appraisal: a new report against what was believed, and Admiralty codes."""
