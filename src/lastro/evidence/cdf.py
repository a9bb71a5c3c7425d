"""The printed certificate of final destination (CDF), as SINIR and the states give it in PDF → its facts.

Two layouts are known, SINIR's and the one that SC, RS, MG, RJ and ES share. Every field must stand there once
and in one reading; whatever is missing, twice, cut or not told apart goes to a person, with what was seen.
"""

from __future__ import annotations

import re
from datetime import date

from lastro.evidence import cdf_rows, pdf_text, waste_values
from lastro.evidence.cdf_rows import Aligned
from lastro.evidence.papers import Reading
from lastro.evidence.unfit import Unfit
from lastro.evidence.waste_fields import unsure
from lastro.facts import Finding, Kind
from lastro.findings import finding
from lastro.waste import DestinationCertificate

_NUMBER = re.compile(r"\bCDF ?N[O°.]{0,2} ?:? ?([0-9]{1,12}(?:/[0-9]{4})?)(?![0-9/])")
_PERIOD = re.compile(r"\bPERIODO ?:? ?([0-9]{2}/[0-9]{2}/[0-9]{4}) (?:A|ATE) ([0-9]{2}/[0-9]{2}/[0-9]{4})")
_WHO = (
    r"([0-9A-Z]{2}\.[0-9A-Z]{3}\.[0-9A-Z]{3}/[0-9A-Z]{4}-[0-9]{2}|[0-9A-Z]{12}[0-9]{2}"
    r"|[0-9]{3}\.[0-9]{3}\.[0-9]{3}-[0-9]{2}|[0-9]{11})(?![0-9A-Z])"
)
_RECYCLER = re.compile(rf"\b(?:CPF/CNPJ|CNPJ/CPF|CNPJ) ?:? ?{_WHO} ?,? CERTIFICA\b")
_GENERATOR = re.compile(rf"\b(?:CPF/CNPJ|CNPJ/CPF|CNPJ|CPF) ?:? ?{_WHO}")
_PLACE = re.compile(r"\bMUNICIPIO ?:? ?([^:]{2,60}?) UF ?:? ?([A-Z]{2})\b")
_SIGNED = re.compile(r", ?([0-9]{2}/[0-9]{2}/[0-9]{4})(?![0-9/])")
_RESIDUES = re.compile(r"\bIDENTIFICACAO DOS RESIDUOS\b")
_LISTED = re.compile(r"\b(MANIFESTOS|MTRS?) INCLUIDOS? ?:?")
_END_OF_TABLE = re.compile(
    r"\bDECLARACAO\b|\b(?:MANIFESTOS|MTRS?) INCLUIDOS?\b|\bRESPONSAVEL\b|\bOBSERVAC(?:AO|OES)\b"
)
_RUN = re.compile(r"[ ,;]*([0-9][0-9 ,;]*)")
_LOOSE = re.compile(r"(?<![0-9/.,-])[0-9]{10}(?:[0-9]{2})?(?![0-9/.,-])")


def read_pdf(data: bytes) -> list[Reading]:
    """The certificate in one PDF; a PDF that is none gives one reading that says so."""
    try:
        text = pdf_text.text_of(data)
    except Unfit as wrong:
        return [Reading(Kind.UNKNOWN, "", findings=(wrong.finding,))]
    whole = Aligned.of("\n".join(text.pages))
    if "CERTIFICADO DE DESTINACAO FINAL" not in whole.folded and not _NUMBER.search(whole.folded):
        seen = finding("F04", found="PDF que não é um CDF", expected="CDF em PDF com texto")
        return [Reading(Kind.UNKNOWN, "", findings=(seen,))]
    printed = _Printed(whole)
    if text.defect:
        printed.findings.append(unsure("F05", "PDF", text.defect, "PDF sem defeitos"))
    made, layout = printed.certificate()
    return [Reading(Kind.CDF, layout, findings=tuple(printed.findings), destination=made)]


