"""Textbook statistics: numbers in, frozen result out; no word of the product in here.

The stub beside this file says where each name lives; it is imported when it is asked for.
"""

from lazy_loader import attach_stub

__getattr__, __dir__, __all__ = attach_stub(__name__, __file__)
