"""PostgreSQL: one private server per data folder, or a real one named by DATABASE_URL.

Comes in: a data folder. Goes out: a `Store`, whose connections act as the application's own role.
What may be written is decided by the database's functions and triggers, never by this code.
"""

from lastro.stores.postgres.store import Store

__all__ = ["Store"]
