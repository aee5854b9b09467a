"""Settings for the whole suite."""

from __future__ import annotations

from hypothesis import HealthCheck, settings

from postgres_server import postgres

__all__ = ["postgres"]

# Two busy cores make any deadline a coin toss; speed is shown by benchmarks, never by a test.
settings.register_profile(
    "counterbalance",
    deadline=None,
    max_examples=60,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("counterbalance")
