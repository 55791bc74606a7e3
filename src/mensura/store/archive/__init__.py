"""Runs that leave a store or come into one: tables for analysis, and the zip that another installation imports."""
