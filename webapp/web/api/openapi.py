"""The interface for programs as an OpenAPI 3.1 document, made from the routes and their operations."""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from flask import Flask
from werkzeug.routing import Rule

from webapp.web.api.openapi_operations import Answer, Operation, operation_of
from webapp.web.api.schema import Schema, Schemas, docstring_summary

FORM: Final = "application/x-www-form-urlencoded"
JSON: Final = "application/json"
_VARIABLE: Final = re.compile(r"<(?:[^<>:]*:)?([a-z_]+)>")
_DESCRIPTION: Final = (
    "Every page has a JSON twin: send `Accept: application/json`. Fields are sent as a form. A cookie names the player "
    "and holds what belongs to open hands: keep it."
)


def document(app: Flask) -> dict[str, Any]:
    """Return the description of all routes of an app that have an operation."""
    schemas = Schemas()
    paths: dict[str, dict[str, Any]] = {}
    for rule, method, view, operation in operations(app):
        path = _VARIABLE.sub(r"{\1}", rule.rule)
        paths.setdefault(path, {})[method.lower()] = _described(rule, view, operation, schemas)
    return {
        "openapi": "3.1.0",
        "info": {"title": "Tefuda", "version": "1", "description": _DESCRIPTION},
        "paths": dict(sorted(paths.items())),
        "components": {"schemas": dict(sorted(schemas.components.items()))},
    }


def operations(app: Flask) -> Iterator[tuple[Rule, str, Any, Operation]]:
    """Return routes with their methods, views and operations, in the order of their addresses."""
    for rule in sorted(app.url_map.iter_rules(), key=lambda rule: rule.rule):
        view = app.view_functions[rule.endpoint]
        operation = operation_of(view)
        if operation is not None:
            for method in sorted((rule.methods or set()) - {"HEAD", "OPTIONS"}):
                yield rule, method, view, operation


def _described(rule: Rule, view: Any, operation: Operation, schemas: Schemas) -> dict[str, Any]:
    parameters = [_parameter("path", name, _in_path(name, operation)) for name in _VARIABLE.findall(rule.rule)]
    if operation.query:
        properties = schemas.fields_of(operation.query)
        parameters += [_parameter("query", name, schema) for name, schema in properties.items()]
    described: dict[str, Any] = {
        "operationId": operation.name or rule.endpoint.replace(".", "_"),
        "summary": docstring_summary(view),
        "parameters": parameters,
        "responses": {
            **{str(status): _response(_kinds(answer), schemas) for status, answer in operation.answers.items()},
            "default": _response(operation.refused, schemas, "The request was refused."),
        },
    }
    if operation.form:
        described["requestBody"] = {"content": {FORM: {"schema": _form(operation, operation.form, schemas)}}}
    return described


def _parameter(place: str, name: str, schema: Schema) -> dict[str, Any]:
    description = schema.pop("description", "")
    return {"name": name, "in": place, "required": place == "path", "description": description, "schema": schema}


def _in_path(name: str, operation: Operation) -> Schema:
    return {"type": "string", "description": operation.path[name]}


def _form(operation: Operation, form: type, schemas: Schemas) -> Schema:
    choices: Mapping[str, tuple[object, ...]] = operation.choices()
    more = {name: {"enum": [_word(choice) for choice in values]} for name, values in choices.items()}
    return {"type": "object", "description": docstring_summary(form), "properties": schemas.fields_of(form) | more}


def _word(choice: object) -> str:
    return str(choice).lower() if isinstance(choice, bool) else str(choice)


def _kinds(answer: Answer) -> tuple[type | str, ...]:
    return answer if isinstance(answer, tuple) else () if answer is None else (answer,)


def _response(kinds: Iterable[type | str], schemas: Schemas, description: str = "") -> dict[str, Any]:
    texts = [kind for kind in kinds if isinstance(kind, str)]
    classes = [kind for kind in kinds if not isinstance(kind, str)]
    content: dict[str, Any] = {media: {"schema": {"type": "string"}} for media in texts}
    if classes:
        answers = [schemas.of(kind) for kind in classes]
        content[JSON] = {"schema": answers[0] if len(answers) == 1 else {"anyOf": answers}}
        description = description or docstring_summary(classes[0])
    return {"description": description or "A file." if texts else description or "Nothing."} | (
        {"content": content} if content else {}
    )
