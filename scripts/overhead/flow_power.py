"""Power of ROB and fetch buffer with what a program makes them do: flip-flops and inputs change as in a waveform of the core, OpenSTA follows that through the gates.

All arrays are flip-flops here, as macros have no stated power. The figure that counts is the relative one.
"""
import hashlib
import json
import pathlib
import re
import subprocess

import activity
import flow
import flow_cores
import flow_timing
import hierarchy
import library
import structural

PERIOD = 10  # ns
PROGRAM, FROM, TO = "cmark.small", 20000, 22000  # cycles
SCOPES = {"ROB": "u_core.u_commit_stage.u_rob", "fetch buffer": "u_core.u_frontend.u_buffer"}
PACKAGES = ("gtkwave", "libjudydebian1")  # fst2vcd


def fst2vcd():
    """Debian's fst2vcd, unpacked into build/: (command, environment)."""
    folder = library.ROOM / "fst2vcd"
    if not (folder / "usr/bin/fst2vcd").exists():
        folder.mkdir(parents=True, exist_ok=True)
        for package in PACKAGES:
            flow.run(["apt-get", "download", package], folder / "download.log", cwd=folder)
        for path in folder.glob("*.deb"):
            subprocess.run(["dpkg", "-x", path, folder], check=True)
    return folder / "usr/bin/fst2vcd", {"LD_LIBRARY_PATH": str(folder / "usr/lib/x86_64-linux-gnu")}


def waveform(config):
    """(variables by scope, ticks): what the program does in the window, on the model of the configuration."""
    model = flow.ROOT / f"build/{config}/model.so"
    program = flow.ROOT / f"build/workloads/{PROGRAM}.elf"
    for path in (model, program):
        if not path.exists():
            raise SystemExit(f"overhead: {path} is missing: make build")
    folder = library.ROOM / "waveform"
    folder.mkdir(parents=True, exist_ok=True)
    fst, vcd = folder / f"{config}.fst", folder / f"{config}.vcd"
    flow.run([flow.ROOT / "build/bin/tipoff", "run", "--config", config, "--quiet", "--fst", fst, "--fst-from", FROM, "--fst-to", TO, program], folder / "run.log", cwd=flow.ROOT)
    command, environment = fst2vcd()
    flow.run([command, "-o", vcd, fst], folder / "vcd.log", env=environment)
    found, ticks = activity.read(vcd, tuple(SCOPES.values()))
    vcd.unlink()
    return {what: found[scope] for what, scope in SCOPES.items()}, ticks


def settings(summaries, top, variables, ticks):
    """(lines of Tcl, by what lies beneath set_power_activity, whose -pins calls a procedure that this version of OpenSTA does not have; flip-flops that are known bit by bit, those that take the mean of their register's bits, those that are not in the waveform)."""
    lines, counts = [], [0, 0, 0]
    def rates(pair):
        return f"{pair[0] / (TO - FROM):.5f} {min(1.0, pair[1] / ticks):.5f}"
    def mean(pairs):
        return [sum(values) / len(pairs) for values in zip(*pairs)]
    for path, name in flow_cores.instances(summaries, top):
        inside = path.removeprefix("u_rob").removeprefix(".")
        place = "".join(f"{structural.plain(word)}/" for word in structural.split_path(path))
        there = set(re.findall(rf"^{library.FLIP_FLOP} (\w+) ", (hierarchy.KEPT / f"{summaries[name]['key']}.v").read_text(), re.MULTILINE))
        for register, count in summaries[name]["registers"].items():
            pairs = activity.bits(variables, flow_cores.joined(inside, register))
            exact = len(pairs) >= count
            counts[0 if exact else 1 if pairs else 2] += count
            for index, pair in enumerate(pairs):
                flop = f"{structural.plain(register)}_b{index}_"
                if flop in there:  # a bit that is constant is not
                    lines.append(f"::sta::set_power_pin_activity [get_pins {place}{flop}/Q] {rates(pair if exact else mean(pairs))}")
    for port in summaries[top]["inputs"]:
        pairs = activity.bits(variables, port)
        if pairs:
            lines.append(f"foreach port [get_ports {{{structural.plain(port)}_*_}}] {{ ::sta::set_power_input_port_activity $port {rates(mean(pairs))} }}")
    return lines, counts


def measure(design, scope, waves, cells):
    """{"mW": total, "parts": {what: mW}, "flip-flops": [known, by mean, unknown]} of a design without macros."""
    scripts = [pathlib.Path(__file__).with_name(f"{name}.py") for name in ("flow_power", "activity", "hierarchy", "structural", "macros")]
    seen = hashlib.sha256(repr(sorted((name, variable.changes, variable.ones) for name, variable in waves[0][scope].items())).encode()).hexdigest()[:12]
    key = f"power-{flow.digest(design, cells, scripts)}-{seen}"
    kept = flow.ROOM / "results" / f"{key}.json"
    if kept.exists():
        return json.loads(kept.read_text())
    folder = flow.ROOM / "work" / f"{design['top']}-{key}"
    folder.mkdir(parents=True, exist_ok=True)
    texts, _, marks = hierarchy.elaborated(design, folder)
    summaries = hierarchy.mapped_all(texts, marks, cells, arrays=False)
    flow_timing.netlist(design["top"], summaries, folder, cells, hierarchy.KEPT)
    found, ticks = waves
    lines, counts = settings(summaries, design["top"], found[scope], ticks)
    script = (flow_timing.start(design["top"], folder, cells).replace(f"-period {flow.PERIOD}", f"-period {PERIOD}")
              + "set_power_activity -input -activity 0.0 -duty 0.5\n" + "\n".join(lines) + "\nreport_power -digits 6\n")
    text = flow.sta(folder, script)
    rows = {name: [float(value) for value in values.split()] for name, values in re.findall(r"^(\w+)\s+((?:[\d.e+-]+\s+){4})", text, re.MULTILINE)}
    if "Total" not in rows:
        raise SystemExit(f"overhead: OpenSTA reports no power; see {folder}/sta.log")
    result = {"mW": rows["Total"][3] * 1000, "parts": {name: value[3] * 1000 for name, value in rows.items() if name != "Total"}, "flip-flops": counts}
    return flow.keep(result, kept, folder)
