"""The part of docs/overhead.md on ROB, fetch buffer and whole cores."""
import fnmatch
import re

import flow_power
import macros
import state

UNITS = "gen_units." + state.TOP
# Purposes of what a core has more with units, by register; those of the units themselves are in state.tsv.
PURPOSES = (("*u_rob.psv_q", "ROB vectors"), ("*u_rob*insn_q", "instruction words in the ROB"), ("*u_buffer.*", "fetch buffer"), ("rest", "fetch buffer"), ("u_core.u_decode_stage.*", "decode"),
            ("u_core.u_lsu.*", "LSU"), ("u_core.u_system_unit.*", "CSRs"), ("u_core.u_frontend.*", "fetch"), ("*", "rest"))
PUBLISHED_ROB = 192
LISTED = "TIP and TEA"  # whose paths are all on the page, of others the longest
SHOWN = 12  # names of a list on the page


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
    lines, base = [], None
    for row in rows:
        if row["variant"] == "none":
            base = whole(row)
        lines.append((row["design"], row["config"], row["variant"], f"{row['flip-flops']:,}", f"{row['gates']:,}", f"{row['macro bits']:,}", f"{row['macro gates']:,}", f"{100 * (whole(row) / base - 1):+.1f} %"))
    return table(("design", "configuration", "units", "flip-flops", "gates", "bits of macros", "gates of macros", "area, beside none"), lines)


def additions(rows):
    lines = []
    for row in rows:
        if row.get("more bits"):
            found = by_purpose(row["more bits"])
            lines.append((row["design"], row["config"], row["variant"], ", ".join(f"{what} {count:+,}" for what, count in found.items()), grouped(row["more bits"])))
    return table(("design", "configuration", "units", "bits by purpose", "registers and macros"), lines)


def identity(rows):
    lines = [(row["design"], row["config"], row["variant"], f"{row['bits of the source']:,}", f"{row['flip-flops']:,}", f"{row['macro bits']:,}", f"{row['in reads of macros']:,}",
              f"{row['bits of the source'] - row['flip-flops'] - row['macro bits'] - row['in reads of macros']:,}", grouped(row["differences"]) or "none") for row in rows if "bits of the source" in row]
    return table(("design", "configuration", "units", "source", "flip-flops", "macros", "in reads of macros", "left over", "left over, by name"), lines)


def parts(rows):
    lines = []
    for config in dict.fromkeys(row["config"] for row in rows):
        columns = {row["variant"]: row["parts"] for row in rows if row["config"] == config}
        names = list(dict.fromkeys(name for column in columns.values() for name in column))
        lines += [(config, f"`{name}`", *(f"{column.get(name, [0, 0])[0]:,}" for column in columns.values()), *(f"{column.get(name, [0, 0])[1]:,}" for column in columns.values())) for name in names]
        heads = list(columns)
    return table(("configuration", "part", *(f"flip-flops, {name}" for name in heads), *(f"gates, {name}" for name in heads)), lines) if lines else []


def paths(rows, results):
    lines = []
    add = results["yardsticks"]["64-bit add with bypass"]["ns"]
    for row in rows:
        for index, path in enumerate(row.get("paths", [])[:None if row["variant"] == LISTED else 1], 1):
            through = " → ".join(f"`{where.replace('u_', '')}` {ns:.2f}" for where, ns in path["spent"] if ns >= 0.1)
            lines.append((row["config"], row["variant"], index, f"{path['ns']:.2f}", f"{path['ns'] / results['FO4 ns']:.0f}", f"{path['ns'] / add:.1f}", path["gates"],
                          f"`{path['start'].removeprefix('u_core/')}`", f"`{path['end'].removeprefix('u_core/')}`", through))
    return table(("core", "units", "path", "ns", "FO4", "x add", "gates", "from", "to", "where its time is spent, ns"), lines) if lines else []


