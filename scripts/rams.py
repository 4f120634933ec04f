#!/usr/bin/env python3
"""Write the table of RAMs in docs/reference/pipeline.md: every sync_ram and mp_ram of rtl, with its size and ports as the RTL has them.

    scripts/rams.py          write the table
    scripts/rams.py --check  status 1 if the table is out of date

What each holds is the text of scripts/synth/memories.tsv, where each has a row.
"""
import csv
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs/reference/pipeline.md"
BEGIN, END = "<!-- RAMs, by scripts/rams.py: begin -->\n", "<!-- RAMs: end -->\n"


def closing(text, start):
    """Where the parenthesis that is open before `start` closes."""
    depth, at = 1, start
    while depth:
        depth += {"(": 1, ")": -1}.get(text[at], 0)
        at += 1
    return at - 1


def instances(text):
    """(RAM, instance, {parameter: expression}) of each RAM in a source file."""
    text = re.sub(r"//.*", "", text)
    local = dict(re.findall(r"localparam int unsigned (\w+) = ([^;,]+);", text))
    for found in re.finditer(r"\b(sync_ram|mp_ram) #\(", text):
        end = closing(text, found.end())
        given, at = {}, found.end()
        while (parameter := re.compile(r"\.(\w+)\(").search(text, at, end)) is not None:
            at = closing(text, parameter.end())
            size = " ".join(text[parameter.end() : at].split())
            given[parameter[1]] = local.get(size, size)
        yield found[1], re.compile(r"\)\s*(\w+)").match(text, end)[1], given


def plain(expression):
    """What a size says without Verilog's spelling."""
    return re.sub(r"\$bits\((\w+)\)", r"\1", expression).replace("*", "·")


def ports(ram, given):
    reads, writes = given.get("Reads", "1"), given.get("Writes", "1")
    return (
        f"{reads} R, {writes} W" + (f" in {given['Lanes']} lanes" if "Lanes" in given else "") + (", which never meet" if given.get("Meet") == "1'b0" else "")
    )


def table(sources, texts):
    """Lines of the table; sources: {path below rtl: text}, texts: {(module, instance): what it holds}."""
    lines = ["| module | RAM | words | bits of a word | ports | holds |", "|---|---|---|---|---|---|"]
    for path, text in sources.items():
        for ram, name, given in instances(text):
            module = pathlib.PurePath(path).stem
            if (module, name) not in texts:
                raise SystemExit(f"rams.py: {path}: {name} has no row in scripts/synth/memories.tsv")
            lines.append(f"| `{module}` | `{name}`, {ram} | {plain(given['Words'])} | {plain(given['Width'])} | {ports(ram, given)} | {texts[module, name]} |")
    return "".join(line + "\n" for line in lines)


def main():
    rows = [line for line in (ROOT / "scripts/synth/memories.tsv").read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    texts = {(row["module"], row["memory"]): row["text"] for row in csv.DictReader(rows, delimiter="\t")}
    order = [line for line in (ROOT / "rtl/core.f").read_text(encoding="utf-8").splitlines() if line.startswith("rtl/") and not line.startswith("rtl/prim/")]
    order += sorted(str(path.relative_to(ROOT)) for path in ROOT.glob("rtl/soc/*.sv"))
    page = PAGE.read_text(encoding="utf-8")
    head, tail = page.index(BEGIN) + len(BEGIN), page.index(END)
    fresh = page[:head] + table({name: (ROOT / name).read_text(encoding="utf-8") for name in order}, texts) + page[tail:]
    if "--check" in sys.argv[1:]:
        if fresh != page:
            print("docs/reference/pipeline.md, RAMs: out of date: scripts/rams.py writes the table")
        return fresh != page
    PAGE.write_text(fresh, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
