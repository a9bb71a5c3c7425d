"""A paper, signed once for all tests with a practice certificate of its own data folder."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import pytest

from lastro.ids import cnpj_check_digits
from lastro.papers import render
from lastro.signing import Signer, known_roots, sign, test_signer
from lastro.trust import Root
from tests.papers.example import certificate

AT = datetime.fromisoformat("2027-03-15T10:20:30-04:00")
ENTITY = "ZZCERRAD0001" + cnpj_check_digits("ZZCERRAD0001")


@pytest.fixture(scope="session")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("data")


@pytest.fixture(scope="session")
def signer(data: Path) -> Signer:
    return test_signer(data / "keys", cnpj=ENTITY, name="Entidade Gestora Cerrado Vivo")


@pytest.fixture(scope="session")
def roots(data: Path, signer: Signer) -> tuple[Root, ...]:
    return known_roots(data)


@pytest.fixture(scope="session")
def paper() -> bytes:
    return render("cre", certificate(3))


@pytest.fixture(scope="session")
def signed(paper: bytes, signer: Signer) -> bytes:
    return sign(paper, signer=signer, at=AT, reason="Emissão de certificado", location="Cuiabá/MT")
