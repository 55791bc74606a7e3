"""Agents: subjects that come with the test."""
