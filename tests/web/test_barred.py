"""Who may not open a page is told why: the role, the delegation, or no establishment; and who changes it."""

from __future__ import annotations

from typing import Any

from tests.web.conftest import browser_of


def test_each_is_told_what_holds_them_back(people: dict[str, Any]) -> None:
    def told(name: str, at: str) -> str:
        answer = browser_of(people[name]).get(at)
        assert answer.status_code == 403, (name, at)
        return answer.content.decode()

    role = told("company", "/verificador/")
    assert "O seu papel (Empresa) não abre esta página" in role
    assert "delegação" not in role
    assert "Nenhum estabelecimento está ligado" in told("unbound", "/entidade/")
    assert "Nenhum estabelecimento está ligado" in told("late_accountant", "/empresa/")
    lent = told("accountant", "/empresa/declaracao/formulario/")
    assert "por delegação, e ela não inclui esta página (declarar a massa" in lent
    assert "amplie" in lent
    assert all("P10" in one for one in (role, lent))
