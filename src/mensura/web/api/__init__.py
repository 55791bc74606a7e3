"""The HTTP interface for programs, described at /api/openapi.json; the same rights as on the pages."""
