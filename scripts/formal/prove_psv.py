#!/usr/bin/env python3
"""Proves the way of the performance signature vectors through the core against its specification (tests/formal/psv_*).

    scripts/formal/prove_psv.py [--recorded] [--record] [NAME...]      default: all of PLAN but LONG, which are wider cases of others

Each proof is k-induction (all time) and a bounded run from reset, with z3; covers show that nothing is vacuous. A line a
proof and 'N passed, N failed'. A counterexample is left as build/formal/psv/NAME/PROOF.vcd.
--record puts what passes on record; --recorded leaves out what has not changed since it was (book.py).
"""
import sys

import prove

PACKAGES = prove.rtl_packages()  # those that nothing here names are left out of what a record depends on
ROB = ["rtl/commit/rob_bank.sv", "rtl/commit/rob.sv", "rtl/commit/commit_ctrl.sv", "rtl/commit/squash_unit.sv", "rtl/commit/window_psv.sv"]
ROB_SPEC = ["tests/formal/psv_rob_spec.sv", "tests/formal/psv_rob_proof.sv"]
GATE = ["rtl/commit/rob_bank.sv", "rtl/commit/rob.sv", "rtl/commit/vector_gate.sv"]
GATE_SPEC = ["tests/formal/psv_gate_proof.sv"]
FRONT = ["rtl/prim/ring_ptr.sv", "rtl/fetch/fetch_buffer.sv", "rtl/decode/decode_stage.sv", "rtl/dispatch/dispatch.sv"]
FRONT_SPEC = ["tests/formal/psv_decoder_stub.sv", "tests/formal/psv_dispatch_proof.sv"]
DECODER = ["rtl/decode/rvc_expand.sv", "rtl/decode/fp_decode.sv", "rtl/decode/decoder.sv"]
DECODER_SPEC = ["tests/formal/psv_decoder_proof.sv"]
LOAD = [
    "rtl/prim/find_first.sv",
    "rtl/prim/first_in_ring.sv",
    "rtl/lsu/lsu_arb.sv",
    "rtl/lsu/lsu_slots.sv",
    "rtl/lsu/load_met.sv",
    "rtl/lsu/load_queue.sv",
    "rtl/lsu/lsu_load_end.sv",
    "rtl/lsu/lsu_events.sv",
]
LOAD_SPEC = ["tests/formal/psv_load_proof.sv"]
AMO = ["rtl/lsu/amo_alu.sv", "rtl/lsu/refill_wait.sv", "rtl/lsu/port_wait.sv", "rtl/lsu/amo_ctrl.sv"]
AMO_SPEC = ["tests/formal/psv_amo_proof.sv"]
TLB = ["rtl/prim/find_first.sv", "rtl/prim/oldest_in_ring.sv", "rtl/lsu/lsu_agu.sv", "rtl/lsu/lsu_tlb_wait.sv", "rtl/lsu/lsu_ex.sv", "rtl/lsu/lsu_events.sv"]
TLB_SPEC = ["tests/formal/psv_tlb_stubs.sv", "tests/formal/psv_tlb_proof.sv"]
# name: (commit width, rows of the ROB, other keys of the configuration, units, specification, {proof: induction depth}, depth from reset, cover depth)
PLAN = {
    "rob1": (1, 9, [("fp", 0), ("mem_ports", 1)], ROB, ROB_SPEC, {"PROVE_ROB": 1}, 5, 0),
    "rob2": (2, 4, [("fp", 0), ("mem_ports", 2), ("int_ports", 4)], ROB, ROB_SPEC, {"PROVE_ROB": 1}, 4, 10),
    "rob3": (3, 3, [("fp", 0), ("mem_ports", 1)], ROB, ROB_SPEC, {"PROVE_ROB": 1}, 4, 0),
    "gate1": (1, 8, [("fp", 0), ("mem_ports", 1), ("vector_window", 6)], GATE, GATE_SPEC, {"PROVE_GATE": 1}, 3, 9),
    "gate2": (2, 4, [("fp", 0), ("mem_ports", 1), ("vector_window", 6)], GATE, GATE_SPEC, {"PROVE_GATE": 1}, 2, 0),
    "decoder": (1, 9, [], DECODER, DECODER_SPEC, {"PROVE_DECODER": 1}, 1, 2),
    "dispatch2": (2, 4, [("fp", 0), ("buffer", 8)], FRONT, FRONT_SPEC, {"PROVE_DISPATCH": 1}, 7, 8),
    "dispatch3": (3, 3, [("fp", 0), ("buffer", 8)], FRONT, FRONT_SPEC, {"PROVE_DISPATCH": 1}, 4, 0),
    "load2": (2, 4, [("fp", 0), ("mem_ports", 2), ("load_queue", 4), ("store_queue", 4)], LOAD, LOAD_SPEC, {"PROVE_LOAD": 1}, 4, 0),
    "amo": (1, 9, [("fp", 0), ("coherent", 1)], AMO, AMO_SPEC, {"PROVE_AMO": 1}, 14, 12),
    "tlb1": (1, 9, [("fp", 0), ("pmp_entries", 0)], TLB, TLB_SPEC, {"PROVE_TLB": 1}, 2, 3),
    "load1": (1, 9, [("fp", 0), ("load_queue", 4), ("store_queue", 4)], LOAD, LOAD_SPEC, {"PROVE_LOAD": 1}, 7, 8),
}
LONG = ("rob3", "gate2", "dispatch3", "load2")


def of_row(book, name):
    """Whether each proof of that row passes."""
    width, rows, others, units, specification, proofs, depth, cover_depth = PLAN[name]
    folder = prove.ROOM / f"psv/{name}"
    generated = prove.packages(width, folder, rows, 1, others)
    job = prove.Job(book, f"psv {name}", folder, f"scripts/formal/prove_psv.py {name}", [*generated, *PACKAGES], units, specification, [*proofs, "COVER"])
    for proof, induction in proofs.items():
        yield job.solve(proof, proof, f"induction, {induction} cycles", ["-i", "-t", str(induction)])
        yield job.solve(proof, proof, f"from reset, {depth} cycles", ["-t", str(depth)])
    if cover_depth:
        yield job.solve("COVER", "COVER", f"within {cover_depth} cycles", ["-c", "-t", str(cover_depth)])


def every(book):
    """All proofs of this script, those that only run by name as well."""
    return (good for name in PLAN for good in of_row(book, name))


def main():
    book, names = prove.book_of(__doc__, "NAME", [name for name in PLAN if name not in LONG])
    if any(name not in PLAN for name in names):
        raise SystemExit(f"prove_psv.py: no such row: choose from {', '.join(PLAN)}")
    return prove.summary([good for name in names for good in of_row(book, name)])


if __name__ == "__main__":
    sys.exit(main())
