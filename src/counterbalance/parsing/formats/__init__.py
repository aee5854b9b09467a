"""The formats that a verdict can be declared in, one file per family."""
