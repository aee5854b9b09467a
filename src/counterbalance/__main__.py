"""``python -m counterbalance``."""

from __future__ import annotations

from counterbalance.cli.main import main

if __name__ == "__main__":
    main()
