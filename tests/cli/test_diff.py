#!/usr/bin/env python3
"""`tipoff diff`: a change of known size in one function is found, with its size; runs that do not differ do not; intervals hold what they promise.

    tests/cli/test_diff.py [--only TEXT]

The size comes from the program itself (mcycle around the function), from the Oracle's exact profile by `tipoff report`, and from the statistics. Needs build/bin/tipoff,
build/bin/tipoff-cc, the small workloads and the model of small2.
"""
import csv
import html
import io
import gzip
import json
import re
import shutil
import subprocess
import sys

from cli import ROOT, RUN, TINY, check, main, refused, test, tipoff

WORKLOADS = ROOT / "build/workloads"
CC = ROOT / "build/bin/tipoff-cc"


def built(folder, name, rounds):
    program = folder / name
    subprocess.run([CC, "-O2", "-g", f"-DROUNDS={rounds}", "-o", program, ROOT / "tests/cli/slower.c"], check=True)
    return program


def run(samples, program, *options):
    """Runs it, sampled; the cycles that it says it spent in divide, or 0."""
    status, out, err = tipoff(*RUN, "--quiet", "--period", 97, "--jitter=5", "--samples", samples, *options, program)
    check(status == 0, f"{program}: status {status}: {err}")
    said = re.search(r"divide (\d+) cycles", out)
    return int(said[1]) if said else 0


def diff(*arguments):
    status, out, err = tipoff("diff", "--format", "json", *arguments)
    check(status == 0 and err == "", f"diff {arguments}: status {status}: {err}")
    return json.loads(out)


def marked(difference):
    return [unit["unit"] for unit in difference["units"] if unit.get("beyond_chance")]


def times(samples, by="function"):
    """Cycles by unit, of the Oracle's profile, by `tipoff report`."""
    _, out, _ = tipoff("report", "--format", "csv", "--by", by, "--profiler", "Oracle", samples)
    sums = {}
    for row in csv.DictReader(io.StringIO(out)):
        sums[row["unit"]] = sums.get(row["unit"], 0) + float(row["cycles"])
    return sums


@test
def change_of_known_size(folder):
    """Functions lie elsewhere in the second build: names match them."""
    a, b = folder / "a.tips", folder / "b.tips"
    known = run(b, built(folder, "b.elf", 30)) - run(a, built(folder, "a.elf", 20))
    estimated, exact = diff(a, b), diff("--profiler", "Oracle", a, b)
    check(known > 5000, f"divide itself says +{known}")
    check(marked(estimated) == ["divide"], f"beyond chance: {marked(estimated)}")
    divide = estimated["units"][0]["components"]
    check(abs(divide["time"]["change"] - known) < 3 * divide["time"]["deviation"] + 0.02 * known, f"{divide['time']} where divide says +{known}")
    check(exact["units"][0]["unit"] == "divide", f"the greatest change: {exact['units'][0]['unit']}")
    stalled = exact["units"][0]["components"]["Stalled"]["change"]
    check(stalled > 0.8 * known, f"a divider stalls: {stalled} of +{known}")
    check(abs(divide["Stalled"]["change"] - stalled) < 3 * divide["Stalled"]["deviation"], f"{divide['Stalled']} where the Oracle says {stalled}")
    change = exact["units"][0]["components"]["time"]
    check(change["deviation"] == 0 and abs(change["change"] - known) < 0.02 * known, f"exactly {change} where divide says +{known}")
    before, after = times(a), times(b)
    for unit in exact["units"]:
        time = unit["components"]["time"]
        check(
            abs(time["a"]["value"] - before.get(unit["unit"], 0)) < 1e-6 and abs(time["b"]["value"] - after.get(unit["unit"], 0)) < 1e-6,
            f"{unit['unit']}: {time}",
        )
    check({unit["unit"] for unit in exact["units"]} == {*before, *after}, "all functions of both")
    for by in "line", "inline", "file", "mode":
        before, after = times(a, by), times(b, by)
        got = {unit["unit"]: unit["components"]["time"] for unit in diff("--profiler", "Oracle", "--by", by, a, b)["units"]}
        check(set(got) == {*before, *after}, f"{by}: all units of both")
        wrong = [
            (unit, time)
            for unit, time in got.items()
            if abs(time["a"]["value"] - before.get(unit, 0)) > 1e-6 or abs(time["b"]["value"] - after.get(unit, 0)) > 1e-6
        ]
        check(not wrong, f"{by}: {wrong[:3]}")
        sampled = diff("--by", by, a, b)["units"]
        check(
            abs(sum(unit["components"]["time"]["a"]["value"] for unit in sampled) - sum(before.values())) < 200,
            f"{by}: samples of a few periods are in no unit",
        )
    status, text, _ = tipoff("diff", a, b)
    check(status == 0 and re.search(r"\+[\d,]+  (±|\+-) +[\d,]+  divide +Stalled \+[\d,]+", text) and "each by no more than chance" in text, text)


