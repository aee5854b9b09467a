"""The estimands of this product: unit, numerator and denominator chosen here."""
