"""The how-to pages: every table in them is a protocol's, and the commands are ours."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import jsonschema
import pytest

from counterbalance.protocol.loading import protocol_from_toml, protocol_schema
from counterbalance.protocol.protocol import Protocol
from protocol.examples import SMALL, protocol_value

PAGE = Path(__file__).parents[2] / "docs" / "howto" / "judge-with-your-own-endpoint.md"
BLOCKS = re.findall(r"```toml\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)


@pytest.mark.parametrize("block", BLOCKS, ids=lambda block: block.splitlines()[0])
def test_every_table_of_the_page_is_valid(block):
    given = tomllib.loads(block)
    value = protocol_value(**given)
    if given.get("verdict", {}).get("format") == "logprob":
        value["judges"] = [{"name": "h", "kind": "http", "model": "m", "top_logprobs": 20}]
    if "raise_max_tokens_to" in given.get("retry", {}):
        value["judges"] = [{"name": "h", "kind": "http", "model": "m", "max_tokens": 4096}]
    jsonschema.validate(value, protocol_schema())
    assert Protocol.model_validate(value).title
    # As it stands in a file, commented lines tried as well.
    if "judges" in given:
        bare = SMALL.replace('[[judges]]\nname = "rule"\nkind = "scripted"\n', "")
        for text in (block, re.sub(r"^# (?=[a-z_]+ = )", "", block, flags=re.MULTILINE)):
            assert protocol_from_toml(f"{bare}\n{text}", "p.toml").judges[0].kind == "http"


def test_there_is_one_judge_for_each_server_named():
    assert sum("[[judges]]" in block for block in BLOCKS) == 8