def power(results):
    rows = results.get("power", [])
    if not rows:
        return []
    lines, sums = [], {}
    for row in rows:
        sums[row["variant"]] = sums.get(row["variant"], 0) + row["mW"]
        lines.append((row["design"], row["variant"], f"{row['mW']:.1f}", f"{row['parts']['Sequential']:.1f}", f"{row['parts']['Combinational']:.1f}", "", f"{row['flip-flops'][0]:,}", f"{sum(row['flip-flops'][1:]):,}"))
    lines += [("both", variant, f"{value:.1f}", "", "", f"{100 * (value / sums['none'] - 1):+.1f} %", "", "") for variant, value in sums.items()]
    more = 100 * (sums["TIP and TEA"] / sums["TIP"] - 1)
    clocked = {variant: sum(row["parts"]["Sequential"] for row in rows if row["variant"] == variant) for variant in sums}
    flops = 100 * (clocked["TIP and TEA"] - clocked["TIP"]) / (sums["TIP and TEA"] - sums["TIP"])
    return ["### Power of ROB and fetch buffer",
            f"{rows[0]['config']}, {1000 / flow_power.PERIOD:.0f} MHz, 1.8 V, cycles {flow_power.FROM:,} to {flow_power.TO:,} of `{flow_power.PROGRAM}`. Flip-flops change as often as those of the model do, by a waveform, and are one "
            "for as long; an input's bits change as their mean does. OpenSTA follows that through the gates, without glitches and without wires. Arrays are flip-flops here and their clocks are never gated, so each flip-flop pays "
            "for its clock in every cycle.", "",
            *table(("design", "units", "mW", "... flip-flops", "... logic", "beside none", "flip-flops in the waveform", "not in it"), lines),
            f"TEA's vectors add {more:+.1f} % to both together, {flops:.0f} % of it in flip-flops, the rest in the logic that writes events into any entry. Published are +4.6 %, of a ROB of {PUBLISHED_ROB} entries: its "
            "ports, its clocks and its library are another's. What makes the difference was not found out.", ""]


def text(results):
    rows = results.get("cores", [])
    if not rows:
        return []
    timed = [row for row in rows if row.get("paths")]
    slowest = max(timed, key=lambda row: row["paths"][0]["ns"], default=None)
    add = results["yardsticks"]["64-bit add with bypass"]["ns"]
    found = ["## In a core",
             "ROB, fetch buffer and whole cores: without units, with TIP, with TIP and TEA. `none` is a core that has no counters either, and whose ROB keeps no instruction words but for what traps report; `TIP` has the units "
             "with one counter, whose count of branches reads 16 bits of each word. Each module is mapped on its own; constants, and what nobody reads, are followed through all ports before.", "",
             f"Arrays of at least {macros.WORDS} words are macros, unless they are searched; with more than one write port only from {macros.SEVERAL_WRITES:,} bits on. A macro's area is an assumption: {macros.SRAM_BIT} gates a bit and "
             f"port where reads are clocked (SRAM), {macros.LATCH_BIT} gates and {macros.READ_PORT_BIT} a read port where they are not (latches and multiplexers), {macros.WRITE_PORT_BIT} more for each further write port. All others are "
             "flip-flops.", "",
             *sizes(rows),
             "What each has beside the row above it, in bits:", "",
             *additions(rows),
             "### Every bit of a core",
             "Registers and arrays of the source, as elaborated and as far as somebody reads them, against flip-flops and macros of the netlist. A register behind a clocked read is part of its macro. What is left over is "
             "constant, or a copy of another register; by name: what the netlist has, less what the source has, where an output may bear the name of its register or its own.", "",
             *identity(rows),
             "### Parts of the core",
             *parts([row for row in rows if row["design"].startswith("core")])]
    if slowest:
        path = slowest["paths"][0]
        found += ["### Longest paths of the core",
                  "The longest path, then the longest that starts in another module, and so on. A macro's clocked read takes "
                  f"{macros.SRAM_ACCESS} FO4 after the clock, its inputs {macros.SETUP} FO4 before it; a read without a clock takes what a multiplexer of so many words takes in the library. Nothing is known of paths that no program can "
                  f"take: they are in here. The 64-bit add with its bypass takes {add:.2f} ns. The goal, no path longer than 3 times that, is missed: the longest is {path['ns'] / add:.1f} times." if path["ns"] > 3 * add else "",
                  "", *paths(timed, results)]
    return [*found, *power(results)]
