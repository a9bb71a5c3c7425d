"""A service that demands a certificate, and a line to it that shows one."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from lastro.connectors.identity import open_p12, tls
from lastro.connectors.transport import HttpsLine
from tests.connectors import servers
from tests.evidence import vectors


@pytest.fixture
def sefaz(tmp_path: Path) -> Iterator[servers.Service]:
    with servers.service(tmp_path) as running:
        yield running


@pytest.fixture(scope="session")
def line() -> HttpsLine:
    """A line that shows an invented company's certificate and knows our own authority."""
    identity = open_p12("a.p12", servers.p12(), servers.PASSWORD)
    return HttpsLine(tls(identity, roots=vectors.TRUST), seconds=5)


@pytest.fixture
def time() -> servers.FakeTime:
    return servers.FakeTime()
