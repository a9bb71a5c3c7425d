"""`./run bench`: the measures of speed. They print; they fail only where two ways do not say the same."""

from __future__ import annotations

import argparse
import os
import platform

from bench import audit, b1, b2, b3, b4, hub, log, sheets, writers

_LARGE = 500_000


def main() -> None:
    parser = argparse.ArgumentParser(prog="./run bench", description="Mede o lastro ao lado de outros.")
    parser.add_argument(
        "which",
        nargs="*",
        metavar="MEDIDA",
        help="b1, b2, b3, b4, web, sheets (padrão: todas estas), hub, writers, audit, log",
    )
    parser.add_argument("--notes", type=int, default=20_000, help="tamanho do corpo de B1")
    parser.add_argument("--rounds", type=int, default=7, help="rodadas de cada comparação")
    parser.add_argument(
        "--keys", type=int, default=1_000_000, help="chaves da loja menor de B2; a maior tem 10×"
    )
    parser.add_argument("--batch", type=int, default=100_000, help="reivindicações por lote de B2")
    parser.add_argument("--positions", type=int, default=1_000_000, help="posições de B3")
    parser.add_argument("--users", type=int, default=200, help="pessoas ao mesmo tempo em web")
    parser.add_argument("--rows", type=int, default=60_000, help="linhas da declaração de sheets")
    parser.add_argument("--leaves", type=int, default=1_000_000, help="folhas do registro em log")
    parser.add_argument("--lines", type=int, default=200_000, help="itens de cada entidade em hub")
    parser.add_argument("--moves", type=int, default=400, help="movimentos de cada rodada de writers")
    parser.add_argument("--entries", type=int, default=1_000_000, help="lançamentos de audit")
    parser.add_argument("--edges", type=int, default=5_000_000, help="vendas de B4")
    parser.add_argument(
        "--large", nargs="?", type=int, const=_LARGE, help=f"mede também a memória com tantas ({_LARGE})"
    )
    parser.add_argument("--profile", action="store_true", help="em vez de medir, diz onde vai o tempo de B1")
    call = parser.parse_args()
    which = call.which or ["b1", "b2", "b3", "b4", "web", "sheets"]
    if set(which) - {"b1", "b2", "b3", "b4", "web", "sheets", "hub", "writers", "audit", "log"}:
        parser.error("as medidas são b1, b2, b3, b4, web, sheets, hub, writers, audit e log")
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    load = f"{os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else "?"
    print(f"Python {platform.python_version()}, {platform.machine()}, {cores} núcleos, carga {load}")
    if call.profile:
        b1.profile(call.notes)
        return
    if "b1" in which:
        memories = (call.notes // 4, call.notes, *((call.large,) if call.large else ()))
        b1.run(notes=call.notes, rounds=call.rounds, memories=memories)
    if "b2" in which:
        b2.run(sizes=(call.keys, 10 * call.keys), batch=call.batch, rounds=call.rounds)
    if "b3" in which:
        b3.run(positions=call.positions, rounds=call.rounds)
    if "b4" in which:
        b4.run(edges=call.edges, rounds=call.rounds)
    if "web" in which:
        from bench import web  # sets Django up as it is imported

        web.run(users=call.users, rounds=2, notes=5_000)
    if "sheets" in which:
        sheets.run(rows=call.rows)
    if "hub" in which:
        hub.run(lines=call.lines)
    if "log" in which:
        log.run(leaves=call.leaves)
    if "writers" in which:
        writers.run(writers=(1, 8, 50), moves=call.moves, rounds=call.rounds)
    if "audit" in which:
        audit.run(entries=call.entries)


if __name__ == "__main__":
    main()
