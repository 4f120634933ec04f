"""Which arrays of a core are macros (RAM, latch arrays), what such a macro's area is assumed to be, and the Liberty cell that OpenSTA times it by."""
WORDS = 8  # a macro has at least this many words
SEVERAL_WRITES = 2048  # and one write port, or at least this many bits
# Area of a bit in gates, assumptions that the page states: a clocked read is an SRAM of six transistors with as much again for what is around
# it; a read without a clock is a latch and a multiplexer for each port; a further write port is a multiplexer in front of the latch.
SRAM_BIT = 0.4
LATCH_BIT, READ_PORT_BIT, WRITE_PORT_BIT = 1.5, 0.75, 0.75
# Time, in FO4, assumptions as well: an SRAM's clock to data, and what addresses and data need before the clock. A read without a clock takes what a
# multiplexer of as many words takes in the library itself: flow_timing.py measures it.
SRAM_ACCESS, SETUP = 10, 2


def constant(bits):
    return all(isinstance(bit, str) for bit in bits)


def ports(cell):
    """Of a $mem_v2: words, width, and its ports as pins: reads [(addresses, data, clocked)], writes [(addresses, data, enables)]; those of constant addresses, and how many, apart."""
    value = {key: int(text, 2) for key, text in cell["parameters"].items() if isinstance(text, str) and set(text) <= {"0", "1"}}
    wires, width, abits = cell["connections"], value["WIDTH"], value["ABITS"]

    def slices(name, size, count):
        return [wires[name][index * size : (index + 1) * size] for index in range(count)]

    reads = list(
        zip(
            slices("RD_ADDR", abits, value["RD_PORTS"]),
            slices("RD_DATA", width, value["RD_PORTS"]),
            [bool(value["RD_CLK_ENABLE"] >> index & 1) for index in range(value["RD_PORTS"])],
        )
    )
    writes = list(zip(slices("WR_ADDR", abits, value["WR_PORTS"]), slices("WR_DATA", width, value["WR_PORTS"]), slices("WR_EN", width, value["WR_PORTS"])))
    return {
        "words": value["SIZE"],
        "width": width,
        "name": cell["parameters"]["MEMID"].lstrip("\\"),
        "reads": [port for port in reads if not constant(port[0])],
        "fixed reads": sum(constant(port[0]) for port in reads),
        "writes": [port for port in writes if not constant(port[0])],
        "fixed writes": sum(constant(port[0]) for port in writes),
    }


def is_macro(memory):
    """Not one that is searched (its words are read at constant addresses), nor a table without writes."""
    bits = memory["words"] * memory["width"]
    return (
        memory["words"] >= WORDS
        and not memory["fixed reads"]
        and (len(memory["writes"]) == 1 and not memory["fixed writes"] or len(memory["writes"]) > 0 and bits >= SEVERAL_WRITES)
    )


def shape(memory):
    """(words, width, reads without a clock, clocked reads, writes): all that area and time follow from."""
    clocked = sum(port[2] for port in memory["reads"])
    return memory["words"], memory["width"], len(memory["reads"]) - clocked, clocked, len(memory["writes"])


def gates(form):
    words, width, reads, clocked, writes = form
    more = WRITE_PORT_BIT * (writes - 1)
    bit = SRAM_BIT * clocked + more if not reads else LATCH_BIT + READ_PORT_BIT * (reads + clocked) + more
    return words * width * bit


def cell_name(form):
    return "RAM_{}x{}_a{}_c{}_w{}".format(*form)


def pins(memory):
    """[(pin, bit)] in the order of the Liberty cell, without the clock."""
    found, count = [], {True: 0, False: 0}
    for addresses, data, clocked in memory["reads"]:
        letter = f"{'C' if clocked else 'A'}{count[clocked]}"
        count[clocked] += 1
        found += [(f"{letter}A{index}", bit) for index, bit in enumerate(addresses)] + [(f"{letter}D{index}", bit) for index, bit in enumerate(data)]
    for port, (addresses, data, enables) in enumerate(memory["writes"]):
        found += [(f"W{port}A{index}", bit) for index, bit in enumerate(addresses)] + [(f"W{port}D{index}", bit) for index, bit in enumerate(data)]
        # Bits that are always written together have one pin; the others of the Liberty cell stay open.
        found += [(f"W{port}E{index}", bit) for index, bit in enumerate(enables) if bit not in enables[:index]]
    return found


def liberty_cell(form, fo4, read_delay):
    """Text of a Liberty cell: times in ns; read_delay(words): of a read without a clock."""
    words, width, reads, clocked, writes = form
    abits = max(1, (words - 1).bit_length())
    lines = [f"cell ({cell_name(form)}) {{ area : {gates(form):.1f};", "pin (CLK) { direction : input; clock : true; capacitance : 0.02; }"]

    def values(name, value):
        return f'{name} (scalar) {{ values ("{value:.4f}"); }}'

    def arc(kind, related, delay):
        slope = (
            " ".join(values(name, delay) for name in ("cell_rise", "cell_fall"))
            + " "
            + " ".join(values(name, 0.1) for name in ("rise_transition", "fall_transition"))
        )
        sense = "timing_sense : non_unate; " if kind == "combinational" else ""
        return f'timing () {{ related_pin : "{related}"; timing_type : {kind}; {sense}{slope} }}'

    def before_clock(pin):
        limits = " ".join(values(name, SETUP * fo4) for name in ("rise_constraint", "fall_constraint"))
        return f'pin ({pin}) {{ direction : input; capacitance : 0.01; timing () {{ related_pin : "CLK"; timing_type : setup_rising; {limits} }} }}'

    for port in range(reads):
        addresses = [f"A{port}A{index}" for index in range(abits)]
        lines += [f"pin ({pin}) {{ direction : input; capacitance : 0.01; }}" for pin in addresses]
        arcs = arc("rising_edge", "CLK", read_delay(words)) + " " + arc("combinational", " ".join(addresses), read_delay(words))
        lines += [f"pin (A{port}D{index}) {{ direction : output; max_capacitance : 1.0; {arcs} }}" for index in range(width)]
    for port in range(clocked):
        lines += [before_clock(f"C{port}A{index}") for index in range(abits)]
        lines += [
            f"pin (C{port}D{index}) {{ direction : output; max_capacitance : 1.0; {arc('rising_edge', 'CLK', SRAM_ACCESS * fo4)} }}" for index in range(width)
        ]
    for port in range(writes):
        lines += [before_clock(f"W{port}{letter}{index}") for letter, count in (("A", abits), ("D", width), ("E", width)) for index in range(count)]
    return "\n".join([*lines, "}"])


def liberty(forms, fo4, read_delay):
    """A library of the macros, in the units of the cells' one (ns, pF)."""
    head = (
        'library (macros) {\ndelay_model : table_lookup;\ntime_unit : "1ns";\nvoltage_unit : "1V";\ncurrent_unit : "1uA";\npulling_resistance_unit : "1kohm";\n'
        'capacitive_load_unit (1, pf);\nleakage_power_unit : "1nW";\nnom_voltage : 1.8;\nnom_temperature : 25;\nnom_process : 1;\n'
        + "".join(
            f"{kind}_threshold_pct_{edge} : {level};\n"
            for edge in ("rise", "fall")
            for kind, level in (("input", 50), ("output", 50), ("slew_lower", 20), ("slew_upper", 80))
        )
    )
    return head + "\n".join(liberty_cell(form, fo4, read_delay) for form in sorted(forms)) + "\n}\n"