@test
def shares(folder):
    a, b = folder / "a.tips", folder / "b.tips"
    run(a, built(folder, "a.elf", 20))
    run(b, built(folder, "b.elf", 30))
    before, after = times(a), times(b)
    got = next(unit for unit in diff("--shares", "--profiler", "Oracle", a, b)["units"] if unit["unit"] == "mix")["components"]["time"]
    check(abs(got["a"]["value"] - before["mix"] / sum(before.values())) < 1e-9 and abs(got["b"]["value"] - after["mix"] / sum(after.values())) < 1e-9, f"{got}")
    check(got["change"] < 0, "mix has a smaller share where divide has a greater one")


@test
def intervals_hold_the_truth(folder):
    """Of the same program, sampled by six seeds, the Oracle's time of each function, state and event is within the 95 % interval where it should be, and no two runs differ."""
    within = count = differ = 0
    files = [folder / f"{seed}.tips" for seed in range(1, 7)]
    for seed, file in enumerate(files, 1):
        run(file, WORKLOADS / "interp.small.elf", "--seed", seed)
        options = "--by", "instruction"
        truth = {unit["unit"]: unit["components"] for unit in diff("--profiler", "Oracle", *options, file, file)["units"]}
        for unit in diff(*options, file, file)["units"]:
            for name, value in unit["components"].items():
                estimate = value["a"]
                if estimate["samples"] < 20 or estimate["deviation"] == 0:
                    continue
                true = truth.get(unit["unit"], {}).get(name, {"a": {"value": 0}})["a"]["value"]
                count += 1
                within += abs(estimate["value"] - true) < 1.96 * estimate["deviation"]
        differ += bool(seed > 1 and marked(diff(*options, files[0], file)))
    print(f"{within} of {count} intervals hold the Oracle's time, {100 * within / count:.1f} %; {differ} of 5 pairs differ")
    check(count > 300 and 0.90 < within / count < 0.995, f"{within} of {count}")
    check(differ <= 1, f"{differ} of 5 pairs of runs of one program differ")


@test
def two_cores(folder):
    """The same program with a slower cache: the totals are those of the statistics, and the events say why."""
    a, b = folder / "a.tips", folder / "b.tips"
    for file, options in (a, ()), (b, ("--set", "llc.latency=60")):
        run(file, WORKLOADS / "chase.small.elf", "--stats", file.with_suffix(".json"), *options)
    cycles = [json.loads(file.with_suffix(".json").read_text())["cycles"] for file in (a, b)]
    got = diff(a, b)["all"]["components"]
    check([got["time"]["a"]["value"], got["time"]["b"]["value"]] == cycles and cycles[1] > cycles[0], f"{got['time']}, {cycles}")
    check(got["ST_L1"]["change"] > 0.5 * (cycles[1] - cycles[0]), f"loads that miss the L1 cache wait longer: {got['ST_L1']}")
    status, text, _ = tipoff("diff", "--by", "instruction", a, b)
    check(status == 0 and "with llc.latency=60" in text and "ST_L1 +" in text, text)


