"""The part of docs/results/overhead.md on ROB, fetch buffer and whole cores."""
import fnmatch
import re

import flow_power
import macros
import state

UNITS = "gen_units." + state.TOP
# Purposes of what a core has more with units, by register; those of the units themselves are in state.tsv.
PURPOSES = (
    ("*u_rob.psv_q", "ROB vectors"),
    ("*u_rob*insn_q", "instruction words in the ROB"),
    ("*u_buffer.*", "fetch buffer"),
    ("rest", "fetch buffer"),
    ("u_core.u_decode_stage.*", "decode"),
    ("u_core.u_lsu.*", "LSU"),
    ("u_core.u_system_unit.*", "CSRs"),
    ("u_core.u_frontend.*", "fetch"),
    ("*", "rest"),
)
LISTED = "TIP and TEA"  # whose paths are all on the page, of others the longest
SHOWN = 12  # names of a list on the page
GOAL = 3  # times the add with its bypass, for the longest path of a core


def table(head, lines):
    return ["| " + " | ".join(head) + " |", "|" + "---|" * len(head), *("| " + " | ".join(str(word) for word in line) + " |" for line in lines), ""]


def grouped(bits):
    """{register or macro: bits}, those of one array or of several lanes together: 'name: bits, ...', the largest first."""
    groups = {}
    for name, count in bits.items():
        plain = re.sub(r"\[\d+\]", "", name).removeprefix("gen_units.").removeprefix("u_core.")
        group = "profile_top" if plain.startswith(state.TOP) else plain
        groups[group] = groups.get(group, 0) + count
    order = [(name, count) for name, count in sorted(groups.items(), key=lambda item: (-abs(item[1]), item[0])) if count]
    rest = order[SHOWN:]
    return ", ".join([f"`{name}` {count:+,}" for name, count in order[:SHOWN]] + ([f"{len(rest)} more: {sum(count for _, count in rest):+,}"] if rest else []))


def purpose(name):
    name = re.sub(r"\[\d+\]$", "", name)
    if name.startswith(UNITS):
        row = state.register([name.removeprefix("gen_units.")], state.rows("state.tsv"))
        return row["purpose"] if row else "units, rest"
    return next(what for pattern, what in PURPOSES if fnmatch.fnmatchcase(name, pattern))


def by_purpose(bits):
    found = {}
    for name, count in bits.items():
        found[purpose(name)] = found.get(purpose(name), 0) + count
    return found


def whole(row):
    return row["gates"] + row["macro gates"]


def sizes(rows):
    lines, base = [], {(row["design"], row["config"]): whole(row) for row in rows if row["variant"] == "none"}
    for row in rows:
        beside = base.get((row["design"], row["config"]))
        lines.append(
            (
                row["design"],
                row["config"],
                row["variant"],
                f"{row['flip-flops']:,}",
                f"{row['gates']:,}",
                f"{row['macro bits']:,}",
                f"{row['macro gates']:,}",
                f"{100 * (whole(row) / beside - 1):+.1f} %" if beside else "not measured",
            )
        )
    return table(("design", "configuration", "units", "flip-flops", "gates", "bits of macros", "gates of macros", "area, beside none"), lines)


def measured(rows):
    """When, at what commit, and how long it took: rows of one core are not always measured together."""
    found = {}
    for row in rows:
        if "measured" in row:
            design = row["design"] if row["config"] in row["design"] else f"{row['design']} of {row['config']}"
            took = f"{row['measured']['minutes']} minutes" + (f", {row['measured']['note']}" if row["measured"].get("note") else "")
            found.setdefault((row["measured"]["date"], row["measured"]["commit"]), []).append(f"{design}, {row['variant']} ({took})")
    lines = [f"{date}, commit {commit}: {'; '.join(designs)}" for (date, commit), designs in found.items()]
    return (
        [
            "Measured "
            + ". ".join(lines)
            + ". Minutes are those of modules that were not mapped already. Rows without a date describe an earlier state of the core.",
            "",
        ]
        if lines
        else []
    )


