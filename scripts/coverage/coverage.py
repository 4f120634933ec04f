#!/usr/bin/env python3
"""Line and toggle coverage of the RTL (of signals up to 16 bits) by programs on small2, written to docs/results/coverage.md: what is never reached, and why.

    scripts/coverage/coverage.py [--seeds N] [--jobs N]      (make coverage builds the model first)

Runs every ISA test, the small workloads, the event and counting programs, and N random programs of each kind (default 100)
on a model that counts (build/small2-coverage), in lockstep. tests/cores/coverage.tsv gives the reason for what cannot be reached; what has
none is listed as open. Status 1 if a program fails or a reason fits nothing that is unreached.
"""
import argparse
import collections
import concurrent.futures
import fnmatch
import json
import os
import pathlib
import re
import subprocess
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
import page_head  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
ROOM = ROOT / "build/small2-coverage"
REASONS = ROOT / "tests/cores/coverage.tsv"
KEPT = ROOM / "points.json"
KINDS = ("seed", "vm", "fp", "fpvm", "pmu", "pmuvm", "float")
FIELD = re.compile("\x01([^\x02]*)\x02([^\x01]*)")
BOTH_EDGES = 2  # a bit that starts at random (so do all that reset leaves open) changes once whatever is written to it
HANG_GUARD = 600  # seconds


def programs(seeds):
    """(command's end, what make builds)"""
    run = ["--quiet", "--max-cycles", "20000000"]
    rows = [
        ([*run, path], path)
        for path in sorted(str(p.relative_to(ROOT)) for where in ("isa", "events", "counting") for p in ROOT.glob(f"build/tests/{where}/*.elf"))
    ]
    rows += [
        ([*run, "--period", "97", "--jitter=4", path], path) for path in sorted(str(p.relative_to(ROOT)) for p in ROOT.glob("build/workloads/*.small.elf"))
    ]
    for kind in KINDS:
        for seed in range(1, seeds + 1):
            path = f"build/tests/fuzz/{kind}-{seed}.elf"
            rows.append(([*run, "--period", "31", "--jitter=2", "--seed", str(seed), "--input", "tests/fuzz/fuzz.py", path], path))
    return rows


def run(row):
    """(program, 0 or how it failed, points, those reached)"""
    arguments, path = row
    out = ROOM / f"{path.replace('/', '_')}.dat"
    done = subprocess.run(
        ["timeout", str(HANG_GUARD), "build/bin/tipoff", "run", "--config", "small2", "--model", str(ROOM / "model.so"), *arguments],
        cwd=ROOT,
        env=dict(os.environ, TIPOFF_COVERAGE=str(out)),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
    )
    points, reached = [], set()
    if out.exists():
        with out.open(encoding="utf-8", errors="replace") as file:
            for line in file:
                point, _, count = line.rpartition(" ")
                if point.startswith("C"):
                    points.append(point)
                    if int(count) >= (BOTH_EDGES if "v_toggle" in point else 1):
                        reached.add(point)
        out.unlink()
    own = done.returncode < 100 and b"tipoff:" not in done.stdout  # what the program found: tests/profile/test_counting.py
    return path, 0 if own else done.returncode, points, reached


def collect(rows, jobs):
    """All points, those reached, and the programs that failed."""
    everything, reached, failed = set(), set(), []
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for done, (path, status, points, mine) in enumerate(pool.map(run, rows), 1):
            everything = everything or set(points)
            reached |= mine
            if status:
                failed.append(path)
            if done % 50 == 0:
                print(f"  {done} of {len(rows)} programs, {len(reached)} of {len(everything)} points", flush=True)
    return everything, reached, failed


def fields(point):
    return dict(FIELD.findall(point))


def merged(everything, reached):
    """{(file, line, what)}: all instances of a module together. Lines: all and reached, but what an assertion does when it fails;
    toggles: bits, all and reached."""
    lines, toggles = {}, {}
    for point in everything:
        f = fields(point)
        if not f["f"].startswith("rtl/"):
            continue
        if f["page"].startswith("v_line"):
            key = (f["f"], int(f["l"]), f["o"])
            if not source(*key[:2]).startswith("`ASSERT"):
                lines[key] = lines.get(key, False) or point in reached
        elif f["page"].startswith("v_toggle"):
            key = (f["f"], int(f["l"]), f["o"])
            toggles[key] = toggles.get(key, False) or point in reached
    return lines, toggles


def signals(toggles):
    """{(file, line, signal): (bits, bits that toggled)}"""
    found = collections.defaultdict(lambda: [0, 0])
    for (file, line, name), hit in toggles.items():
        entry = found[file, line, re.sub(r"\[\d+\]", "", name)]
        entry[0] += 1
        entry[1] += hit
    return found


