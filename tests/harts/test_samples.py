#!/usr/bin/env python3
"""Samples of several harts: which data they wait for, and whose they are, in every report and format.

    tests/harts/test_samples.py [--only TEXT]

Two harts that take lines from each other (lines.c), on small2c; addresses are held to nm's. Needs build/bin/tipoff and the model.
"""
import collections
import csv
import functools
import json
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "cli"))
from cli import ROOT, TESTS, check, main, refused, test, tipoff  # noqa: E402
from programs import built  # noqa: E402

sys.path.insert(0, str(ROOT / "tests/exports"))
from test_pprof import Profile  # noqa: E402

TESTS.clear()  # its own

sys.path.insert(0, str(ROOT / "python"))
sys.path.append("/usr/lib/python3/dist-packages")  # where zstandard is, for another Python than Debian's own
import tipoff as module  # noqa: E402

HERE = ROOT / "tests/harts"
scratch = tempfile.TemporaryDirectory()
LINE = 64


def symbols(program):
    said = subprocess.run(["riscv64-unknown-elf-nm", program], check=True, capture_output=True, text=True).stdout
    return {name: int(address, 16) for address, _, name in (line.split() for line in said.splitlines())}


@functools.cache
def sampled():
    """Symbols, and the files of both harts: of one run, for all tests."""
    folder = pathlib.Path(scratch.name)
    program = built(folder, "-DHARTS=2", HERE / "start.S", HERE / "lines.c")
    status, _, err = tipoff("run", "--config", "small2c", "--harts", 2, "--period", 23, "--samples", folder / "run.tips", "--quiet", program)
    check(status == 0, f"status {status}: {err}")
    return symbols(program), [folder / f"run.hart{hart}.tips" for hart in range(2)]


@functools.cache
def other():
    """The same program, another run."""
    folder = pathlib.Path(scratch.name)
    sampled()
    status, _, err = tipoff("run", "--config", "small2c", "--harts", 2, "--period", 97, "--samples", folder / "other.tips", "--quiet", folder / "program.elf")
    check(status == 0, err)
    return [folder / f"other.hart{hart}.tips" for hart in range(2)]


def said(*arguments):
    status, out, err = tipoff("report", *arguments)
    check(status == 0 and not err, f"{arguments}: status {status}: {err}")
    return out


def rows(*arguments):
    """Of CSV."""
    return list(csv.DictReader(said("--format", "csv", *arguments).splitlines()))


@test
def data(_):
    """Stalled on a load or an AMO: its own line; at a fence, or Drained as the store queue is full: the line of the store that drains."""
    at, files = sampled()
    for hart, file in enumerate(files):
        waits = collections.defaultdict(collections.Counter)
        samples = module.Samples(file).samples
        check(all(s.hart == hart for s in samples), "each hart has a file")
        for s in samples:
            if s.state in ("Stalled", "Drained") and s.lanes:
                waits[s.state, s.lanes[0].address][s.data_of, s.data] += 1
            else:
                check(s.data_of is None and s.data is None, f"{s.state} waits for no data: {s}")
        for label, data_of, expected in (
            ("load_it", "access", at["loaded"]),
            ("add_it", "access", at["added"]),
            ("fence_it", "drain", at["fenced"] + 8 * hart),
        ):
            found = waits["Stalled", at[label]]
            check(found[data_of, expected] >= 10 and len(found) == 1, f"{label} of hart {hart}: 0x{expected:x} expected: {found}")
        full = collections.Counter()
        for (state, address), found in waits.items():
            if state == "Drained" and at["fill_it"] <= address < at["fill_it"] + 256:
                full += found
        drains = {address for (data_of, address), times in full.items() if data_of == "drain"}
        lines = {at["filled"] + LINE * i + 8 * hart for i in range(4)}
        check(drains == lines, f"DR_SQ of hart {hart}: {[hex(a) for a in lines]} expected: {full}")
        status, out, _ = tipoff("samples", file)
        rows = [(row["data_of"] or None, int(row["data"], 16) if row["data"] else None) for row in csv.DictReader(out.splitlines())]
        check(status == 0 and rows == [(s.data_of, s.data) for s in samples], "tipoff samples and the module read the same")


