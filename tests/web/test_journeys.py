"""Whole journeys of people in a real browser, over the real server and its worker.

Left out where there is no Chromium (Debian: apt install chromium); `./run test --need-all` fails then.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.web.conftest import PASSWORD, TODAY, World, people_of

pytestmark = pytest.mark.browser

_FLAGS = [
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync"),
    *("--disable-background-networking", "--disable-component-update"),
]


SLOW = 180_000
"""How long a page may take while other tests keep the machine busy, in milliseconds: waits, not measures."""


def _chromium() -> str:
    found = next((path for name in ("chromium", "chromium-browser") if (path := shutil.which(name))), None)
    if found is None:
        pytest.skip("falta o Chromium (apt install chromium)")
    pytest.importorskip("playwright.sync_api", reason="falta o playwright")
    return found


@pytest.fixture(scope="module")
def crowd(module_world: World) -> World:
    people_of(module_world)
    return module_world


@pytest.fixture(scope="module")
def address(crowd: World) -> Iterator[str]:
    """The real server over the world, with its worker, as `lastro serve` starts it for a demonstration."""
    _chromium()
    code = "import sys; from lastro.cli import main; sys.exit(main())"
    words = ["--data", str(crowd.data), "--today", TODAY.isoformat(), "serve", "--port", "0"]
    server = subprocess.Popen(
        [sys.executable, "-u", "-c", code, *words], env={**crowd.env, "LASTRO_DEMO": "1"},
        stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert server.stdout is not None
    found = re.search(r"http://127\.0\.0\.1:\d+", server.stdout.readline())
    assert found
    try:
        yield found[0]
    finally:
        server.terminate()
        server.wait()


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    path = _chromium()
    from playwright.sync_api import sync_playwright

    # Playwright keeps a loop running in this thread, in which Django would refuse to reach the database.
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "1"
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=path, args=_FLAGS)
        yield browser
        browser.close()
    del os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"]


@pytest.fixture
def come_in(browser: Any, address: str) -> Iterator[Callable[..., Any]]:
    """Log someone in as they would: e-mail, password, and the code that the demonstration shows."""
    contexts = []
    complaints: list[str] = []

    def come_in(name: str = "", **options: Any) -> Any:
        context = browser.new_context(base_url=address, accept_downloads=True, **options)
        context.set_default_timeout(SLOW)
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda m: complaints.append(m.text) if m.type == "error" else None)
        page.on("pageerror", lambda wrong: complaints.append(str(wrong)))
        if name:
            page.goto("/entrar/")
            page.get_by_label("E-mail").fill(f"{name}@exemplo.org")
            page.get_by_label("Senha").fill(PASSWORD)
            page.get_by_role("button", name="Continuar").click()
            page.wait_for_url(lambda url: not url.endswith("/entrar/"))
            if "codigo" in page.url:
                page.get_by_label("Código").fill(page.locator("code.big").inner_text())
                page.get_by_role("button", name="Entrar", exact=True).click()
                page.wait_for_url(lambda url: "codigo" not in url)
        return page

    yield come_in
    for context in contexts:
        context.close()
    assert not [c for c in complaints if "status of 40" not in c], "the browser had nothing to complain of"


def shows(page: Any, text: str, where: str = "main") -> None:
    """Wait until a page shows a text: what was clicked is done, and the next person may act on it."""
    page.locator(where).filter(has_text=text).first.wait_for()


def issue_statement(page: Any, entity: str, *, year: int = 2026) -> None:
    """The verifier issues its statement, saying why not everything was looked at by hand."""
    page.goto("/verificador/")
    page.locator(f'form[action="/verificador/{entity}/{year}/declaracao/"] button').click()
    page.get_by_label("Por que se declara sem isso").fill("Amostra adiada.")
    page.get_by_label("declaro assim mesmo").check()
    page.get_by_role("button", name="Emitir").click()
    page.get_by_text("emitida e assinada").wait_for()


def _zip(world: World, entity: str, to: Path) -> Path:
    with zipfile.ZipFile(to, "w") as archive:
        for path in sorted((world.folder / "notas" / entity).rglob("*.xml")):
            archive.write(path, path.name)
    return to


@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no-scripts"])
def test_an_entity_uploads_and_sees_the_cures(
    crowd: World, come_in: Callable[..., Any], tmp_path: Path, scripts: bool
) -> None:
    page = come_in("preparer" if scripts else "other_preparer", java_script_enabled=scripts)
    page.get_by_role("link", name="Envios").click()
    page.get_by_role("link", name="Enviar notas").click()
    body = _zip(crowd, crowd.entities[1 if scripts else 0], tmp_path / "notas.zip")
    page.get_by_label("Arquivos").set_input_files(body)
    page.get_by_role("button", name="Enviar").click()
    for _ in range(60):  # without scripts the page asks to be loaded again; the test does so itself
        if page.get_by_text("concluído").count():
            break
        page.wait_for_timeout(500)
        if not scripts:
            page.reload()
    page.get_by_role("link", name="Ver os documentos deste envio").wait_for()
    page.get_by_role("link", name="P03").first.click()
    assert "codigo=P03" in page.url
    page.locator("tbody th a").first.click()
    shows(page, "O que fazer")
    text = page.inner_text("main")
    assert "recusada" in text


def test_two_people_make_a_certificate_and_a_stranger_checks_it(
    crowd: World, come_in: Callable[..., Any], tmp_path: Path
) -> None:
    preparer = come_in("second_preparer")
    preparer.get_by_role("link", name="Certificados").click()
    preparer.get_by_role("link", name="Preparar certificado").click()
    preparer.get_by_label("Estabelecimento que compra").select_option(crowd.member(crowd.entities[0]))
    preparer.get_by_label("Material").select_option("glass")
    preparer.get_by_label("Massa em quilogramas").fill("1.234,567")
    preparer.get_by_label("Investimento realizado").fill("1.800,00")
    preparer.get_by_role("button", name="Preparar").click()
    preparer.get_by_text("Falta outra pessoa autorizar").wait_for()
    assert preparer.get_by_role("button", name="Autorizar").count() == 0

    authoriser = come_in("authoriser")
    authoriser.goto(preparer.url)
    authoriser.get_by_role("button", name="Autorizar e emitir").click()
    with authoriser.expect_download() as kept:
        authoriser.get_by_role("link", name="Baixar o PDF assinado").click()
    paper = tmp_path / "certificado.pdf"
    kept.value.save_as(paper)
    number = authoriser.locator("h1").inner_text().split()[0]

    stranger = come_in()
    stranger.goto("/conferir/")
    stranger.get_by_label("Número do certificado").fill(number.lower())
    stranger.get_by_role("button", name="Conferir", exact=True).click()
    shows(stranger, "existe, mas é de base de teste")
    shows(stranger, "1.234,567 kg")
    stranger.get_by_label("PDF do certificado").set_input_files(paper)
    stranger.get_by_role("button", name="Conferir arquivo").click()
    shows(stranger, "byte por byte")
    changed = tmp_path / "mudado.pdf"
    changed.write_bytes(paper.read_bytes().replace(b"/Producer", b"/Producex", 1) + b"\n")
    stranger.goto("/conferir/")
    stranger.get_by_label("PDF do certificado").set_input_files(changed)
    stranger.get_by_role("button", name="Conferir arquivo").click()
    stranger.wait_for_load_state()
    assert "byte por byte" not in stranger.inner_text("main")

    holder = come_in("second_company")
    holder.get_by_role("link", name=number).click()
    shows(holder, "1.234,567 kg")
    holder.get_by_role("link", name="Usar este certificado").click()
    holder.get_by_label("Código").fill(holder.locator("code.big").inner_text())  # its use asks for a code
    holder.get_by_role("button", name="Entrar", exact=True).click()
    holder.get_by_label("Ano da meta").fill("2026")
    holder.get_by_role("button", name="Continuar").click()
    shows(holder, "não se desfaz")
    holder.get_by_role("button", name="Usar o certificado").click()
    shows(holder, "1.234,567 kg contam na meta de 2026")


def test_a_company_sees_where_it_stands_and_why(come_in: Callable[..., Any]) -> None:
    page = come_in("company")
    assert "/empresa/" in page.url
    shows(page, "Não cumpro todas as metas")
    assert "Relatório" in page.inner_text("main") or "relatório" in page.inner_text("main")
    page.get_by_text("Por quê: de onde vem cada número").first.click()
    for _ in range(6):  # open every step, as somebody who wants to know would
        for summary in page.locator("details.why[open] details:not([open]) > summary").all():
            if summary.is_visible():
                summary.click()
    text = page.locator("details.why").first.inner_text()
    assert "arts. 42" in text
    assert "meta" in text.lower()


def test_everything_is_reached_by_keyboard(come_in: Callable[..., Any]) -> None:
    """From the first key: over the skip link, into the content; and the log-in without a mouse."""
    page = come_in()
    page.goto("/entrar/")
    page.locator("#id_username:focus").wait_for()  # the first field has the focus by itself
    page.keyboard.type("company@exemplo.org")
    page.keyboard.press("Tab")
    page.locator("#id_password:focus").wait_for()
    page.keyboard.type(PASSWORD)
    page.keyboard.press("Enter")
    page.wait_for_url("**/empresa/")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Ir para o conteúdo"
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "conteudo"


_ADMINISTRATION = [f"/administracao/{name}/" for name in ("chaves", "trabalhos", "trilha", "copias")]

_VERIFYING = ("/verificador/fila/", "/contestados/decisoes/", "note", "chain", "sample")

_CLICKED = {
    "note": ("/verificador/fila/?f_codigo=C03", "tbody th a"),
    "chain": ("", "main article a.small:not(.main)"),
    "sample": ("/verificador/", 'a[href$="/amostra/"]'),
    "load": ("/reciclador/", "tbody th a"),
}
"""Pages that are reached from another: where one begins ("": where one is), and what one clicks there."""

_EVERYWHERE = (
    (
        "",
        [
            *("/conferir/", "/conferir/?numero=CRE-1", "/entrar/", "/acessibilidade/", "/nada/"),
            *("/normas/", "/normas/mt/decreto_1455_2025/", "/normas/br/minuta_metal_2022/?busca=auditoria"),
        ],
    ),
    (
        "third_preparer",
        [
            *("/entidade/", "/entidade/documentos/", "/entidade/lotes/", "/entidade/contestados/"),
            *("/entidade/envios/", "/entidade/envios/novo/", "/entidade/certificados/"),
            *("/entidade/ofertas/nova/", "/entidade/quedas/"),
            *("/entidade/certificados/preparar/", "/entidade/relatorio/", "/prazos/", "document"),
            *("/entidade/achados/", "/entidade/conjuntos/", "/entidade/aderentes/", "/entidade/mudancas/"),
            *("/entidade/operadores/", "/entidade/operadores/homologar/", "/entidade/papeis/"),
            *("/entidade/papeis/br/decreto_10240_2020/system-budget/", "/entidade/pontos/"),
            "/entidade/recebimentos/",
        ],
    ),
    ("verifier", ["/verificador/", "/contestados/", *_VERIFYING]),
    ("recycler", ["/reciclador/cdf/", "load"]),
    (
        "operator",
        [
            *("/operador/", "/operador/notas/", "/operador/enviar/", "/operador/envios/"),
            *("/operador/papeis/", "/bolsa/", "/bolsa/cadastro/", "/bolsa/2026/4/"),
            *("/bolsa/2026/4/producao/", "/bolsa/2026/4/venda/", "/bolsa/2026/4/repasse/"),
            "/bolsa-reciclagem/",
        ],
    ),
    (
        "company",
        [
            *("/empresa/", "/senha/", "/prazos/", "/prazos/?ano=2026", "/conta/", "/delegacoes/"),
            *("/empresa/declaracao/?ano=2025", "/empresa/declaracao/formulario/?ano=2025"),
            *("/empresa/ofertas/", "/empresa/quedas/"),
            *("/empresa/cadastro/", "/empresa/documentos/", "/empresa/taxa/", "/empresa/taxa/calcular/"),
            "/empresa/escolhas/",
        ],
    ),
    ("admin", ["/pessoas/", *_ADMINISTRATION, "/pessoas/1/", "/trilha/person/1/"]),
)
"""Who looks at which pages; `document` is a note that has something against it."""


def _another(name: str, options: Any) -> str:
    """A code serves once: each look is somebody else's."""
    wide = options["viewport"]["width"] > 400
    return {"third_preparer": "fourth_preparer"}.get(name, name) if wide else name


