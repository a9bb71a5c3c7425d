"""The cast: managing entities, operators, recyclers, dealers, verifiers and companies, all invented."""

from __future__ import annotations

import random
from dataclasses import dataclass, field, replace

from lastro.sample.digits import cnpj, company_root, plate, state_registration
from lastro.sample.places import GOIAS, MATO_GROSSO, Place

FAMILIES = ("paper", "plastic", "glass", "metals")
_WORDS = """
AURORA HORIZONTE IPÊ-ROXO JATOBÁ ÁGUA-CLARA BOM-FUTURO NOVA-ERA ARARA PAINEIRA CERRADO GUARÁ
UIRAPURU AROEIRA SERRANA PLANALTO MATA-VERDE TUIUIÚ PEQUI BURITI BABAÇU CAJUEIRO VÁRZEA RIO-MANSO
CHAPADÃO LOBEIRA CAMBARÁ JAÇANÃ MANGABA ESPERANÇA UNIÃO CORAÇÃO-VERDE TRÊS-RIOS PONTE-ALTA SANTA-FÉ
LARANJEIRA PIRAPUTANGA
""".split()  # noqa: SIM905
_STREETS = ("RUA DAS INDÚSTRIAS", "AVENIDA DOS IPÊS", "RODOVIA MT-010", "RUA SETE", "TRAVESSA DO CERRADO")


@dataclass(frozen=True)
class Party:
    """An invented establishment, with what a note, a certificate and the registry say of it."""

    cnpj: str
    name: str
    place: Place
    role: str
    origin: str = ""
    regime: int = 3
    registration: str = ""
    street: str = ""
    house: int = 0
    postcode: str = "78000000"
    renewal: tuple[int, int] = (1, 1)
    plates: tuple[str, ...] = ()
    licence: str = ""
    licence_to: str = "2028-12-31"
    families: tuple[str, ...] = FAMILIES
    listed: bool = True
    capacity_kg_month: str = ""
    closed_on: str = ""
    located: bool = True  # whether the registry knows where it stands

    @property
    def root(self) -> str:
        """The eight characters that name the company, whatever the branch."""
        return self.cnpj[:8]


@dataclass(frozen=True)
class Span:
    """From one ISO date to another, both included; an empty end is open."""

    first: str
    last: str = ""


ALWAYS = (
    Span("2024-01-01", "2024-12-31"),
    Span("2025-01-01", "2025-12-31"),
    Span("2026-01-01", "2026-12-31"),
    Span("2027-01-01", "2027-12-31"),
)


@dataclass(frozen=True)
class Vetting:
    """That an entity collected the four papers of an operator (art. 59), and for how long they serve."""

    operator: str
    entity: str
    span: Span
    papers: tuple[bool, bool, bool, bool] = (True, True, True, True)


@dataclass
class Cast:
    """Everybody in the world, and what binds them."""

    rnd: random.Random
    entities: list[Party] = field(default_factory=list)
    operators: dict[str, list[Party]] = field(default_factory=dict)
    recyclers: list[Party] = field(default_factory=list)
    dealers: list[Party] = field(default_factory=list)
    verifiers: list[Party] = field(default_factory=list)
    companies: list[list[Party]] = field(default_factory=list)
    others: list[Party] = field(default_factory=list)
    vettings: list[Vetting] = field(default_factory=list)
    role_spans: dict[str, Span] = field(default_factory=dict)
    second_roles: list[Party] = field(default_factory=list)  # the same people once more, in another role
    _roots: set[str] = field(default_factory=set)
    _words: list[str] = field(default_factory=list)

    def word(self) -> str:
        """A name that nobody bears yet."""
        if not self._words:
            numerals = ("", " II", " III", " IV")
            self._words = [word + numeral for numeral in numerals for word in _WORDS]
            self._words.reverse()
        return self._words.pop()

    def party(self, pattern: str, role: str, place: Place, *, branch: int = 1, root: str = "") -> Party:
        """Invents an establishment."""
        rnd = self.rnd
        root = root or company_root(rnd, self._roots)
        name = pattern.format(self.word(), place.name.upper()) if "{" in pattern else pattern
        return Party(
            cnpj=cnpj(root, branch),
            name=name[:60],
            place=place,
            role=role,
            registration=state_registration(place.uf, rnd),
            street=rnd.choice(_STREETS),
            house=rnd.randrange(10, 4000),
            postcode=f"{'78' if place.uf == 'MT' else '74'}{rnd.randrange(1000):03d}000",
            renewal=(rnd.randrange(2, 12), rnd.randrange(1, 28)),
            plates=tuple(plate(rnd) for _ in range(2)),
            licence=f"LO {rnd.randrange(100000, 400000)}/2024",
        )

    def operator(
        self, origin: str, place: Place, *entities: Party, spans: tuple[Span, ...] = ALWAYS, root: str = ""
    ) -> Party:
        """Invents an operator, or with `root` the second branch of one, and has it vetted."""
        pattern, regime = _OPERATORS[origin]
        made = self.party(pattern, "operator", place, branch=2 if root else 1, root=root)
        made = replace(made, origin=origin, regime=regime)
        for entity in entities:
            self.vettings += [Vetting(made.cnpj, entity.cnpj, span) for span in spans]
        return made

    def everyone(self) -> list[Party]:
        """Every party that the registry lists."""
        groups = [self.entities, self.recyclers, self.dealers, self.verifiers, self.others]
        groups += [*self.operators.values(), *self.companies]
        return [party for group in groups for party in group if party.listed]


