"""Track records: forecasts and what came of them, scored, calibrated and used; from files, ledgers and sessions."""
