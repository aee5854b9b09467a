"""Text to exactly one outcome, by the declared format and nothing else."""
