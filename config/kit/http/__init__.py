"""What stands between uvicorn and Django: limits, headers, sockets and the health pages.

`admission.door` bounds the requests under way, `sockets` and `sign_sockets` serve WebSockets, `slow_clients` ends
clients that never finish their headers, `middleware` sets headers and the request's id, `health` answers /readyz.
config.asgi and config.settings wire them.
"""
