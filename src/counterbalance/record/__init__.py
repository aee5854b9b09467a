"""The append-only record of attempts, and the contract that every store keeps.

The stub beside this file says where each name lives; it is imported when it is asked for.
"""

from lazy_loader import attach_stub

__getattr__, __dir__, __all__ = attach_stub(__name__, __file__)
