"""YAML text to plain values, every scalar as it stands: 0.480 keeps its last digit.

This is the only module that knows PyYAML, and loads it at the first file. Refused are anchors and
aliases, which a description has no use for and a hostile file does.
"""

from __future__ import annotations

from typing import Any

from counterbalance.errors import MissingExtraError, TablesFileError, one_line

__all__ = ["INSTALL_YAML", "yaml_value"]

INSTALL_YAML = "python -m pip install 'counterbalance[yaml]'"
"""The command that installs what reads YAML."""


def yaml_value(text: str, file: str) -> Any:  # noqa: ANN401 (any decoded value)
    """Decode YAML without giving any scalar a type.

    Parameters
    ----------
    text : str
        Content of the file.
    file : str
        Its name, for messages.

    Returns
    -------
    Any
        Mappings, lists and texts.

    Raises
    ------
    MissingExtraError
        If PyYAML is not installed.
    TablesFileError
        If the text is not YAML, names a key twice, or uses anchors.
    """
    try:
        import yaml  # noqa: PLC0415 (needed by few)
    except ImportError:
        part = "the reader of YAML files (PyYAML)"
        raise MissingExtraError(part, INSTALL_YAML) from None
    try:
        for event in yaml.parse(text, Loader=yaml.SafeLoader):
            if getattr(event, "anchor", None):
                place = f"line {event.start_mark.line + 1}"
                problem = "anchors and aliases are not read; write the value out"
                raise TablesFileError(file, place, problem)
        node = yaml.compose(text, Loader=yaml.SafeLoader)
        return None if node is None else _plain(node, file, yaml)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        place = f"line {mark.line + 1}" if mark else ""
        raise TablesFileError(file, place, f"not YAML: {one_line(error.problem)}") from None
    except yaml.YAMLError as error:
        raise TablesFileError(file, "", f"not YAML: {one_line(error)}") from None


def _plain(node: Any, file: str, yaml: Any) -> Any:  # noqa: ANN401 (PyYAML has no types)
    if isinstance(node, yaml.ScalarNode):
        is_null = node.tag == "tag:yaml.org,2002:null" and node.style is None
        return None if is_null else node.value
    if isinstance(node, yaml.SequenceNode):
        return [_plain(child, file, yaml) for child in node.value]
    value: dict[str, Any] = {}
    for key, child in node.value:
        name = str(key.value)
        if name in value:
            problem = f"the key {one_line(name)!r} is given twice; keep one"
            raise TablesFileError(file, f"line {key.start_mark.line + 1}", problem)
        value[name] = _plain(child, file, yaml)
    return value
