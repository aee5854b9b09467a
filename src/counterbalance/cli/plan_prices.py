"""What ``plan`` does about prices that a protocol lacks: look them up, show them, write them in."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from counterbalance.protocol.prices_section import Price
    from counterbalance.protocol.protocol import Protocol
    from counterbalance.run.study import Study

__all__ = ["looked_up", "price_lines", "priced", "write_prices"]


def looked_up(study: Study, longest_prompts: Mapping[str, int]) -> dict[str, Price | str]:
    """Return the listed price, or why there is none, of each judge behind an endpoint without one.

    Parameters
    ----------
    study : Study
        Holds the protocol.
    longest_prompts : Mapping[str, int]
        Tokens of each judge's longest prompt.

    Returns
    -------
    dict[str, Price | str]
        By judge.
    """
    import os
    from datetime import datetime

    from counterbalance.protocol.judge_settings import HttpJudge
    from counterbalance.run.clock import now
    from counterbalance.run.listed_prices import listed_price

    at = datetime.fromisoformat(now())
    return {
        judge.name: listed_price(judge, os.environ, longest_prompts[judge.name], at)
        for judge in study.protocol.judges
        if isinstance(judge, HttpJudge) and judge.name not in study.protocol.prices
    }


def priced(protocol: Protocol, found: Mapping[str, Price | str]) -> Protocol:
    """Return the protocol with the prices that were found beside its own."""
    new = {name: price for name, price in found.items() if not isinstance(price, str)}
    return protocol.model_copy(update={"prices": {**protocol.prices, **new}})


def price_lines(found: Mapping[str, Price | str], *, are_written: bool) -> list[str]:
    """Return what was looked up, as the tables that the protocol file takes."""
    if not found:
        return ["prices: no judge behind an endpoint is without one"]
    lines = [
        f"no price of judge {name}: {price}; add [prices.{_key(name)}] yourself"
        for name, price in found.items()
        if isinstance(price, str)
    ]
    tables = _tables(found).splitlines()
    if tables and not are_written:
        lines += ["prices looked up, in no protocol yet (--write-prices puts them there):", *tables]
    elif tables:
        lines += ["prices written into the protocol, whose hash is a new one:", *tables]
    return lines


def write_prices(path: Path, found: Mapping[str, Price | str]) -> bool:
    """Put the prices that were found at the end of a protocol file.

    Parameters
    ----------
    path : Path
        The protocol file.
    found : Mapping[str, Price | str]
        What was looked up.

    Returns
    -------
    bool
        Whether there was anything to write.
    """
    from counterbalance.cli.output import written_text
    from counterbalance.protocol.loading import protocol_from_toml

    tables = _tables(found)
    if not tables:
        return False
    text = path.read_text(encoding="utf-8-sig").rstrip("\n") + "\n\n" + tables
    protocol_from_toml(text, path.name)  # what is written must be a protocol still
    written_text(path, text)
    return True


def _tables(found: Mapping[str, Price | str]) -> str:
    return "\n".join(
        "\n".join([f"[prices.{_key(name)}]", *_rows(price), ""])
        for name, price in found.items()
        if not isinstance(price, str)
    )


def _rows(price: Price) -> list[str]:
    import json

    values = price.model_dump(mode="json", exclude_none=True)
    return [f"{key} = {json.dumps(value)}" for key, value in values.items()]


def _key(name: str) -> str:
    import json

    return name if name.replace("-", "").replace("_", "").isalnum() else json.dumps(name)