@test
def columns(folder):
    """The rows of both harts' files together, hart by hart, are those of each file; one file says nothing of harts."""
    _, files = sampled()
    for view in (
        [],
        ["--by", "function"],
        ["--by", "line"],
        ["--by", "mode"],
        ["--stacks"],
        ["--children"],
        ["--by", "data"],
        ["--profiler", "Oracle"],
    ):
        top = ["--top", 0]
        both = rows(*view, *top, *files)
        for hart, file in enumerate(files):
            alone = rows(*view, *top, file)
            check(alone and "hart" not in alone[0], f"{view} of one file")
            key = "share"  # of the time of all
            own = [{name: row[name] for name in row if name not in ("hart", key)} for row in both if row["hart"] == str(hart)]
            expected = [{name: row[name] for name in row if name != key} for row in alone]
            own, expected = ([tuple(row.items()) for row in part if row.get("unit", row.get("function")) != "end of run"] for part in (own, expected))
            check(collections.Counter(own) == collections.Counter(expected), f"{view} of hart {hart}: {set(own) ^ set(expected)}")
        check({row["hart"] for row in both} <= {"0", "1", ""}, f"{view}: harts")
    out = said(*files)
    check("cycles of 2 harts together" in out and "hart  function" in out and "hart    executions" in out and "By hart, mode and process" in out, out)
    out = said(files[0])
    check("{hart" not in out and "  hart  " not in out and "By " not in out, f"one file: {out}")
    for hart, file in enumerate(files):
        check(said("--hart", hart, *files) == said(file) == said("--hart", hart, file), f"--hart {hart}")
    found = json.loads(said("--format", "json", *files))
    check(found["harts"] == 2 and {unit.get("hart") for unit in found["units"]} <= {0, 1, None}, "JSON")
    executions = {(unit["name"], unit["hart"]): unit["executions"] for unit in found["units"] if unit.get("hart") is not None}
    check(executions["fence_it", 0] == executions["fence_it", 1] == 40, "each hart has its own executions")
    page = folder / "both.html"
    said("--format", "html", "-o", page, *files)
    check(all(f"fill_it {{hart {hart}}}" in page.read_text() for hart in range(2)), "the page")


@test
def loops_of_both(_):
    """A loop or block that both harts ran is one row, whose column names both."""
    _, files = sampled()
    for unit in ("loop", "block"):
        one = [{row["unit"] for row in rows("--by", unit, "--profiler", "Oracle", file)} for file in files]
        seen = set()
        for row in rows("--by", unit, "--profiler", "Oracle", *files):
            if not row["unit"].startswith("0x"):
                continue
            expected = " ".join(str(hart) for hart in range(2) if row["unit"] in one[hart])
            check(row["hart"] == expected, f"--by {unit}: {row}, {expected} expected")
            seen.add(expected)
        check("0 1" in seen, f"--by {unit}: {seen}")
        check("  0 1  " in said("--by", unit, "--profiler", "Oracle", *files), "text")


def data_addresses(files, script):
    """perf-script: 16 columns after the event, which is the same without them; 0: none."""
    events = [line for line in said("--format", "perf-script", "--data-addresses", *files).splitlines() if " cycles:" in line]
    check([event[:-17] for event in events] == script and all(event[-17] == " " for event in events), "the same events")
    found, expected = collections.Counter(), collections.Counter()
    for event in events:
        before, address = event.split(" cycles: ")
        hart, period = before.split("[")[1][:3], before.rsplit(" ", 1)[1]
        found[int(hart), int(address, 16)] += int(period)
    for file in files:
        for s in module.Samples(file).samples:
            own = s.stalled_cycles if s.state == "Drained" and s.data_of else 0
            expected[s.hart, s.data or 0] += s.cycles - own
            expected[s.hart, 0] += own
    check(set(found) == set(expected), f"addresses: {set(found) ^ set(expected)}")
    check(all(found[key] == expected[key] for key in expected if key[1]), f"{found}, {expected} expected")
    refused(["report", "--format", "pprof", "--data-addresses", *files], "--data-addresses: needs --format perf-script", lines=0)


