"""How each kind of number is computed: worked examples of the norms, run as they stand, by article."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from lastro.lawkit import Norm, Step, explain, library
from lastro.lawkit.cases import Case, cases_of
from lastro.lawkit.values import read_value

_MT, _EL, _METAL = "mt/decreto_1455_2025", "br/decreto_10240_2020", "br/minuta_metal_2022"
_MG, _FEE = "mg/decreto_45975_2012", "mt/lei_11096_2020"


@dataclass(frozen=True)
class Example:
    """One rule at work on one case of its norm."""

    norm: Norm
    label: str
    case: Case
    trace: Step


@dataclass(frozen=True)
class Kind:
    """A kind of number: what it is in plain words, and the rules that make it."""

    name: str
    title: str
    words: str
    rules: tuple[tuple[str, str], ...]

    @property
    def examples(self) -> tuple[Example, ...]:
        return tuple(_example(norm, rule) for norm, rule in self.rules)


KINDS = (
    Kind(
        "quilo", "Um quilograma contado",
        "Conta o que um item de nota fiscal prova: dentro do prazo da norma, de origem que ela aceita, com "
        "destino de reciclagem, e uma vez só. O livro não deixa o mesmo quilo servir duas vezes.",
        ((_MT, "in_window"), (_MT, "eligible_origin"), (_MT, "recycler_mass"), (_MT, "without_aerosols"),
         (_MT, "reenters"), (_EL, "counted"), (_METAL, "counted")),
    ),
    Kind(
        "meta", "A meta",
        "Um percentual da massa que se colocou no mercado, do ano-base que a norma diz. O percentual vem da "
        "tabela da norma ou do termo; onde a tabela não está no texto, ela se carrega, e nunca se supõe.",
        ((_MT, "base_year"), (_MT, "strictest"), (_MT, "target_mass"), (_EL, "target_mass"),
         (_METAL, "subject_mass"), (_METAL, "target_mass")),
    ),
    Kind(
        "obrigacao", "O que uma empresa deve, e quando cumpre",
        "Da massa colocada saem as embalagens que retornam; da meta, o desconto das retornáveis provadas. "
        "Cumpre quem prova ao menos isso, com o próprio material ou como a norma deixa trocar.",
        ((_MT, "one_way_mass"), (_MT, "returnables_discount"), (_MT, "met_by_material"),
         (_MT, "material_half_met"), (_METAL, "may_use_national")),
    ),
    Kind(
        "certificado", "O certificado",
        "Vale a massa de notas ainda não certificada, até um dia certo, e se vende uma vez.",
        ((_MT, "certifiable"), (_MT, "attained_share"), (_MT, "certificate_last_day"),
         (_MT, "may_be_sold")),
    ),
    Kind(
        "trimestre", "A parte do trimestre na Bolsa Reciclagem",
        "Cada material soma pontos; o dinheiro do trimestre se divide pelos pontos, e a maior parte dele é "
        "das pessoas que catam.",
        ((_MG, "points"), (_MG, "quarter_minimum"), (_MG, "unit_value"), (_MG, "split"),
         (_MG, "least_to_members")),
    ),
    Kind(
        "taxa", "A taxa (TFA/MT)",
        "O porte e a atividade de cada estabelecimento dão o valor do trimestre; atraso soma juros e multa.",
        ((_FEE, "size"), (_FEE, "highest"), (_FEE, "fee"), (_FEE, "municipal_credit"),
         (_FEE, "late_fine"), (_FEE, "interest")),
    ),
    Kind(
        "pontos", "Quantos pontos de coleta",
        "Um ponto para cada tantos habitantes do município, ou o que o cronograma disser.",
        ((_EL, "points_required"), (_METAL, "points_required"), (_MT, "geographic_target")),
    ),
)  # fmt: skip


@cache
def _example(path: str, name: str) -> Example:
    """The first case of a rule that ends with an answer (a yes, where it asks yes or no), explained."""
    regulation = library.find(path)
    rule = regulation.rules[name]
    answered = [c for c in cases_of(regulation) if c.rule == name and not c.raises]
    case = next((c for c in answered if c.expect is not False), answered[0])
    given = {key: read_value(rule.inputs[key], raw) for key, raw in case.given.items()}
    return Example(regulation.norm, rule.label, case, explain(rule, regulation.law(case.on), **given))


def consumer_articles() -> dict[str, str]:
    """Where the norms say what consumers do."""
    asked = {
        "electronics": (_EL, ("art31-I", "art31-II", "art31-III")),
        "metal": (_METAL, ("art31-I", "art31-II")),
    }
    return {name: library.find(path).norm.cite(cited) for name, (path, cited) in asked.items()}
