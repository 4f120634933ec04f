"""Power of ROB and fetch buffer with what a program makes them do: each net changes as it does in every cycle of a waveform (gate_activity.py), OpenSTA weighs it.

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
import gate_activity
import hierarchy
import library

PERIOD = 10  # ns
PROGRAM, FROM, TO = "cmark.small", 20000, 22000  # cycles
MISSES = "chase.small"  # a program of many events
SCOPES = {"ROB": "u_core.u_commit_stage.u_rob", "fetch buffer": "u_core.u_frontend.u_buffer"}
GATED_BITS = 4  # words of this many bits and more have a clock gate, where clocks are gated
GATE_CLOCKS = 2  # what a clock gate takes in a cycle, in clocks of a flip-flop: it has a latch, and drives the word's clock
QUIET = ("psv", "event_i")  # fields and ports of the vectors: at rest where they are not recorded
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


def waveform(config, name=PROGRAM):
    """(variables by scope, ticks): what the program does in the window, on the model of the configuration."""
    model = flow.ROOT / f"build/{config}/model.so"
    program = flow.ROOT / f"build/workloads/{name}.elf"
    for path in (model, program):
        if not path.exists():
            raise SystemExit(f"overhead: {path} is missing: make build")
    folder = library.ROOM / "waveform"
    folder.mkdir(parents=True, exist_ok=True)
    fst, vcd = folder / f"{config}-{name}.fst", folder / f"{config}-{name}.vcd"
    flow.run(
        [flow.ROOT / "build/bin/tipoff", "run", "--config", config, "--quiet", "--fst", fst, "--fst-from", FROM, "--fst-to", TO, program],
        folder / "run.log",
        cwd=flow.ROOT,
    )
    command, environment = fst2vcd()
    flow.run([command, "-o", vcd, fst], folder / "vcd.log", env=environment)
    found, ticks = activity.read(vcd, tuple(SCOPES.values()), "clk_i")
    vcd.unlink()
    return {what: found[scope] for what, scope in SCOPES.items()}, ticks


def clock_power(cells):
    """mW of a flip-flop of the library that never changes, at PERIOD: its clock alone."""
    folder = flow.ROOM / "clock-power"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "gates.v").write_text(
        f"module one (input clk_i, input a_i, output y_o);\n  wire n; {library.FLIP_FLOP} f (.CLK(clk_i), .D(a_i), .Q(n)); BUFX2 b (.A(n), .Y(y_o));\nendmodule\n"
    )
    text = flow.sta(
        folder,
        flow.STA_START.format(liberty=cells.liberty, folder=folder, netlist="gates.v", top="one")
        + f"create_clock -name clock -period {PERIOD} [get_ports clk_i]\n"
        "set_power_activity -input -activity 0.0 -duty 0.5\n::sta::set_power_pin_activity [get_pins f/Q] 0.0 0.5\n::sta::set_power_pin_activity [get_pins b/Y] 0.0 0.5\nreport_power -digits 6\n",
    )
    return reported(text, folder)["Sequential"]


def reported(text, folder):
    """{group: mW} of OpenSTA's report."""
    rows = {name: [float(value) for value in values.split()] for name, values in re.findall(r"^(\w+)\s+((?:[\d.e+-]+\s+){4})", text, re.MULTILINE)}
    if "Total" not in rows:
        raise SystemExit(f"overhead: OpenSTA reports no power; see {folder}/sta.log")
    return {name: value[3] * 1000 for name, value in rows.items()}


def quiet(variables):
    """The same waveform where no vector is recorded: nothing enters, no events come, all vectors are 0."""
    found = {}
    for name, variable in variables.items():
        words = re.split(r"[.\[]", name)
        if any(word in QUIET or word == "psv_q" for word in words) and not name.startswith("window_o"):
            variable = activity.constant(variable)
        found[name] = variable
    return found


def words(summaries, top, variables):
    """[(register, bits, share of the cycles in which its clock has to run)]. A vector's word is written whenever its entry is and vectors are kept, whether it changes or not."""
    found = []
    for path, name in flow_cores.instances(summaries, top):
        for register, count in summaries[name]["registers"].items():
            full = flow_cores.joined(gate_activity.inside(path), register)
            busy, cycles = activity.busy(variables, full) if activity.fields(variables, full) else (1, 1)
            found.append((full, count, busy / cycles))
    entries = [share for name, _, share in found if re.search(r"\bpc(_q)?\[", name)]
    kept = variables["keep_i"].cycles if "keep_i" in variables else ["1"]
    written = sum(entries) / max(1, len(entries)) * kept.count("1") / len(kept)
    return [(name, bits, max(share, written) if "psv_q" in name and share else share) for name, bits, share in found]


