"""Judges: one request in, one raw reply out."""
