"""Settings, URLs, ASGI, Celery, the embedded servers, and what all pages share.

The leaf modules (celery, navigation, demo, append_only, redis) may be imported by every app and import none.
"""
