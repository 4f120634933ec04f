"""The modules of the units whose mutants are tested, and what is on record of them."""
import functools
import hashlib
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(ROOT / "scripts/mutate"), str(ROOT / "scripts/formal")]
import equivalence  # noqa: E402
import records  # noqa: E402
from mutants import Module  # noqa: E402

TABLE = ROOT / "tests/mutate/equivalent"
PROVED = ROOT / "tests/mutate/proved"
MODULES = [
    *(
        f"rtl/profile/{name}.sv"
        for name in ("oir_update", "sample_select", "tip_unit", "tea_unit", "sample_delivery", "tip_csrs", "profile_top", "pmu", "pmu_events", "pmu_slots")
    ),
    *(f"rtl/commit/{name}.sv" for name in ("rob", "rob_bank", "commit_ctrl", "exception_reg")),
    *(f"rtl/profile/{name}.sv" for name in ("profileme", "profileme_select", "profileme_tag")),
    "rtl/fetch/branch_history.sv",
    "rtl/profile/ctr.sv",
    "rtl/profile/ctr_transfers.sv",
    "rtl/profile/sample_reload.sv",
    "rtl/profile/csr_window.sv",
    "rtl/commit/vector_gate.sv",
    "rtl/prim/wide_counter.sv",
    *(f"rtl/coherence/{name}.sv" for name in ("hub", "hub_requests", "hub_transactions", "tile_port", "insn_peek")),
    *(
        f"rtl/lsu/{name}.sv"
        for name in ("load_queue", "load_order", "amo_ctrl", "dcache_snoop", "dcache_hold", "dcache_victim", "writeback_buffer", "mshr_file")
    ),
    "rtl/prim/round_robin.sv",
]


def fields_of_records():
    """Names of the one-bit fields of records that packages declare."""
    packages = [ROOT / "build/small2/gen/records_pkg.sv", *ROOT.glob("rtl/*/*_pkg.sv")]
    return {name for package in packages for name in re.findall(r"logic\s+(\w+);", package.read_text())}


def modules():
    """All modules with their mutants numbered."""
    fields, found, number = fields_of_records(), [], 1
    for path in MODULES:
        module = Module(path, (ROOT / path).read_text(), fields)
        number = module.number_from(number)
        found.append(module)
    return found


@functools.lru_cache(maxsize=None)
def digest(name):
    """Of all that a proof of a mutant of this module depends on, as far as it is used: RTL, packages as the tables make them, specification, scripts."""
    outer = equivalence.OUTER.get(name, name)  # where it is compared
    modules_of = [path for path in MODULES if pathlib.Path(path).stem in (name, outer)]
    return hashlib.sha256(b"\0".join(equivalence.dependencies(name, modules_of))).hexdigest()[:16]


def read_proved():
    """{key: what was shown} of this RTL."""
    return {tuple(row[1:5]): row[5] for row in records.read(PROVED) if row[0] == digest(row[1])}


def write_proved(proved):
    records.write(
        PROVED,
        "Mutants that the solver has shown equivalent (scripts/mutate/mutate.py), with the digest of what the proof depends on and the size it was made at.",
        ["digest", "module", "line", "column", "mutated", "shown", "size"],
        [[digest(row[0]), *row, shown, equivalence.size(row[0])] for row, shown in proved.items()],
    )


def read_table():
    return {tuple(row[:4]): row[4] for row in records.read(TABLE)}
