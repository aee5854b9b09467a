"""Names of the parameters that limit a reply; apart, so that reading a log loads no settings."""

from __future__ import annotations

__all__ = ["LIMITS"]

LIMITS = ("max_tokens", "max_completion_tokens")
"""Parameters of a call that limit its reply, as they are sent and recorded."""
