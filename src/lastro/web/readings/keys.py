"""What a key may be made for, in words."""

from __future__ import annotations

from collections.abc import Collection

from lastro.web.scopes import Scope

_WORDS = (
    (Scope.ENTITY_READ, "ler documentos, lotes, certificados e relatório da entidade"),
    (Scope.ENTITY_UPLOAD, "enviar notas, MTR e CDF"),
    (Scope.CERTIFICATE_PREPARE, "preparar certificados"),
    (Scope.CERTIFICATE_AUTHORISE, "autorizar e recusar certificados que outra pessoa preparou"),
    (Scope.REPORT_SUBMIT, "entregar o relatório anual"),
    (Scope.COMPANY_READ, "ler a posição e os certificados da empresa"),
    (Scope.COMPANY_DECLARE, "declarar massa colocada no mercado"),
    (Scope.CERTIFICATE_USE, "usar certificados (não se desfaz)"),
    (Scope.DEADLINES_READ, "ler os prazos"),
)
"""What the API has routes for."""


def offered(scopes: Collection[Scope]) -> list[tuple[Scope, str]]:
    """What someone with these scopes may make a key for."""
    return [(needed, words) for needed, words in _WORDS if needed in scopes]
