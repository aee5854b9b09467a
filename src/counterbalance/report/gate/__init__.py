"""The gate: rules of the protocol held to a record, and what continuous integration reads of it."""
