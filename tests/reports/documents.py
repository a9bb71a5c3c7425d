"""Documents made from the example files, and from files that a test changes."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

from lastro.cli.report_facts import made_from
from lastro.lawkit import library
from lastro.reports.cells import DataSet

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"
ON = date(2027, 3, 1)
MG, TF = "mg/decreto_45975_2012", "mt/lei_11096_2020"
EL, ME, MT = "br/decreto_10240_2020", "br/minuta_metal_2022", "mt/decreto_1455_2025"

RUNS = {
    "bolsa/trimestre": (MG, "quarter-memory"),
    "bolsa/sem_coeficiente": (MG, "quarter-memory"),
    "bolsa/suspensa_e_atrasada": (MG, "quarter-memory"),
    "bolsa/conta_por_tonelada": (MG, "quarter-memory"),
    "tfa/depois_da_notificacao": (TF, "fee-assessment"),
    "tfa/sem_nivel": (TF, "fee-assessment"),
    "tfa/com_credito_municipal": (TF, "credit-statement"),
    "tfa/isento": (TF, "credit-statement"),
    "documentos/atividades": (TF, "activities-report"),
    "documentos/contas_da_bolsa": (MG, "transfers"),
    "documentos/contas_da_bolsa_a_menos": (MG, "transfers"),
    "documentos/desempenho_eletroeletronicos": (EL, "performance"),
    "documentos/desempenho_incompleto": (EL, "performance"),
    "documentos/consolidado_eletroeletronicos": (EL, "ministry-report"),
    "documentos/resultados_metal": (ME, "group-results"),
    "documentos/declaracao_de_embalagens": (MT, "packaging-declaration"),
    "documentos/ficha_de_operadores": (MT, "operator-file"),
    "documentos/comunicacao_eletroeletronicos": (EL, "communication-plan"),
    "documentos/comunicacao_metal": (ME, "communication-plan"),
    "documentos/auditoria_metal": (ME, "audit-report"),
    "documentos/qualificacao": (MT, "qualification"),
    "documentos/declaracao_da_detentora": (MT, "brand-owner-statement"),
    "documentos/retornaveis": (MT, "returnables-report"),
    "documentos/individual_eletroeletronicos": (EL, "individual-file"),
    "documentos/individual_metal": (ME, "individual-file"),
    "documentos/importador_eletroeletronicos": (EL, "importer-statement"),
    "documentos/importador_metal": (ME, "importer-statement"),
    "documentos/instrumento_eletroeletronicos": (EL, "instrument"),
    "documentos/instrumento_metal": (ME, "instrument"),
    "documentos/prestador_eletroeletronicos": (EL, "provider"),
    "documentos/orcamento_eletroeletronicos": (EL, "system-budget"),
    "documentos/manual_eletroeletronicos": (EL, "operating-manual"),
    "documentos/manual_metal": (ME, "operating-manual"),
    "documentos/plano_eletroeletronicos": (EL, "system-plan"),
    "documentos/plano_metal": (ME, "system-plan"),
    "documentos/acompanhamento_eletroeletronicos": (EL, "system-follow-up"),
    "documentos/acordo_municipal_eletroeletronicos": (EL, "municipal-agreement"),
    "documentos/compensacao_entre_entidades": (EL, "entity-compensation"),
    "documentos/compensacao_a_municipios": (MT, "municipal-compensation"),
}
"""Each example, with the norm and the kind of the document that is made from it."""


def make(name: str, *, kind: str = "") -> DataSet:
    """The document that an example is the facts of."""
    norm, usual = RUNS[name]
    return made_from(library.find(norm), kind or usual, EXAMPLES / f"{name}.json", today=ON)


def changed(
    name: str, folder: Path, change: Callable[[dict[str, Any]], object], *, kind: str = ""
) -> DataSet:
    """The same, with the facts changed first."""
    facts = json.loads((EXAMPLES / f"{name}.json").read_text("utf-8"))
    change(facts)
    file = folder / "fatos.json"
    file.write_text(json.dumps(facts), "utf-8")
    norm, usual = RUNS[name]
    return made_from(library.find(norm), kind or usual, file, today=ON)


def value(data: DataSet, path: str) -> object:
    """A cell's value as its file tells it."""
    return data.cell(path).json()["value"]


def texts(data: DataSet) -> list[tuple[str, str]]:
    """What blocks, by code and the place that it names."""
    return [(block.code, block.where) for block in data.blocks]
