"""Controlled pairs: one named intervention each, checked by code as far as code can."""
