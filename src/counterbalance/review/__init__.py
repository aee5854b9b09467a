"""Blind review by people: a queue, its tickets, and the page that serves it."""
