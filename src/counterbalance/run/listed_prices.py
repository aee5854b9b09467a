"""Prices of models from the table of genai-prices, which comes with the package: no network."""

from __future__ import annotations

from importlib.metadata import version
from typing import TYPE_CHECKING

from counterbalance.errors import MissingExtraError, one_line
from counterbalance.judges.endpoint import named_place
from counterbalance.protocol.prices_section import Price

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from counterbalance.protocol.judge_settings import HttpJudge

__all__ = ["INSTALL_PRICES", "listed_price"]

INSTALL_PRICES = "python -m pip install 'counterbalance[prices]'"
_TOKENS = 1_000
_MILLION = 1_000_000


def listed_price(
    judge: HttpJudge, environ: Mapping[str, str], longest_prompt: int, at: datetime
) -> Price | str:
    """Look up what a judge's tokens cost.

    The model is looked up at the address that the calls go to, never by its name alone: whoever
    runs an open model somewhere else sets a price of his own.

    Parameters
    ----------
    judge : HttpJudge
        Names the model, the API and perhaps the address.
    environ : Mapping[str, str]
        Environment variables, of which one may name the address.
    longest_prompt : int
        Tokens of the longest prompt: some models charge more beyond a length, and the dearest
        price that applies is taken for all.
    at : datetime
        When the price holds.

    Returns
    -------
    Price | str
        The price with its day and source, or why there is none.

    Raises
    ------
    MissingExtraError
        If genai-prices is not installed.
    """
    try:
        from genai_prices import Usage, calc_price  # noqa: PLC0415 (slow to import, needed by few)
    except ImportError:
        part = "the table of prices (genai-prices)"
        raise MissingExtraError(part, INSTALL_PRICES) from None
    address = named_place(judge, environ).base
    n = max(_TOKENS, longest_prompt)
    try:
        found = calc_price(
            Usage(input_tokens=n, output_tokens=_TOKENS),
            model_ref=judge.model,
            provider_api_url=address,
            genai_request_timestamp=at,
        )
    except LookupError:
        return f"no price of {one_line(judge.model, 100)} at {one_line(address, 100)} in the table"
    return Price(
        prompt_usd_per_million=_per_million(found.input_price, n),
        completion_usd_per_million=_per_million(found.output_price, _TOKENS),
        as_of=at.date(),
        source=f"genai-prices {version('genai-prices')}, {found.provider.id} {found.model.id}",
    )


def _per_million(price: object, tokens: int) -> float:
    """Return the price of a million, without the crumbs of fractions."""
    return round(float(str(price)) / tokens * _MILLION, 9)
