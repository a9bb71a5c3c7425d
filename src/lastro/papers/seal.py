"""The seal of authenticity of the entity (art. 63, XI): a short digest of all that a paper says."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any


def seal(data: Mapping[str, Any]) -> str:
    """Twenty characters, in groups of four, that change when any word of the paper's data changes.

    It is the beginning of the SHA-256 of the data as canonical JSON (keys in order, no spaces, UTF-8),
    without the seal itself. It binds paper and register; what proves who issued it is the signature.
    """
    bare = {key: value for key, value in data.items() if key != "seal"}
    text = json.dumps(bare, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:20].upper()
    return " ".join(digest[i : i + 4] for i in range(0, 20, 4))
