"""Worked cases and the template: printed figures in our words, as data."""
