"""tables/events.tsv and tables/pmu_events.tsv: bits of the signature vector, and what a counter can be set to."""
import json
from generate.reading import number, one_of, read_table, refuse_duplicates, TableError
from generate.text import BANNER, c_header, camel, clog2, md_table

EVENT_SETS = ("IBS", "SPE", "RIS")
# Column set: rooms that raise events before the ROB is entered, while an instruction is in it, and as it leaves.
ENTERING, INSIDE, LEAVING = ("fetch", "decode", "dispatch"), ("lsu", "execute"), ("rob",)
COHERENT, TRIGGERS = "harts.coherent", "profile.triggers"  # column key
PMU_TEA, PMU_KEYED = 16, 32  # numbers in mhpmevent: of the first TEA event, of the first event that only cores with a key have
PMU_EVENTS = {"-": 32, COHERENT: 64, TRIGGERS: 64}  # numbers that a counter distinguishes, without the key and with it


def check(path):
    rows = read_table(path)
    refuse_duplicates(path, rows, "name")
    for row in rows:
        one_of(path, row, "state", ("Drained", "Flushed", "Stalled"))
        one_of(path, row, "set", ENTERING + INSIDE + LEAVING)
        row["set_names"] = [] if row["sets"] == "-" else row["sets"].split(",")
        for name in row["set_names"]:
            if name not in EVENT_SETS:
                raise TableError(f"{path}:{row['_line']}: sets {row['sets']}: {name} is none of {', '.join(EVENT_SETS)}")
        if one_of(path, row, "key", ("-", COHERENT)) == "-" and any(other["key"] != "-" for other in rows[: rows.index(row)]):
            raise TableError(f"{path}:{row['_line']}: {row['name']} stands after events of some cores alone: put it before them")
    if len(rows) > 16:
        raise TableError(f"{path}: {len(rows)} events; a sample CSR holds 16 bits a vector")
    return rows


def check_pmu(path, events):
    """The rows of the table and the TEA events, by number; 'number_n' is what mhpmevent holds, 'own' says which of the two."""
    rows = read_table(path)
    refuse_duplicates(path, rows, "number")
    refuse_duplicates(path, rows, "name")
    for row in rows:
        row["number_n"], row["own"] = number(path, row, "number"), True
        if one_of(path, row, "key", tuple(PMU_EVENTS)) != "-":
            if not PMU_KEYED <= row["number_n"] < PMU_EVENTS[row["key"]]:
                raise TableError(f"{path}:{row['_line']}: number {row['number']}: {PMU_KEYED} to {PMU_EVENTS[row['key']] - 1} are for rows with {row['key']}")
        elif not 0 < row["number_n"] < PMU_KEYED or PMU_TEA <= row["number_n"] < PMU_TEA + len(events):
            raise TableError(
                f"{path}:{row['_line']}: number {row['number']}: 1 to {PMU_TEA - 1} are free for rows, and what the TEA events leave of {PMU_TEA} to {PMU_KEYED - 1}: {PMU_TEA + len(events)} and more"
            )
        if row["name"] in {event["name"] for event in events}:
            raise TableError(f"{path}:{row['_line']}: name {row['name']} is a TEA event's; choose another")
    vector = [
        {"number": str(PMU_TEA + i), "number_n": PMU_TEA + i, "own": False, "name": event["name"], "key": event["key"], "text": event["text"]}
        for i, event in enumerate(events)
    ]
    return sorted(rows + vector, key=lambda row: row["number_n"])


def of_core(tables, config):
    """The events that a configuration has: the first ones of the table."""
    return [row for row in tables.events if row["key"] == "-" or config.keys[row["key"]]]


