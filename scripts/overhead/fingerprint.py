"""What a word-level module does, as a number that depends neither on numbers in names nor on the order in which things are listed.

A wire is known by what drives it: an input by its name, a register or a child by its own name, the result of a cell by the cell's kind
and operands. Registers without a name of the source's are known by what they store.
"""
import hashlib

import structural

ANCHORS = ("$dff", "$dffe", "$sdff", "$sdffe", "$sdffce", "$adff", "$aldff", "$memwr_v2", "$meminit", "$meminit_v2")


COMMUTATIVE = ("$add", "$mul", "$and", "$or", "$xor", "$xnor", "$eq", "$ne", "$logic_and", "$logic_or")


def number(what):
    return int.from_bytes(hashlib.blake2b(repr(what).encode(), digest_size=8).digest(), "big")


def kind_of(name, cell, modules):
    """(what a cell is, whether it breaks paths). A child is known by its name in the source and by its ports."""
    if cell["type"] in modules:
        ports = sorted((port, what["direction"], len(what["bits"])) for port, what in modules[cell["type"]]["ports"].items())
        return ("child", name, ports), True
    parameters = sorted((key, value) for key, value in cell["parameters"].items() if not (key == "MEMID" and "$" in value) and key != "TRANSPARENCY_MASK")
    return (cell["type"], parameters), cell["type"] in ANCHORS


def order(cells, drivers):
    """Cells that compute, operands before results."""
    done, found = set(), []
    for start in cells:
        stack = [(start, False)]
        while stack:
            name, ready = stack.pop()
            if ready:
                found.append(name)
            elif name not in done:
                done.add(name)
                stack.append((name, True))
                stack += [(drivers[bit], False) for port in cells[name]["inputs"] for bit in port[1] if bit in drivers and drivers[bit] not in done]
    return found


def fingerprint(module, modules):
    labels = {bit: number((name, index)) for name, port in module["ports"].items() if port["direction"] != "output" for index, bit in enumerate(port["bits"])}
    names = structural.bit_names(module)
    plain, anchors, drivers = {}, {}, {}
    for name, cell in module["cells"].items():
        kind, anchor = kind_of(name, cell, modules)
        sides = modules[cell["type"]]["ports"] if cell["type"] in modules else {port: {"direction": side} for port, side in cell["port_directions"].items()}
        wires = sorted(cell["connections"].items())
        what = {
            "kind": kind,
            "inputs": [(port, bits) for port, bits in wires if sides[port]["direction"] == "input"],
            "outputs": [(port, bits) for port, bits in wires if sides[port]["direction"] != "input"],
        }
        (anchors if anchor else plain)[name] = what
        for port, bits in what["outputs"]:
            for index, bit in enumerate(bits):
                if anchor:
                    labels[bit] = number((names.get(bit) if kind[0] != "child" else None) or (kind, port, index))
                else:
                    drivers[bit] = name
    path = order(plain, drivers)

    def of(bit):
        return bit if isinstance(bit, str) else labels.get(bit, 0)

    def signature(what):
        kind = what["kind"]
        if kind[0] in COMMUTATIVE:  # which operand comes first is a matter of the tools' order
            of_kind, wires = dict(kind[1]), dict(what["inputs"])
            sides = sorted([[of_kind[f"{side}_WIDTH"], of_kind[f"{side}_SIGNED"], [str(of(bit)) for bit in wires[side]]] for side in "AB"])
            return number((kind[0], of_kind["Y_WIDTH"], sides))
        return number((what["kind"], [(port, [of(bit) for bit in bits]) for port, bits in what["inputs"]]))

    for turn in range(2):
        for name in path:
            mark = signature(plain[name])
            for port, bits in plain[name]["outputs"]:
                for index, bit in enumerate(bits):
                    labels[bit] = number((mark, port, index))
        if turn == 0:  # registers without a name, by what they store
            marks = {name: signature(what) for name, what in anchors.items() if what["kind"][0] != "child"}
            for name, mark in marks.items():
                for port, bits in anchors[name]["outputs"]:
                    for index, bit in enumerate(bits):
                        if bit not in names:
                            labels[bit] = number((mark, port, index))
    outside = sorted((name, [of(bit) for bit in port["bits"]]) for name, port in module["ports"].items())
    state = sorted((signature(what), [(port, [of(bit) for bit in bits]) for port, bits in what["outputs"]]) for what in anchors.values())
    memories = sorted((name, what["width"], what["size"]) for name, what in module.get("memories", {}).items())
    return f"{number((outside, state, memories)):016x}"
