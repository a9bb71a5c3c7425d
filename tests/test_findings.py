"""The catalogue of findings says what decision and contract say, in two languages."""

from __future__ import annotations

import pytest

from lastro.facts import Severity
from lastro.findings import catalogue, finding

FAMILIES = {"F": 12, "N": 18, "S": 9, "M": 15, "P": 10, "G": 9, "C": 13, "K": 11, "T": 12, "B": 5, "X": 6}
SEVERITIES = {
    Severity.REFUSE: "F01 F02 F03 F04 F05 F06 N01 N02 N03 N04 N05 N06 N07 N08 N09 N10 N12 N13 N14 N17 S01 "
    "S02 S03 S04 S06 S07 M02 M09 M11 M14 P01 P03 P05 P08 P10 C01",
    Severity.REVIEW: "N11 N15 N16 S05 S09 M01 M03 M05 M07 M08 M12 M15 P02 P04 P07 G05 G06 G07 G08 G09 C02 "
    "C03 C04 C09 C10 C11",
    Severity.ZERO: "M06 M13 C13",
    Severity.WARN: "F11 M04 M10 P06 P09 G01 G02 G03 G04 C05 C06 C07 C08 C12",
    Severity.INFO: "N18 S08",
}  # fmt: skip


def test_every_code_of_the_contract_is_there_and_no_other() -> None:
    expected = [f"{family}{n:02d}" for family, many in FAMILIES.items() for n in range(1, many + 1)]
    assert list(catalogue()) == expected


@pytest.mark.parametrize("severity", SEVERITIES)
def test_severities_of_evidence_and_custody(severity: Severity) -> None:
    assert {c for c in SEVERITIES[severity].split() if catalogue()[c].severity is not severity} == set()


def test_every_code_says_what_it_is_and_who_cures_it_in_both_languages() -> None:
    for code in catalogue().values():
        for text in (*code.message.values(), *code.cure.values()):
            assert text.endswith("."), code.code
        assert code.message["pt"] != code.message["en"]
        names_someone = ":" in code.cure["pt"] or code.cure["pt"].startswith("Nada a fazer")
        assert names_someone, code.code


def test_a_finding_takes_the_catalogues_severity_unless_the_caller_knows_better() -> None:
    assert finding("P03").severity is Severity.REFUSE
    assert finding("P03", severity=Severity.REVIEW).severity is Severity.REVIEW
    assert len(finding("F05", found="x" * 1000).found) == 200