@test
def bad_input(folder):
    a, b, c = folder / "a.tips", folder / "b.tips", folder / "c.tips"
    program = built(folder, "p.elf", 2)
    run(a, program)
    subprocess.run([CC, "-O2", "-g", "-DROUNDS=3", "-o", program, ROOT / "tests/cli/slower.c"], check=True)  # where the other one was
    run(b, program)
    refused(["diff", a], "name two sample files", lines=0)
    refused(["diff", a, b, a], f"{a}: of another run than {b}: name the files of two runs")
    refused(["diff", b, folder / "none"], "none: ", "No such file")
    refused(["diff", "--by", "application", a, b], "use one of instruction, line, ", lines=0)
    refused(["diff", "--by", "hart", b, b], "--by hart: needs a single run")
    refused(["diff", "--output", a, a, b], "--output")
    refused(["diff", "--profiler", "XYZ", a, b], "has no profile 'XYZ'", "Oracle")
    status, _, err = tipoff("diff", a, b)
    check(status == 2 and "--program-a" in err, f"the program of A was overwritten: {err}")
    other = built(folder, "a.elf", 2)
    status, out, err = tipoff("diff", "--program-a", other, a, b)
    check(status == 0 and err == "" and "too few samples" not in out and "each by no more than chance" in out, f"named: {status} {err}")
    refused(["diff", "--program-a", other, "--by", "block", a, b], "not of one build", "--by function or line")
    refused(["diff", "--program-a", other, "--by", "loop", a, b], "no loop of the one")
    check(a.stat().st_size > 0, "the samples are untouched")
    shutil.copy(b, c)
    with open(c, "r+b") as file:
        file.truncate(c.stat().st_size - 40)
    status, out, err = tipoff("diff", b, c)
    check(status == 0 and "warning" in err and "samples before it are good" in err, f"a file cut short: {status} {err}")


NAMES = r"""
static volatile unsigned sink;
static __attribute__((noinline)) void step(unsigned n) { while (n--) sink += n; }
void OTHER(void) { step(sink + ROUNDS); }
__attribute__((noinline)) void qqqqqqqq(void) { for (unsigned i = 0; i < 300; i++) sink += i; }
#ifdef MAIN
void b(void);
__attribute__((noinline)) void one(void) __asm__(LONG("1"));
__attribute__((noinline)) void two(void) __asm__(LONG("2"));
void one(void) { for (unsigned i = 0; i < 400; i++) sink += i; }
void two(void) { for (unsigned i = 0; i < 800; i++) sink += i; }
int main(void) { OTHER(); b(); one(); two(); qqqqqqqq(); return 0; }
#endif
"""
LONG = "L" * 9000  # and as much behind what differs: longer than a name is in any file


def with_names(folder, name, rounds):
    """Two static functions of one name, two long names that differ in their middle, one that drives a terminal."""
    for file, source in (("a.c", NAMES), ("b.c", NAMES.replace("qqqqqqqq", "other"))):
        (folder / file).write_text(f'#define LONG(n) "{LONG}" n "{LONG}"\n' + source)
    objects = []
    for file, options in (("a.c", [f"-DROUNDS={rounds[0]}", "-DMAIN", "-DOTHER=a"]), ("b.c", [f"-DROUNDS={rounds[1]}", "-DOTHER=b"])):
        objects.append(f"{name}.{file}.o")
        subprocess.run([CC, "-O2", "-g", *options, "-c", file, "-o", objects[-1]], check=True, cwd=folder)
    subprocess.run([CC, *objects, "-o", name], check=True, cwd=folder)
    program = folder / name
    program.write_bytes(program.read_bytes().replace(b"qqqqqqqq", b"\x1b]0;\xff\nxy"))
    return program


