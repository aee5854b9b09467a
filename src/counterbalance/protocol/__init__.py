"""The protocol: everything that is decided before the first call, and its hash."""
