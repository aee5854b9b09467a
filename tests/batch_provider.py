"""A provider's batch service in a function: requests in files to results in lines."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from fault_server import Seen, verdict
from speakers import SPEAKERS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from speakers import Speaker


def entries(folder: Path) -> list[dict[str, Any]]:
    """Return every request in a folder's batch files, in the order written."""
    found: list[dict[str, Any]] = []
    for path in sorted(folder.iterdir()):
        text = path.read_text("utf-8")
        if path.suffix == ".json":
            found += json.loads(text)["requests"]
        else:
            found += [json.loads(line) for line in text.splitlines()]
    return found


def speaker_of(entry: dict[str, Any]) -> Speaker:
    """Return who would answer a request."""
    if "params" in entry:
        return SPEAKERS["messages"]
    return SPEAKERS[{"/v1/responses": "responses"}.get(entry["url"], "chat")]


def answered(entry: dict[str, Any], text: str | None = None, **changes: Any) -> dict[str, Any]:
    """Return the result of a request that was answered: with a verdict on its prompt, or a text."""
    speaker = speaker_of(entry)
    asked = entry.get("params", entry.get("body"))
    body = speaker.body(text or verdict(Seen("POST", speaker.path, {}, asked)), **changes)
    named = {"custom_id": entry["custom_id"]}
    if speaker.name == "messages":
        return {**named, "result": {"type": "succeeded", "message": body}}
    return {
        "id": f"batch_req_{entry['custom_id']}",
        **named,
        "response": {"status_code": 200, "request_id": "r", "body": body},
        "error": None,
    }


def undone(entry: dict[str, Any], kind: str) -> dict[str, Any]:
    """Return the result of a request that nobody came to."""
    named = {"custom_id": entry["custom_id"]}
    if "params" in entry:
        return {**named, "result": {"type": kind}}
    words = {"code": f"batch_{kind}", "message": "This request could not be executed."}
    return {"id": "batch_req_x", **named, "response": None, "error": words}


def failed(entry: dict[str, Any], status: int, kind: str, words: str = "no") -> dict[str, Any]:
    """Return the result of a request that was refused with an error."""
    named = {"custom_id": entry["custom_id"]}
    error = {"type": kind, "message": words, "code": kind}
    if "params" in entry:
        told = {"type": "error", "error": error, "request_id": "r"}
        return {**named, "result": {"type": "errored", "error": told}}
    response = {"status_code": status, "request_id": "r", "body": {"error": error}}
    return {"id": "batch_req_x", **named, "response": response, "error": None}


def give_back(
    path: Path,
    requests: Iterable[dict[str, Any]],
    result: Callable[[dict[str, Any]], dict[str, Any]] = answered,
) -> Path:
    """Write a file of results and return its path."""
    lines = (json.dumps(result(entry)) + "\n" for entry in requests)
    path.write_text("".join(lines), "utf-8")
    return path
