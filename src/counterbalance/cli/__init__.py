"""One file per verb: words in, lines out, no arithmetic."""
