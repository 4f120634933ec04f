"""From a core, or a part of one, to gates, with its memories as macros: what units and vectors add to it. As flow.py otherwise."""
import json
import pathlib

import flow
import library

# Area of a macro's bit in gates, an assumption that the page states: a clocked read is an SRAM of six transistors with as much again for what is around
# it, of about a sixth of a NAND a transistor pair; a read without a clock is a latch, and a multiplexer for each port.
SRAM_BIT = 0.4
LATCH_BIT, READ_PORT_BIT = 1.5, 0.75
WRITES, WORDS = 1, 8  # ports that a macro has at most, and words at least


def map_core(design, folder, cells):
    (folder / "abc.constr").write_text(f"set_driving_cell {library.DRIVER}\nset_load {library.LOAD} [all_outputs]\n")
    (folder / "map.ys").write_text(
        f"read_rtlil {folder}/design.il\nsynth -flatten -top {design['top']} -noabc -run begin:fine\n"
        f"select -set flops t:$mem_v2 r:WR_PORTS>{WRITES} %i t:$mem_v2 r:SIZE<{WORDS} %i %u\nmemory_map @flops\n"
        "opt -fast -full\nopt -undriven -fine\ntechmap\nopt -fast\nopt_clean\n"
        f"dfflibmap -liberty {cells.liberty}\n"
        f"abc -liberty {cells.liberty} -constr {folder}/abc.constr -script +{flow.ABC}\n"
        f"setundef -zero\nopt_clean\nrename -enumerate -pattern g% t:*\nwrite_json {folder}/names.json\n")
    flow.run(["yosys", "-q", folder / "map.ys"], folder / "map.log", cwd=flow.ROOT)


def macros(module):
    """{name: (bits, reads, clocked)} of the memories."""
    found = {}
    for cell in module["cells"].values():
        if cell["type"] == "$mem_v2":
            value = {key: int(text, 2) for key, text in cell["parameters"].items() if set(text) <= {"0", "1"}}
            found[cell["parameters"]["MEMID"].lstrip("\\")] = {"bits": value["SIZE"] * value["WIDTH"], "reads": value["RD_PORTS"], "clocked": value["RD_CLK_ENABLE"] == 2 ** value["RD_PORTS"] - 1}
    return found


def macro_gates(memory):
    return memory["bits"] * (SRAM_BIT * memory["reads"] if memory["clocked"] else LATCH_BIT + READ_PORT_BIT * memory["reads"])


def measure(design, cells):
    """{"registers": {name: bits}, "gates", "flop_gates", "memories"}: as flow.measure, without a path."""
    key = "core-" + flow.digest(design, cells, (pathlib.Path(__file__),))
    kept = flow.ROOM / "results" / f"{key}.json"
    if kept.exists():
        return json.loads(kept.read_text())
    folder = flow.ROOM / "work" / f"{design['top']}-{key}"
    folder.mkdir(parents=True, exist_ok=True)
    flow.elaborate(design, folder)
    map_core(design, folder, cells)
    kinds, flops = flow.netlist(folder, design["top"])
    module = json.loads((folder / "names.json").read_text())["modules"][design["top"]]
    memories = macros(module)
    kinds.pop("$mem_v2", None)
    flow.check_cells(design, folder, kinds, cells)
    registers = {}
    for names in flops.values():
        name = min((name.rsplit("[", 1)[0] for name in names), key=lambda name: (not name.endswith("_q"), len(name)), default="(without a name)")
        registers[name] = registers.get(name, 0) + 1
    result = {"registers": registers, "gates": cells.gates(sum(cells.area[kind] * count for kind, count in kinds.items())),
              "flop_gates": cells.gates(cells.area[library.FLIP_FLOP] * len(flops)), "memories": memories}
    return flow.keep(result, kept, folder)
