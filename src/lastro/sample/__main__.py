"""Makes a sample world: `python -m lastro.sample OUT --seed 2026 --notes 2000`."""

from __future__ import annotations

import argparse
from collections import Counter
from pathlib import Path

from lastro.sample.world import build_world


def main() -> None:
    """Reads the call, makes the world, says what lies where."""
    parser = argparse.ArgumentParser(
        prog="python -m lastro.sample", description="Gera um ano inventado de notas."
    )
    parser.add_argument("out", type=Path, metavar="PASTA", help="onde gravar")
    parser.add_argument("--seed", type=int, default=2026, help="a mesma semente dá os mesmos bytes")
    parser.add_argument("--notes", type=int, default=2000, help="quantas notas comuns, além das plantadas")
    call = parser.parse_args()
    world = build_world(call.out, seed=call.seed, notes=call.notes)
    roles = Counter(row.role for row in world.truth)
    print(f"{call.out}: {len(world.truth)} arquivos; " + ", ".join(f"{roles[r]} {r}" for r in sorted(roles)))
    for entity in world.entities:
        pool = world.pools.get(entity.cnpj, {})
        masses = ", ".join(f"{material} {mass // 10**6} kg" for material, mass in sorted(pool.items()))
        print(f"{entity.cnpj} {entity.name}: {masses}")


if __name__ == "__main__":
    main()
