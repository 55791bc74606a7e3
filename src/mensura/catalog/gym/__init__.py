"""Gymnasium environments, each taken as a test."""