class _Printed:
    """One printed certificate, read part by part; what is amiss is gathered on the way."""

    def __init__(self, whole: Aligned) -> None:
        self._whole = whole
        self.findings: list[Finding] = []

    def certificate(self) -> tuple[DestinationCertificate, str]:
        """The facts, and the name of the layout."""
        layout, digits = self._layout()
        before, table, tail = self._parts()
        begin, end = self._period()
        residues = cdf_rows.residues(table, self.findings) if table is not None else ()
        made = DestinationCertificate(
            number=waste_values.certificate_number(self._one(_NUMBER, self._whole, "CDF nº")),
            system="SINIR" if digits == waste_values.NATIONAL else "",
            destination=waste_values.party_of(self._one(_RECYCLER, self._whole, "destinador")),
            generator=waste_values.party_of(self._generator(before)),
            period_from=begin,
            period_to=end,
            declared_on=self._day(self._one(_SIGNED, tail, "data da declaração"), "data da declaração"),
            residues=residues,
            manifests=self._manifests(digits),
            municipality=self._municipality(before),
        )
        return made, layout

    def _layout(self) -> tuple[str, int]:
        """The layout by its own words, and how many digits its manifests' numbers have (0: not known)."""
        names = {found[1][:3] for found in _LISTED.finditer(self._whole.folded)}
        national = "SISTEMA MTR DO SINIR" in self._whole.folded or "MAN" in names
        if names == {"MAN"} and national:
            return "CDF SINIR", waste_values.NATIONAL
        if names == {"MTR"} and not national:
            return "CDF estadual", waste_values.STATE
        self.findings.append(
            unsure("F06", "CDF", "leiaute que não se reconhece", "o leiaute do SINIR ou o dos estados")
        )
        return "CDF", 0

    def _parts(self) -> tuple[Aligned, Aligned | None, Aligned]:
        """What stands before the table of residues, the table, and what follows it."""
        marks = list(_RESIDUES.finditer(self._whole.folded))
        if len(marks) != 1:
            self.findings.append(
                unsure("F07", "Identificação dos Resíduos", f"{len(marks)} vezes", "uma tabela de resíduos")
            )
            return self._whole, None, self._whole
        start, stop = marks[0].end(), _END_OF_TABLE.search(self._whole.folded, marks[0].end())
        end = stop.start() if stop else len(self._whole.folded)
        return self._whole[: marks[0].start()], self._whole[start:end], self._whole[end:]

    def _generator(self, before: Aligned) -> str:
        """The number before the table that is not the destination's own."""
        own = [found.span(1) for found in _RECYCLER.finditer(before.folded)]
        every = [found for found in _GENERATOR.finditer(before.folded) if found.span(1) not in own]
        return self._single([found[1] for found in every], "gerador")

    def _one(self, pattern: re.Pattern[str], part: Aligned, where: str) -> str:
        return self._single([found[1] for found in pattern.finditer(part.folded)], where)

    def _single(self, written: list[str], where: str) -> str:
        """What a field says, where it is said once or always the same; else nothing, and a finding."""
        said = list(dict.fromkeys(written))
        if len(said) == 1:
            return said[0]
        if said:
            # A number of a party may be a person's: it is not repeated.
            found = f"{len(said)} números" if where in ("gerador", "destinador") else "; ".join(said)[:120]
            self.findings.append(unsure("F07", where, found, "um só valor"))
        elif where == "data da declaração":
            self.findings.append(unsure("F07", where, "não encontrada", "uma data"))
        return ""

    def _period(self) -> tuple[date | None, date | None]:
        said = list(dict.fromkeys(found.groups() for found in _PERIOD.finditer(self._whole.folded)))
        if len(said) != 1:
            if said:
                self.findings.append(unsure("F07", "período", f"{len(said)} períodos", "um só período"))
            return None, None
        return self._day(said[0][0], "início do período"), self._day(said[0][1], "fim do período")

    def _day(self, written: str, where: str) -> date | None:
        try:
            return waste_values.day_of(written)
        except ValueError:
            self.findings.append(finding("C10", where=where, found=written, expected="uma data que exista"))
            return None

    def _municipality(self, before: Aligned) -> str:
        found = list(_PLACE.finditer(before.folded))
        if len(found) != 1:
            return ""
        name, uf = found[0][1].strip(), found[0][2]
        code = waste_values.municipality_of(name, uf)
        if code is None:
            expected = "município do IBGE"
            self.findings.append(finding("G01", where="município", found=f"{name}/{uf}", expected=expected))
        return code or ""

    def _manifests(self, digits: int) -> tuple[str, ...]:
        """The numbers listed. A list that may be cut or broken is told, and what stands there is kept."""
        where = "manifestos incluídos"
        text = self._whole.folded
        numbers: dict[str, None] = {}
        covered = len(text)
        for mark in _LISTED.finditer(text):
            run = _RUN.match(text, mark.end())
            if run is None:
                continue
            covered = min(covered, mark.start())
            numbers |= dict.fromkeys(re.findall(r"[0-9]+", run[1]))
            rest = text[run.end() :]
            if run[1].rstrip().endswith((",", ";")) or re.match(r"\.\.|…|E MAIS\b|E OUTR", rest):
                self.findings.append(
                    unsure("F07", where, "lista que continua e não acaba", "a lista inteira")
                )
            loose = set(_LOOSE.findall(_LISTED.split(rest)[0])) - set(numbers)
            if loose:
                found = ", ".join(sorted(loose)[:3])
                self.findings.append(unsure("F07", where, f"fora da lista: {found}", "uma lista só"))
        odd = [number for number in numbers if digits and len(number) != digits]
        if odd:
            self.findings.append(unsure("F07", where, ", ".join(odd[:5]), f"números de {digits} algarismos"))
        return tuple(numbers)
