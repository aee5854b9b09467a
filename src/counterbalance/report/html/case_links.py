"""Where each case stands in a folder of pages, so that every id on the report leads to it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["NO_LINKS", "CaseLinks"]


@dataclass(frozen=True, slots=True)
class CaseLinks:
    """Addresses of cases; empty where only one page is written.

    Attributes
    ----------
    by_group : Mapping[tuple[str, str, str], str]
        Address by judge, labelling and id of the pair. Held-out pairs are in no other group, so
        their ids stand for themselves.
    by_pair : Mapping[str, str]
        Address of the first case of each pair.
    """

    by_group: Mapping[tuple[str, str, str], str] = field(default_factory=dict)
    by_pair: Mapping[str, str] = field(default_factory=dict)

    def of(self, pair: str, judge: str = "", labelling: str = "") -> str:
        """Return where a case stands; empty where nowhere.

        Parameters
        ----------
        pair : str
            Id of the pair.
        judge : str
            Name of the judge; empty for any.
        labelling : str
            Name of the labelling; empty for any.

        Returns
        -------
        str
            An address from the page of the report.
        """
        found = self.by_group.get((judge, labelling, pair))
        return self.by_pair.get(pair, "") if found is None else found


NO_LINKS = CaseLinks()
"""Of a page that stands alone."""
