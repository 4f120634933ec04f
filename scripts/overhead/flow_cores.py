"""A core, or a part of one, in gates, with its memories as macros: registers by name, area, longest paths. The netlist has modules: hierarchy.py."""
import json
import pathlib
import re

import flow
import flow_timing
import hierarchy
import library
import structural

REGISTERS = ("$dff", "$dffe", "$sdff", "$sdffe", "$sdffce", "$adff", "$aldff", "$dffsr")


def source_registers(module):
    """{register or array: bits} of a module as elaborated."""
    found = {name.lstrip("\\"): memory["width"] * memory["size"] for name, memory in module.get("memories", {}).items()}
    names = structural.bit_names(module)
    for cell in module["cells"].values():
        if cell["type"] in REGISTERS:
            for bit in cell["connections"]["Q"]:
                name = names.get(bit, ("unnamed", 0))[0]
                found[name] = found.get(name, 0) + 1
    return found


def netlist_registers(summary, module):
    """{register: flip-flops} of a module by the source's names: where a register is an output, the netlist knows it by the output's name alone."""
    names = structural.bit_names(module)
    ports = {structural.plain(name): port["bits"] for name, port in module["ports"].items() if port["direction"] == "output"}
    found = dict(summary["registers"])
    plain = {structural.plain(name): name for name in found}
    for output, bits in ports.items():
        if output in plain:
            flops = re.findall(rf"^{library.FLIP_FLOP} {output}_b(\d+)_(?:__\d+)? ", (hierarchy.KEPT / f"{summary['key']}.v").read_text(), re.MULTILINE)
            for index in map(int, flops):
                name = names.get(bits[index], (output, 0))[0]
                found[plain[output]] -= 1
                found[name] = found.get(name, 0) + 1
    return {name: count for name, count in found.items() if count}


def held_registers(summary, module):
    """Registers that are part of macros, by the source's names; those that are outputs likewise."""
    names = structural.bit_names(module)
    outputs = {name: port["bits"] for name, port in module["ports"].items() if port["direction"] == "output" and name in summary["held"]}
    return {*summary["held"], *(names.get(bit, (name, 0))[0] for name, bits in outputs.items() for bit in bits)}


def instances(summaries, top):
    """[(path, module)] of a design, the top's path empty. A module is instantiated once: its name ends with where."""
    return [("" if name == top else name.split("$", 1)[1].split(".", 1)[1], name) for name in summaries]


def joined(path, name):
    return f"{path}.{name}" if path else name


def measure(design, cells, timing):
    """{"registers": {name: flip-flops}, "source": {name: bits}, "in macros": [names], "memories": {name: shape}, "gates", "flop_gates", "paths"?}."""
    scripts = [pathlib.Path(__file__).with_name(f"{name}.py") for name in ("flow_cores", "flow_timing", "hierarchy", "fingerprint", "structural", "macros")]
    key = f"core-{flow.digest(design, cells, scripts)}{'-paths' if timing else ''}"
    kept = flow.ROOM / "results" / f"{key}.json"
    if kept.exists():
        return json.loads(kept.read_text())
    folder = flow.ROOM / "work" / f"{design['top']}-{key}"
    folder.mkdir(parents=True, exist_ok=True)
    texts, source, marks = hierarchy.elaborated(design, folder)
    summaries = hierarchy.mapped_all(texts, marks, cells)
    result = {"registers": {}, "source": {}, "in macros": [], "memories": {}, "area": 0.0, "modules": {}}
    for path, name in instances(summaries, design["top"]):
        summary = summaries[name]
        for register, bits in netlist_registers(summary, source[name]).items():
            result["registers"][joined(path, register)] = bits
        for register, bits in source_registers(source[name]).items():
            result["source"][joined(path, register)] = bits
        for memory, form in summary["memories"].items():
            result["memories"][joined(path, memory)] = form
        result["in macros"] += sorted(joined(path, register) for register in held_registers(summary, source[name]))
        area = sum(cells.area[kind] * count for kind, count in summary["cells"].items())
        result["modules"][path] = round(cells.gates(area))
        result["area"] += area
    result["gates"] = cells.gates(result["area"])
    result["flop_gates"] = cells.gates(cells.area[library.FLIP_FLOP] * sum(result["registers"].values()))
    if timing:
        flow_timing.netlist(design["top"], summaries, folder, cells, hierarchy.KEPT)
        result["paths"] = flow_timing.longest(design["top"], folder, cells)
        result["own"] = flow_timing.own(design["top"], folder, cells)
    return flow.keep(result, kept, folder)


def macro_bits(form):
    return form[0] * form[1]


def differences(found):
    """{register: bits of the netlist without those of the source}, words of an array together; what is in a macro's read apart: two dictionaries."""

    def together(*tables):
        sums = {}
        for name, count in ((name, count) for table in tables for name, count in table.items()):
            plain = re.sub(r"\[\d+\]$", "", name)
            sums[plain] = sums.get(plain, 0) + count
        return sums

    held = together(found["registers"], {name: macro_bits(form) for name, form in found["memories"].items()})
    source, inside = together(found["source"]), set(found["in macros"])
    read, other = {}, {}
    for name in sorted({*held, *source}):
        more = held.get(name, 0) - source.get(name, 0)
        if more:
            (read if name in inside and more < 0 else other)[name] = more
    return read, other


def parts(found):
    """{part of the core: [flip-flops, gates without macros]}: what lies directly in the core, by instance."""
    sums = {}
    for what, values in ((0, found["registers"]), (1, found["modules"])):
        for name, count in values.items():
            words = name.removeprefix("u_core.").removeprefix("gen_units.").split(".")
            part = words[0] if words[0].startswith("u_") and (len(words) > 1 or what == 1) else "core"
            sums.setdefault(part, [0, 0])[what] += count
    return sums
