"""What the OpenAPI document says beside the views: a summary and an example of each operation
(config.api_docs.api_reference), and that every one may answer with a problem (config.kit.problems)."""

from __future__ import annotations

from typing import Any

from config.api_docs.api_answers import answer_of, codes_of
from config.api_docs.api_reference import CODES, EXAMPLES, SUMMARIES
from config.kit.problems import CONTENT_TYPE, TYPE

_TEXT = {"type": "string"}
FAULT = {
    "type": "object",
    "description": "One thing that is wrong with what was sent.",
    "required": ["field", "rule", "message"],
    "properties": {
        "field": {**_TEXT, "description": "Where, as a path: wagers[2].stake. Empty: as a whole."},
        "rule": {
            **_TEXT,
            "nullable": True,
            "description": "The rule of the rulebook; null where it is a matter of form.",
        },
        "message": _TEXT,
    },
}
PROBLEM = {
    "type": "object",
    "description": "Problem details (RFC 9457).",
    "required": ["type", "title", "status", "detail", "instance", "code", "retry", "faults"],
    "properties": {
        "type": {**_TEXT, "format": "uri", "example": f"{TYPE}out_of_turn"},
        "title": {**_TEXT, "description": "What HTTP calls the status.", "example": "Conflict"},
        "status": {"type": "integer", "example": 409},
        "detail": {**_TEXT, "description": "A sentence for people: what is wrong and what to do."},
        "instance": {**_TEXT, "format": "uri-reference", "description": "The address that was asked."},
        "code": {
            **_TEXT,
            "description": "For programs. "
            + "; ".join(f"{of}: {', '.join(codes)}" for of, codes in CODES.items()),
            "enum": sorted({code for codes in CODES.values() for code in codes}),
            "example": "out_of_turn",
        },
        "retry": {"type": "boolean", "description": "The same may be accepted later as it is."},
        "faults": {"type": "array", "items": {"$ref": "#/components/schemas/Fault"}},
        "answers": {
            "type": "array",
            "items": {"type": "object", "additionalProperties": True},
            "description": "To events only: the answers of those before the one that was refused. They stand. Where "
            "the request was looked at, all other members of its answer (`at`, `expected`, ...) are there as well.",
        },
    },
}
REFUSED = "Refused, or not possible: see `code`, `retry` and `faults`."


def problems_of(method: str, path: str) -> dict[str, Any]:
    """What an operation may answer beside what it names, with every code."""
    codes = codes_of(method, path)
    example = {
        "type": f"{TYPE}not_found",
        "title": "Not Found",
        "status": 404,
        "detail": "Nothing of that name is here, or it is not yours to see.",
        "instance": path,
        "code": "not_found",
        "retry": False,
        "faults": [],
    }
    problem = {
        "allOf": [
            {"$ref": "#/components/schemas/Problem"},
            {"type": "object", "properties": {"code": {"type": "string", "enum": codes}}},
        ]
    }
    return {
        "description": f"{REFUSED} Its codes: {', '.join(f'`{code}`' for code in codes)}.",
        "content": {CONTENT_TYPE: {"schema": problem, "example": example}},
    }


def document_problems(result: dict[str, Any], **_: Any) -> dict[str, Any]:
    """OpenAPI's `default`: every status that an operation does not name, so that no list of them can be wrong."""
    components = result.setdefault("components", {})
    components.setdefault("schemas", {}).update(Problem=PROBLEM, Fault=FAULT)
    for path, operations in result["paths"].items():
        for method, operation in operations.items():
            if isinstance(operation, dict) and "responses" in operation:
                operation["responses"]["default"] = problems_of(method, path)
    return result


def document_operations(result: dict[str, Any], **_: Any) -> dict[str, Any]:
    """A line for lists and menus, and examples of what is sent and of what is answered."""
    schemas = result["components"]["schemas"]
    for path, operations in result["paths"].items():
        for method, operation in operations.items():
            if (method, path) in SUMMARIES:
                operation["summary"] = SUMMARIES[method, path]
            if (method, path) in EXAMPLES:
                for content in operation["requestBody"]["content"].values():
                    content["example"] = EXAMPLES[method, path]
            for status, response in operation["responses"].items():
                for content in response.get("content", {}).values() if status != "default" else ():
                    content.setdefault("example", answer_of(content["schema"], schemas))
    return result
