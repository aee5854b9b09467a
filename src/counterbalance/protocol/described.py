"""The JSON schema of sections with what their keys mean, as their docstrings say it."""

from __future__ import annotations

import ast
import inspect
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from pydantic.json_schema import GenerateJsonSchema

from counterbalance.protocol.section import Section

if TYPE_CHECKING:
    from pydantic.json_schema import JsonSchemaValue
    from pydantic_core import core_schema

__all__ = ["DescribedSchema"]


class DescribedSchema(GenerateJsonSchema):
    """Adds the docstring under each key as its description.

    pydantic can do so when a class is made (``use_attribute_docstrings``), which reads the source
    of every section whenever a program starts; here it is read when a schema is asked for.
    """

    def model_schema(self, schema: core_schema.ModelSchema) -> JsonSchemaValue:
        """Return the schema of one section."""
        made = super().model_schema(schema)
        section: type[Section] = schema["cls"]
        for name, text in _meanings(section).items():
            alias = section.model_fields[name].alias or name
            made["properties"][alias]["description"] = text
        return made


def _meanings(section: type[Section]) -> dict[str, str]:
    found: dict[str, str] = {}
    for base in reversed(section.__mro__):
        if issubclass(base, Section):
            found |= _docstrings(base)
    return found


def _docstrings(section: type[Section]) -> dict[str, str]:
    """Return the text that stands under each key of a class at module level."""
    tree: Any = ast.parse(inspect.getsource(section))
    return {
        key.target.id: inspect.cleandoc(text.value.value)
        for key, text in pairwise(tree.body[0].body)
        if isinstance(key, ast.AnnAssign)
        and isinstance(key.target, ast.Name)
        and isinstance(text, ast.Expr)
        and isinstance(text.value, ast.Constant)
        and isinstance(text.value.value, str)
    }