def additions(rows):
    lines = []
    for row in rows:
        if row.get("more bits"):
            found = by_purpose(row["more bits"])
            lines.append(
                (row["design"], row["config"], row["variant"], ", ".join(f"{what} {count:+,}" for what, count in found.items()), grouped(row["more bits"]))
            )
    return table(("design", "configuration", "units", "bits by purpose", "registers and macros"), lines)


def identity(rows):
    lines = [
        (
            row["design"],
            row["config"],
            row["variant"],
            f"{row['bits of the source']:,}",
            f"{row['flip-flops']:,}",
            f"{row['macro bits']:,}",
            f"{row['in reads of macros']:,}",
            f"{row['bits of the source'] - row['flip-flops'] - row['macro bits'] - row['in reads of macros']:,}",
            grouped(row["differences"]) or "none",
        )
        for row in rows
        if "bits of the source" in row
    ]
    return table(("design", "configuration", "units", "source", "flip-flops", "macros", "in reads of macros", "left over", "left over, by name"), lines)


def parts(rows):
    lines, heads = [], list(dict.fromkeys(row["variant"] for row in rows))
    for config in dict.fromkeys(row["config"] for row in rows):
        columns = {row["variant"]: row["parts"] for row in rows if row["config"] == config}
        names = list(dict.fromkeys(name for column in columns.values() for name in column))

        def of(name, what, columns=columns):
            return [f"{columns[head].get(name, [0, 0])[what]:,}" if head in columns else "" for head in heads]

        lines += [(config, f"`{name}`", *of(name, 0), *of(name, 1)) for name in names]
    return table(("configuration", "part", *(f"flip-flops, {name}" for name in heads), *(f"gates, {name}" for name in heads)), lines) if lines else []


def paths(rows, results):
    lines = []
    add = results["yardsticks"]["64-bit add with bypass"]["ns"]
    for row in rows:
        for index, path in enumerate(row.get("paths", [])[: None if row["variant"] == LISTED else 1], 1):
            through = " → ".join(f"`{where.replace('u_', '')}` {ns:.2f}" for where, ns in path["spent"] if ns >= 0.1)
            lines.append(
                (
                    row["config"],
                    row["variant"],
                    index,
                    f"{path['ns']:.2f}",
                    f"{path['ns'] / results['FO4 ns']:.0f}",
                    f"{path['ns'] / add:.1f}",
                    path["gates"],
                    f"`{path['start'].removeprefix('u_core/')}`",
                    f"`{path['end'].removeprefix('u_core/')}`",
                    through,
                )
            )
    return table(("core", "units", "path", "ns", "FO4", "x add", "gates", "from", "to", "where its time is spent, ns"), lines) if lines else []


def gates_of_vectors(results, tip):
    """What keeping vectors only shortly before samples saves; tip: mW of both with TIP."""
    rows, gate = results["power of gates"]["rows"], results["power of gates"]["gate"]
    of = {(row["program"], row["kept"]): row for row in rows}
    always, shut = (of[flow_power.PROGRAM, kept] for kept in ("always", "shut"))

    def mine(row):
        return row["vectors"][2] + row["vectors"][3]

    lines = [
        (
            f"`{row['program']}`",
            row["kept"],
            f"{row['vectors'][2]:.1f}",
            f"{row['vectors'][3]:.1f}",
            f"{mine(row):.1f}",
            f"{row['gated']:.1f}",
            f"{row['mW']:.1f}",
            f"{100 * row['registers']['psv_q'][1]:.2f} %",
            f"{row['checked']:,}",
        )
        for row in rows
    ]
    saved, flops = mine(always) - mine(shut), always["gated"] - shut["gated"]
    misses = mine(of[flow_power.MISSES, "always"]) - mine(of[flow_power.MISSES, "shut"])
    return [
        "**Vectors kept only shortly before a sample**, and for counters of their events (configuration key `profile.vector_window`, [sampling.md](../guide/sampling.md)): the ROB with TIP and TEA in the same cycles, its vectors always kept, and with no sample near, "
        f"so that the gate is shut in all of them (configuration `gated2`). `{flow_power.MISSES}` is a program of many events.",
        "",
        *table(
            (
                "program",
                "vectors kept",
                "for vectors alone: flip-flops, mW",
                "... logic",
                "... together",
                "all flip-flops with clock gates",
                "all of the ROB",
                "cycles in which an entry's vector changes",
                "compared",
            ),
            lines,
        ),
        f"It saves {saved:.1f} mW of what the vectors take in `{flow_power.PROGRAM}`, {100 * saved / tip:.1f} % of ROB and fetch buffer with TIP, and {misses:.1f} mW in `{flow_power.MISSES}`. That is logic that no longer changes: clocks as mapped go on, "
        f"{shut['vectors'][2]:.1f} mW of {shut['vectors'][0]} flip-flops that stand still. With ordinary clock gates those are gone either way, and the key saves {flops:.1f} mW of flip-flops beside the logic. It is little, and it is not seen in the total: the ROB "
        "whose vectors can be cleared is mapped again, and its other logic comes out larger than what is saved. "
        f"The logic that finds the whole vectors (`rtl/commit/vector_gate.sv`) is {gate['flip-flops']} flip-flops and {gate['gates']} gates; what they take in turn is not in the table, nor what the load queue's two bits an entry save. "
        "Fetch buffer and decode keep their bits: an instruction brings them along when the gate opens.",
        "",
    ]