def _each_page(come_in: Callable[..., Any], **options: Any) -> Iterator[tuple[str, Any]]:
    for name, addresses in _EVERYWHERE:
        page = come_in(_another(name, options), **options)
        for one in addresses:
            if one == "document":
                page.goto("/entidade/documentos/?codigo=N10")
                with page.expect_navigation():
                    page.locator("tbody th a").first.click()
            elif one in _CLICKED:
                begin, link = _CLICKED[one]
                if begin:
                    page.goto(begin)
                with page.expect_navigation():
                    page.locator(link).first.click()
            else:
                page.goto(one)
            yield one, page


@pytest.mark.parametrize("width", [360, 1280])
def test_no_page_is_wider_than_the_screen_or_shuts_anyone_out(
    come_in: Callable[..., Any], width: int
) -> None:
    """Nothing to scroll sideways, and nothing that the rules of axe (WCAG) object to."""
    from axe_playwright_python.sync_playwright import Axe

    wide, shut = [], []
    options = {"viewport": {"width": width, "height": 800}, "bypass_csp": True}  # axe itself is put in
    for one, page in _each_page(come_in, **options):
        if page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth"):
            wide.append(one)
        found = Axe().run(page).response["violations"]
        shut += [(one, wrong["id"], wrong["nodes"][0]["html"][:150]) for wrong in found]
    assert not wide
    assert not shut
