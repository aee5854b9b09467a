"""Strategies as data: what is asked of whom, and what a rule makes of the verdicts."""
