"""Foreign judge logs to attempts: one file for each format, every source row accounted for."""
