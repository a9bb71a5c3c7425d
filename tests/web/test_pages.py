"""What every page must be: closed to strange files, free of inline script and style, named, labelled."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from typing import Any

import pytest

from tests.web import own_offices, own_operators, own_verifier
from tests.web.conftest import World, browser_of, people_of
from tests.web.own_agency import of_agency


@pytest.fixture(scope="module")
def crowd(module_world: World) -> tuple[World, dict[str, Any]]:
    return module_world, people_of(module_world)


def _pages(world: World, people: dict[str, Any]) -> dict[str, list[str]]:
    from lastro.custody.port import For
    from lastro.web.readings import contests, documents

    rows = documents.rows(For(world.entities[0], "mt/decreto_1455_2025", 2026))
    refused = next(r for r in rows if r.outcome.value == "refused")
    contest = contests.contests([world.entities[0]])[0]
    verifying = own_verifier.pages_of(world)
    return {
        "": [
            *("/entrar/", "/conferir/", "/conferir/?numero=CRE-2026-0", "/acessibilidade/", "/nada/"),
            *("/normas/", "/normas/mt/decreto_1455_2025/?situacao=coded", "/normas/br/minuta_metal_2022/"),
            *own_offices.PUBLIC,
        ],
        "preparer": [
            *("/entidade/", "/entidade/documentos/", "/entidade/documentos/?codigo=N10&situacao=refused"),
            f"/entidade/documentos/{refused.sha256}/{refused.ordinal}/",
            f"/entidade/documentos/{rows[0].sha256}/{rows[0].ordinal}/",
            *("/entidade/envios/", "/entidade/envios/novo/", "/entidade/lotes/", "/entidade/contestados/"),
            *("/entidade/achados/", "/entidade/achados/?por=operador", "/entidade/conjuntos/"),
            *("/entidade/aderentes/", "/entidade/aderentes/incluir/", "/entidade/cadastro/carregar/"),
            *("/entidade/termos/", "/entidade/mudancas/", "/entidade/objecoes/", "/entidade/operadores/"),
            *("/entidade/operadores/homologar/", "/entidade/papeis/", "/entidade/pontos/"),
            *("/entidade/pontos/carregar/", "/entidade/papeis/br/decreto_10240_2020/performance/"),
            f"/entidade/documentos/{refused.sha256}/{refused.ordinal}/objetar/",
            *("/entidade/certificados/", "/entidade/certificados/preparar/", "/entidade/relatorio/"),
            *("/entidade/ofertas/nova/", "/entidade/quedas/"),
            *("/prazos/", "/prazos/?norma=br/minuta_metal_2022&norma=mt/decreto_1455_2025"),
        ],
        "verifier": [
            *("/verificador/", "/contestados/", f"/contestados/{contest.key}/{contest.line}/"),
            *verifying["verifier"],
        ],
        "recycler": verifying["recycler"],
        "second_preparer": verifying["preparer"],
        "company": [
            *("/empresa/", "/empresa/?ano=2026", "/senha/", "/prazos/", "/prazos/?ano=2026", "/conta/"),
            *("/empresa/declaracao/", "/empresa/declaracao/formulario/?ano=2026", "/empresa/cadastro/"),
            "/empresa/lacrar/",
            *("/empresa/ofertas/", "/empresa/quedas/"),
            *("/empresa/documentos/", "/empresa/taxa/", "/empresa/taxa/calcular/", "/empresa/escolhas/"),
        ],
        **own_offices.pages(world),
        **_of_offices(world),
        **own_operators.pages(world),
        "accountant": ["/empresa/", "/conta/"],
        "other_company": ["/delegacoes/"],
        "admin": [
            *("/pessoas/", "/entidade/", "/administracao/chaves/", "/administracao/trabalhos/"),
            *("/administracao/trilha/", "/administracao/copias/", "/convite/1/x/"),
            f"/pessoas/{people['company'].pk}/",
            f"/trilha/person/{people['company'].pk}/",
        ],
    }


def _of_offices(world: World) -> dict[str, list[str]]:
    own = of_agency(world)
    mine = world.member(world.entities[0])
    fee, item = own["fee-charge"], own["handed"]["key"]
    cnpj, meeting = own["analyse"]["cnpj"], own["committee-meeting"]["number"]
    return {
        "second_company": [
            *("/notificacoes/", "/entregas/", f"/entregas/{item}/"),
            f"/notificacoes/fees/{own['my-default']['number']}/",
        ],
        "agency": [
            *("/orgao/", f"/orgao/?cnpj={mine}", "/orgao/atrasos/?ver=tudo", "/orgao/notificacoes/"),
            *("/orgao/notificacoes/nova/", "/orgao/entregas/", f"/orgao/entregas/{item}/", "/orgao/tabelas/"),
            "/orgao/certificados/",
        ],
        "fee_staff": [
            *("/orgao/taxa/", "/orgao/taxa/aberto/", "/orgao/taxa/portarias/", "/orgao/taxa/inscrever/"),
            *(f"/orgao/taxa/{mine}/", f"/orgao/taxa/{mine}/{fee['year']}/{fee['number']}/"),
            *(f"/orgao/?cnpj={mine}", f"/orgao/notificacoes/nova/?cnpj={mine}"),
            f"/orgao/tabelas/{own['table']['number']}/",
        ],
        "cmrr": ["/cmrr/", "/cmrr/capacitacoes/", f"/cmrr/{cnpj}/"],
        "committee": [
            *("/comite/", "/comite/assentos/", "/comite/reunioes/", f"/comite/reunioes/{meeting}/"),
            *("/comite/atos/", "/comite/trimestres/", "/comite/trimestres/2026/4/"),
            f"/comite/organizacoes/{cnpj}/",
        ],
    }


class _Reader(HTMLParser):
    """Notes what a page breaks of the house's rules."""

    def __init__(self) -> None:
        super().__init__()
        self.wrong: list[str] = []
        self.labels: set[str] = set()
        self.fields: list[tuple[str, dict[str, str | None]]] = []
        self.ids: list[str] = []
        self.headings: list[int] = []
        self._open_label = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if (tag == "script" and "src" not in given) or tag == "style" or "style" in given:
            self.wrong.append(f"inline {tag}")
        self.wrong += [f"{name} on {tag}" for name in given if name.startswith("on")]
        for name in ("src", "href", "action"):
            if re.match(r"(https?:)?//|javascript:|data:", given.get(name) or ""):
                self.wrong.append(f"{tag} leads to {given[name]}")
        if tag == "img" and given.get("alt") is None:
            self.wrong.append("a picture without words")
        if tag == "th" and "scope" not in given:
            self.wrong.append("a head of a table without scope")
        if tag == "label":
            self._open_label += 1
            self.labels.add(given.get("for") or "")
        if tag in ("input", "select", "textarea") and given.get("type") != "hidden" and not self._open_label:
            self.fields.append((tag, given))
        if given.get("id"):
            self.ids.append(str(given["id"]))
        if re.fullmatch("h[1-6]", tag):
            self.headings.append(int(tag[1]))

    def handle_endtag(self, tag: str) -> None:
        if tag == "label":
            self._open_label -= 1


