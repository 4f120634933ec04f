#!/usr/bin/env python3
"""What the profiling units cost in real cells: flip-flops by purpose, area, longest path. Writes docs/results/overhead.md, .csv, .json and .svg.

    scripts/overhead/overhead.py [--only UNIT] [--widths 1,2,...]      measures the rows of units.tsv and writes the page
    scripts/overhead/overhead.py --cores [--full] [--only DESIGN] [--variant 'TIP and TEA']      measures the rows of cores.tsv and writes the page; --full: large cores, too
    scripts/overhead/overhead.py --fpga                                TIP and TEA in the cells of an FPGA family, at four lanes
    scripts/overhead/overhead.py --power                               power of small2's ROB and fetch buffer, by a waveform of its model (make build)
    scripts/overhead/overhead.py --document                            rewrites the page from docs/results/overhead.json
    scripts/overhead/overhead.py --check                               TIP and TEA at two lanes: what must hold of them (the test unit/overhead)

What has not changed is not synthesized again (build/overhead/results), so that a run that was stopped goes on where it ended.
"""
import argparse
import json
import pathlib
import subprocess
import sys
import time

import designs
import document
import flow
import flow_cores
import flow_fpga
import flow_power
import library
import macros
import state

ROOT = library.ROOT
HERE = pathlib.Path(__file__).resolve().parent
RESULTS = ROOT / "docs/results/overhead.json"
YARDSTICKS = {"overhead_adder": "64-bit add with bypass", "overhead_rename": "rename of four instructions"}
CHECKED_WIDTH = 2
CHECKED_SAMPLERS = ("ProfileMe 1 tag 1 record", "branch_history", "CTR 16")
FPGA_WIDTH = 4
POWER_CONFIG = "small2"
GATED_CONFIG = "gated2"  # the same with profile.vector_window


def measured(unit, width, cells, stays=False):
    """A result: a row of docs/results/overhead.json. stays: its netlist is kept, as flow.measure has it."""
    design, known = designs.design_of(unit, width)
    found = flow.measure(design, cells, stays)
    result = {
        "unit": unit["unit"],
        "lanes": width,
        "flip-flops": len(found["flops"]),
        "area um2": found["area"],
        "gates": round(found["gates"]),
        "gates of flip-flops": round(found["flop_gates"]),
        "path ns": round(found["path"]["ns"], 3),
        "path gates": found["path"]["gates"],
        "path from": found["path"]["start"],
        "path to": found["path"]["end"],
    }
    if unit["accounted"] != "no":
        wrong = state.differences(found["flops"], known, unit["accounted"])
        if wrong:
            raise SystemExit(
                "\n".join(
                    [
                        f"overhead: {unit['unit']} at {width} lanes: flip-flops that the configuration does not explain (scripts/overhead/{unit['accounted']}):",
                        *wrong,
                    ]
                )
            )
        result["bits by purpose"] = state.by_purpose(found["flops"], known, unit["accounted"])
        result["bits of what was published"] = state.published_part(found["flops"], known, unit["accounted"])
    return result


def measured_core(design, variant, cells):
    """A row of docs/results/overhead.json, of a design of cores.tsv."""
    found = flow_cores.measure(designs.core_design(design, variant), cells, timing=design["paths"] == "yes" and variant != "TIP")
    read, other = flow_cores.differences(found)
    row = {
        "design": design["design"],
        "config": design["config"],
        "variant": variant,
        "flip-flops": sum(found["registers"].values()),
        "gates": round(found["gates"]),
        "gates of flip-flops": round(found["flop_gates"]),
        "macro bits": sum(map(flow_cores.macro_bits, found["memories"].values())),
        "macro gates": round(sum(map(macros.gates, found["memories"].values()))),
        "bits of the source": sum(found["source"].values()),
        "in reads of macros": -sum(read.values()),
        "differences": other,
        "parts": flow_cores.parts(found),
        "registers": found["registers"],
        "macros": {name: flow_cores.macro_bits(form) for name, form in found["memories"].items()},
    }
    return {**row, "paths": found["paths"], "own": found["own"]} if "paths" in found else row


def more_by_name(less, more):
    """{name: bits} that `more` has beside `less`, of registers and macros; negative where it has fewer."""
    return {name: more.get(name, 0) - less.get(name, 0) for name in sorted({*less, *more}) if more.get(name, 0) != less.get(name, 0)}


def when(minutes):
    """For the page: what was measured when. What was kept of an earlier run takes no time."""
    commit = subprocess.run(["git", "-C", ROOT, "rev-parse", "--short", "HEAD"], capture_output=True, text=True, check=False).stdout.strip()
    return {"date": time.strftime("%Y-%m-%d", time.gmtime()), "commit": commit or "unknown", "minutes": round(minutes)}


