"""Audit of published tables: from printed marginals to survivors, link by link."""
