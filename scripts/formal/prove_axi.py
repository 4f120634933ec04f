#!/usr/bin/env python3
"""Proves order and handshakes of the AXI4 adapter of the tile's line ports (rtl/soc/axi_lines.sv) against tests/formal/axi_lines_proof.sv.

    scripts/formal/prove_axi.py [--recorded] [--record]

By induction, for all time, and some cycles from reset; covers show that nothing is vacuous. A line a proof and 'N passed, N failed'.
--record puts what passes on record; --recorded leaves out what has not changed since it was (book.py).
"""
import sys

import prove

UNITS = ["rtl/soc/bus_pkg.sv", "rtl/prim/ring_ptr.sv", "rtl/soc/axi_write.sv", "rtl/soc/axi_lines.sv"]
SPECIFICATION = ["tests/formal/axi_lines_proof.sv"]
INDUCTION, DEPTH, COVER_DEPTH = 2, 2, 5  # cycles


def every(book):
    """Whether each proof passes."""
    folder = prove.ROOM / "axi"
    job = prove.Job(
        book,
        "axi",
        folder,
        "scripts/formal/prove_axi.py",
        [*prove.packages(1, folder, 9, 1, [("fp", 0)]), *(f"rtl/pkg/{name}_pkg.sv" for name in ("ring", "core", "line"))],
        UNITS,
        SPECIFICATION,
        ["PROVE_AXI", "COVER"],
    )
    yield job.solve("PROVE_AXI", "axi_lines", f"induction, {INDUCTION} cycles", ["-i", "-t", str(INDUCTION)])
    yield job.solve("PROVE_AXI", "axi_lines", f"from reset, {DEPTH} cycles", ["-t", str(DEPTH)])
    yield job.solve("COVER", "COVER", f"within {COVER_DEPTH} cycles", ["-c", "-t", str(COVER_DEPTH)])


def main():
    book, names = prove.book_of(__doc__, "NAME", [])
    if names:
        raise SystemExit("prove_axi.py: takes no names: there is one set of proofs")
    return prove.summary(list(every(book)))


if __name__ == "__main__":
    sys.exit(main())
