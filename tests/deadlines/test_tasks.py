"""Deadlines: the right day by the right basis, what is late, and a calendar that others can read."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lastro import deadlines
from lastro.cli import main
from lastro.deadlines import Asked, Event, Task
from lastro.jsonfile import JsonRefused, writable
from lastro.lawkit import library

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples" / "prazos"
KNOWN = library.paths()
TFA = "mt/lei_11096_2020"
TODAY = date(2026, 5, 1)


def asked(name: str) -> Asked:
    return deadlines.parse((EXAMPLES / f"{name}.json").read_text("utf-8"), regulations=library.every())


def told(one: Asked, year: int = 2026) -> tuple[Task, ...]:
    return deadlines.tasks(library.every(), one, year=year)


def days(tasks: tuple[Task, ...], key: str) -> list[tuple[str, str, str]]:
    return [tuple(map(str, (t.nominal, t.until, t.late_after))) for t in tasks if t.key == key]  # type: ignore[misc]


def test_thirty_days_run_and_the_breach_waits_for_business_days() -> None:
    tasks = told(asked("empresa_em_cuiaba"))
    assert days(tasks, "mt_new_plan") == [("2026-04-19", "2026-04-20", "2026-05-07")]
    (plan,) = [t for t in tasks if t.key == "mt_new_plan"]
    assert (plan.state(date(2026, 5, 7)), plan.state(date(2026, 5, 8))) == ("open", "late")
    assert plan.days_late(date(2026, 5, 8)) == 1


def test_a_validity_is_not_moved_by_a_saturday() -> None:
    tasks = told(asked("empresa_em_cuiaba"))
    assert days(tasks, "mt_certificate") == [("2026-08-15", "2026-08-15", "2026-08-15")]
    assert date(2026, 8, 15).weekday() == 5


def test_the_fee_is_due_on_the_citys_business_day() -> None:
    tasks = told(asked("contribuinte_em_cuiaba"))
    assert [d[0] for d in days(tasks, "tfa")] == ["2026-01-08", "2026-04-09", "2026-07-07", "2026-10-07"]
    elsewhere = told(replace(asked("contribuinte_em_cuiaba"), municipality="5107602"))
    assert [d[0] for d in days(elsewhere, "tfa")][1] == "2026-04-08"


def test_what_was_done_late_stays_late_and_what_was_done_in_time_does_not() -> None:
    tasks = {(t.key, t.nominal): t for t in told(asked("contribuinte_em_cuiaba"))}
    report = tasks["tfa_report", date(2026, 3, 31)]
    assert (report.state(TODAY), report.days_late(TODAY)) == ("late", 1)
    assert tasks["tfa", date(2026, 1, 8)].state(TODAY) == "done"
    assert tasks["tfa", date(2026, 4, 9)].state(TODAY) == "late"


def test_a_key_alone_clears_no_quarter() -> None:
    one = replace(asked("contribuinte_em_cuiaba"), done={"tfa": date(2026, 1, 8)})
    assert {t.done_on for t in told(one) if t.key == "tfa"} == {None}


def test_a_draft_is_a_simulation_and_never_late() -> None:
    tasks = [t for t in told(asked("grupo_de_acompanhamento")) if t.simulation]
    assert {t.key for t in tasks} == {"me_report", "me_meeting"}
    assert {t.state(date(2030, 1, 1)) for t in tasks} == {"open"}


def test_a_recommendation_is_never_late() -> None:
    one = Asked("company", "5103403", "MT", KNOWN, (Event("plans_reviewed", date(2024, 2, 10)),))
    (task,) = [t for t in told(one) if t.key == "el_plans"]
    assert (task.state(date(2029, 1, 1)), task.days_late(date(2029, 1, 1))) == ("recommended", 0)


def test_one_task_names_all_its_bases() -> None:
    (rar,) = [t for t in told(asked("empresa_em_cuiaba")) if t.key == "mt_rar"]
    assert rar.article == "Decreto MT 1.455/2025, art. 21; art. 67, parágrafo único"


def test_a_year_before_the_norm_is_not_told_about() -> None:
    one = Asked("gap", "5103403", "MT", ("br/decreto_10240_2020",))
    assert told(one, year=2020) == ()
    assert {t.note for t in told(one, year=2021)} == {"sobre 2020"}
    audited = replace(one, who="company")
    assert [told(audited, year=year) != () for year in (2020, 2021)] == [False, True]


def test_what_came_before_the_activity_is_not_owed() -> None:
    one = Asked("taxpayer", "5103403", "MT", (TFA,))
    started = [
        replace(one, events=(Event("activity_registered", on),))
        for on in (date(2026, 3, 31), date(2026, 4, 1))
    ]
    notes = [[t.note for t in told(each) if t.key == "tfa"] for each in started]
    assert notes[0] == ["1º trimestre de 2026", "2º trimestre de 2026", "3º trimestre de 2026"]
    assert notes[1] == notes[0][1:]
    assert [t.key for t in told(started[0])].count("tfa_report") == 0
    assert [t.note for t in told(started[0], year=2027) if t.key == "tfa_report"] == ["sobre 2026"]
    two = replace(started[1], events=(*started[1].events, Event("activity_registered", date(2020, 5, 4))))
    assert len([t for t in told(two) if t.key == "tfa"]) == 4


def test_a_report_of_last_year_does_not_clear_this_years() -> None:
    one = asked("contribuinte_em_cuiaba")
    (report,) = [t for t in told(one, year=2027) if t.key == "tfa_report"]
    assert report.done_on is None


def test_days_off_that_nobody_told_are_said() -> None:
    one = replace(asked("contribuinte_em_cuiaba"), closed=())
    (cuiaba,) = deadlines.notes(one, told(one), year=2026)
    assert cuiaba.startswith("Dos feriados próprios do município só se conhece: 08/04;")
    elsewhere = replace(one, municipality="5107602")
    (said,) = deadlines.notes(elsewhere, told(elsewhere), year=2026)
    assert said.startswith("Os feriados próprios do município não se conhecem;")
    given_days = replace(one, closed=(date(2026, 10, 30),))
    assert deadlines.notes(given_days, told(given_days), year=2026) == ()


def test_a_deed_on_no_tasks_day_is_said() -> None:
    one = replace(
        asked("contribuinte_em_cuiaba"),
        done={"tfa:2026-04-08": date(2026, 4, 8), "tfa:2025-04-08": date(2025, 4, 8)},
        closed=(date(2026, 10, 30),),
    )
    assert deadlines.notes(one, told(one), year=2026) == (
        "Em done, tfa:2026-04-08 não é o dia de nenhuma tarefa desta parte; "
        "os de tfa são 08/01/2026, 09/04/2026, 07/07/2026, 07/10/2026.",
    )


def test_a_drafts_task_is_a_simulation_in_the_calendar_and_the_picture() -> None:
    tasks = told(asked("grupo_de_acompanhamento"))
    text = "\n".join(unfolded(deadlines.calendar_text(tasks, today=TODAY, name="x")))
    drawn = "".join(ET.fromstring(deadlines.picture(tasks, year=2026, today=TODAY)).itertext())
    drafts = sum(t.simulation for t in tasks)
    assert drafts
    assert text.count(" · simulação\n") == drawn.count(", simulação ·") == drafts < len(tasks)


def test_before_a_norm_there_is_no_task() -> None:
    assert told(asked("empresa_em_cuiaba"), year=2025) == ()


def test_a_report_that_falls_on_a_sunday_is_in_time_on_monday() -> None:
    one = Asked("company", "5103403", "MT", ("mt/decreto_1455_2025",))
    (rar,) = told(one, year=2028)
    assert (rar.nominal, rar.until) == (date(2028, 7, 30), date(2028, 7, 31))


def test_every_duty_has_a_day_and_resolving_articles() -> None:
    for regulation in library.every():
        keys = [duty.key for duty in regulation.schedules]
        assert len(keys) == len(set(keys))
        for duty in regulation.schedules:
            assert regulation.norm.cite(duty.provisions)
            assert duty.who
            assert duty.clears


def unfolded(text: str) -> list[str]:
    """A second reader of the format: lines end with CR LF, a space goes on with the line before."""
    assert text.endswith("\r\n")
    lines: list[str] = []
    for raw in text[:-2].split("\r\n"):
        assert len(raw.encode()) <= 75
        assert "\n" not in raw
        if raw.startswith(" "):
            lines[-1] += raw[1:]
        else:
            lines.append(raw)
    return lines


def test_the_calendar_is_read_by_another_reader() -> None:
    tasks = told(asked("contribuinte_em_cuiaba"))
    lines = unfolded(deadlines.calendar_text(tasks, today=TODAY, name="Prazos, de; 2026"))
    assert lines[0] == "BEGIN:VCALENDAR"
    assert "X-WR-CALNAME:Prazos\\, de\\; 2026" in lines
    starts = [line.partition(":")[2] for line in lines if line.startswith("DTSTART;VALUE=DATE:")]
    assert starts == [f"{t.until:%Y%m%d}" for t in tasks]
    names = [line for line in lines if line.startswith("UID:")]
    assert len(set(names)) == len(tasks)
    again = deadlines.calendar_text(tasks, today=TODAY, name="Prazos, de; 2026")
    assert unfolded(again) == lines


@given(st.text(st.characters(), max_size=300))
def test_any_name_is_folded_and_comes_back(name: str) -> None:
    lines = unfolded(deadlines.calendar_text((), today=TODAY, name=name))
    said = next(line for line in lines if line.startswith("X-WR-CALNAME:")).removeprefix("X-WR-CALNAME:")
    plain = said.replace("\\n", "\n") if "\\" not in name else None
    if plain is not None:
        assert plain.replace("\\;", ";").replace("\\,", ",") == writable(name).replace("\r", "")


@pytest.mark.parametrize("note", ["a\x00b", "a\x1bb", "a\ud800b", "a\uffffb"])
def test_what_no_file_can_hold_is_marked_in_the_calendar_and_the_picture(note: str) -> None:
    one = Asked("taxpayer", "5103403", "MT", (TFA,), (Event("activity_registered", date(2026, 1, 5), note),))
    tasks = [t for t in told(one) if t.key == "cte"]
    assert [t.note for t in tasks] == [note]
    assert "(a\ufffdb)" in "".join(unfolded(deadlines.calendar_text(tasks, today=TODAY, name="x")))
    drawn = ET.fromstring(deadlines.picture(tasks, year=2026, today=TODAY).encode())
    assert "(a\ufffdb)" in "".join(drawn.itertext())


def test_the_picture_is_well_formed_and_marks_each_day() -> None:
    tasks = told(asked("contribuinte_em_cuiaba"))
    root = ET.fromstring(deadlines.picture(tasks, year=2026, today=TODAY))
    words = [element.text or "" for element in root.iter("{http://www.w3.org/2000/svg}text")]
    assert sum(word in {str(n) for n in range(1, 32)} for word in words) == 365
    circles = list(root.iter("{http://www.w3.org/2000/svg}circle"))
    assert len(circles) == len({t.until for t in tasks}) + len(tasks)
    assert any("09/04 · Taxa de fiscalização ambiental" in word for word in words)


def run(capsys: pytest.CaptureFixture[str], *argv: str) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as ended:
        main(list(argv))
    out, err = capsys.readouterr()
    assert isinstance(ended.value.code, int)
    return ended.value.code, out, err


def test_the_months_stand_alone_where_a_page_lists_the_tasks() -> None:
    tasks = told(asked("empresa_em_cuiaba"))
    alone = ET.fromstring(deadlines.picture(tasks, year=2026, today=TODAY, listed=False))
    text = "".join(alone.itertext())
    assert "dezembro" in text
    assert not [task.title for task in tasks if task.title in text]
    marks = [one for one in alone.iter() if one.tag.endswith("circle")]
    assert len(marks) == len({task.until for task in tasks})


def test_the_verb_writes_the_calendar_and_the_picture(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = str(EXAMPLES / "cooperativa_em_bh.json")
    ics, svg = tmp_path / "a.ics", tmp_path / "a.svg"
    argv = ("calendar", file, "--year", "2026", "--today", "2026-01-02", "--json")
    code, out, _ = run(capsys, *argv, "--ics", str(ics), "--svg", str(svg))
    answer: dict[str, Any] = json.loads(out)
    assert code == 0
    assert [t["until"] for t in answer["tasks"]] == ["2026-01-30", "2026-04-30", "2026-07-31", "2026-10-29"]
    assert unfolded(ics.read_bytes().decode())
    assert svg.read_text("utf-8").startswith("<svg")
    code, _, err = run(capsys, *argv, "--ics", str(tmp_path / "no" / "a.ics"))
    assert (code, "não se grava" in err) == (2, True)


def test_the_verb_writes_over_nothing_that_it_reads(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, other = tmp_path / "f.json", tmp_path / "a"
    file.write_bytes((EXAMPLES / "cooperativa_em_bh.json").read_bytes())
    kept = file.read_bytes()
    for options in (("--ics", file), ("--svg", tmp_path / "." / "f.json"), ("--ics", other, "--svg", other)):
        code, _, err = run(capsys, "calendar", str(file), "--year", "2026", *map(str, options))
        assert (code, "dê outro nome ao que se grava" in err) == (2, True)
    assert file.read_bytes() == kept
    assert not other.exists()


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"who": "nobody"}, "who: encontrado “nobody”"),
        ({"norms": ["mt/outra"]}, "norms: encontrado"),
        ({"events": [{"event": "left_plan"}]}, "events[0].on: encontrado nada"),
        ({"done": [{"task": "mt_rar"}]}, "done[0].on: encontrado nada"),
        ({"done": [{"task": "rar", "on": "2026-07-01"}]}, "esperado a chave de uma tarefa: bolsa_proofs, "),
        ({"done": [{"task": "tfa", "on": "2026-07-01"}]}, "esperado tfa com o dia da tarefa, como tfa:2027"),
        ({"done": [{"task": "tfa:julho", "on": "2026-07-01"}]}, "esperado tfa com o dia da tarefa"),
        ({"done": [{"task": "mt_rar", "on": "2026-07-01"}] * 2}, "done[1]: encontrado “mt_rar”"),
        ({"events": [{"event": "left_plan", "on": "2026-03-20"}] * 2}, "uma linha só para isto; events[0]"),
        ({"events": [{"event": "left_plan", "on": "2026-03-20", "note": "\x01"}]}, "caracteres de controle"),
        ({"municipality": "5199999"}, "o código IBGE de um município (este não existe)"),
    ],
)
def test_a_bad_document_is_refused_and_says_where(change: dict[str, Any], said: str) -> None:
    raw = json.loads((EXAMPLES / "empresa_em_cuiaba.json").read_text("utf-8")) | change
    with pytest.raises(JsonRefused) as refused:
        deadlines.parse(json.dumps(raw), regulations=library.every())
    assert said in str(refused.value)
