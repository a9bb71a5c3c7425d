"""The figures of a run: each note's mass once, whatever papers of the same key come before it."""

from __future__ import annotations

from dataclasses import replace

from lastro.cli.verify import Summary
from lastro.facts import Kind, Outcome, Verdict
from tests.codes.see import documents, verdicts
from tests.evidence import vectors as v


def test_a_letter_before_its_note_does_not_stand_in_its_place():
    data = v.authorised()
    (note,), (verdict,) = documents(data), verdicts(data)
    counted = [line.counted for line in verdict.lines if line.counts]
    assert verdict.outcome is Outcome.ADMITTED
    assert counted
    letter = replace(note, kind=Kind.EVENT)
    summary = Summary()
    summary.add(letter, Verdict(Outcome.ADMITTED, ()))
    summary.add(note, verdict)
    summary.add(note, verdict)
    assert [mass for masses in summary.masses.values() for mass in masses] == counted
