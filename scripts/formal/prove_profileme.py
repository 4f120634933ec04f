#!/usr/bin/env python3
"""Proves ProfileMe's selection and the life of its tags against their specification (tests/formal/profileme_*).

    scripts/formal/prove_profileme.py [--recorded] [--record] [NAME...]      default: all of PLAN but LONG, which are wider cases of others
    scripts/formal/prove_profileme.py faults [--recorded] [--record]         each fault of tests/formal/profileme_faults.tsv must make its proof fail

Each proof is k-induction (all time) and a bounded run from reset, with z3; covers show that nothing is vacuous. A line a
proof and 'N passed, N failed'. A counterexample is left as build/formal/profileme/NAME/PROOF.vcd.
--record puts what passes on record; --recorded leaves out what has not changed since it was (book.py).
"""
import sys

import prove
import uses

prove.TIMEOUT = 3000  # seconds: a guard, not a measure

SELECT = ["rtl/prim/lfsr.sv", "rtl/profile/profileme_select.sv"]
SELECT_SPEC = ["tests/formal/profileme_select_spec.sv", "tests/formal/profileme_select_proof.sv"]
WHOLE = [
    "rtl/prim/lfsr.sv",
    "rtl/prim/wide_counter.sv",
    "rtl/profile/csr_window.sv",
    "rtl/profile/profileme_select.sv",
    "rtl/profile/profileme_tag.sv",
    "rtl/profile/profileme.sv",
]
LIFE_SPEC = ["tests/formal/profileme_select_spec.sv", "tests/formal/profileme_life_proof.sv"]
# name: (commit width, rows of the ROB, other keys of the configuration, units, specification, {proof: induction depth}, depth from reset, cover depth)
PLAN = {
    "select2": (2, 4, [("fp", 0), ("buffer", 8)], SELECT, SELECT_SPEC, {"PROVE_SELECT": 1}, 4, 6),
    "select3": (3, 3, [("fp", 0), ("buffer", 11)], SELECT, SELECT_SPEC, {"PROVE_SELECT": 1}, 3, 0),
    "life1": (1, 8, [("fp", 0), ("buffer", 8), ("tags", 1), ("records", 1)], WHOLE, LIFE_SPEC, {"PROVE_LIFE": 1}, 4, 0),
    "life2": (2, 4, [("fp", 0), ("buffer", 8), ("tags", 2), ("records", 1)], WHOLE, LIFE_SPEC, {"PROVE_LIFE": 1}, 4, 12),
    "life3": (3, 3, [("fp", 0), ("buffer", 8), ("tags", 4), ("records", 2)], WHOLE, LIFE_SPEC, {"PROVE_LIFE": 1}, 3, 0),
}
OF_FAULTS = "profileme faults"  # whose their rows on record are
LONG = ("select3", "life2", "life3")


def job_of(book, name, units=None, folder=None):
    """The proofs of that row; units: others than the row's, of the same names."""
    width, rows, others, own, specification, proofs, _, _ = PLAN[name]
    folder = folder or prove.ROOM / f"profileme/{name}"
    made = prove.packages(width, folder, rows, 1, [*others, ("window", 1)])
    made.append(str(folder / "gen/instruction_sample_pkg.sv"))
    return prove.Job(
        book,
        f"profileme {name}",
        folder,
        f"scripts/formal/prove_profileme.py {name}",
        [*made, *prove.rtl_packages()],
        units or own,
        specification,
        [*proofs, "COVER"],
    )


def of_row(book, name):
    """Whether each proof of that row passes."""
    *_, proofs, depth, cover_depth = PLAN[name]
    job = job_of(book, name)
    for proof, induction in proofs.items():
        yield job.solve(proof, proof, f"induction, {induction} cycles", ["-i", "-t", str(induction)])
        yield job.solve(proof, proof, f"from reset, {depth} cycles", ["-t", str(depth)])
    if cover_depth:
        yield job.solve("COVER", "COVER", f"within {cover_depth} cycles", ["-c", "-t", str(cover_depth)])


def faults():
    """Rows of the table of faults; each changes exactly one place."""
    lines = [line.split("\t") for line in (prove.ROOT / "tests/formal/profileme_faults.tsv").read_text().splitlines() if not line.startswith("#")]
    return [dict(zip(lines[0], line, strict=True)) for line in lines[1:]]


def faulty(fault):
    """The source with the fault in it."""
    text = (prove.ROOT / f"rtl/profile/{fault['file']}.sv").read_text()
    if text.count(fault["original"]) != 1:
        raise SystemExit(
            f"prove_profileme.py: tests/formal/profileme_faults.tsv: '{fault['original']}' stands {text.count(fault['original'])} times in {fault['file']}.sv, not once"
        )
    return text.replace(fault["original"], fault["broken"])


def fails(book, number, fault):
    """Whether its proof fails with that fault; it must be the proof that fails, and not the tools."""
    folder = prove.ROOM / f"profileme/faults/{fault['row']}"
    job = job_of(book, fault["row"], folder=folder)
    broken = folder / f"{fault['file']}.sv"
    broken.write_text(faulty(fault))
    job.units = [str(broken.relative_to(prove.ROOT)) if unit.endswith(f"/{fault['file']}.sv") else unit for unit in job.units]
    title, digest = f"FAULT profileme {fault['file']}: {fault['property']}", prove.digest_of([], job.digest, uses.plain(broken.read_text()), *fault.values())
    line = f"fault {number:<3} {fault['row']:<8} {fault['property']}"
    if book.lists(OF_FAULTS, title, digest):
        return True
    if book.holds(title, digest):
        print(f"PASS  {line}, on record", flush=True)
        return True
    ((proof, depth),) = PLAN[fault["row"]][5].items()
    job.proofs = [proof]
    job.elaborate()
    done = prove.run("timeout", str(prove.TIMEOUT), "yosys-smtbmc", "-s", "z3", "--unroll", "-i", "-t", str(depth), str(folder / f"{proof}.smt2"))
    good = done.returncode == 1 and "Status: FAILED" in done.stdout
    print(f"{'PASS' if good else 'FAIL'}  {line}", flush=True)
    if good:
        book.add(OF_FAULTS, title, digest)
    else:
        print("      the proof passes all the same, or has not ended" if done.returncode in (0, 124) else done.stdout[-500:])
    return good


def every(book):
    """All proofs of this script, those that only run by name as well."""
    yield from (good for name in PLAN for good in of_row(book, name))
    yield from (fails(book, number, fault) for number, fault in enumerate(faults(), 1))


def main():
    book, names = prove.book_of(__doc__, "NAME", [name for name in PLAN if name not in LONG])
    if names == ["faults"]:
        return prove.summary([fails(book, number, fault) for number, fault in enumerate(faults(), 1)])
    if any(name not in PLAN for name in names):
        raise SystemExit(f"prove_profileme.py: no such row: choose from {', '.join(PLAN)}")
    return prove.summary([good for name in names for good in of_row(book, name)])


if __name__ == "__main__":
    sys.exit(main())
