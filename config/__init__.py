"""Settings, URLs, ASGI, Celery, the embedded servers, and what all pages share.

The leaf modules (celery, navigation, demo, append_only, redis) may be imported by every app and import none.
"""

import gc

gc.set_threshold(200_000, *gc.get_threshold()[1:])
"""All that our processes load is fewer objects than that, and none of them goes away: looking for garbage among them,
as Python does after every 700, was a fifth of the processor time of each start. Servers lower it once they have loaded
(config.kit.processes)."""