def in_order(rows, table):
    """Rows of designs in the order of cores.tsv."""
    order = [(design["design"], design["config"]) for design in table]
    return sorted(
        (row for row in rows if (row["design"], row["config"]) in order),
        key=lambda row: (order.index((row["design"], row["config"])), list(designs.VARIANTS).index(row["variant"])),
    )


def measure_cores(only, full, cells, variants=()):
    rows = {(row["design"], row["config"], row["variant"]): row for row in kept_results().get("cores", [])}
    table = state.rows("cores.tsv")
    for design in table:
        if (only and design["design"] != only) or (design["full"] == "yes" and not full):
            continue
        last = None
        for variant in designs.VARIANTS:
            if variants and variant not in variants:
                continue
            began = time.monotonic()
            row = measured_core(design, variant, cells)
            row["measured"] = when((time.monotonic() - began) / 60)
            print(
                f"  {design['design']:14} {design['config']:8} {variant:12} {row['flip-flops']:7,} flip-flops {row['gates']:9,} gates, {row['macro bits']:9,} bits of macros",
                flush=True,
            )
            bits = {**row.pop("registers"), **row.pop("macros")}
            if last is not None:
                row["more bits"] = more_by_name(last, bits)
            last = bits
            rows[design["design"], design["config"], variant] = row
            keep({**kept_results(), "cores": in_order(rows.values(), table)})  # the next one may take an hour
    return keep({**kept_results(), "cores": in_order(rows.values(), table)})


def measure_fpga(cells):
    units = {row["unit"]: row for row in state.rows("units.tsv")}
    rows = [{"unit": name, "lanes": FPGA_WIDTH, **flow_fpga.measure(designs.design_of(units[name], FPGA_WIDTH)[0], cells)} for name in document.WHOLE]
    return keep({**kept_results(), "FPGA": rows})


def measure_power(cells):
    table = {row["design"]: row for row in state.rows("cores.tsv") if row["config"] == POWER_CONFIG}
    waves = flow_power.waveform(POWER_CONFIG)
    rows = [
        {"design": what, "config": POWER_CONFIG, "variant": variant, **flow_power.measure(designs.core_design(table[what], variant), what, waves, cells)}
        for what in flow_power.SCOPES
        for variant in designs.VARIANTS
    ]
    return keep(
        {**kept_results(), "power": rows, "power of gates": measure_gates(table, cells), "clock of a flip-flop mW": round(flow_power.clock_power(cells), 5)}
    )


def measure_gates(table, cells):
    """The ROB with TIP and TEA, and its vectors kept always or never (profile.vector_window, far from a sample), in two programs; and what keeps them."""
    rows, variants = [], {"always": POWER_CONFIG, "shut": GATED_CONFIG}
    for program in (flow_power.PROGRAM, flow_power.MISSES):
        for kept, config in variants.items():
            design = designs.core_design({**table["ROB"], "config": config}, "TIP and TEA")
            rows.append({"program": program, "kept": kept, **flow_power.measure(design, "ROB", flow_power.waveform(config, program), cells)})
    gate = designs.core_design({**table["ROB"], "config": GATED_CONFIG}, "TIP and TEA")
    found = flow.measure({"top": "vector_gate", "files": [path for path in gate["files"] if not path.endswith("overhead_rob.sv")]}, cells)
    return {"rows": rows, "gate": {"flip-flops": len(found["flops"]), "gates": round(found["gates"])}}


def yardsticks(cells):
    found = {}
    for top, name in YARDSTICKS.items():
        path = flow.measure({"top": top, "files": [str(HERE / f"rtl/{top}.sv")]}, cells)["path"]
        found[name] = {"ns": round(path["ns"], 3), "gates": path["gates"]}
    return found


def kept_results():
    kept = json.loads(RESULTS.read_text()) if RESULTS.exists() else {"units": []}
    return {"description": "What the profiling units cost: overhead.md as data", **kept}


def keep(results):
    RESULTS.write_text(json.dumps(results, indent=1) + "\n")
    return results


