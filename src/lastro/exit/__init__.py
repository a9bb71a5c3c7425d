"""The way out: everything that the store holds in open formats, with a program that checks it alone.

Comes in: a store. Goes out: a folder or one ZIP of JSON Lines with a manifest of digests, and
`verificar.py`, which counts all of it again on any computer with Python 3.8 and nothing else. Same store,
same bytes.
"""

from lastro.exit.writing import Written, export

__all__ = ["Written", "export"]
