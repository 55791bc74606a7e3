"""The experimenters' half of the laboratory: tests, invitations, progress, transcripts, results, exclusions, export."""
