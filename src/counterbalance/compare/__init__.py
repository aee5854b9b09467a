"""Judge against judge and run against run, on the pairs that they share."""