class Reasons:
    """Rows of coverage.tsv: file, text of the source line (a pattern) or signal, reason."""

    def __init__(self):
        rows = [line.split("\t") for line in REASONS.read_text(encoding="utf-8").splitlines() if line and not line.startswith("#")][1:]
        self.rows, self.used = rows, set()

    def why(self, file, text):
        for i, (pattern, what, reason) in enumerate(self.rows):
            if fnmatch.fnmatch(file, pattern) and fnmatch.fnmatchcase(text, what):
                self.used.add(i)
                return reason
        return None


def source(file, line):
    return (ROOT / file).read_text(encoding="utf-8").splitlines()[line - 1].strip()


def share(part, whole):
    return f"{part} of {whole} ({100 * part / whole:.1f} %)" if whole else "none"


def table(lines, toggles):
    out = ["| folder | branches and blocks reached | bits toggled |", "|---|---|---|"]
    for folder in sorted({file.split("/")[1] for file, _, _ in [*lines, *toggles]}):
        mine = [hit for (file, _, _), hit in lines.items() if file.split("/")[1] == folder]
        bits = [hit for (file, _, _), hit in toggles.items() if file.split("/")[1] == folder]
        out.append(f"| `{folder}` | {share(sum(mine), len(mine))} | {share(sum(bits), len(bits))} |")
    out.append(f"| all | {share(sum(lines.values()), len(lines))} | {share(sum(toggles.values()), len(toggles))} |")
    return out


def unreached(lines, reasons):
    open_rows, explained = [], collections.defaultdict(list)
    for (file, line, what), hit in sorted(lines.items()):
        if hit:
            continue
        text = source(file, line)
        why, row = reasons.why(file, text), f"`{file}:{line}` ({what}) `{text[:110]}`"
        (explained[why] if why else open_rows).append(row)
    return open_rows, explained


def still(toggles, reasons):
    open_rows, explained = [], collections.defaultdict(list)
    for (file, line, name), (bits, hit) in sorted(signals(toggles).items()):
        if hit:
            continue
        why, row = reasons.why(file, name), f"`{file}:{line}` `{name}`" + (f" ({bits} bits)" if bits > 1 else "")
        (explained[why] if why else open_rows).append(row)
    return open_rows, explained


def section(title, open_rows, explained):
    out = ["", f"## {title}", ""]
    for why in sorted(explained):
        out += [f"- {why}: " + "; ".join(explained[why])]
    out += ["", f"Open, without a test or a reason: {len(open_rows) or 'none'}."]
    return out + [f"- {row}" for row in open_rows]


def keep(lines, toggles, failed, seeds, programs):
    """So that the page can be written again, with other reasons."""
    what = {
        "lines": [[*key, hit] for key, hit in lines.items()],
        "toggles": [[*key, hit] for key, hit in toggles.items()],
        "failed": failed,
        "seeds": seeds,
        "programs": programs,
    }
    KEPT.write_text(json.dumps(what), encoding="utf-8")


def measure(seeds, jobs):
    rows = programs(seeds)
    subprocess.run(["make", "-s", "-j2", *(path for _, path in rows)], cwd=ROOT, check=True)
    everything, reached, failed = collect(rows, jobs)
    keep(*merged(everything, reached), failed, seeds, len(rows))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=100)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--again", action="store_true", help="run nothing: write the page of what was counted last, with the reasons as they are now")
    options = parser.parse_args()
    if not options.again:
        measure(options.seeds, options.jobs)
    kept = json.loads(KEPT.read_text(encoding="utf-8"))
    lines, toggles = ({(file, line, what): hit for file, line, what, hit in kept[kind]} for kind in ("lines", "toggles"))
    failed = kept["failed"]
    reasons = Reasons()
    open_lines, why_lines = unreached(lines, reasons)
    open_signals, why_signals = still(toggles, reasons)
    text = [
        "# Coverage of the RTL",
        "",
        f"{kept['programs']} programs on small2 in lockstep: every ISA test, small workload, event and",
        f"counting program, and {kept['seeds']} random programs of each of {len(KINDS)} kinds. All instances of a module count together. Unit benches and proofs are not",
        "counted, nor what only other configurations have, nor the toggles of signals more than 16 bits wide.",
        "",
        *table(lines, toggles),
    ]
    text += section("Branches and blocks never reached", open_lines, why_lines) + section("Signals none of whose bits ever changed", open_signals, why_signals)
    page_head.write(ROOT / "docs/results/coverage.md", "\n".join(text) + "\n", None if options.again else "make coverage")
    idle = [row for i, row in enumerate(reasons.rows) if i not in reasons.used]
    for row in idle:
        print(f"coverage.py: fits nothing that is unreached: {' | '.join(row)}")
    print(
        f"{share(sum(lines.values()), len(lines))} of branches and blocks, {share(sum(toggles.values()), len(toggles))} of bits; open: {len(open_lines)} and {len(open_signals)} signals; "
        f"{len(failed)} programs failed {' '.join(failed[:5])}"
    )
    return 1 if failed or idle else 0


if __name__ == "__main__":
    sys.exit(main())
