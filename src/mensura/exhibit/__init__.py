"""Exhibits: tables and pictures with one look."""