def gated(parts, registers, clock):
    """mW of the flip-flops if each word of GATED_BITS or more has a clock gate: its clock runs in the cycles that it needs."""
    saved = sum(bits * clock * (1 - share) for _, bits, share in registers if bits >= GATED_BITS)
    return parts["Sequential"] - saved + sum(GATE_CLOCKS * clock for _, bits, _ in registers if bits >= GATED_BITS)


def instances_power(instances, top, folder, activities):
    """mW of these gates and flip-flops."""
    if not instances:
        return 0.0
    names = " ".join(instances)
    text = flow.sta(folder, activities + f"report_power -digits 6 -instances [get_cells {{{names}}}]\n")
    rows = re.findall(r"^\s*[\d.e+-]+\s+[\d.e+-]+\s+[\d.e+-]+\s+([\d.e+-]+)\s+\S+$", text, re.MULTILINE)
    if len(rows) != len(instances):
        raise SystemExit(f"overhead: {top}: OpenSTA reports the power of {len(rows)} of {len(instances)} instances; see {folder}/sta.log")
    return 1000 * sum(map(float, rows))


def by_register(registers):
    """{array: [bits, clock mW share]}: bits, and the share of all cycles that its words' clocks have to run, weighed by bits."""
    found = {}
    for name, bits, share in registers:
        row = found.setdefault(re.sub(r"\[\d+\]", "", name).split(".")[-1], [0, 0.0])
        row[1] = (row[0] * row[1] + bits * share) / (row[0] + bits)
        row[0] += bits
    return found


def measure(design, scope, waves, cells, recording=True):
    """{"mW": total, "parts": {what: mW}, "gated": mW of the flip-flops with clock gates, "registers": by_register, "checked": register bits and outputs that are
    those of the waveform in each cycle, "unknown": flip-flops that it does not have, "vectors": flip-flops and gates that serve vectors alone, and their mW} of a design without macros; recording=False: with all vectors at rest.
    """
    scripts = [pathlib.Path(__file__).with_name(f"{name}.py") for name in ("flow_power", "gate_activity", "activity", "hierarchy", "structural", "macros")]
    seen = hashlib.sha256(repr(sorted((name, variable.changes, variable.ones) for name, variable in waves[0][scope].items())).encode()).hexdigest()[:12]
    key = f"power-{flow.digest(design, cells, scripts)}-{seen}{'' if recording else '-quiet'}"
    kept = flow.ROOM / "results" / f"{key}.json"
    if kept.exists():
        return json.loads(kept.read_text())
    folder = flow.ROOM / "work" / f"{design['top']}-{key}"
    folder.mkdir(parents=True, exist_ok=True)
    texts, _, marks = hierarchy.elaborated(design, folder)
    summaries = hierarchy.mapped_all(texts, marks, cells, arrays=False)
    flow_timing.netlist(design["top"], summaries, folder, cells, hierarchy.KEPT)
    variables = waves[0][scope] if recording else quiet(waves[0][scope])
    found = gate_activity.worked_out(design["top"], summaries, hierarchy.KEPT, variables, cells)
    differ = [name for name in found["differ"] if recording or not name.startswith("window_o")]
    if differ:
        raise SystemExit(
            f"overhead: {design['top']}: {len(differ)} registers and outputs of the netlist are not those of the waveform: {', '.join(differ[:5])}, ..."
        )
    lines = [f"::sta::set_power_pin_activity [get_pins {pin}] {changes:.5f} {ones:.5f}" for pin, (changes, ones) in found["pins"].items()]
    lines += [f"::sta::set_power_input_port_activity [get_ports {port}] {changes:.5f} {ones:.5f}" for port, (changes, ones) in found["inputs"].items()]
    activities = flow_timing.start(design["top"], folder, cells).replace(f"-period {flow.PERIOD}", f"-period {PERIOD}") + "\n".join(lines) + "\n"
    parts = reported(flow.sta(folder, activities + "report_power -digits 6\n"), folder)
    registers = words(summaries, design["top"], variables)
    result = {
        "mW": parts.pop("Total"),
        "parts": parts,
        "gated": gated(parts, registers, clock_power(cells)),
        "registers": by_register(registers),
        "checked": found["checked"],
        "unknown": len(found["unknown"]),
        "vectors": [
            len(found["vectors"][0]),
            len(found["vectors"][1]),
            *(instances_power(which, design["top"], folder, activities) for which in found["vectors"]),
        ],
    }
    return flow.keep(result, kept, folder)
