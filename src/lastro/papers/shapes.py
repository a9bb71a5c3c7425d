"""What each paper takes. All values are text written for people; lists may be empty, items may not.

Every kind: `created` (ISO 8601 with offset), `basis` ("official", "illustrative", "test"; default official),
`bands` (more warnings for every page), `address` (public address; printed and as QR), `seal` (default: of the
data), `number`, `lang` ("pt" or, for reports, "en": the few words that the template adds; default "pt").

"cre": `title`, `legal` (what it stands on), `entity` {name, cnpj}, `holder` {name, cnpj}, `signer`
{name, cnpj} (of the digital certificate), `valid_until`, `issued_on`, `mass`, `material`, `fields`
{"I": value, …, "XIII": value} by item of art. 63, `invoices` [{key, line, issued, material, place, mass}],
`notes` [text]. A value is text, a list of texts, or a list of [name, text] pairs.

"report" (also by the kind of each report, as "rar-mt"): `title`, `subtitle`, `meta` [[label, value]],
`sections` [{heading, text, columns [{label, align}], rows [[text]], notes [text]}], `signatures`
[{name, role}]. `align` is "left" or "right". A row may be as long as its columns only; a first cell of
"Total" stands out.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

CERTIFICATE_ITEMS = {
    "I": "Requerente",
    "II": "Período da compensação e período do passivo",
    "III": "Meta percentual vigente e percentual de atingimento",
    "IV": "Materiais compensados",
    "V": "Tipo de material das notas fiscais",
    "VI": "Investimento realizado",
    "VII": "Quantidade compensada, em quilogramas",
    "VIII": "Local da coleta",
    "IX": "Data de emissão das notas fiscais",
    "X": "Data de emissão do certificado",
    "XI": "QR code e selo de autenticidade da entidade gestora",
    "XII": "Código de identificação das notas fiscais",
    "XIII": "Assinatura digital de pessoa autorizada",
}
"""The thirteen items of art. 63 of Decreto MT 1.455/2025, in our own words."""

_INVOICE = ("key", "line", "issued", "material", "place", "mass")


def check_certificate(data: Mapping[str, Any]) -> None:
    """A certificate lacks none of its items: a room has refused that before (K07)."""
    fields = data["fields"]
    assert set(fields) == set(CERTIFICATE_ITEMS), "the thirteen items of art. 63, no more and no fewer"
    empty = [item for item, value in fields.items() if not value]
    assert not empty, f"items without a value: {', '.join(empty)}"
    for name in ("number", "title", "legal", "valid_until", "issued_on", "mass", "material", "address"):
        assert data.get(name), f"a certificate has a {name}"
    for party in ("entity", "holder", "signer"):
        assert all(name in data[party] for name in ("name", "cnpj")), f"a certificate names its {party}"
    assert data["invoices"], "a certificate is backed by invoices"
    assert all(set(row) >= set(_INVOICE) for row in data["invoices"]), f"an invoice has {', '.join(_INVOICE)}"


def check_report(data: Mapping[str, Any]) -> None:
    """Every row of a table has as many cells as the table has columns."""
    assert data["title"], "a report has a title"
    for section in data["sections"]:
        width = len(section.get("columns", []))
        assert all(len(row) == width for row in section.get("rows", [])), section["heading"]
