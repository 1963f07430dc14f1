"""Projections: rows from events, on their own and in the database."""