def power(results):
    rows = results.get("power", [])
    if not rows:
        return []
    lines, sums, gates, vectors = [], {}, {}, {}
    for row in rows:
        variant, clocked = row["variant"], row["gated"] + row["parts"]["Combinational"]
        sums[variant], gates[variant] = sums.get(variant, 0) + row["mW"], gates.get(variant, 0) + clocked
        vectors[variant] = [sum(values) for values in zip(vectors.get(variant, [0] * 4), row["vectors"])]
        lines.append(
            (
                row["design"],
                variant,
                f"{row['mW']:.1f}",
                f"{row['parts']['Sequential']:.1f}",
                f"{row['parts']['Combinational']:.1f}",
                "",
                f"{row['gated']:.1f}",
                f"{row['vectors'][2]:.1f}",
                f"{row['vectors'][3]:.1f}",
                f"{row['checked']:,}",
            )
        )
    lines += [
        (
            "both",
            variant,
            f"{value:.1f}",
            "",
            "",
            f"{100 * (value / sums['none'] - 1):+.1f} %",
            "",
            f"{vectors[variant][2]:.1f}",
            f"{vectors[variant][3]:.1f}",
            "",
        )
        for variant, value in sums.items()
    ]
    flops, cells, of_flops, of_cells = vectors["TIP and TEA"]
    tip, more = sums["TIP"], 100 * (sums["TIP and TEA"] / sums["TIP"] - 1)
    changes = next(row["registers"]["psv_q"][1] for row in rows if "psv_q" in row["registers"])
    return [
        "### Power of ROB and fetch buffer",
        f"{rows[0]['config']}, {1000 / flow_power.PERIOD:.0f} MHz, 1.8 V, cycles {flow_power.FROM:,} to {flow_power.TO:,} of `{flow_power.PROGRAM}`. Each gate's output changes as often as it does in these cycles: worked out of the "
        "registers and inputs of the model's waveform, cycle by cycle; what the netlist would store and put out must be what the waveform has, of every register bit and output, in every cycle (last column). OpenSTA weighs that, without glitches "
        "and without wires. Arrays are flip-flops here.",
        "",
        f"Clocks as mapped are never gated: a flip-flop that stands still takes {results['clock of a flip-flop mW']:.4f} mW. With clock gates: each word of at least {flow_power.GATED_BITS} bits has one, which takes {flow_power.GATE_CLOCKS} "
        "flip-flops' clocks; the word's own runs in the cycles in which one of its bits changes, a vector's also whenever its entry is written. The multiplexers that hold a word stay in the logic.",
        "",
        *table(
            (
                "design",
                "units",
                "mW",
                "... flip-flops",
                "... logic",
                "beside none",
                "flip-flops with clock gates",
                "for vectors alone: flip-flops",
                "for vectors alone: logic",
                "compared",
            ),
            lines,
        ),
        f"**What the vectors take.** By the published method, TIP and TEA beside TIP, each mapped again: {more:+.1f} % of both; published are +4.6 %. Counted gate by gate it is less: {flops:,} flip-flops and {cells:,} gates whose every way leads to a vector's bit, "
        f"{of_flops + of_cells:.1f} mW, {100 * (of_flops + of_cells) / tip:+.1f} %. The rest of the difference is other logic, which comes out larger or smaller from one mapping to the next by more than the vectors take.",
        "",
        "What made it +23.9 % here before:",
        "",
        "- **TIP's part** is instruction words: the PMU's count of branches reads 16 bits of each at commit, and the ROB keeps them for that. The published TIP counts no branches, and nothing but the OIR and the sample is its own.",
        "- **Activity was a mean**: every bit of an input changed as often as the port's bits do on average, so that the bits that say whether an event comes changed as often as the address beside them, and every entry's decoder with them.",
        "- **The RTL wasted**: an event read its entry's vector to write it back, a port of a read and a write each; and three of nine bits an entry (`FL_MB`, `FL_EX`, `FL_MO`) were never set there, as they show when the instruction leaves. "
        "Now bits are set where they are, and the ROB keeps the six that fetch, dispatch and the load/store unit set (`tables/events.tsv`, column `set`).",
        "",
        f"In these cycles an entry's vector changes in {100 * changes:.2f} % of them on average: what is weighed is a program that meets few events, and mostly the clocks and the logic that waits for one.",
        "",
        *gates_of_vectors(results, tip),
    ]


