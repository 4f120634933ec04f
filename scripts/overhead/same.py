#!/usr/bin/env python3
"""Is the netlist the design? Each unit's cells, by the Liberty file's own functions, against its elaborated source, by Yosys' equivalence checker.

    scripts/overhead/same.py [UNIT...]         rows of units.tsv, at two lanes; default: those of CHECKED
    scripts/overhead/same.py --broken UNIT     one gate of the netlist exchanged for another kind: must be found; one gate after another, TRIES of them

Registers are matched by name; what is proved is that each register and each output follows alike from registers and inputs.
"""
import argparse
import json
import re
import sys

import designs
import flow
import gates
import library
import state

CHECKED = ("oir_update", "sample_select", "tip_unit", "tea_unit", "sample_delivery", "tip_csrs")
WIDTH = 2
TRIES = 6
SCRIPT = """read_rtlil {folder}/design.il
prep -flatten -top {top}
memory_map
opt -full
techmap
opt_clean
rename {top} gold
design -stash gold
read_json {folder}/{netlist}
read_liberty -ignore_miss_func {liberty}
hierarchy -top {top}
flatten
techmap
opt_clean
rename {top} gate
design -stash gate
design -copy-from gold -as gold gold
design -copy-from gate -as gate gate
equiv_make gold gate equiv
hierarchy -top equiv
opt_clean
equiv_simple -short
equiv_induct -seq 2
equiv_status
"""


def mapped(unit, cells, width=WIDTH):
    """The folder of a unit's netlist, and its top."""
    design, _ = designs.design_of(unit, width)
    return flow.mapped(design, cells), design["top"]


def unproven(folder, top, cells, netlist="names.json"):
    """(registers and outputs that are proven, those that are not)."""
    (folder / "same.ys").write_text(SCRIPT.format(folder=folder, top=top, netlist=netlist, liberty=cells.liberty))
    flow.run(["yosys", "-q", "-l", folder / "same.log", folder / "same.ys"], folder / "same.out", cwd=flow.ROOT)
    found = re.search(r"Of those cells (\d+) are proven and (\d+) are unproven", (folder / "same.log").read_text())
    if not found:
        raise SystemExit(f"overhead: Yosys says nothing of equivalence; see {folder}/same.log")
    return int(found[1]), int(found[2])


def broken(folder, top):
    """Names of netlists with one gate exchanged each, from all over the netlist."""
    design = json.loads((folder / "names.json").read_text())
    for index, name in enumerate(gates.spread(gates.breakable(design["modules"][top]), TRIES)):
        cell = design["modules"][top]["cells"][name]
        kind, cell["type"] = cell["type"], gates.OTHER[cell["type"]]
        (folder / f"broken{index}.json").write_text(json.dumps(design))
        cell["type"] = kind
        yield f"broken{index}.json", f"{name}: {gates.OTHER[kind]} for {kind}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("units", nargs="*", metavar="UNIT")
    parser.add_argument("--broken", action="store_true")
    arguments = parser.parse_args()
    rows = {row["unit"]: row for row in state.rows("units.tsv")}
    strangers = [name for name in arguments.units if name not in rows]
    if strangers:
        parser.error(f"{strangers[0]}: no such row in scripts/overhead/units.tsv")
    library.ROOM.mkdir(parents=True, exist_ok=True)
    flow.install_front_end()
    cells = library.fetched()
    passed = failed = 0
    for name in arguments.units or CHECKED:
        folder, top = mapped(rows[name], cells)
        tries = broken(folder, top) if arguments.broken else [("names.json", "netlist and source")]
        for netlist, what in tries:
            proven, open_ones = unproven(folder, top, cells, netlist)
            holds = (open_ones > 0) == arguments.broken and proven + open_ones > 0
            passed += holds
            failed += not holds
            print(f"{'PASS' if holds else 'FAIL'}  {name}: {what}: {proven} registers and outputs proven alike, {open_ones} not", flush=True)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
