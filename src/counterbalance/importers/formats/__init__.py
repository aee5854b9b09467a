"""One file for each log format; `counterbalance.importers.registry` lists them."""