def test_no_page_has_anything_inline_or_unlabelled(crowd: tuple[World, dict[str, Any]]) -> None:
    world, people = crowd
    for who, addresses in _pages(world, people).items():
        browser = browser_of(people[who] if who else None)
        for address in addresses:
            answer = browser.get(address)
            text = answer.content.decode()
            reader = _Reader()
            reader.feed(text)
            unlabelled = [f for f in reader.fields if f[1].get("id") not in reader.labels]
            assert not reader.wrong, (address, reader.wrong)
            assert not unlabelled, (address, unlabelled)
            assert len(reader.ids) == len(set(reader.ids)), address
            assert reader.headings.count(1) == 1, address
            assert reader.headings[0] == 1, address
            steps = zip(reader.headings, reader.headings[1:], strict=False)
            assert all(after <= before + 1 for before, after in steps), (address, reader.headings)
            assert '<html lang="pt-BR">' in text
            assert '<main id="conteudo"' in text


def test_every_answer_carries_the_policy(crowd: tuple[World, dict[str, Any]]) -> None:
    world, people = crowd
    for who, addresses in _pages(world, people).items():
        browser = browser_of(people[who] if who else None)
        for address in [*addresses, "/static/lastro/app.css", "/saude/"]:
            policy = (
                browser.get(address).headers["Content-Security-Policy"] if "static" not in address else ""
            )
            if policy:
                assert "default-src 'none'" in policy
                assert "unsafe" not in policy
                assert "*" not in policy


def test_personal_pages_are_not_kept_by_caches(crowd: tuple[World, dict[str, Any]]) -> None:
    answer = browser_of(crowd[1]["preparer"]).get("/entidade/")
    assert answer["Cache-Control"] == "no-store"
    assert answer["X-Frame-Options"] == "DENY"
    assert answer["X-Content-Type-Options"] == "nosniff"


def test_a_form_without_its_mark_is_refused(crowd: tuple[World, dict[str, Any]]) -> None:
    from django.test import Client

    strict = Client(enforce_csrf_checks=True, SERVER_NAME="localhost")
    strict.cookies = browser_of(crowd[1]["preparer"]).cookies
    answer = strict.post("/entidade/relatorio/previa/")
    assert answer.status_code == 403
    assert "formulário" in answer.content.decode()


def test_a_test_root_is_said_on_every_page(crowd: tuple[World, dict[str, Any]]) -> None:
    world, people = crowd
    for who, addresses in _pages(world, people).items():
        browser = browser_of(people[who] if who else None)
        for address in addresses:
            text = browser.get(address).content.decode()
            assert "Ambiente de teste" in text, address
            assert "O dia daqui é <strong>15/03/2027</strong>" in text, address


def test_no_whole_cpf_and_no_path_of_a_machine_is_shown(crowd: tuple[World, dict[str, Any]]) -> None:
    world, people = crowd
    from lastro.custody.port import For
    from lastro.web.readings import documents

    rows = documents.rows(For(world.entities[0], "mt/decreto_1455_2025", 2026))
    browser = browser_of(people["preparer"])
    asked = [row for row in rows if "P01" in {code for code, _ in row.codes}]
    assert asked
    texts = [browser.get("/entidade/documentos/", {"codigo": "P01"}).content.decode()]
    for row in [*rows[::7], *asked]:
        texts.append(browser.get(f"/entidade/documentos/{row.sha256}/{row.ordinal}/").content.decode())
    for text in texts:
        assert str(world.folder) not in text
        assert not re.search(r"(?<![0-9A-Za-z])\d{3}\.?\d{3}\.?\d{3}-?\d{2}(?![0-9A-Za-z])", text)


def test_a_cpf_is_shown_by_its_middle() -> None:
    from lastro.web.readings.documents import shown_party, without_cpf

    right, wrong = "529982247" + "25", "529982247" + "00"
    assert shown_party(right) == "***.982.247-**"
    assert shown_party(wrong) == "***.982.247-**", "a miswritten one is somebody's all the same"
    assert shown_party("ZZABC123000100") == "ZZ.ABC.123/0001-00"
    key = "5126" + "1" * 40
    assert without_cpf(f"CPF 529.982.247-{right[-2:]}, chave {key}") == f"CPF ***.982.247-**, chave {key}"