@test
def exports(folder):
    """Each format has harts in its own place; what shows one time line wants one hart."""
    _, files = sampled()
    folded = said("--format", "folded", *files).splitlines()
    speedscope = json.loads(said("--format", "speedscope", *files))
    check([profile["name"].rsplit(", ", 1)[1] for profile in speedscope["profiles"][:2]] == ["hart 0", "hart 1"], "speedscope: a profile a hart")
    check(all(", hart " in profile["name"].rsplit(", ", 1)[0] for profile in speedscope["profiles"][2:]), "speedscope: then a profile a hart and state")
    script = [line for line in said("--format", "perf-script", *files).splitlines() if " cycles:" in line]
    pprof = folder / "both.pb.gz"
    said("--format", "pprof", "-o", pprof, *files)
    at = sampled()[0]
    labels, waited, parts = collections.Counter(), collections.Counter(), collections.Counter()
    profile = Profile(pprof)
    for _, values, label in profile.samples:
        labels[label.get("hart")] += values[0]
        key = label.get("hart"), label.get("data_of"), int(label["data_address"], 16) if "data_address" in label else None
        waited[key] += values[1]
        parts[key] += 1
        check(label["state"] in ("Stalled", "Drained") or key[1:] == (None, None), f"pprof: {label}")
        if key[2] == at["fenced"] + 8:
            check(label["data"] == "fenced+0x8", f"pprof: {label}")
    expected = collections.Counter()
    for s in (s for file in files for s in module.Samples(file).samples if s.data_of):
        expected[str(s.hart), s.data_of, s.data] += s.cycles - (s.stalled_cycles if s.state == "Drained" else 0)
    del waited[None, None, None], waited["0", None, None], waited["1", None, None]
    check(set(waited) == set(expected), f"pprof: {set(waited) ^ set(expected)}")
    check(all(abs(waited[key] - expected[key]) <= parts[key] for key in expected), f"pprof: {waited}, {expected} expected")
    data_addresses(files, script)
    for hart, file in enumerate(files):
        samples = module.Samples(file).samples
        before = f"hart {hart};"
        check(
            sorted(line.removeprefix(before) for line in folded if line.startswith(before)) == sorted(said("--format", "folded", file).splitlines()), "folded"
        )
        one = json.loads(said("--format", "speedscope", file))["profiles"]
        check(one[0]["weights"] == speedscope["profiles"][hart]["weights"], f"speedscope of hart {hart}")
        mine = sum(f" [{hart:03}] " in line for line in script)
        check(mine == said("--format", "perf-script", file).count(" cycles:"), f"perf-script of hart {hart}")
        check(labels[str(hart)] == sum(1 for s in samples if s.lanes), f"pprof of hart {hart}: {labels}")
    for format in ("vcd", "gecko"):
        refused(["report", "--format", format, *files], f"--format {format} shows one hart: add --hart N")
        check(said("--format", format, "--hart", 1, *files) == said("--format", format, files[1]), format)
    refused(["report", "--by", "window", *files], "--by window shows one hart: add --hart N")


