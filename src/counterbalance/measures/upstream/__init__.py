"""Figures that the sources of logs publish, computed by their own rules from our columns."""
