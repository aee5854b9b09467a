"""Verdicts to exactly one disposition per pair."""