def measure_all(only, widths, cells):
    results = kept_results()
    delays = flow.reference_delays(cells)
    results.update(
        {"tools": flow.tools(), "FO4 ns": round(delays["FO4"], 4), "clock to output ns": round(delays["clock to output"], 4), "yardsticks": yardsticks(cells)}
    )
    table = state.rows("units.tsv")
    rows = {(row["unit"], row["lanes"]): row for row in results["units"]}
    for unit in table:
        if only and unit["unit"] != only:
            continue
        for width in map(int, unit["widths"].split()):
            if widths and width not in widths:
                continue
            row = rows[unit["unit"], width] = measured(unit, width, cells)
            print(f"  {unit['unit']:16} {width} lanes: {row['flip-flops']:6,} flip-flops {row['gates']:8,} gates {row['path ns']:7.3f} ns", flush=True)
    order = [row["unit"] for row in table]
    results["units"] = sorted((row for row in rows.values() if row["unit"] in order), key=lambda row: (order.index(row["unit"]), row["lanes"]))
    return keep({**kept_results(), **{key: value for key, value in results.items() if key in ("units", "tools", "FO4 ns", "clock to output ns", "yardsticks")}})


def check(cells):
    """What must hold of TIP, TEA and the smallest of what samples instructions and records branches, at two lanes, in quick: each line is a test."""
    units = {row["unit"]: row for row in state.rows("units.tsv")}
    # simulate.py, the test unit/gates, has the netlist of TEA from here.
    found = {name: measured(units[name], CHECKED_WIDTH, cells, stays=name == "TEA") for name in ("TIP", "TEA")}  # stops where a flip-flop is not accounted for
    known = designs.design_of(units["TEA"], CHECKED_WIDTH)[1]
    tip, tea = found["TIP"], found["TEA"]
    vectors = known["PsvBits"] * (1 + 3 * CHECKED_WIDTH + 1) + 3
    found.update({name: measured(units[name], CHECKED_WIDTH, cells) for name in CHECKED_SAMPLERS})
    passed = failed = 0
    kept = {(row["unit"], row["lanes"]): row for row in kept_results()["units"]}
    for what, holds in (
        (
            "TEA has the flip-flops of TIP and its vectors: of the OIR, of three samples and of what leaves, with three bits that say how",
            tea["flip-flops"] - tip["flip-flops"] == vectors,
        ),
        ("TEA is the larger one", tea["gates"] > tip["gates"]),
        ("purposes add up to the flip-flops", all(sum(row["bits by purpose"].values()) == row["flip-flops"] for row in found.values())),
        ("flip-flops are part of the area, and not all of it", all(0 < row["gates of flip-flops"] < row["gates"] for row in found.values())),
        ("a flip-flop of the library is between three and six gates", all(3 < row["gates of flip-flops"] / row["flip-flops"] < 6 for row in found.values())),
        ("a record of a transfer is 150 flip-flops", found["CTR 16"]["bits by purpose"]["records"] == 16 * 150),
        ("the page has these flip-flops", all(kept.get((name, CHECKED_WIDTH), {}).get("flip-flops") == row["flip-flops"] for name, row in found.items())),
    ):
        passed += holds
        failed += not holds
        print(f"{'PASS' if holds else 'FAIL'}  {what}")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", metavar="UNIT", help="this row of units.tsv alone")
    parser.add_argument("--widths", help="these widths alone")
    parser.add_argument("--cores", action="store_true", help="ROB, fetch buffer and cores instead of the units")
    parser.add_argument("--fpga", action="store_true")
    parser.add_argument("--power", action="store_true")
    parser.add_argument("--full", action="store_true", help="large cores, too")
    parser.add_argument("--variant", action="append", choices=list(designs.VARIANTS), help="with --cores, this one alone; may stand several times")
    parser.add_argument("--document", action="store_true")
    parser.add_argument("--check", action="store_true")
    arguments = parser.parse_args()
    if arguments.document:
        document.write(kept_results())
        return 0
    if arguments.only and arguments.only not in [next(iter(row.values())) for name in ("units.tsv", "cores.tsv") for row in state.rows(name)]:
        parser.error(f"--only {arguments.only}: no such row in scripts/overhead/units.tsv, nor in cores.tsv")
    library.ROOM.mkdir(parents=True, exist_ok=True)
    flow.install_front_end()
    cells = library.fetched()
    if arguments.check:
        return check(cells)
    if arguments.power:
        document.write(measure_power(cells))
        return 0
    if arguments.fpga:
        document.write(measure_fpga(cells))
        return 0
    if arguments.cores:
        document.write(measure_cores(arguments.only, arguments.full, cells, arguments.variant))
        return 0
    results = measure_all(arguments.only, {int(width) for width in arguments.widths.split(",")} if arguments.widths else set(), cells)
    document.write(results, None if arguments.only or arguments.widths else "make overhead")  # of a part the head says nothing
    return 0


if __name__ == "__main__":
    sys.exit(main())
