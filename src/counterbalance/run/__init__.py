"""Planned minus recorded: judge, parse, append."""