_OPERATORS = {
    "picker_entity": ("COOPERATIVA DE CATADORES {} DE {}", 1),
    "municipal": ("AUTARQUIA MUNICIPAL DE LIMPEZA {} DE {}", 3),
    "concession": ("{} CONCESSIONÁRIA DE RESÍDUOS DE {} S.A.", 3),
    "private_pev": ("{} PONTOS DE ENTREGA LTDA", 3),
    "dealer": ("{} COMÉRCIO DE SUCATAS LTDA", 3),
}
_ORIGINS = ["picker_entity"] * 9 + ["municipal"] * 4 + ["concession"] * 3 + ["private_pev"] * 4
_SHARE = (18, 13, 9)  # operators of each entity: forty in all


def _operators(cast: Cast) -> None:
    places = list(MATO_GROSSO)
    order = 0
    for entity, count in zip(cast.entities, _SHARE, strict=True):
        group = []
        for _ in range(count):
            origin = _ORIGINS[order * 7 % len(_ORIGINS)]
            group.append(cast.operator(origin, places[order % len(places)], entity))
            order += 1
        cast.operators[entity.cnpj] = group


def _recyclers(cast: Cast) -> None:
    capital, twin, south, north = MATO_GROSSO[0], MATO_GROSSO[1], MATO_GROSSO[2], MATO_GROSSO[3]
    wanted: tuple[tuple[str, Place, tuple[str, ...]], ...] = (
        ("{} PAPÉIS & EMBALAGENS S.A.", twin, ("paper",)),
        ("{} CARTÕES DO CENTRO-OESTE S.A.", GOIAS[1], ("paper",)),
        ("{} RECICLAGEM DE PLÁSTICOS LTDA", capital, ("plastic",)),
        ("{} POLÍMEROS LTDA", south, ("plastic",)),
        ("VIDRARIA {} S.A.", capital, ("glass",)),
        ("SIDERÚRGICA {} S.A.", GOIAS[0], ("metals",)),
        ("{} METAIS RECICLADOS LTDA", twin, ("metals",)),
        ("RECICLADORA {} LTDA", north, FAMILIES),
    )
    for pattern, place, families in wanted:
        cast.recyclers.append(replace(cast.party(pattern, "recycler", place), families=families))


def _companies(cast: Cast) -> None:
    patterns = ("{} ALIMENTOS LTDA", "{} BEBIDAS S.A.", "{} COSMÉTICOS LTDA", "{} LATICÍNIOS LTDA")
    for number in range(20):
        place = MATO_GROSSO[number % 12]
        first = cast.party(patterns[number % 4], "company", place)
        group = [first]
        if number % 3 == 0:
            other = MATO_GROSSO[(number + 5) % 12]
            group.append(cast.party(first.name, "company", other, branch=2, root=first.root))
        cast.companies.append(group)


def make_cast(seed: int) -> Cast:
    """The people of the world that a seed gives."""
    cast = Cast(random.Random(f"cast {seed}"))
    for _ in range(3):
        cast.entities.append(
            cast.party("INSTITUTO {} DE LOGÍSTICA REVERSA", "managing_entity", MATO_GROSSO[0])
        )
    for _ in range(2):
        cast.verifiers.append(cast.party("{} VERIFICAÇÃO DE RESULTADOS LTDA", "verifier", MATO_GROSSO[0]))
    _operators(cast)
    _recyclers(cast)
    for number in range(4):
        cast.dealers.append(cast.party("{} COMÉRCIO DE SUCATAS LTDA", "dealer", MATO_GROSSO[number * 2]))
    _companies(cast)
    return cast
