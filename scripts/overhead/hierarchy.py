"""A core module by module: taken apart once, each module mapped on its own and kept under its fingerprint, so that variants of a core share what they have in common.

    elaborated core -> word-level modules (elaborated) -> a netlist of cells a module (mapped): Verilog with scalar ports, and a summary
"""
import concurrent.futures
import hashlib
import json
import os
import re

import fingerprint
import flow
import library
import macros
import structural

KEPT = flow.ROOM / "modules"
WORKERS = 2
FORMAT = 1  # of what is kept: another one when structural.py writes otherwise
# As flow.ABC for what is small; for the largest modules without what takes a square of their size.
LARGE = 12000  # word-level text lines of a module
ABC_LARGE = "strash;balance;if,-g;strash;dch,-f;map,-D,1;topo;buffer,-c;upsize;dnsize"
SOURCE = """read_rtlil {folder}/design.il
attrmap -remove src -remove hdlname
write_rtlil {folder}/source.il
write_json {folder}/source.json
"""
PREPARE = """read_rtlil {folder}/module.il
opt_expr
opt_clean
wreduce
peepopt
opt_clean
alumacc
opt -fast
memory_dff -no-rw-check
opt_clean
memory_collect
opt -fast
opt_clean -purge
write_rtlil {folder}/prepared.il
write_json {folder}/prepared.json
"""
# Memories without the attribute macro become flip-flops.
MAP = """read_rtlil {folder}/marked.il
select -set flops t:$mem_v2 a:macro %d
memory_map @flops
opt -fast -full
opt -undriven -fine
techmap
opt -fast
opt_clean
dfflibmap -liberty {liberty}
abc -liberty {liberty} -constr {folder}/abc.constr -script +{abc}
setundef -zero
opt_clean -purge
write_json {folder}/mapped.json
"""


def elaborated(design, folder):
    """Of each module by name: its RTLIL text, its content as Yosys writes it to JSON, its fingerprint."""
    flow.elaborate(design, folder, hierarchy=True)
    (folder / "source.ys").write_text(SOURCE.format(folder=folder))
    flow.run(["yosys", "-q", folder / "source.ys"], folder / "source.log", cwd=flow.ROOT)
    modules = json.loads((folder / "source.json").read_text())["modules"]
    texts = {
        re.search(r"^module \\?(\S+)", text, re.MULTILINE)[1]: text
        for text in re.findall(r"^(?:attribute .*\n)*module .*\n(?:.*\n)*?end\n", (folder / "source.il").read_text(), re.MULTILINE)
    }
    return texts, modules, {name: fingerprint.fingerprint(modules[name], modules) for name in texts}


def mark_macros(folder, arrays):
    """folder/marked.il: prepared.il with the attribute macro at those memories; and the names of registers that are part of them."""
    module = json.loads((folder / "prepared.json").read_text())["modules"]["m"]
    found = {name for name, cell in module["cells"].items() if arrays and cell["type"] == "$mem_v2" and macros.is_macro(macros.ports(cell))}

    def marked(line):
        return f"  attribute \\macro 1\n{line[0]}" if line[1].lstrip("\\") in found else line[0]

    (folder / "marked.il").write_text(re.sub(r"^  cell \$mem_v2 (\S+)$", marked, (folder / "prepared.il").read_text(), flags=re.MULTILINE))
    names = structural.bit_names(module)
    ports = [port for name in found for port in macros.ports(module["cells"][name])["reads"]]
    return sorted({names[bit][0] for _, data, clocked in ports for bit in data if clocked and bit in names})


def children(text, names):
    """Modules that are instantiated in a text, in the order of their instances' names."""
    return [kind for _, kind in sorted((instance, kind) for kind, instance in re.findall(r"^  cell \\(\S+) (\S+)", text, re.MULTILINE) if kind in names)]


def canonical(name, texts):
    """The text of a module and its children's ports, without what only numbers and places of instantiation make different."""
    inside = children(texts[name], texts)

    def plain(text):
        text = re.sub(r"^module \\\S+", "module \\\\m", text, flags=re.MULTILINE)
        for index, child in enumerate(inside):
            text = text.replace(f"cell \\{child} ", f"cell \\child{index} ")
        return text

    text = plain(texts[name])
    order = {}
    text = re.sub(r"(?<=[ \"])\$(?=[^\s\"]*\$\d)[^\s\"]+", lambda found: f"$n{order.setdefault(found[0], len(order))}", text)
    stubs = []
    for index, child in enumerate(inside):
        wires = re.findall(r"^  wire (?:.* )?(?:input|output) \d+ \S+$", texts[child], re.MULTILINE)
        stubs.append(f"attribute \\blackbox 1\nmodule \\child{index}\n" + "\n".join(wires) + "\nend\n")
    return "".join([*stubs, text])


def mapped(text, mark, cells, arrays=True):
    """The summary of a module's netlist (structural.written; and held: registers that are part of macros); its Verilog lies beside it. Mapped now, if it is not kept yet."""
    script = ABC_LARGE if text.count("\n") > LARGE else flow.ABC
    mark = mark if arrays or "memory width" not in text else f"{mark} without macros"
    key = hashlib.sha256(json.dumps([mark, script, PREPARE, MAP, FORMAT, sorted(flow.tools().items()), str(cells.liberty)]).encode()).hexdigest()[:24]
    kept = KEPT / f"{key}.json"
    if kept.exists():
        return {"key": key, **json.loads(kept.read_text())}
    folder = flow.ROOM / "work" / f"module-{key}"
    folder.mkdir(parents=True, exist_ok=True)
    KEPT.mkdir(parents=True, exist_ok=True)
    (folder / "module.il").write_text(text)
    (folder / "abc.constr").write_text(f"set_driving_cell {library.DRIVER}\nset_load {library.LOAD} [all_outputs]\n")
    (folder / "prepare.ys").write_text(PREPARE.format(folder=folder))
    flow.run(["yosys", "-q", folder / "prepare.ys"], folder / "prepare.log", cwd=flow.ROOT)
    held = mark_macros(folder, arrays)
    (folder / "map.ys").write_text(MAP.format(folder=folder, liberty=cells.liberty, abc=script))
    flow.run(["yosys", "-q", folder / "map.ys"], folder / "map.log", cwd=flow.ROOT)
    module = json.loads((folder / "mapped.json").read_text())["modules"]["m"]
    verilog, summary = structural.written(module, cells)
    summary["held"] = held
    fresh = KEPT / f"{key}.{os.getpid()}"
    fresh.write_text(verilog)
    fresh.replace(KEPT / f"{key}.v")
    flow.keep(summary, kept, folder)
    return {"key": key, **summary}


def mapped_all(texts, marks, cells, progress=None, arrays=True):
    """{module: summary} of all modules, several at a time, the largest first; equal ones once. arrays=False: none is a macro."""
    equal = {}
    for name in sorted(texts, key=lambda name: -len(texts[name])):
        equal.setdefault(marks[name], []).append(name)
    flow.tools()

    def one(mark):
        summary = mapped(canonical(equal[mark][0], texts), mark, cells, arrays)
        if progress:
            progress(equal[mark][0], summary)
        return mark, summary

    with concurrent.futures.ThreadPoolExecutor(WORKERS) as pool:
        done = dict(pool.map(one, equal))
    return {
        name: {**done[mark], "children": children(texts[name], texts), "inputs": re.findall(r"^  wire (?:.* )?input \d+ \\(\S+)$", texts[name], re.MULTILINE)}
        for mark, names in equal.items()
        for name in names
    }
