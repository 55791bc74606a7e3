"""Mensura: anyone or anything takes a test, and the record becomes a score one can trust."""