@test
def a_page_of_two_runs(folder):
    """By function and by line, each the object that JSON has; --by writes one of them; of several files there is none."""
    samples = [folder / "a.tips", folder / "b.tips"]
    for path, seed in zip(samples, (1, 2)):
        run(path, TINY, "--seed", str(seed))
    for options, by in (([], ["function", "line"]), (["--by", "file"], ["file"]), (["--shares", "--focus", "main"], ["function", "line"])):
        status, page, err = tipoff("diff", "--format", "html", *options, *samples)
        check(status == 0, f"{options}: status {status}: {err}")
        data = json.loads(page.split('<script type="application/json" id="data">')[1].split("</script>")[0])
        check([table["by"] for table in data["differences"]] == by, f"{options}: {[table['by'] for table in data['differences']]}")
        for table in data["differences"]:
            _, out, _ = tipoff("diff", "--format", "json", *options, "--by", table["by"], *samples)
            check(table == json.loads(out), f"{options}, {table['by']}: not as in JSON")
        text = html.unescape(page.split("<noscript><pre>")[1].split("</pre>")[0])
        check("From A to B" in text and f"{by[0].capitalize()}s by change" in text, f"{options}: {text[:300]}")
    refused(["diff", "--format", "html", "--output", samples[0], *samples], "--output")
    refused(["diff", "--format", "pprof", *samples], "--format pprof", "text, csv, json, html", lines=0)


@test
def names_stay_two(folder):
    """Functions are distinguished by file where one name stands for two, and by the whole of their names; no name leaves its row."""
    samples = []
    for name, rounds in (("x.elf", (1000, 2000)), ("y.elf", (3000, 600))):
        samples.append(folder / f"{name}.tips")
        run(samples[-1], with_names(folder, name, rounds))
    units = {unit["unit"]: unit for unit in diff(*samples)["units"]}
    steps = [units[f"{file}:step"]["components"]["time"]["change"] for file in ("a.c", "b.c")]
    check(steps[0] > 2000 and steps[1] < -1400, f"step of a.c and b.c: {steps}")
    check("step" not in units, "one step is left")
    long = [unit for unit in units if unit.startswith("LLLL")]
    check(len(long) == 2, f"long names: {len(long)}")
    check("\\x1b]0;\\xff\\x0axy" in units, f"units: {[unit[:40] for unit in units]}")
    for command in (["diff", *samples], ["report", samples[0]], ["report", "--format", "csv", samples[0]], ["report", "--by", "function", samples[0]]):
        status, out, err = tipoff(*command)
        check(status == 0 and not re.search(r"[\x00-\x08\x0b-\x1f\x7f]", out), f"{command[0]}: status {status}, control characters: {err}")
    check(max(map(len, tipoff("report", samples[0])[1].split("\n"))) < 1000, "a long name is not cut for people")
    for name, found in ("step", 2), ("a.c:step", 1), ("b.c:step", 1):
        status, out, err = tipoff("report", "--callers", name, "--callees", name, samples[0])
        check(status == 0 and out.count("Callers of") == out.count("Callees of") == found, f"--callers {name}: status {status}: {out}{err}")
    marks = set()  # of the wholes, which take the middle's place
    for format in "csv", "json", "folded", "flamegraph", "html", "callgrind", "gecko", "perf-script", "pprof", "speedscope", "vcd":
        path = folder / f"x.{format}"
        status, _, err = tipoff("report", "--format", format, "--output", path, samples[0])
        content = path.read_bytes()
        found = set(re.findall(rb"LLL~([0-9a-f]{16})LLL", gzip.decompress(content) if format == "pprof" else content))
        marks |= found
        check(status == 0 and len(found) == 2, f"{format}: status {status}, long names: {len(found)}: {err}")
    check(len(marks) == 2, f"the same two everywhere: {marks}")


if __name__ == "__main__":
    sys.exit(main())
