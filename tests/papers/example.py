"""A certificate's data as a room would hand it over: everything in it is invented."""

from __future__ import annotations

from typing import Any

from lastro.ids import cnpj_check_digits, masked, mod11


def cnpj(base: str) -> str:
    return masked(base + cnpj_check_digits(base))


def key(number: int) -> str:
    text = f"5126{number % 9 + 1:02d}ZZSERRA00001{'00'}55001{number:09d}1{number * 7919 % 10**8:08d}"
    return text + mod11(text)


def certificate(rows: int = 3, **changes: Any) -> dict[str, Any]:
    places = ("Cuiabá/MT (operador)", "Várzea Grande/MT (operador)", "Sinop/MT (nota fiscal)")
    data: dict[str, Any] = {
        "created": "2027-03-15T10:20:30-04:00",
        "basis": "test",
        "bands": ["METAS ILUSTRATIVAS"],
        "title": "Certificado de Reciclagem de Embalagens em Geral",
        "legal": "Decreto MT nº 1.455/2025, arts. 61 a 65",
        "number": "CRE-2027-7H3K-9QWM-2XTR-5VBN-J",
        "entity": {"name": "Entidade Gestora Cerrado Vivo", "cnpj": cnpj("ZZCERRAD0001")},
        "holder": {"name": "Envases Pantanal Indústria e Comércio Ltda.", "cnpj": cnpj("ZZPANTAN0001")},
        "signer": {
            "name": "Aurora Lobeira Inventada (pessoa de TESTE)",
            "cnpj": cnpj("ZZCERRAD0001"),
        },
        "issued_on": "15 de março de 2027",
        "valid_until": "15 de março de 2028",
        "mass": "22.000 kg",
        "material": "vidro",
        "address": "http://127.0.0.1:8000/c/CRE-2027-7H3K-9QWM-2XTR-5VBN-J",
        "fields": {
            "I": [
                ["Nome", "Envases Pantanal Indústria e Comércio Ltda."],
                ["CNPJ", cnpj("ZZPANTAN0001")],
                ["Endereço", "Avenida dos Ipês, 1.200, Distrito Industrial, Cuiabá/MT"],
                ["Licença", "LO 123456/2025, válida até 30/06/2029"],
                ["Contato", "ambiental@exemplo.invalid"],
            ],
            "II": [
                ["Compensação", "1º de janeiro a 31 de dezembro de 2026"],
                ["Passivo", "ano de 2026"],
            ],
            "III": "vidro: meta vigente 20 %; atingido com este certificado 22 %",
            "IV": "vidro, 22.000 kg",
            "V": "vidro",
            "VI": "R$ 3.300,00",
            "VII": "22.000 kg",
            "VIII": "Cuiabá/MT, Várzea Grande/MT (do operador); Sinop/MT (município da nota fiscal)",
            "IX": f"{rows} linhas de nota, de 3 de fevereiro a 20 de novembro de 2026; cada data na lista",
            "X": "15 de março de 2027",
            "XI": "O QR code acima leva à página pública deste certificado.",
            "XII": f"{rows} chaves de acesso, na lista das páginas seguintes",
            "XIII": [
                ["Por", "Aurora Lobeira Inventada (pessoa de TESTE)"],
                ["CNPJ no certificado digital", cnpj("ZZCERRAD0001")],
                ["Identificação digital (SHA-256)", "5f0c" * 16],
            ],
        },
        "invoices": [
            {
                "key": key(i + 1),
                "line": "1",
                "issued": f"{i % 28 + 1:02d}/{i % 10 + 2:02d}/2026",
                "material": "vidro",
                "place": places[i % 3],
                "mass": "1.234,567 kg",
            }
            for i in range(rows)
        ],
    }
    return data | changes


def report(**changes: Any) -> dict[str, Any]:
    data: dict[str, Any] = {
        "created": "2027-03-15T10:20:30-04:00",
        "basis": "illustrative",
        "title": "Relatório Anual de Resultados de 2026",
        "subtitle": "Sistema coletivo de embalagens em geral em Mato Grosso",
        "meta": [
            ["Entidade gestora", "Entidade Gestora Cerrado Vivo"],
            ["CNPJ", cnpj("ZZCERRAD0001")],
            ["Termo de compromisso", "TCLR 7/2025"],
            ["Situação", "prévia, não entregue"],
        ],
        "sections": [
            {
                "heading": "1. Massa recuperada",
                "text": "Massa retirada para o ano de 2026, por material.",
                "columns": [
                    {"label": "Material", "align": "left"},
                    {"label": "Colocada em 2025 (kg)", "align": "right"},
                    {"label": "Recuperada (kg)", "align": "right"},
                    {"label": "Meta", "align": "right"},
                    {"label": "Atingido", "align": "right"},
                ],
                "rows": [
                    ["Vidro", "110.000", "22.000", "20 %", "20 %"],
                    ["Plástico", "91.234,5", "20.000,123456", "22 %", "21,92… %"],
                    ["Total", "201.234,5", "42.000,123456", "", ""],
                ],
                "notes": ["Proveniência: lançamentos 1 a 214 do livro; declarações 3 e 7."],
            },
            {
                "heading": "2. Parcerias formais",
                "text": "",
                "columns": [{"label": "Parceiro", "align": "left"}],
                "rows": [],
                "notes": ["Nenhuma parceria formal foi informada (art. 45)."],
            },
        ],
        "signatures": [{"name": "Entidade Gestora Cerrado Vivo", "role": "responsável pelo plano"}],
    }
    return data | changes
