"""The conformance kit's checks, one noun per file; each takes a `Trial` and gives a `Check`."""
