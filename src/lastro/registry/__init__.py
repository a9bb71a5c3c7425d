"""Who is who on a day.

For: answering about parties on the day a note was issued, never on the day the question is asked.
Comes in: a registry file, as bytes. Goes out: a `Registry` that answers, or issues that say what to mend.
"""

from lastro.registry.answers import Registry

__all__ = ["Registry"]
