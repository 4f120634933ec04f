"""What a program makes every gate of a netlist do: each net in every cycle of a waveform, worked out from the registers and inputs that the waveform has.

As the registers are known in every cycle, all cycles of a net are worked out at once: a net is a number with one bit a cycle. Then what the netlist would store
must be what the register holds one cycle later, and its outputs those of the waveform (differences): so each figure belongs to a netlist that does what the RTL did.
No delays: what changes twice within a cycle is not counted.
"""
import re

import activity
import flow_cores
import library
import structural

LINE = re.compile(r"^(\w+) (\w+) \((.*)\);$", re.MULTILINE)
PIN = re.compile(r"\.(\w+)\(([^)]*)\)")
ASSIGN = re.compile(r"^assign (\w+) = ([\w']+);$", re.MULTILINE)
VECTOR = re.compile(r"\bpsv|\bmissed\b|\bdr_(l1|tlb)$")  # variables that hold bits of vectors
ROUNDS = 8
OUTPUTS = ("Y", "YC", "YS")
FUNCTIONS = re.compile(r"pin\s*\((\w+)\)\s*\{[^{}]*?function\s*:\s*\"([^\"]+)\"", re.DOTALL)


def functions(cells):
    """{cell: {output pin: compiled expression of its input pins, with M for all ones}} by the Liberty file."""
    found = {}
    for text in re.split(r"^cell \(", cells.liberty.read_text(), flags=re.MULTILINE)[1:]:
        pins = {}
        for pin, expression in FUNCTIONS.findall(text):
            words = re.sub(r"(?<=[\w)])\s+(?=[\w(!])", "&", expression.strip())
            pins[pin] = compile(negated(words.replace(" ", "").replace("+", "|")), cells.liberty.name, "eval")
        found[text[: text.index(")")]] = pins
    return found


def negated(text):
    """!x as (M^x), whatever binds closer."""
    while "!" in text:
        at = text.rindex("!")
        end = at + 1
        if text[end] == "(":
            depth = 0
            for end in range(end, len(text)):
                depth += {"(": 1, ")": -1}.get(text[end], 0)
                if not depth:
                    break
            end += 1
        else:
            end += re.match(r"\w+", text[end:]).end()
        text = f"{text[:at]}(M^{text[at + 1:end]}){text[end:]}"
    return text


def inside(path):
    """A path of the wrapper overhead_rob as the core's waveform has it."""
    return path.removeprefix("u_rob").removeprefix(".")


def place(path):
    """Instances of a path of the source, as the netlist names them."""
    return [structural.plain(word) for word in structural.split_path(path)]


class Netlist:
    """Nets by name, from the top: what drives each."""

    def __init__(self, top, summaries, kept):
        self.gates, self.flops = [], []  # (kind, instance, {pin: net})
        self.drivers = {}  # net: (kind, pin, {pin: net})
        self.alias, self.links = {}, []  # net: the one that it follows; (port of a child, net outside)
        self.inputs, self.outputs = [], {}
        for path, name in flow_cores.instances(summaries, top):
            where = place(path)
            text = (kept / f"{summaries[name]['key']}.v").read_text()
            self.add(text, where)
            if name == top:
                self.inputs = re.findall(r"^input (\w+);$", text, re.MULTILINE)
                self.outputs = {port: net for port, net in ASSIGN.findall(text) if "'" not in net}
        self.join()

    def add(self, text, where):
        def net(wire):
            return wire if "'" in wire else "/".join([*where, wire])

        for kind, instance, pins in LINE.findall(text):
            wires = {pin: net(wire) for pin, wire in PIN.findall(pins)}
            if kind.startswith("child"):
                self.links += [("/".join([*where, instance, pin]), wire) for pin, wire in wires.items()]
            elif kind == library.FLIP_FLOP:
                self.flops.append((kind, "/".join([*where, instance]), wires))
            elif kind != "module":
                self.gates.append((kind, "/".join([*where, instance]), wires))
                for pin in OUTPUTS:
                    if pin in wires:
                        self.drivers[wires[pin]] = (kind, pin, wires)
        for port, wire in ASSIGN.findall(text):
            self.alias[net(port)] = net(wire)

    def join(self):
        """Ports of children: what is driven within drives the wire outside, the others follow it."""
        for port, wire in self.links:
            if port in self.alias:
                self.alias[wire] = port
            else:
                self.alias[port] = wire


def evaluated(netlist, known, everything, table):
    """{net: its bits} of all nets, from those of flip-flops and inputs (known); everything: a number of as many ones as there are cycles."""
    values = {**known, "1'b0": 0, "1'b1": everything}
    for start in [wire for _, _, wires in (*netlist.gates, *netlist.flops) for wire in wires.values()] + list(netlist.outputs.values()):
        open_ones = [start]
        while open_ones:
            net = open_ones[-1]
            if net in values:
                open_ones.pop()
                continue
            if net in netlist.drivers:
                kind, pin, wires = netlist.drivers[net]
                wanted = [wire for name, wire in wires.items() if name not in OUTPUTS]
            elif net in netlist.alias:
                wanted = [netlist.alias[net]]
            else:
                raise KeyError(net)
            missing = [wire for wire in wanted if wire not in values]
            if missing:
                open_ones += missing
                continue
            if net in netlist.drivers:
                values[net] = eval(table[kind][pin], {"M": everything, **{name: values[wire] for name, wire in wires.items() if wire in values}}) & everything
            else:
                values[net] = values[wanted[0]]
            open_ones.pop()
    return values


