#!/usr/bin/env python3
"""What is measured of several harts: a warm-up, positions, and a checkpoint's rest, whose edges are those of all harts together.

    tests/harts/test_region.py [--only TEXT]

lines.c on two harts of small2c. Which cycle an edge belongs to is known from what the harts commit, in their traces, and from the whole run.
"""
import csv
import functools
import json
import pathlib
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "cli"))
from cli import ROOT, TESTS, check, main, test, tipoff  # noqa: E402
from programs import built  # noqa: E402
from test_samples import symbols  # noqa: E402

TESTS.clear()  # its own

HERE = ROOT / "tests/harts"
scratch = tempfile.TemporaryDirectory()
HARTS, WIDTH = 2, 2
LATE = 8  # cycles that pass until all know of a commit: the rest of its turn, and one more


@functools.cache
def program():
    return built(pathlib.Path(scratch.name), f"-DHARTS={HARTS}", "-DROUNDS=12", HERE / "start.S", HERE / "lines.c")


def run(name, *options, expected=124):
    """The statistics of each hart."""
    file = pathlib.Path(scratch.name) / f"{name}.json"
    status, _, err = tipoff("run", "--config", "small2c", "--harts", HARTS, "--quiet", "--stats", file, *options, program())
    check(status == expected, f"{name}: status {status}: {err}")
    return [json.loads(file.with_suffix(f".hart{hart}.json").read_text()) for hart in range(HARTS)]


@functools.cache
def whole():
    return run("whole", expected=0)


@functools.cache
def commits():
    """(cycle, hart, pc) of each instruction, from the traces of a whole run."""
    file = pathlib.Path(scratch.name) / "trace.csv"
    status, _, err = tipoff("run", "--config", "small2c", "--harts", HARTS, "--quiet", "--worker", f"csv:file={file}", program())
    check(status == 0, err)
    found = []
    for hart in range(HARTS):
        with open(file.with_suffix(f".hart{hart}.csv")) as lines:
            for row in csv.DictReader(lines):
                for lane in range(WIDTH):
                    if row[f"commit{lane}"] == "1":
                        found.append((int(row["cycle"]), hart, int(row[f"pc{lane}"], 16)))
    return sorted(found)


def common(stats, key):
    check(len({s[key] for s in stats}) == 1, f"{key} differs between harts: {[s[key] for s in stats]}")
    return stats[0][key]


def total(stats, key):
    return sum(s[key] for s in stats)


@test
def warmup(_):
    """All begin in one cycle, soon after the last instruction of the warm-up has left: of both harts together."""
    wanted = 300
    stats = run("warmup", "--warmup", wanted, expected=0)
    begin = common(stats, "from_cycle")
    reached = commits()[wanted - 1][0]
    check(reached < begin <= reached + LATE, f"begins in {begin}, instruction {wanted} leaves in {reached}")
    before = sum(cycle < begin for cycle, _, _ in commits())
    check(total(stats, "from_instruction") == before, f"{total(stats, 'from_instruction')} before, {before} have left")
    check(begin + common(stats, "cycles") == common(whole(), "cycles"), "the rest of the run")


@test
def adjacent(_):
    """Two regions side by side are the whole run, hart by hart."""
    cut = common(whole(), "cycles") // 2 | 1
    first, second = run("first", "--sample-to", cut), run("second", "--sample-from", cut, expected=0)
    check(common(first, "cycles") == cut and common(second, "from_cycle") == cut, "the cut")
    for hart in range(HARTS):
        for key in ("cycles", "instructions"):
            check(first[hart][key] + second[hart][key] == whole()[hart][key], f"hart {hart}: {key}")


@test
def places(_):
    """An execution counts on whichever hart it is; without a count, the next one in the region."""
    at = symbols(program())
    added = [cycle for cycle, _, pc in commits() if pc == at["add_it"]]
    stats = run("places", "--sample-from", "add_it:5", "--sample-to", "add_it:11")
    begin, end = common(stats, "from_cycle"), common(stats, "to_cycle")
    check(added[4] < begin <= added[4] + LATE, f"begins in {begin}, the fifth in {added[4]}")
    check(added[10] < end <= added[10] + LATE, f"ends in {end}, the eleventh in {added[10]}")
    filled = next(cycle for cycle, _, pc in commits() if pc == at["fill_it"] and cycle >= begin)
    stats = run("next", "--sample-from", "add_it:5", "--sample-to", "fill_it")
    end = common(stats, "to_cycle")
    check(filled < end <= filled + LATE, f"ends in {end}, the next one in {filled}")


