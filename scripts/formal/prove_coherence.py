#!/usr/bin/env python3
"""Proves the write-back buffer and the miss status holding registers of a coherent L1 data cache, and the hub's transactions, against their stories (tests/formal).

    scripts/formal/prove_coherence.py [--recorded] [--record] [buffer] [file] [transactions] [still]

writeback_buffer_proof.sv: what has left stays findable, goes once, and its data are given once. mshr_file_proof.sv: one register a line, a
request each, refills with what was answered. hub_transactions_proof.sv, with three harts: an answer is what all have said. hub_still_proof.sv:
where the hub's model says that nothing happens, nothing does. By induction, for all time, and from reset; covers show that nothing is vacuous. A line a
proof and 'N passed, N failed'. --record puts what passes on record; --recorded leaves out what has not changed since it was (book.py).
"""
import sys

import prove

SCRIPT = "scripts/formal/prove_coherence.py"
PACKAGES = ["rtl/pkg/ring_pkg.sv", "rtl/pkg/core_pkg.sv", "rtl/pkg/line_pkg.sv", "rtl/coherence/hub_pkg.sv", "rtl/lsu/dcache_pkg.sv"]
PRIMS = ["rtl/prim/mp_ram.sv", "rtl/prim/find_first.sv", "rtl/prim/wait_bound.sv"]
PARTS = {  # name: its proof, unit, cycles of the induction, from reset, and of covers
    "buffer": ("PROVE_BUFFER", "writeback_buffer", 1, 2, 5),
    "file": ("PROVE_FILE", "mshr_file", 1, 2, 9),
    "transactions": ("PROVE_TRANSACTIONS", "hub_transactions", 1, 2, 9),
    "still": ("PROVE_STILL", "hub_still", 1, 2, 8),
}
HUB = [f"rtl/coherence/{name}.sv" for name in ("hub_requests", "hub_transactions", "hub")]
RINGS = [f"rtl/prim/{name}.sv" for name in ("first_in_ring", "round_robin", "ring_ptr", "fifo")]
UNITS = {  # files, in the order in which they need each other
    "buffer": [*PRIMS, "rtl/lsu/writeback_buffer.sv"],
    "file": [*PRIMS, "rtl/lsu/mshr_file.sv"],
    "transactions": [*PRIMS, *RINGS, HUB[1]],
    "still": [*PRIMS, *RINGS, *HUB, "sim/hub/hub_top.sv"],
}


def every(book, names=tuple(PARTS)):
    """Whether each proof passes."""
    for name in names:
        proof, unit, induction, depth, cover = PARTS[name]
        folder = prove.ROOM / f"coherence-{name}"
        sources = [*prove.packages(2, folder, 16, 1, [("coherent", 1)]), *PACKAGES]
        job = prove.Job(book, f"coherence-{name}", folder, f"{SCRIPT} {name}", sources, UNITS[name], [f"tests/formal/{unit}_proof.sv"], [proof, "COVER"])
        yield job.solve(proof, unit, f"induction, {induction} cycles", ["-i", "-t", str(induction)])
        yield job.solve(proof, unit, f"from reset, {depth} cycles", ["-t", str(depth)])
        yield job.solve("COVER", "COVER", f"within {cover} cycles", ["-c", "-t", str(cover)])


def main():
    book, names = prove.book_of(__doc__, "NAME", list(PARTS), str)
    unknown = [name for name in names if name not in PARTS]
    if unknown:
        raise SystemExit(f"prove_coherence.py: {unknown[0]}: of {', '.join(PARTS)}")
    return prove.summary(list(every(book, names)))


if __name__ == "__main__":
    sys.exit(main())
