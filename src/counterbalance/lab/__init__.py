"""Probability lab: what random slot assignment does by itself, before any judge is asked."""
