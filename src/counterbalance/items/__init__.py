"""Items, candidates and pairs, and the one place that reads pair files.

The stub beside this file says where each name lives; it is imported when it is asked for.
"""

from lazy_loader import attach_stub

__getattr__, __dir__, __all__ = attach_stub(__name__, __file__)
