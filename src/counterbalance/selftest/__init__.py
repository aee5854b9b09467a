"""Judges with planted biases through the whole product, and intervals with a known truth."""
