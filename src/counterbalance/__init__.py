"""counterbalance: whether an LLM judge's verdict survives an exchange of display order."""

from __future__ import annotations

__all__ = ["__version__"]

__version__ = "0.1.0"
