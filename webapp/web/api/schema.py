"""JSON Schemas of dataclasses, with the same rules by which ``serialize.to_json`` makes their JSON."""

import types
from collections.abc import Mapping, Sequence
from dataclasses import MISSING, fields, is_dataclass
from enum import Enum
from inspect import cleandoc
from typing import Annotated, Any, Literal, NewType, Union, get_args, get_origin, get_type_hints

from webapp.engine.action import Action
from webapp.engine.cards import RANK_LETTERS, Card, Rank
from webapp.engine.label import Label, Value
from webapp.engine.tier import Tier
from webapp.web.api.game_types import OneOf
from webapp.web.api.serialize import Absent, json_fields, json_name

Schema = dict[str, Any]

_SIMPLE: Mapping[Any, Schema] = {
    str: {"type": "string"},
    int: {"type": "integer"},
    bool: {"type": "boolean"},
    float: {"type": "number"},
    type(None): {"type": "null"},
    Action: {"type": "string", "description": "A verb, then each argument: `hold-1-3`."},
    Rank: {"enum": list(RANK_LETTERS), "description": "A rank, as in `Qh`."},
    Tier: {"enum": list(map(int, Tier)), "description": "How great a win is, from 0: nothing, or little."},
}
_CARD: Schema = {
    "type": "string",
    "pattern": "^([2-9TJQKA][cdhs]|Jk)$",
    "description": "A card: rank and suit, or `Jk` for the joker.",
}


class Schemas:
    """Schemas of the classes that were asked for, and of all that they need: ``components`` by name."""

    def __init__(self) -> None:
        self.components: dict[str, Schema] = {}

    def of(self, kind: Any) -> Schema:
        """Return the schema of a type; of a dataclass a reference to its component."""
        if kind in _SIMPLE:
            return dict(_SIMPLE[kind])
        origin, args = get_origin(kind), get_args(kind)
        if origin is Annotated:
            classes = [note.classes() for note in args[1:] if isinstance(note, OneOf)]
            schema = self._any_of(classes[0]) if classes else self.of(args[0])
            descriptions = [note for note in args[1:] if isinstance(note, str)]
            return schema | {"description": descriptions[0]} if descriptions else schema
        if origin in (Union, types.UnionType):
            return self._any_of(args)
        if origin is Literal:
            return {"enum": list(args)}
        if origin is tuple:
            return self._array(args)
        if isinstance(origin, type) and issubclass(origin, Mapping):
            return {"type": "object", "additionalProperties": self.of(args[1])}
        if isinstance(kind, NewType):
            return self.of(kind.__supertype__)
        if kind is Any or kind is object:
            return {}
        return self._of_class(kind)

    def _of_class(self, kind: type) -> Schema:
        if kind is Card:
            return self._component("Card", lambda: _CARD)
        if kind is Label:
            return self._component("Label", self._label)
        if issubclass(kind, Enum):
            return {"enum": [item.name if issubclass(kind, int) else item.value for item in kind]}
        if is_dataclass(kind):
            return self._component(kind.__name__.removesuffix("Answer"), lambda: self.object_of(kind))
        raise TypeError(f"no schema for {kind!r}")

    def object_of(self, kind: type) -> Schema:
        """Return the schema of a dataclass itself. A field that may be absent is not required."""
        hints = get_type_hints(kind, include_extras=True)
        names = json_fields(kind)
        old = {field.name: field.metadata["deprecated"] for field in fields(kind) if "deprecated" in field.metadata}
        properties = {json_name(name): self.of(hints[name]) for name in names}
        for name, advice in old.items():
            properties[json_name(name)] |= {"deprecated": True, "description": f"Deprecated: {advice}"}
        return {
            "type": "object",
            "description": docstring_summary(kind),
            "properties": properties,
            "required": [json_name(name) for name in names if not _may_be_absent(hints[name])],
        }

    def fields_of(self, kind: type) -> dict[str, Schema]:
        """Return the schemas of the fields of a form or query, with their defaults."""
        hints = get_type_hints(kind, include_extras=True)
        schemas = {}
        for field in fields(kind):
            schemas[field.name] = self.of(hints[field.name])
            if schemas[field.name].get("type") == ["string", "null"]:
                schemas[field.name]["type"] = "string"  # form fields are never null; they may be left out
            if field.default not in (MISSING, None, "", ()):
                schemas[field.name]["default"] = field.default
        return schemas

    def _component(self, name: str, make: Any) -> Schema:
        if name not in self.components:
            self.components[name] = {}  # schemas may be recursive
            self.components[name] = make()
        return {"$ref": f"#/components/schemas/{name}"}

    def _any_of(self, kinds: Sequence[Any]) -> Schema:
        schemas: list[Schema] = []
        for kind in kinds:
            schema = self.of(kind) if kind is not Absent else None
            if schema is not None and schema not in schemas:
                schemas.append(schema)
        if len(schemas) == 1:
            return schemas[0]
        if all(set(schema) == {"type"} for schema in schemas):
            return {"type": [schema["type"] for schema in schemas]}
        flat = [part for schema in schemas for part in (schema["anyOf"] if set(schema) == {"anyOf"} else [schema])]
        return {"anyOf": flat}

    def _array(self, args: tuple[Any, ...]) -> Schema:
        if len(args) == 2 and args[1] is Ellipsis:
            return {"type": "array", "items": self.of(args[0])}
        items = [self.of(arg) for arg in args]
        return {"type": "array", "prefixItems": items, "minItems": len(items), "maxItems": len(items)}

    def _label(self) -> Schema:
        return {
            "type": "object",
            "description": "Something that is said: a code with values, and its sentence.",
            "properties": {
                "code": {"type": "string", "description": "Code of what is said."},
                "args": {
                    "type": "object",
                    "additionalProperties": self.of(Value),
                    "description": "Values in the sentence.",
                },
                "text": {"type": "string", "description": "The sentence, in the language of the request."},
            },
            "required": ["code", "args", "text"],
        }


def docstring_summary(described: Any) -> str:
    """Return the first paragraph of a docstring, on one line."""
    return " ".join(cleandoc(described.__doc__ or "").partition("\n\n")[0].split())


def _may_be_absent(hint: Any) -> bool:
    return get_origin(hint) is Annotated and Absent in get_args(get_args(hint)[0])
