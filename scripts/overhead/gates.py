"""A flat netlist of the library's cells as Verilog that Verilator compiles, some of its gates exchanged for another kind at will; and the cells, by the library's own Verilog.

The library's file describes each cell by primitives, apart from the Liberty file that the netlist was mapped by. Verilator knows no
user-defined primitives: the flip-flop's and the multiplexer's stand below as modules of the same ports.
"""
import re

import library

# A kind of gate, and the one that stands in for it where it is broken.
OTHER = {
    "NAND2X1": "NOR2X1",
    "NOR2X1": "NAND2X1",
    "AND2X2": "OR2X2",
    "OR2X2": "AND2X2",
    "XOR2X1": "XNOR2X1",
    "XNOR2X1": "XOR2X1",
    "AOI21X1": "OAI21X1",
    "OAI21X1": "AOI21X1",
    "INVX1": "BUFX2",
}
FAULT_BITS = 16
PRIMITIVES = """module udp_dff (output reg out, input in, input clk, input clr, input set, input NOTIFIER);
  always @(posedge clk) out <= in;
endmodule
module udp_mux2 (output out, input in0, input in1, input sel);
  assign out = sel ? in1 : in0;
endmodule
"""


def models(cells):
    """Verilog of all cells, for Verilator."""
    text = cells.verilog.read_text()
    text = re.sub(r"^`timescale.*\n", "", text, flags=re.MULTILINE)
    text = re.sub(r"^primitive .*?^endprimitive[^\n]*\n", "", text, flags=re.MULTILINE | re.DOTALL)
    text = re.sub(r"^\s*specify\b.*?\bendspecify\b", "", text, flags=re.MULTILINE | re.DOTALL)
    text = re.sub(r"^module (?:LATCH|DFFSR|DFFNEGX1|TBUFX\d) .*?^endmodule\n", "", text, flags=re.MULTILINE | re.DOTALL)  # never mapped to
    return PRIMITIVES + re.sub(r"\b(udp_\w+) \(", r"\1 of_library (", text)


def breakable(module):
    """Names of the gates that have another kind to be exchanged for, in the order of the netlist's names."""
    return sorted(name for name, cell in module["cells"].items() if cell["type"] in OTHER)


def spread(names, count):
    """`count` of a list, from all over it."""
    step = max(1, len(names) // count)
    return names[step // 2 :: step][:count]


def verilog(module, name, broken=()):
    """The module of a JSON netlist under this name. Its input broken_i chooses the gate that has the other kind: 1 for the first of `broken`; 0: none."""
    if len(broken) >= 1 << FAULT_BITS:
        raise SystemExit(f"overhead: {len(broken)} gates to break, {(1 << FAULT_BITS) - 1} at most")

    def net(bit):
        return f"n{bit}" if not isinstance(bit, str) else "1'b1" if bit == "1" else "1'b0"

    ports = {port: (value["direction"], value["bits"]) for port, value in module["ports"].items()}
    lines = [
        f"module {name} (",
        ",\n".join(f"  {direction} wire [{len(bits) - 1}:0] {port}" for port, (direction, bits) in ports.items())
        + f",\n  input wire [{FAULT_BITS - 1}:0] broken_i",
        ");",
    ]
    nets = sorted(
        {bit for cell in module["cells"].values() for bits in cell["connections"].values() for bit in bits if not isinstance(bit, str)}
        | {bit for _, bits in ports.values() for bit in bits if not isinstance(bit, str)}
    )
    lines += [f"  wire n{bit};" for bit in nets]
    for port, (direction, bits) in ports.items():
        for index, bit in enumerate(bits):
            if direction == "input":
                lines.append(f"  assign {net(bit)} = {port}[{index}];")
            else:
                lines.append(f"  assign {port}[{index}] = {net(bit)};")
    numbers = {gate: number for number, gate in enumerate(broken, 1)}
    for index, (gate, cell) in enumerate(module["cells"].items()):
        kind, pins = cell["type"], {pin: net(bits[0]) for pin, bits in cell["connections"].items()}
        if gate not in numbers:
            lines.append(f"  {kind} g{index} (" + ", ".join(f".{pin}({wire})" for pin, wire in pins.items()) + ");")
            continue
        lines.append(f"  wire right{index}, wrong{index};")
        for which, what in (("right", kind), ("wrong", OTHER[kind])):
            wires = {**pins, "Y": f"{which}{index}"}
            lines.append(f"  {what} {which}_g{index} (" + ", ".join(f".{pin}({wire})" for pin, wire in wires.items()) + ");")
        lines.append(f"  assign {pins['Y']} = broken_i == {FAULT_BITS}'d{numbers[gate]} ? wrong{index} : right{index};")
    return "\n".join([*lines, "endmodule", ""])


def register_near(module, gate):
    """A name of the source near a gate, for a message: its own output's, or that of a flip-flop which it leads to in a few steps."""
    names = {}
    for name, value in module["netnames"].items():
        if not value.get("hide_name"):
            for index, bit in enumerate(value["bits"]):
                names.setdefault(bit, f"{name}[{index}]")
    readers = {}
    for cell in module["cells"].values():
        out = cell["connections"].get("Q") or cell["connections"].get("Y") or [None]
        for pin, bits in cell["connections"].items():
            if pin not in ("Y", "Q", "CLK"):
                readers.setdefault(bits[0], []).append((out[0], cell["type"] == library.FLIP_FLOP))
    front, seen = [module["cells"][gate]["connections"]["Y"][0]], set()
    while front:
        following = []
        for bit in front:
            if bit in names:
                return names[bit]
            for out, _ in readers.get(bit, []):
                if out not in seen:
                    seen.add(out)
                    following.append(out)
        front = following
    return "nothing that has a name"
