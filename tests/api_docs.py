"""Generates the tables of ``docs/api.md`` from the OpenAPI document: ``python -m tests.api_docs``."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from tests.support.openapi_check import document

API = Path(__file__).parents[1] / "docs" / "api.md"
BEGIN = "<!-- From here on the file is written by `python -m tests.api_docs`. -->\n"
JSON = "application/json"
WORDS = {"string": "text", "integer": "whole number", "boolean": "true or false"}

Json = dict[str, Any]


def generated() -> str:
    """Return the part of the file after ``BEGIN``."""
    schemas = document()["components"]["schemas"].items()
    lines = [
        *("", "## Requests", "", *_table(("request", "", "answer"), _requests()), ""),
        *("## Fields of requests", "", *_forms()),
        *("## Fields of answers", ""),
        *(line for name, schema in schemas if "properties" in schema for line in _answer_section(name, schema)),
    ]
    return "\n".join(lines)


def _operations() -> Iterator[tuple[str, Json]]:
    for path, methods in document()["paths"].items():
        for method, operation in methods.items():
            yield f"`{method.upper()} {path}`", operation


def _table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> list[str]:
    first, *others = (f"| {' | '.join(row)} |" for row in (head, *rows))
    return [first, "|" + "---|" * len(head), *others]


def _requests() -> list[tuple[str, ...]]:
    return [(name, operation["summary"], _answers(operation["responses"])) for name, operation in _operations()]


def _answers(responses: Json) -> str:
    said = []
    for status, response in responses.items():
        if status != "default":
            contents = response.get("content", {}).items()
            kinds = [type_of(content["schema"]) if media == JSON else f"`{media}`" for media, content in contents]
            said.append(f"{status} {' or '.join(kinds) or 'without content'}")
    return ", ".join(said)


def _forms() -> Iterator[str]:
    for name, operation in _operations():
        parameters = [each for each in operation["parameters"] if each["in"] == "query"]
        fields = {each["name"]: each["schema"] | {"description": each["description"]} for each in parameters}
        for content in operation.get("requestBody", {"content": {}})["content"].values():
            fields |= content["schema"]["properties"]
        if fields:
            yield from (name, "", *_table(("field", "", ""), [_field(*each) for each in fields.items()]), "")


def _field(name: str, schema: Json) -> tuple[str, ...]:
    default = f", else {_code(schema['default'])}" if schema.get("default") else ""
    return f"`{name}`", type_of(schema) + default, schema.get("description", "")


def _answer_section(name: str, schema: Json) -> Iterator[str]:
    rows = []
    for field, each in schema["properties"].items():
        absent = "" if field in schema["required"] else ", or absent"
        rows.append((f"`{field}`", type_of(each) + absent, each.get("description", "")))
    yield from (f"### {name}", "", schema["description"], "", *_table(("field", "", ""), rows), "")


def type_of(schema: Json) -> str:
    """Return the type of a schema in words."""
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        return "card" if name == "Card" else f"[{name}](#{name.lower()})"
    if "anyOf" in schema:
        return " or ".join(type_of(each) for each in schema["anyOf"])
    if "enum" in schema:
        return " ".join(map(_code, schema["enum"]))
    match schema.get("type", "anything"):
        case "array" if "items" in schema:
            return f"list of {type_of(schema['items'])}"
        case "array":
            return f"list: {', '.join(map(type_of, schema['prefixItems']))}"
        case "object":
            return f"{type_of(schema['additionalProperties'])}, by name"
        case list(kinds):
            return " or ".join(WORDS.get(kind, kind) for kind in kinds)
        case kind:
            return str(WORDS.get(kind, kind))


def _code(value: object) -> str:
    return f"`{value}`" if value != "" else "empty"


if __name__ == "__main__":
    written = API.read_text("utf-8").partition(BEGIN)[0]
    API.write_text(written + BEGIN + generated(), "utf-8")
