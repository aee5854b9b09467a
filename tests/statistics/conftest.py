"""Laws are checked without a time limit for each example: several workers share the machine."""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("unhurried", settings(settings.default, deadline=None))
settings.load_profile("unhurried")
