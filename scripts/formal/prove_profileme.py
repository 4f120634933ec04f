#!/usr/bin/env python3
"""Proves ProfileMe's selection and the life of its tags against their specification (tests/formal/profileme_*).

    scripts/formal/prove_profileme.py [--recorded] [--record] [NAME...]      default: all of PLAN but LONG, which are wider cases of others

Each proof is k-induction (all time) and a bounded run from reset, with z3; covers show that nothing is vacuous. A line a
proof and 'N passed, N failed'. A counterexample is left as build/formal/profileme/NAME/PROOF.vcd.
--record puts what passes on record; --recorded leaves out what has not changed since it was (book.py).
"""
import sys

import prove
from prove import ROOM

SELECT = ["rtl/prim/lfsr.sv", "rtl/profile/profileme_select.sv"]
SELECT_SPEC = ["tests/formal/profileme_select_spec.sv", "tests/formal/profileme_select_proof.sv"]
WHOLE = ["rtl/prim/lfsr.sv", "rtl/profile/csr_window.sv", "rtl/profile/profileme_select.sv", "rtl/profile/profileme_tag.sv", "rtl/profile/profileme.sv"]
LIFE_SPEC = ["tests/formal/profileme_select_spec.sv", "tests/formal/profileme_life_proof.sv"]
# name: (commit width, rows of the ROB, other keys of the configuration, units, specification, {proof: induction depth}, depth from reset, cover depth)
PLAN = {
    "select2": (2, 4, [("fp", 0), ("buffer", 8)], SELECT, SELECT_SPEC, {"PROVE_SELECT": 1}, 4, 6),
    "select3": (3, 3, [("fp", 0), ("buffer", 11)], SELECT, SELECT_SPEC, {"PROVE_SELECT": 1}, 3, 0),
    "life1": (1, 8, [("fp", 0), ("buffer", 8), ("tags", 1), ("records", 1)], WHOLE, LIFE_SPEC, {"PROVE_LIFE": 1}, 4, 0),
    "life2": (2, 4, [("fp", 0), ("buffer", 8), ("tags", 2), ("records", 1)], WHOLE, LIFE_SPEC, {"PROVE_LIFE": 1}, 4, 12),
    "life3": (3, 3, [("fp", 0), ("buffer", 8), ("tags", 4), ("records", 2)], WHOLE, LIFE_SPEC, {"PROVE_LIFE": 1}, 3, 0),
}
LONG = ("select3", "life3")


def job_of(book, name, units=None, folder=None):
    """The proofs of that row; units: others than the row's, of the same names."""
    width, rows, others, own, specification, proofs, _, _ = PLAN[name]
    folder = folder or ROOM / f"profileme/{name}"
    made = prove.packages(width, folder, rows, 1, [*others, ("window", 1)])
    made.append(str(folder / "gen/instruction_sample_pkg.sv"))
    return prove.Job(book, f"profileme {name}", folder, f"scripts/formal/prove_profileme.py {name}", [*made, *prove.rtl_packages()], units or own, specification, [*proofs, "COVER"])


def of_row(book, name):
    """Whether each proof of that row passes."""
    *_, proofs, depth, cover_depth = PLAN[name]
    job = job_of(book, name)
    for proof, induction in proofs.items():
        yield job.solve(proof, proof, f"induction, {induction} cycles", ["-i", "-t", str(induction)])
        yield job.solve(proof, proof, f"from reset, {depth} cycles", ["-t", str(depth)])
    if cover_depth:
        yield job.solve("COVER", "COVER", f"within {cover_depth} cycles", ["-c", "-t", str(cover_depth)])


def main():
    book, names = prove.book_of(__doc__, "NAME", [name for name in PLAN if name not in LONG])
    if any(name not in PLAN for name in names):
        raise SystemExit(f"prove_profileme.py: no such row: choose from {', '.join(PLAN)}")
    return prove.tell([good for name in names for good in of_row(book, name)])


if __name__ == "__main__":
    sys.exit(main())
