from counterbalance.report.reading import read_report
from counterbalance.report.report import Report

__all__ = ["Report", "__version__", "read_report"]

__version__: str
