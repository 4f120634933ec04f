"""What counts of events say of time: correlation by event over instructions, what subsets of the events explain, and what the rest waits for.

Rows are what exposed.py finds of a program.
"""
import itertools
import math
import statistics

import tables

LOST = ("Stalled", "Flushed", "Drained")  # the states in which nothing commits
FEWEST = 3  # instructions that met an event, below which a correlation says nothing
LONG = math.ceil(tables.published()["base_stall", "TEA", "instruction", "percentile_99"])  # cycles: a stall of fewer no event needs to explain


def pearson(pairs):
    """r, or None where one side does not vary."""
    x, y = zip(*pairs)
    mean_x, mean_y = statistics.fmean(x), statistics.fmean(y)
    top = sum((a - mean_x) * (b - mean_y) for a, b in pairs)
    below = math.sqrt(sum((a - mean_x) ** 2 for a in x) * sum((b - mean_y) ** 2 for b in y))
    return top / below if below > 0 else None


def correlation(row, event):
    """Over the instructions that met the event: how often they did, against the cycles of their stacks' components with it; None: too few."""
    bit = 1 << row["events"].index(event)
    pairs = [(unit["met"][event], sum(cycles for _, psv, cycles in unit["stack"] if psv & bit)) for unit in row["instructions"] if unit["met"].get(event)]
    return pearson(pairs) if len(pairs) >= FEWEST else None


def lost_by_vector(row):
    """psv -> cycles in which nothing commits, of the whole program."""
    found = {}
    for unit in row["instructions"]:
        for state, psv, cycles in unit["stack"]:
            if state in LOST:
                found[psv] = found.get(psv, 0) + cycles
    return found


def explained(rows, bits):
    """Mean over programs of the part of the lost time whose instruction met one of the events in BITS."""
    shares = []
    for lost in map(lost_by_vector, rows):
        total = sum(lost.values())
        shares.append(sum(cycles for psv, cycles in lost.items() if psv & bits) / total if total else 0.0)
    return statistics.fmean(shares)


def subsets(rows):
    """The best subset of each size: (size, events, share of the lost time)."""
    events = rows[0]["events"]
    tables = [lost_by_vector(row) for row in rows]
    totals = [sum(table.values()) or 1 for table in tables]
    found = []
    for size in range(1, len(events) + 1):
        best = max(itertools.combinations(range(len(events)), size), key=lambda chosen: _share(tables, totals, sum(1 << bit for bit in chosen)))
        found.append((size, [events[bit] for bit in best], _share(tables, totals, sum(1 << bit for bit in best))))
    return found


def _share(tables, totals, bits):
    return statistics.fmean(sum(cycles for psv, cycles in table.items() if psv & bits) / total for table, total in zip(tables, totals))


KINDS = (  # by the first word of what stands in the way; the first that fits
    ("division or square root", ("div", "rem", "fdiv", "fsqrt")),
    ("multiplication", ("mul",)),
    ("load", ("lb", "lh", "lw", "ld", "fl", "c.l")),
    ("store", ("sb", "sh", "sw", "sd", "fs")),
    ("atomic or fence", ("amo", "lr", "sc", "fence", "sfence")),
    ("CSR access", ("csr", "fr", "ecall", "mret", "sret", "wfi")),
    ("branch or jump", ("b", "j", "ret")),
)
FLOATING = ("fadd", "fsub", "fmul", "fmadd", "fmsub", "fnm", "fcvt", "fmv", "feq", "flt", "fle", "fsgn", "fmin", "fmax", "fclass", "fabs", "fneg", "fge", "fgt")


def kind(word):
    if word.startswith(("fsflags", "frflags", "fsrm", "frrm", "fscsr", "frcsr")):
        return "CSR access"
    if word.startswith(FLOATING):
        return "floating-point operation"
    return next((name for name, begins in KINDS if word.startswith(begins)), "integer operation")


def unexplained(rows):
    """Kinds of what the cycles without an event are lost to: {kind: mean share of the lost time}, by state and, where Stalled, by what the instruction waits for.

    What a Stalled instruction waits for is the producer of its operands (the worker stall-causes); the other cycles are its own.
    """
    found = {}
    for row in rows:
        total = sum(lost_by_vector(row).values()) or 1
        for unit in row["instructions"]:
            base = {state: sum(cycles for at, psv, cycles in unit["stack"] if at == state and psv == 0) for state in LOST}
            waits = sum(cycles for _, cycles in unit["waits"])
            stalled = sum(cycles for at, _, cycles in unit["stack"] if at == "Stalled")
            # Waits are counted over all of its stalls: those with events have their part of them.
            scale = base["Stalled"] / max(stalled, waits) if stalled else 0
            parts = [(f"waits for: {kind(word)}", cycles * scale) for word, cycles in unit["waits"]]
            own = base["Stalled"] - sum(cycles for _, cycles in parts)
            word = unit["instruction"].split()[0] if unit["instruction"] else "?"
            parts += [
                (f"is itself slow, or has just come: {kind(word)}", own),
                (f"Flushed by: {kind(word)}", base["Flushed"]),
                ("Drained without an event", base["Drained"]),
            ]
            for name, cycles in parts:
                found[name] = found.get(name, 0) + cycles / total / len(rows)
    return {name: share for name, share in sorted(found.items(), key=lambda item: -item[1]) if share > 0}
