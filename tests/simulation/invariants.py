"""What holds at the end of every seed, whatever was lost, doubled or late."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from lastro.certificates.states import State
from lastro.stores.postgres import auditing
from tests.simulation.actors import People
from tests.simulation.world import reaches


def broken(people: People) -> list[str]:
    """What does not hold, in words; nothing when all is well."""
    return [
        *_audited(people),
        *_once(people),
        *_kept_word(people),
        *_asked_once(people),
        *people.hub.broken(),
        *_own_words(people),
    ]


def _audited(people: People) -> Iterator[str]:
    """Everything that `lastro audit` counts again."""
    for check in auditing.run(people.store):
        yield from (f"audit {check.name}: {text}" for text in check.failures)


def _once(people: People) -> Iterator[str]:
    """No line of a note is in lots, certificates and retirements with more than its own mass, all claimants
    together; and what is free of a line is what its claims say, whatever their order."""
    used: Counter[str] = Counter()
    for entry in people.store.entries():
        if entry.debit == "source":
            used[entry.lot.access_key] += entry.mass.mg
        elif entry.credit == "source":
            used[entry.lot.access_key] -= entry.mass.mg
    for note in people.world.notes:
        if used[note.key] > note.mass_mg:
            yield f"note {note.number}: {used[note.key]} mg stand on {note.mass_mg} mg"
        claimed = [claim for claim in people.world.claims if claim.note == note]
        if len(claimed) == 1 and not note.cancelled:
            whole = claimed[0].mass_mg or note.mass_mg
            if used[note.key] != whole:
                yield f"note {note.number}: {used[note.key]} mg entered of the {whole} that one entity claims"


def _kept_word(people: People) -> Iterator[str]:
    """What somebody was told stands: no acknowledged move is lost, none happened twice."""
    found = {one.id: one for one in people.book.certificates()}
    for name, state in people.told.states.items():
        if name not in found:
            yield f"certificate {name}: told {state}, and there is none"
        elif found[name].stored not in {state} | reaches(state):
            yield f"certificate {name}: told {state}, found {found[name].stored}"
        elif found[name].mass.mg != people.told.masses[name]:
            yield f"certificate {name}: told {people.told.masses[name]} mg, found {found[name].mass.mg}"
    for name in found.keys() - people.told.states.keys():
        yield f"certificate {name}: nobody was told of it"
    moves = {name: Counter(done.move for done in one.moves) for name, one in found.items()}
    for name, made in moves.items():
        yield from (f"certificate {name}: {move} {n} times" for move, n in made.items() if n > 1)
    numbers = Counter(one.number for one in found.values() if one.number)
    yield from (f"number {number} on {n} certificates" for number, n in numbers.items() if n > 1)


def _asked_once(people: People) -> Iterator[str]:
    """The mass that was used is the mass of what people asked for, each once."""
    told = sum(people.told.direct.values())
    told += sum(
        mass for name, mass in people.told.masses.items() if people.told.states[name] is State.RETIRED
    )
    retired = sum(row.fact.mass.mg for row in people.store.retired())
    if retired != told:
        yield f"retired {retired} mg, and people were told of {told}"


def _own_words(people: People) -> Iterator[str]:
    """Every call was answered, and none was taken for another one's."""
    for call in people.network.calls:
        if not call.ended:
            yield f"{call.name}: never answered"
        elif call.refused == "K09":
            yield f"{call.name}: its request id was another one's"
