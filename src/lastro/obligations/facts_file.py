"""A facts file: everything that `assess` needs to know, in one JSON document (contract §3).

The document is read whole or refused whole: each thing to mend is named by its place in the file. Numbers are
taken as they are written, so no binary fraction ever touches a mass.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from lastro.errors import LastroError
from lastro.facts import Basis, CompanyFacts, Placement, Retired, TargetRow
from lastro.ids import UF_BY_CODE, Material, Origin, bare, company_of, is_cnpj, uf_of
from lastro.units import ZERO, Mass, Share

SIZES = ("mei", "me", "epp", "medium", "large", "cooperative")
SCHEMES = ("structuring", "certificates", "individual", "collective")
UFS = (*sorted(UF_BY_CODE.values()), "BR")
MOST_SHOWN = 20
T = TypeVar("T")


class FactsRefused(LastroError):
    """A facts file that cannot be used, with everything there is to mend in it."""

    def __init__(self, problems: Sequence[str]) -> None:
        self.problems = tuple(problems)
        shown = [f"  {p}" for p in problems[:MOST_SHOWN]]
        if len(problems) > MOST_SHOWN:
            shown.append(f"  … e mais {len(problems) - MOST_SHOWN}.")
        head = f"o arquivo de fatos tem {len(problems)} correção(ões) a fazer:"
        super().__init__("\n".join([head, *shown]))


@dataclass(frozen=True)
class Facts:
    """What a facts file says: the norm and year asked, the rows of targets, and the companies."""

    norm: str
    year: int
    targets: tuple[TargetRow, ...]
    companies: tuple[CompanyFacts, ...]


def parse(text: str) -> Facts:
    """Read a facts file. Raises FactsRefused naming every place that has to be mended."""
    try:
        raw = json.loads(text, parse_float=str, parse_constant=_no_constant, object_pairs_hook=_once)
    except (ValueError, RecursionError) as wrong:
        raise FactsRefused([f"não é um JSON bem formado ({wrong})."]) from wrong
    problems: list[str] = []
    facts = _facts(_Object(raw, "", problems))
    if problems:
        raise FactsRefused(problems)
    return facts


def _no_constant(text: str) -> None:
    raise ValueError(f"{text} não é um número")


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise ValueError(f"a chave “{twice}” aparece duas vezes num mesmo objeto")
    return made


class _Object:
    """One JSON object at a place in the file; wrong or unknown keys are noted as problems."""

    def __init__(self, raw: Any, place: str, problems: list[str]) -> None:
        self.problems, self.place = problems, place
        if not isinstance(raw, dict):
            self.wrong("", raw, "um objeto {…}")
        self.raw: Mapping[str, Any] = raw if isinstance(raw, dict) else {}
        self.asked: set[str] = set()

    def wrong(self, key: str, found: object, expected: str) -> None:
        where = ".".join(part for part in (self.place, key) if part) or "o documento"
        seen = "nada" if found is None else f"“{str(found)[:60]}”"
        self.problems.append(f"{where}: encontrado {seen}; esperado {expected}.")

    def take(self, key: str, read: Callable[[Any], T], default: T, expected: str, *, required: bool) -> T:
        self.asked.add(key)
        value = self.raw.get(key)
        if value is None:
            if required:
                self.wrong(key, None, expected)
            return default
        try:
            return read(value)
        except (ValueError, TypeError, AttributeError):
            self.wrong(key, value, expected)
            return default

    def need(self, key: str, read: Callable[[Any], T], default: T, expected: str) -> T:
        return self.take(key, read, default, expected, required=True)

    def may(self, key: str, read: Callable[[Any], T], default: T, expected: str) -> T:
        return self.take(key, read, default, expected, required=False)

    def each(self, key: str, read: Callable[[_Object], T]) -> tuple[T, ...]:
        """Read a list of objects; a missing list is an empty one."""
        self.asked.add(key)
        found = self.raw.get(key)
        if found is None:
            return ()
        if not isinstance(found, list):
            self.wrong(key, found, "uma lista […]")
            return ()
        place = ".".join(part for part in (self.place, key) if part)
        return tuple(_read(_Object(one, f"{place}[{i}]", self.problems), read) for i, one in enumerate(found))

    def close(self) -> None:
        """Say which keys nobody asked for: a misspelt key must not be lost."""
        for key in self.raw:
            if key not in self.asked:
                self.wrong(key, key, f"uma das chaves {', '.join(sorted(self.asked))}")


def _read(one: _Object, read: Callable[[_Object], T]) -> T:
    made = read(one)
    one.close()
    return made


def _facts(top: _Object) -> Facts:
    norm = top.may("norm", _text, "", "o caminho da norma, como mt/decreto_1455_2025")
    year = top.need("year", _year, 0, "o ano da meta, como 2026")
    top.asked.add("tables")
    tables = _Object(top.raw.get("tables") or {}, "tables", top.problems)
    targets = tables.each("targets", _target)
    icms = tables.each("icms", _icms)
    _once_each(tables, "targets", [(t.sector, t.material, t.year, t.source) for t in targets])
    _once_each(tables, "icms", [row["year"] for row in icms])
    tables.close()
    companies = top.each("companies", lambda one: _company(one, icms))
    if not companies:
        top.wrong("companies", None, "uma lista com ao menos uma empresa")
    _once_each(top, "companies", [company.cnpj for company in companies])
    top.close()
    return Facts(norm, year, targets, _by_company(top, companies))


def _once_each(table: _Object, key: str, names: Sequence[object]) -> None:
    """Of two rows that answer one question, neither may silently win."""
    for i, name in enumerate(names):
        if name in names[:i]:
            shown = ", ".join(map(str, name)) if isinstance(name, tuple) else name
            table.wrong(f"{key}[{i}]", shown, f"uma linha só para isto; {key}[{names.index(name)}] já o diz")


def _target(row: _Object) -> TargetRow:
    return TargetRow(
        sector=row.need("sector", _text, "", "o setor, como embalagens_em_geral"),
        material=row.need("material", _text, "", "o grupo de material da norma, como glass"),
        year=row.need("year", _year, 0, "o ano da meta"),
        share=row.need("share", _share, "", "um percentual maior que 0% e até 100%, como 25%"),
        source=row.need("source", _text, "", "a fonte da meta"),
        basis=row.may("basis", Basis, Basis.OFFICIAL, "official, illustrative ou test"),
    )


def _icms(row: _Object) -> dict[str, Any]:
    return {
        "year": row.need("year", _year, 0, "o ano da arrecadação"),
        "share": row.need("share", _share, "", "um percentual maior que 0% e até 100%, como 3.2%"),
        "source": row.need("source", _text, "", "a fonte do percentual"),
        "basis": row.may("basis", Basis, Basis.OFFICIAL, "official, illustrative ou test").value,
    }


def _term_target(row: _Object) -> dict[str, Any]:
    """A target of the term of commitment that the company adheres to."""
    return {
        "material": row.need("material", _text, "", "o grupo de material da norma, como glass"),
        "year": row.need("year", _year, 0, "o ano da meta"),
        "share": row.need("share", _share, "", "um percentual maior que 0% e até 100%, como 25%"),
        "source": row.need("source", _text, "", "o termo, com número e data"),
        "basis": row.may("basis", Basis, Basis.OFFICIAL, "official, illustrative ou test").value,
        "justified": bool(row.may("justified", _flag, None, "true ou false")),
    }


def _company(row: _Object, icms: tuple[dict[str, Any], ...]) -> CompanyFacts:
    extra: dict[str, Any] = {"icms": icms} if icms else {}
    terms = row.each("term_targets", _term_target)
    if terms:
        _once_each(row, "term_targets", [(t["material"], t["year"]) for t in terms])
        extra["term_targets"] = terms
    for key in ("formal_partnerships", "returnables_report"):
        found = row.may(key, _flag, None, "true ou false")
        if found is not None:
            extra[key] = found
    placed, retired = row.each("placed", _placement), row.each("retired", _retired)
    _once_each(row, "placed", [(p.year, p.material, p.uf) for p in placed])
    _once_each(row, "retired", [_named(r) for r in retired])
    return CompanyFacts(
        cnpj=row.need("cnpj", _cnpj, "", "um CNPJ válido (14 caracteres) ou a sua raiz (8)"),
        size=row.need("size", _one_of(SIZES), "", f"um de {', '.join(SIZES)}"),
        scheme=row.need("scheme", _one_of(SCHEMES), "", f"um de {', '.join(SCHEMES)}"),
        placed=placed,
        retired=retired,
        elections=row.each("elections", _election),
        sector=row.may("sector", _text, "embalagens_em_geral", "o setor"),
        extra=extra,
    )


def _named(row: Retired) -> tuple[object, ...]:
    """What a row of retired mass says: two deliveries that agree in all of it are added by whoever writes."""
    return row.year, row.material, row.municipality or row.uf, row.origin or "sem origem", row.mass


def _election(row: _Object) -> dict[str, Any]:
    row.asked |= set(row.raw)  # each norm knows its own options
    return dict(row.raw)


def _placement(row: _Object) -> Placement:
    uf = row.need("uf", _one_of(UFS), "", "a sigla de um estado, ou BR para a massa do país")
    made = Placement(
        year=row.need("year", _year, 0, "o ano em que a massa foi colocada no mercado"),
        material=row.need("material", Material, Material.OTHER, f"um de {', '.join(Material)}"),
        uf=uf,
        mass=row.need("mass_kg", _mass, ZERO, _MASS),
        returnable=row.may("returnable_kg", _mass, ZERO, _MASS),
        national=row.may("national", _flag, None, "true ou false") or uf == "BR",
        aerosol=row.may("aerosol_kg", _mass, ZERO, _MASS),
    )
    if made.returnable + made.aerosol > made.mass:
        row.wrong("returnable_kg", made.returnable, f"retornáveis e aerossóis dentro de {made.mass}")
    return made


def _retired(row: _Object) -> Retired:
    made = Retired(
        year=row.need("year", _year, 0, "o ano das notas"),
        material=row.need("material", Material, Material.OTHER, f"um de {', '.join(Material)}"),
        uf=row.need("uf", _one_of(UFS[:-1]), "", "a sigla do estado em que foi coletada"),
        municipality=row.may("municipality", _municipality, "", "um código IBGE de 7 dígitos"),
        origin=row.may("origin", _origin, None, f"um de {', '.join(Origin)}"),
        mass=row.need("mass_kg", _mass, ZERO, _MASS),
        aerosol=row.may("aerosol_kg", _mass, ZERO, _MASS),
        upstream_counted=row.may("upstream_counted_kg", _mass, ZERO, _MASS),
    )
    if made.municipality and made.uf and uf_of(made.municipality) != made.uf:
        row.wrong("municipality", made.municipality, f"um município de {made.uf}")
    return made


_MASS = 'quilogramas como texto decimal, como "48000" ou "0.5", até o miligrama'


def _text(value: Any) -> str:
    if not isinstance(value, str) or not value.strip():
        raise ValueError
    return value.strip()


def _year(value: Any) -> int:
    if type(value) is not int or not 2000 <= value <= 2100:
        raise ValueError
    return value


def _flag(value: Any) -> bool | None:
    if not isinstance(value, bool):
        raise ValueError
    return value


def _share(value: Any) -> str:
    share = Share.parse(value)
    if not 0 < share.of_one <= 1:
        raise ValueError
    return str(value).strip()


def _mass(value: Any) -> Mass:
    if isinstance(value, bool) or not isinstance(value, (str, int)):
        raise ValueError
    mass = Mass.kg(str(value))
    if mass < ZERO:
        raise ValueError
    return mass


def _cnpj(value: Any) -> str:
    text = bare(_text(value))
    if not is_cnpj(text) and not (len(text) == 8 and text.isascii() and text.isalnum()):
        raise ValueError
    return text


def _municipality(value: Any) -> str:
    if uf_of(value) is None:
        raise ValueError
    return str(value)


def _origin(value: Any) -> Origin | None:
    return Origin(value)


def _one_of(allowed: Sequence[str]) -> Callable[[Any], str]:
    def read(value: Any) -> str:
        if value not in allowed:
            raise ValueError
        return str(value)

    return read


def _by_company(top: _Object, found: Sequence[CompanyFacts]) -> tuple[CompanyFacts, ...]:
    """Targets are settled per company (decision 4): entries of one root are one company's."""
    made: dict[str, CompanyFacts] = {}
    for one in found:
        root = company_of(one.cnpj)
        first = made.setdefault(root, one)
        if first is one:
            continue
        same = (first.size, first.scheme, first.sector, first.elections, first.extra)
        if same != (one.size, one.scheme, one.sector, one.elections, one.extra):
            top.wrong("companies", root, "porte, sistema, setor e opções iguais em todas as entradas da raiz")
        made[root] = replace(
            first, cnpj=root, placed=first.placed + one.placed, retired=first.retired + one.retired
        )
    return tuple(made.values())