def text(results):
    rows = results.get("cores", [])
    if not rows:
        return []
    timed = [row for row in rows if row.get("paths")]
    add = results["yardsticks"]["64-bit add with bypass"]["ns"]
    found = [
        "## In a core",
        "ROB, fetch buffer and whole cores: without units, with TIP, with TIP and TEA. `none` is a core that has no counters either, and whose ROB keeps no instruction words but for what traps report; `TIP` has the units "
        "with one counter, whose count of branches reads 16 bits of each word. Each module is mapped on its own; constants, and what nobody reads, are followed through all ports before.",
        "",
        f"Arrays of at least {macros.WORDS} words are macros, unless they are searched; with more than one write port only from {macros.SEVERAL_WRITES:,} bits on. A macro's area is an assumption: {macros.SRAM_BIT} gates a bit and "
        f"port where reads are clocked (SRAM), {macros.LATCH_BIT} gates and {macros.READ_PORT_BIT} a read port where they are not (latches and multiplexers), {macros.WRITE_PORT_BIT} more for each further write port. All others are "
        "flip-flops.",
        "",
        *sizes(rows),
        *measured(rows),
        "What each has beside the row above it, in bits:",
        "",
        *additions(rows),
        "### Every bit of a core",
        "Registers and arrays of the source, as elaborated and as far as somebody reads them, against flip-flops and macros of the netlist. A register after a clocked read is part of its macro. What is left over is "
        "constant, or a copy of another register; by name: what the netlist has, less what the source has, where an output may bear the name of its register or its own.",
        "",
        *identity(rows),
        "### Parts of the core",
        *parts([row for row in rows if row["design"].startswith("core")]),
    ]
    if timed:
        longest = {row["config"]: max(other["paths"][0]["ns"] for other in timed if other["config"] == row["config"]) for row in timed}
        goal = "; ".join(f"{config} has one of {ns / add:.1f} times ({'missed' if ns > GOAL * add else 'met'})" for config, ns in longest.items())
        found += [
            "### Longest paths of the core",
            "The longest path, then the longest that starts in another module, and so on. A macro's clocked read takes "
            f"{macros.SRAM_ACCESS} FO4 after the clock, its inputs {macros.SETUP} FO4 before it; a read without a clock takes what a multiplexer of as many words takes in the library. Nothing is known of paths that no program can "
            f"take: they are in here. The 64-bit add with its bypass takes {add:.2f} ns. The goal is no path longer than {GOAL} times that: {goal}.",
            "",
            *paths(timed, results),
        ]
    return [*found, *power(results)]
