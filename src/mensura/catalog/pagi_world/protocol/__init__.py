"""The lines of PAGI World over TCP, in both dialects."""
