"""The OpenAPI document at /api/docs/: what it says of each operation, with examples. No behaviour lives here.

config.settings hands `api_schema` to drf-spectacular; `api_document` serves the document.
"""
