"""The tables of a registry file: columns, the Portuguese names people may write, natural keys.

`docs/formatos.md` shows them to people; a test holds the two together.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from lastro.ids import Material
from lastro.sheets import Head


@dataclass(frozen=True)
class Column:
    """One column: its heads, what kind of value it holds, and whether a row may leave it empty."""

    head: Head
    kind: str
    required: bool = False

    @property
    def name(self) -> str:
        return self.head.name


@dataclass(frozen=True)
class Table:
    """One table: its columns, the columns that name a row, and those that must not overlap in time."""

    name: str
    aliases: tuple[str, ...]
    columns: tuple[Column, ...]
    key: tuple[str, ...]
    series: tuple[str, ...] = ()


def _column(name: str, kind: str, *aliases: str, required: bool = False) -> Column:
    return Column(Head(name, aliases, required), kind, required)


_FROM = _column("from", "date", "de", "desde", "inicio", "início", required=True)
_TO = _column("to", "date", "ate", "até", "fim")
_ENTITY = _column("entity", "cnpj", "entidade", "entidade gestora", "cnpj da entidade", required=True)

ROLES: Mapping[str, str] = {
    "managing_entity": "managing_entity",
    "entidade gestora": "managing_entity",
    "operator": "operator",
    "operador": "operator",
    "recycler": "recycler",
    "reciclador": "recycler",
    "recicladora": "recycler",
    "verifier": "verifier",
    "verificador": "verifier",
    "verificador de resultados": "verifier",
    "company": "company",
    "empresa": "company",
    "dealer": "dealer",
    "comerciante": "dealer",
    "sucateiro": "dealer",
    "agency": "agency",
    "orgao ambiental": "agency",
}
ORIGINS: Mapping[str, str] = {
    "municipal": "municipal",
    "concession": "concession",
    "concessao": "concession",
    "picker_entity": "picker_entity",
    "entidade de catadores": "picker_entity",
    "catadores": "picker_entity",
    "private_pev": "private_pev",
    "pev privado": "private_pev",
    "private_recycler": "private_recycler",
    "reciclador privado": "private_recycler",
    "pgrs": "pgrs",
    "plano de gerenciamento de residuos": "pgrs",
    "dealer": "dealer",
    "comerciante": "dealer",
    "industrial_scrap": "industrial_scrap",
    "sucata industrial": "industrial_scrap",
}
SIZES: Mapping[str, str] = {
    "mei": "mei",
    "me": "me",
    "microempresa": "me",
    "epp": "epp",
    "medium": "medium",
    "media": "medium",
    "medio": "medium",
    "large": "large",
    "grande": "large",
    "cooperative": "cooperative",
    "cooperativa": "cooperative",
}
SCHEMES: Mapping[str, str] = {
    "structuring": "structuring",
    "estruturante": "structuring",
    "certificates": "certificates",
    "certificados": "certificates",
    "collective": "collective",
    "coletivo": "collective",
}
DATUMS: Mapping[str, str] = {
    "SIRGAS2000": "SIRGAS2000",
    "SIRGAS 2000": "SIRGAS2000",
    "WGS84": "WGS84",
    "WGS 84": "WGS84",
    "SAD69": "SAD69",
    "SAD 69": "SAD69",
    "Córrego Alegre": "CORREGO_ALEGRE",
}
CHOICES = {"role": ROLES, "origin": ORIGINS, "size": SIZES, "scheme": SCHEMES, "datum": DATUMS}
MATERIALS = {
    **{m.value: m for m in Material},
    **dict.fromkeys(("papel", "papelao", "papel_e_papelao", "papel_papelao"), Material.PAPER),
    **dict.fromkeys(("plastico", "plasticos"), Material.PLASTIC),
    **dict.fromkeys(("vidro", "vidros"), Material.GLASS),
    "aco": Material.STEEL,
    **dict.fromkeys(("aluminio", "aluminum"), Material.ALUMINIUM),
    **dict.fromkeys(("outros_metais", "outro_metal"), Material.OTHER_METAL),
    **dict.fromkeys(("cartonada", "cartonado", "embalagem_cartonada"), Material.CARTON),
    **dict.fromkeys(("pneu", "pneus"), Material.TYRE),
    **dict.fromkeys(("pilhas_e_baterias", "bateria", "baterias"), Material.BATTERY),
    **dict.fromkeys(("eletroeletronico", "eletroeletronicos", "eletronicos"), Material.ELECTRONICS),
    **dict.fromkeys(("oleo", "oleo_lubrificante"), Material.OIL),
    **dict.fromkeys(("outro", "outros"), Material.OTHER),
}
"""How a material may be written; what stands for several materials at once, such as "metais", is not here."""
LATER = ("latitude", "longitude", "datum", "materials", "capacity_kg_month")
"""Columns that came later: a row that leaves them empty is the row it was before they were."""

TABLES: tuple[Table, ...] = (
    Table(
        "parties",
        ("partes", "cadastro", "estabelecimentos"),
        (
            _column("cnpj", "who", "cnpj/cpf", "cpf", required=True),
            _column("name", "text", "nome", "razao social", "razão social", required=True),
            _column("address", "text", "endereco", "endereço"),
            _column("municipality", "municipality", "municipio", "município", "ibge", "codigo ibge"),
            _column("uf", "uf", "estado"),
            _column("contact", "text", "contato"),
            _column("licence_number", "text", "licenca", "numero da licenca", "número da licença"),
            _column("licence_issuer", "text", "orgao da licenca", "órgão da licença"),
            _column("licence_valid_to", "date", "validade da licenca", "validade da licença"),
            _column("closed_on", "date", "baixada em", "data da baixa"),
            _column("latitude", "latitude", "lat"),
            _column("longitude", "longitude", "lon", "long"),
            _column("datum", "datum", "datum das coordenadas"),
            _column("materials", "materials", "materiais", "materiais cadastrados"),
            _column("capacity_kg_month", "kilograms", "capacidade_kg_mes", "capacidade mensal em kg"),
        ),
        ("cnpj",),
    ),
    Table(
        "roles",
        ("papeis", "papéis"),
        (
            _column("cnpj", "who", "cnpj/cpf", "cpf", required=True),
            _column("role", "role", "papel", required=True),
            _column("origin", "origin", "origem"),
            _FROM,
            _TO,
        ),
        ("cnpj", "role", "from"),
        ("cnpj", "role"),
    ),
    Table(
        "vettings",
        ("homologacoes", "homologações", "homologacoes de operadores"),
        (
            _column("operator", "who", "operador", "cnpj do operador", required=True),
            _ENTITY,
            _FROM,
            _TO,
            _column("cnpj_ok", "bool", "cartao cnpj", "cnpj em ordem", required=True),
            _column("registrations_ok", "bool", "inscricoes", "inscrições", required=True),
            _column("licence_ok", "bool", "licenca em ordem", "licença", "licenca ambiental", required=True),
            _column("permit_ok", "bool", "alvara", "alvará", required=True),
        ),
        ("operator", "entity", "from"),
        ("operator", "entity"),
    ),
    Table(
        "terms",
        ("termos", "termos de compromisso"),
        (
            _column("term", "text", "termo", required=True),
            _ENTITY,
            _column("sector", "text", "setor"),
            _column("signed_on", "date", "assinado em"),
            _column("certificates_allowed", "bool", "admite certificados", required=True),
            _FROM,
            _TO,
        ),
        ("term", "entity"),
    ),
    Table(
        "members",
        ("membros", "aderentes", "adesoes", "adesões"),
        (
            _column("establishment", "cnpj", "estabelecimento", "cnpj", required=True),
            _ENTITY,
            _column("term", "text", "termo"),
            _FROM,
            _TO,
            _column("scheme", "scheme", "sistema"),
        ),
        ("establishment", "entity", "term", "from"),
        ("establishment",),
    ),
    Table(
        "contracts",
        ("contratos", "contratos de verificacao"),
        (
            _column("verifier", "cnpj", "verificador", "cnpj do verificador", required=True),
            _ENTITY,
            _FROM,
            _TO,
        ),
        ("verifier", "entity", "from"),
        ("verifier", "entity"),
    ),
    Table(
        "sizes",
        ("portes", "porte"),
        (
            _column("company", "root", "empresa", "raiz", "raiz do cnpj", "cnpj", required=True),
            _column("year", "year", "ano", required=True),
            _column("size", "size", "porte", required=True),
        ),
        ("company", "year"),
    ),
)
BY_NAME: Mapping[str, Table] = {table.name: table for table in TABLES}
