#!/usr/bin/env python3
"""The measured table of small2 is what the RTL does, and what div.sv, docs/reference/pipeline.md and the configurations say.

    tests/instruction_tables/test_tables.py
"""
import csv
import pathlib
import subprocess
import sys
import tempfile
import tomllib

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
FOLDER = ROOT / "scripts/instruction_tables"
sys.path.insert(0, str(FOLDER))
import benches  # noqa: E402
import operands  # noqa: E402
import solve  # noqa: E402

# By hand. docs/reference/pipeline.md: ALU back to back, a load four cycles to its user, f results four cycles after operands, x results of
# floating point two; rtl/execute/mul.sv: the result two cycles behind EX; div.sv and fp_divsqrt.sv: two quotient bits a step.
LATENCY = {
    "add": 1,
    "addi": 1,
    "sraw": 1,
    "ld": 4,
    "lb": 4,
    "fld": 4,
    "mul": 3,
    "mulhsu": 3,
    "fadd.d": 4,
    "fmadd.s": 4,
    "fmv.w.x": 4,
    "fcvt.w.d": 2,
    "feq.s": 2,
}
QUOTIENT_BITS = {"div": 64, "remu": 64, "divw": 32, "remuw": 32}
DIVISION = 5  # from the operands to the user of a quotient without steps: RR, EX, align, write, bypass
FRACTION_STEPS = {"fdiv.s": 13, "fsqrt.s": 13, "fdiv.d": 28, "fsqrt.d": 28}
FRACTION = 4  # unpacking, rounding
# docs/reference/pipeline.md: a serial instruction commits two cycles after its dispatch, alone, and its successor is dispatched in the cycle after that; after a trap or
# a return F0 fetches in that cycle, and DE is four later.
SERIAL = 3
REFILL = 4
SYSTEM = {"wfi": SERIAL, "ecall": SERIAL + REFILL, "ebreak": SERIAL + REFILL, "mret": SERIAL + REFILL, "sret": SERIAL + REFILL}


def read(path):
    with open(path, encoding="utf-8") as file:
        return {row["name"]: row for row in csv.DictReader((line for line in file if not line.startswith("#")), delimiter="\t")}


def config(name):
    return tomllib.loads((ROOT / f"tables/config/{name}.toml").read_text(encoding="utf-8"))


failures = []


def expect(what, got, wanted):
    if got != wanted:
        failures.append(f"{what}: {got}, expected {wanted}")


def check_known(name, rows):
    keys = config(name)
    ports = {kind: keys["issue"][f"{kind}_ports"] for kind in ("int", "mem", "fp")}
    for instruction, cycles in LATENCY.items():
        expect(f"{name}: latency of {instruction}", rows[instruction]["rs1"], str(cycles))
    for instruction, bits in QUOTIENT_BITS.items():
        expect(f"{name}: longest {instruction}", rows[instruction]["longest"], str(DIVISION + bits // 2))
    for instruction, steps in FRACTION_STEPS.items():
        expect(f"{name}: longest {instruction}", rows[instruction]["longest"], str(steps + FRACTION))
    for instruction, kind in (("xor", "int"), ("lw", "mem"), ("fmul.d", "fp")):
        expect(f"{name}: {instruction} every", float(rows[instruction]["every"]), round(1 / ports[kind], 2))
        expect(f"{name}: {instruction} uses", rows[instruction]["uses"], f"{kind}_ports")
    expect(f"{name}: mul every", rows["mul"]["every"], "1")
    if keys["lsu"]["store_queue"] <= 64:  # a larger one still takes what the longer line has more
        expect(f"{name}: a store every", rows["sd"]["every"], "1")
    for instruction, cycles in SYSTEM.items():
        expect(f"{name}: {instruction} every", rows.get(instruction, {}).get("every"), str(cycles))
    expect(f"{name}: csrrw", rows["csrrw"]["uses"], "serial")
    for instruction in operands.read(ROOT / "tables/instructions.tsv", True):
        if instruction.name not in solve.NOT_MEASURED and instruction.name not in rows:
            failures.append(f"{name}: no row of {instruction.name}")


def check_measured():
    """All of small2, measured again."""
    with tempfile.TemporaryDirectory() as folder:
        output = pathlib.Path(folder) / "small2.tsv"
        subprocess.run([FOLDER / "measure.py", "--config", "small2", "--output", output], check=True)
        measured, record = output.read_text(encoding="utf-8"), (ROOT / "tables/measured/small2.tsv").read_text(encoding="utf-8")
    if measured != record:
        lines = [line for line in measured.splitlines() if line not in record.splitlines()]
        failures.append("small2 is not what tables/measured/small2.tsv says (`make instruction-tables` rewrites it):\n    " + "\n    ".join(lines))


def check_solver():
    """Figures from made-up cycles: a unit that is busy, one that is not, and one that gets faster by more work."""
    add = operands.Instruction("add", "R", "alu", False)
    keys = {"core.width": 4, "core.fp": 0, "issue.int_ports": 4}
    busy = benches.Blocker("mem_ports", "")
    cycles = {("mem_ports", "alone", 1): 2.0}
    for more, wanted in ((0.5, 1), (1.0, 2), (0.0, 0), (0.1, 0)):
        cycles[("add", "uses", "mem_ports")] = 2.0 + more
        expect(f"solver: uses at {more} more cycles", solve.Table([add], keys, cycles).times_used(add, busy), wanted)
    cycles[("add", "uses", "mem_ports")] = 1.0
    try:
        solve.Table([add], keys, cycles).times_used(add, busy)
        failures.append("solver: a bench that takes less with more was accepted")
    except solve.Unstable:
        pass
    keys["core.width"] = 2  # dispatching five takes longer than the two cycles: nothing can be said
    expect("solver: dispatch is narrower", solve.Table([add], keys, cycles).times_used(add, busy), 0)
    ecall = operands.Instruction("ecall", "N", "sys", True)
    cycles |= {("ecall", "every"): 18.0, ("ecall", "around"): 11.0}
    expect("solver: a trap less what is around it", solve.Table([ecall], keys, cycles).row(ecall), ["ecall", "-", "-", "-", "-", "7", "serial"])
    load = operands.Instruction("flw", "FI", "load", False)
    expect("solver: what leads back from a load of f", benches.returns(load, 0), ["fmv.x.w", "add"])


def main():
    check_solver()
    for path in sorted((ROOT / "tables/measured").glob("*.tsv")):
        check_known(path.stem, read(path))
    check_measured()
    page = subprocess.run([FOLDER / "document.py", "--check"], stderr=subprocess.PIPE, text=True)
    if page.returncode:
        failures.append(page.stderr.strip())
    for failure in failures:
        print(failure)
    print(f"{0 if failures else 1} passed, {1 if failures else 0} failed")
    sys.exit(bool(failures))


if __name__ == "__main__":
    main()
