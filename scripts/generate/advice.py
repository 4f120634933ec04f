"""tables/advice.tsv: what to do about an instruction that takes time, by state, events and kind."""
from generate.reading import one_of, read_table, TableError
from generate.text import c_header, md_table

STATES = ("Computing", "Stalled", "Flushed", "Drained")  # in the order of their numbers


def check(path, events, units):
    """The rows, with 'mask': their events as a vector."""
    rows, seen = read_table(path), {}
    bits = {event["name"]: 1 << i for i, event in enumerate(events)}
    for row in rows:
        where = f"{path}:{row['_line']}"
        one_of(path, row, "state", STATES)
        one_of(path, row, "unit", ("*", *units))
        names = [] if row["events"] == "-" else row["events"].split("+")
        for name in names:
            if name not in bits:
                raise TableError(f"{where}: events {row['events']}: {name} is none of {', '.join(bits)}")
        row["mask"] = sum({bits[name] for name in names})
        key = (row["state"], row["mask"], row["unit"])
        if key in seen:
            raise TableError(f"{where}: state, events and unit are those of line {seen[key]}; remove one")
        seen[key] = row["_line"]
        if '"' in row["text"] + row["source"] or "\\" in row["text"] + row["source"]:
            raise TableError(f"{where}: text and source without quotation marks and backslashes")
    return rows


def c(tables):
    body = [
        "// state: enum commit_state (records.h). events: a vector; names: theirs. unit: its name, NULL: any.",
        "struct advice_row { uint8_t state; uint16_t events; const char *names, *unit, *text, *source; };",
        "#define ADVICE_ROWS \\",
    ]
    body += [
        ", \\\n".join(
            f'    {{STATE_{r["state"].upper()}, 0x{r["mask"]:x}, "{"" if r["events"] == "-" else r["events"]}", {"NULL" if r["unit"] == "*" else chr(34) + r["unit"] + chr(34)}, "{r["text"]}", "{r["source"]}"}}'
            for r in tables.advice
        )
    ]
    return c_header("ADVICE_RULES", body)


def doc(tables):
    return md_table(tables.advice, ("state", "events", "unit", "text", "source"))