@test
def around(folder):
    """Traces of all harts have the same cycles: those around the first hart that comes there, each counting for itself."""
    pc = symbols(program())["add_it"]
    each = [[cycle for cycle, hart, at in commits() if (hart, at) == (one, pc)] for one in range(HARTS)]
    met = min(cycles[4] for cycles in each)  # counted together, the fifth is earlier
    check(len({cycles[4] for cycles in each}) > 1 and met > sorted(sum(each, []))[4], f"harts that come there apart: {each}")
    file = folder / "around.csv"
    command = ["run", "--config", "small2c", "--harts", HARTS, "--around", "add_it:5,30", "--trace", file, "--trace-format", "csv", program()]
    status, _, err = tipoff(*command)
    check(status == 124 and f"add_it:5 is in cycle {met}: from cycle {met - 30} to {met + 30}" in err, f"status {status}: {err}")
    for hart in range(HARTS):
        with open(file.with_suffix(f".hart{hart}.csv"), encoding="utf-8") as lines:
            cycles = [int(row["cycle"]) for row in csv.DictReader(lines)]
        check((cycles[0], cycles[-1]) == (met - 30, met + 30), f"hart {hart}: cycles {cycles[0]} to {cycles[-1]}")
    never = max(len(cycles) for cycles in each) + 1
    command[command.index("add_it:5,30")] = f"add_it:{never}"
    status, _, err = tipoff(*command)
    check(status == 2 and "the run ends before it" in err, f"status {status}: {err}")


@test
def sampled(_):
    """Units are set going with the region: samples and counts are those of its cycles."""
    file = pathlib.Path(scratch.name) / "run.tips"
    options = ["--warmup", 300, "--period", 23, "--samples", file, "--count", "CYCLES,INSTRUCTIONS"]
    stats = run("sampled", *options, expected=0)
    sys.path.insert(0, str(ROOT / "python"))
    sys.path.append("/usr/lib/python3/dist-packages")
    import tipoff as module

    for hart, s in enumerate(stats):
        samples = module.Samples(file.with_suffix(f".hart{hart}.tips")).samples
        check(samples and all(s["from_cycle"] <= one.cycle < s["from_cycle"] + s["cycles"] for one in samples), f"hart {hart}: cycles of samples")
        counted = s["counts"]
        check(0 <= s["from_cycle"] + s["cycles"] - counted["from_cycle"] - counted["CYCLES"] <= 2, f"hart {hart}: {counted}")
        check(0 < counted["from_cycle"] - s["from_cycle"] <= 4, f"hart {hart}: counts begin within the turn")
        check(s["instructions"] - 4 * WIDTH <= counted["INSTRUCTIONS"] <= s["instructions"], f"hart {hart}: {counted}")


@test
def threads(_):
    """The same for any number of threads."""
    one, two = (run(f"threads{n}", "--warmup", 300, "--sample-to", "add_it:11", "--threads", n) for n in (1, 2))
    for hart in range(HARTS):
        for key in ("from_cycle", "to_cycle", "cycles", "instructions", "from_instruction"):
            check(one[hart][key] == two[hart][key], f"hart {hart}: {key}")


@test
def restored(folder):
    """From a checkpoint of both harts, up to the same execution as without it."""
    checkpoint = folder / "half.ckpt"
    status, _, err = tipoff("iss", "--harts", HARTS, "--at", 400, "--checkpoint", checkpoint, "--quiet", program())
    check(status in (0, 124), f"status {status}: {err}")
    stats = folder / "restored.json"
    status, _, err = tipoff("run", "--config", "small2c", "--restore", checkpoint, "--quiet", "--warmup", 100, "--sample-to", "add_it:4", "--stats", stats)
    check(status == 124, f"status {status}: {err}")
    both = [json.loads(stats.with_suffix(f".hart{hart}.json").read_text()) for hart in range(HARTS)]
    check(common(both, "cycles") > 0 and common(both, "to_cycle") > common(both, "from_cycle"), "a region")


@test
def too_long(folder):
    """A warm-up that the program does not reach: as of one hart."""
    status, _, err = tipoff("run", "--config", "small2c", "--harts", HARTS, "--quiet", "--warmup", 10**6, "--stats", folder / "s.json", program())
    all_of_them = len(commits())
    check(status == 2 and f"after {all_of_them} instructions, within --warmup 1000000" in err, f"status {status}: {err}")


if __name__ == "__main__":
    sys.exit(main())