@test
def waits(_):
    """Which line the time waits for, and who: the sums of the samples, line by line."""
    at, files = sampled()
    expected = collections.Counter()
    for file in files:
        for s in module.Samples(file).samples:
            own = s.stalled_cycles if s.state == "Drained" and s.data_of else 0
            expected[s.data and s.data // LINE * LINE, s.hart, s.data_of or "none"] += s.cycles - own
            expected[None, s.hart, "none"] += own
    found = {
        (int(row["line"], 16) if row["line"] else None, int(row["hart"]), row["data_of"]): (int(row["cycles"]), row["at"])
        for row in rows("--by", "data", "--top", 0, *files)
    }
    check({key: cycles for key, (cycles, _) in found.items()} == dict(expected), f"{found}, {expected} expected")
    named = {(row["hart"], row["data_of"], row["line"]): row["data"] for row in rows("--by", "data", "--top", 0, *files)}
    for (hart, data_of, line), name in named.items():
        if not line or name == "[boot ROM]":
            check(bool(name) == bool(line) and (not name or int(line, 16) < 0x10000), f"{name} at {line}")
            continue
        symbol, _, offset = name.partition("+")
        known = symbol in ("loaded", "added", "fenced", "filled", "done")
        check(known and int(line, 16) == (at[symbol] + int(offset or "0", 16)) // LINE * LINE, f"{line} is no line of {name}")
    for hart in range(2):
        check(named[str(hart), "access", f"0x{at['loaded']:x}"] == "loaded", f"{named}")
        check(named[str(hart), "drain", f"0x{at['fenced']:x}"] == ("fenced+0x8" if hart else "fenced"), f"each hart has its own word: {named}")
        check(found[at["added"], hart, "access"][1] == "add_it" and found[at["fenced"], hart, "drain"][1] == "fence_it", f"who waits: {found}")


@test
def differences(_):
    """Two runs of two harts: hart by hart, and nothing changes in itself."""
    files = sampled()[1]
    status, out, err = tipoff("diff", "--format", "json", *files, *files)
    check(status == 0, err)
    found = json.loads(out)
    names = {unit["name"] for unit in found["units"]}
    check({f"fill_it {{hart {hart}}}" for hart in range(2)} <= names and "fill_it" not in names, f"{names}")
    check(all(unit["components"]["time"]["change"] == 0 for unit in found["units"]), "no change")
    refused(["diff", *files, files[0]], f"{files[0]}: of one run with all other files", "then those of the later")
    refused(["diff", files[0]], "name two sample files", lines=0)
    refused(["diff", *files, files[0], files[0]], "of hart 0, as a file before it: name one of each hart")


@test
def other_numbers(_):
    """Two harts against one: function by function, and both harts' time is added up."""
    files, (alone, second) = sampled()[1], other()
    for before, after in ((files, [alone]), ([alone], files)):
        status, out, err = tipoff("diff", "--format", "json", "--profiler", "Oracle", *before, *after)
        check(status == 0, err)
        found = {unit["name"]: unit["components"]["time"] for unit in json.loads(out)["units"]}
        check(not any("{hart" in name for name in found), f"{found.keys()}")
        for side, of in (("a", before), ("b", after)):
            expected = collections.Counter()
            for file in of:
                for row in rows("--by", "function", "--profiler", "Oracle", "--top", 0, file):
                    expected[row["name"]] += float(row["cycles"])
            wrong = {name: time for name, time in expected.items() if abs(found[name][side]["value"] - time) > 1e-6}
            check(not wrong and expected["fill_it"] > 100, f"side {side}: {wrong} expected, {found}")
    status, out, _ = tipoff("diff", *files, alone)
    check(status == 0 and "Of all harts of each run together" in out and "of 2 harts together" in out, out)
    status, out, _ = tipoff("diff", "--hart", 0, *files, alone)
    check(status == 0 and "together, whose" not in out, f"--hart: {out}")
    refused(["diff", *files, alone, second, files[0]], "of another run than")


@test
def refusals(_):
    """Files that are not of one run, or of one hart twice."""
    _, files = sampled()
    refused(["report", files[0], other()[1]], "other.hart1.tips: of another run than", "name the files of the harts of one run")
    refused(["report", files[1], files[1]], f"{files[1]}: of hart 1, as a file before it: name one of each hart")
    refused(["report", "--hart", 2, *files], "no samples of hart 2: name that hart's file")
    refused(["report", "--hart", 256, *files], "--hart", lines=0)
    refused(["report", "--hart", 1, "--by", "hart", *files], "--hart or --by hart, not both", lines=0)


if __name__ == "__main__":
    sys.exit(main())
