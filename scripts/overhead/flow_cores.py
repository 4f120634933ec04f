"""A core, or a part of one, in gates, with its memories as macros: registers by name, area, longest paths. The netlist is of modules: hierarchy.py."""
import json
import pathlib

import flow
import flow_timing
import hierarchy
import library
import macros
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
        for register, bits in summary["registers"].items():
            result["registers"][joined(path, register)] = bits
        for register, bits in source_registers(source[name]).items():
            result["source"][joined(path, register)] = bits
        for memory, form in summary["memories"].items():
            result["memories"][joined(path, memory)] = form
        result["in macros"] += [joined(path, register) for register in summary["held"]]
        area = sum(cells.area[kind] * count for kind, count in summary["cells"].items())
        result["modules"][path] = round(cells.gates(area))
        result["area"] += area
    result["gates"] = cells.gates(result["area"])
    result["flop_gates"] = cells.gates(cells.area[library.FLIP_FLOP] * sum(result["registers"].values()))
    if timing:
        flow_timing.netlist(design["top"], summaries, folder, cells, hierarchy.KEPT)
        result["paths"] = flow_timing.longest(design["top"], folder, cells)
    return flow.keep(result, kept, folder)


def macro_bits(form):
    return form[0] * form[1]


def differences(found):
    """{register: bits in the netlist without those in the source}, what is in a macro's read apart: two dictionaries."""
    held = {**found["registers"]}
    for name, form in found["memories"].items():
        held[name] = held.get(name, 0) + macro_bits(form)
    inside = set(found["in macros"])
    read, other = {}, {}
    for name in {*held, *found["source"]}:
        more = held.get(name, 0) - found["source"].get(name, 0)
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
