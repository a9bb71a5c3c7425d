"""The same desks for programs: JSON over HTTP, described by OpenAPI, opened by a key of an establishment.

Comes in: a key and a request. Goes out: what the page of the same scope shows, as the command line writes it
with `--json`. A route calls what the page calls; it decides nothing.
"""

from lastro.web.api.routes import api

__all__ = ["api"]