def sv(tables, config):
    has = of_core(tables, config)
    bits = len(has)
    numbers = max(PMU_EVENTS[key] for key in PMU_EVENTS if key == "-" or config.keys[key])
    lines = [f"// {BANNER}", "package events_pkg;", f"  localparam int unsigned PsvBits = {bits};", "  typedef logic [PsvBits-1:0] psv_t;"]
    for i, row in enumerate(has):
        if row["key"] == "-":
            lines.append(f"  localparam int unsigned Ev{camel(row['name'])} = {i};  // {row['state']}: {row['text']}")
    for i, row in enumerate(tables.events):
        if row["key"] != "-":
            value = 1 << i if row in has else 0
            lines.append(f"  localparam psv_t Psv{camel(row['name'])} = {bits}'h{value:x};  // with {row['key']}, else 0; {row['state']}: {row['text']}")
    lines += [
        "",
        "  // Where bits are set: before an instruction enters the ROB, and inside. The others show when it leaves.",
        f"  localparam psv_t PsvEntering = {bits}'h{set_by(has, ENTERING):x};",
        f"  localparam psv_t PsvInside = {bits}'h{set_by(has, INSIDE):x};",
    ]
    lines += [
        "",
        "  // What a programmable counter counts: numbers in mhpmevent. PmuTea + i: bit i of the vector. Below PmuEvents.",
        f"  localparam int unsigned PmuEvents = {numbers};",
        f"  localparam int unsigned PmuEventBits = {clog2(numbers)};",
        f"  localparam int unsigned PmuTea = {PMU_TEA};",
        f"  localparam int unsigned PmuKeyed = {PMU_KEYED};  // from here on, those of cores with {COHERENT} or {TRIGGERS}",
    ]
    for row in tables.pmu_events:
        if row["own"]:
            lines.append(f"  localparam int unsigned Pmu{camel(row['name'])} = {row['number_n']};  // {row['text']}")
    return "\n".join(lines + ["endpackage", ""])


def set_by(rows, modules):
    """The events that these raise (column set), as a vector."""
    return sum(1 << i for i, row in enumerate(rows) if row["set"] in modules)


def event_set(tables, name):
    """The events of a rival, as a vector."""
    return sum(1 << i for i, row in enumerate(tables.events) if name in row["set_names"])


def sv_sets(tables, config, _model):
    """The rivals' event sets: a package of its own, for no model of the core depends on it."""
    bits = len(of_core(tables, config))
    lines = [f"// {BANNER}", "// Events that a profiler distinguishes (tables/events.tsv, column sets).", "package event_sets_pkg;"]
    lines += [f"  localparam logic [{bits - 1}:0] {camel(name)}Events = {bits}'h{event_set(tables, name):x};" for name in EVENT_SETS]
    return "\n".join(lines + ["endpackage", ""])


def c(tables):
    body = (
        [
            f"#define EVENT_COUNT {len(tables.events)}",
            f"#define EVENT_COUNT_ALONE {sum(row['key'] == '-' for row in tables.events)} // of cores without harts.coherent: the first ones",
            "enum event {",
        ]
        + [f"    EVENT_{r['name']} = {i},  // {r['state']}: {r['text']}" for i, r in enumerate(tables.events)]
        + ["};"]
    )
    body += ["#define EVENT_NAMES " + ", ".join(f'"{r["name"]}"' for r in tables.events)]
    body += ["#define EVENT_STATES " + ", ".join(f'"{r["state"]}"' for r in tables.events)]
    body += ["#define EVENT_TEXTS \\", "    " + ", \\\n    ".join(f'"{r["text"]}"' for r in tables.events)]
    body += ["", "// Events that a profiler distinguishes, as vectors.", f"#define EVENT_SET_ALL 0x{(1 << len(tables.events)) - 1:x}u"]
    for name in EVENT_SETS:
        body += [f"#define EVENT_SET_{name} 0x{event_set(tables, name):x}u"]
    body += ["", "// What a programmable counter counts: the number in mhpmevent 7:0.", "enum pmu_event {"]
    body += [f"    PMU_EVENT_{r['name']} = {r['number_n']},  // {r['text']}" for r in tables.pmu_events] + ["};"]
    body += [
        "struct pmu_event_info {",
        "    uint8_t number;",
        "    const char *name;",
        f"    bool coherent; // only cores with {COHERENT} have it",
        f"    bool triggers; // ... with {TRIGGERS}",
        "    const char *text;",
        "};",
        f"#define PMU_EVENT_COUNT {len(tables.pmu_events)}",
        f"#define PMU_EVENT_TEA {PMU_TEA} // bit 0 of the vectors",
        f"#define PMU_EVENT_KEYED {PMU_KEYED} // from here on, those of cores with {COHERENT} or {TRIGGERS}",
        f"#define PMU_EVENT_NUMBERS {max(PMU_EVENTS.values())} // that any core distinguishes",
        "#define PMU_EVENT_ROWS \\",
    ]
    body += [
        "    "
        + ", \\\n    ".join(
            f'{{{r["number_n"]}, "{r["name"]}", {str(r["key"] == COHERENT).lower()}, {str(r["key"] == TRIGGERS).lower()}, {json.dumps(r["text"])}}}'
            for r in tables.pmu_events
        )
    ]
    return c_header("EVENTS", body)


def doc(tables):
    return md_table(tables.events, ("name", "state", "set", "sets", "key", "text"))


def doc_pmu(tables):
    return md_table(tables.pmu_events, ("number", "name", "key", "text"))
