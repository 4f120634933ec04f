"""A mapped module as plain Verilog that OpenSTA and Icarus read: scalar ports, cells of the library, macros, children; and a summary of it.

A flip-flop is named after its register: addr_q[3] is addr_q_b3_; what is not a letter or a digit becomes _.
"""
import re

import library
import macros


def plain(name):
    return re.sub(r"\W", "_", name.lstrip("\\"))


def split_path(path):
    """Instances of a path of the source: the dots of u_a.gen_b[0].u_c separate instances and blocks, whose name is part of an instance's."""
    found = []
    for word in path.split(".") if path else []:
        if found and not found[-1].split(".")[-1].startswith("u_"):
            found[-1] += f".{word}"
        else:
            found.append(word)
    return found


def bit_names(module):
    """{bit: (register, index)} by the best of its names: one that ends in _q, then the shortest."""
    names = {}
    for name, net in module["netnames"].items():
        if net.get("hide_name") or "$" in name:
            continue
        for index, bit in enumerate(net["bits"]):
            if not isinstance(bit, str):
                names.setdefault(bit, []).append((not re.search(r"_q(\[\d+\])*$", name), len(name), name, index))
    return {bit: min(found)[2:] for bit, found in names.items()}


class Writer:
    """Nets by name: an input's own, or a number."""

    def __init__(self, module):
        self.taken = set()
        self.nets = {}
        self.ports = []  # (direction, scalar name, bit)
        for name, port in module["ports"].items():
            for index, bit in enumerate(port["bits"]):
                scalar = f"{plain(name)}_{index}_"
                self.ports.append((port["direction"], scalar, bit))
                if port["direction"] == "input":
                    self.nets[bit] = scalar

    def net(self, bit):
        if isinstance(bit, str):
            return "1'b1" if bit == "1" else "1'b0"
        return self.nets.setdefault(bit, f"n{bit}")

    def unique(self, name):
        fresh, count = name, 1
        while fresh in self.taken:
            count += 1
            fresh = f"{name}__{count}"
        self.taken.add(fresh)
        return fresh


def written(module, cells):
    """(Verilog, {"cells": {type: count}, "registers": {name: bits}, "memories": {name: shape}}). The module is m, its children child0, child1, ..."""
    writer, names = Writer(module), bit_names(module)
    lines, kinds, registers, memories = [], {}, {}, {}
    gate = 0
    for name, cell in module["cells"].items():
        kind, wires = cell["type"], cell["connections"]
        if kind == "$mem_v2":
            memory = macros.ports(cell)
            form = macros.shape(memory)
            memories[memory["name"]] = list(form)
            clock = next(bit for bit in (*wires["WR_CLK"], *wires["RD_CLK"]) if not isinstance(bit, str))
            pins = [("CLK", clock), *macros.pins(memory)]
            lines.append(
                f"{macros.cell_name(form)} {writer.unique(plain(memory['name']))} ("
                + ", ".join(f".{pin}({writer.net(bit)})" for pin, bit in pins if bit != "x")
                + ");"
            )
            continue
        if kind in cells.area:
            kinds[kind] = kinds.get(kind, 0) + 1
            if kind == library.FLIP_FLOP:
                register, index = names.get(wires["Q"][0], ("unnamed", 0))
                registers[register] = registers.get(register, 0) + 1
                instance = writer.unique(f"{plain(register)}_b{index}_")
            else:
                instance, gate = f"g{gate}", gate + 1
            lines.append(f"{kind} {instance} (" + ", ".join(f".{pin}({writer.net(bits[0])})" for pin, bits in wires.items()) + ");")
        elif kind.startswith("child"):
            pins = [(f"{plain(port)}_{index}_", bit) for port, bits in wires.items() for index, bit in enumerate(bits)]
            lines.append(f"{kind} {writer.unique(plain(name))} (" + ", ".join(f".{pin}({writer.net(bit)})" for pin, bit in pins) + ");")
        else:
            raise SystemExit(f"overhead: {name}: {kind} is no cell of the library")
    head = [f"module m ({', '.join(scalar for _, scalar, _ in writer.ports)});", *(f"{direction} {scalar};" for direction, scalar, _ in writer.ports)]
    ends = [f"assign {scalar} = {writer.net(bit)};" for direction, scalar, bit in writer.ports if direction == "output"]
    inside = [f"wire {net};" for bit, net in writer.nets.items() if net == f"n{bit}"]
    return "\n".join([*head, *inside, *lines, *ends, "endmodule", ""]), {"cells": kinds, "registers": registers, "memories": memories}


def whole(top, modules, kept):
    """Verilog of a design: {module: summary with key and children}, each text from the folder kept, children under their own names."""
    number = {name: f"{plain(name.split('$')[0])}_{index}" for index, name in enumerate(modules)}
    number[top] = plain(top)
    for name, summary in modules.items():
        text = (kept / f"{summary['key']}.v").read_text()
        text = text.replace("module m (", f"module {number[name]} (", 1)
        yield re.sub(r"^child(\d+) ", lambda found, summary=summary: number[summary["children"][int(found[1])]] + " ", text, flags=re.MULTILINE)