def serving(netlist, served):
    """Gates all of whose ways lead to these flip-flops and outputs (served): what nothing else needs."""
    needed = [wires["D"] for _, instance, wires in netlist.flops if instance not in served] + [
        net for port, net in netlist.outputs.items() if port not in served
    ]
    others = set()
    while needed:
        net = needed.pop()
        if net in others:
            continue
        others.add(net)
        if net in netlist.alias:
            needed.append(netlist.alias[net])
        elif net in netlist.drivers:
            needed += [wire for pin, wire in netlist.drivers[net][2].items() if pin not in OUTPUTS]
    return [instance for _, instance, wires in netlist.gates if not any(wires[pin] in others for pin in OUTPUTS if pin in wires)]


def column(texts, index):
    """A number with a bit a cycle, the first cycle lowest, of bit `index` of values given as texts, bit 0 first."""
    return int("".join("1" if text[index] == "1" else "0" for text in reversed(texts)), 2)


def worked_out(top, summaries, kept, variables, cells):
    """{"pins": {instance/pin: (changes a cycle, share of one)}, "inputs": {scalar: the same}, "checked": register bits and outputs that were compared,
    "differ": [names of those that differ in a cycle], "vectors": (flip-flops, gates) that nothing but vectors needs}."""
    netlist = Netlist(top, summaries, kept)
    cycles = len(next(iter(variables.values())).cycles)
    everything = (1 << cycles) - 1
    said = {}

    def texts_of(name):
        if name not in said:
            said[name] = activity.by_cycle(variables, name)
        return said[name]

    names = {structural.plain(name): name for name in {key.split(".")[0].split("[")[0] for key in variables}}

    def of_port(scalar):
        name, index = re.match(r"(\w+)_(\d+)_$", scalar).groups()
        if name not in names or int(index) >= len(texts_of(names[name])[0]):
            return None
        return column(texts_of(names[name]), int(index))

    known, registers, vectors = {}, {}, set()  # vectors: flip-flops and outputs that are bits of one
    for scalar in netlist.inputs:
        bits = of_port(scalar)
        known[scalar] = 0 if bits is None else bits
    there = {instance: wires for _, instance, wires in netlist.flops}
    for path, name in flow_cores.instances(summaries, top):
        for register in summaries[name]["registers"]:
            texts = texts_of(flow_cores.joined(inside(path), register))
            of_bits = activity.names(variables, flow_cores.joined(inside(path), register))
            for index in range(len(texts[0]) if texts else 0):
                instance = "/".join([*place(path), f"{structural.plain(register)}_b{index}_"])
                if instance in there:
                    registers[instance] = known[there[instance]["Q"]] = column(texts, index)
                    if VECTOR.search(of_bits[index]):
                        vectors.add(instance)
    unknown = [instance for instance in there if instance not in registers]  # copies of registers, made by mapping: from the second cycle on, what they store
    known.update({there[instance]["Q"]: 0 for instance in unknown})
    table = functions(cells)
    for _ in range(ROUNDS if unknown else 1):
        values = evaluated(netlist, known, everything, table)
        stored = {there[instance]["Q"]: (values[there[instance]["D"]] << 1) & everything for instance in unknown}
        if all(known[net] == bits for net, bits in stored.items()):
            break
        known.update(stored)
    else:
        if unknown:
            raise SystemExit(
                f"overhead: {top}: {unknown[0]} and {len(unknown) - 1} more flip-flops are not in the waveform, and do not follow from those that are"
            )
    compared = everything & ~1 if unknown else everything
    differ = [instance for instance, bits in registers.items() if (values[there[instance]["D"]] ^ (bits >> 1)) & (everything >> 1) & compared]
    for port, net in netlist.outputs.items():
        bits = of_port(port)
        name, index = re.match(r"(\w+)_(\d+)_$", port).groups()
        if name in names and VECTOR.search(activity.names(variables, names[name])[int(index)]):
            vectors.add(port)
        if bits is not None and (values[net] ^ bits) & compared:
            differ.append(port)

    def of(net):
        bits = values[net]
        return (((bits ^ (bits >> 1)) & (everything >> 1)).bit_count() / (cycles - 1), bits.bit_count() / cycles)

    return {
        "pins": {f"{instance}/{pin}": of(wires[pin]) for _, instance, wires in (*netlist.gates, *netlist.flops) for pin in (*OUTPUTS, "Q") if pin in wires},
        "inputs": {scalar: of(scalar) for scalar in netlist.inputs if scalar != "clk_i_0_"},
        "checked": len(registers) + len(netlist.outputs),
        "unknown": unknown,
        "differ": differ,
        "vectors": (sorted(vectors & set(there)), serving(netlist, vectors)),
    }
