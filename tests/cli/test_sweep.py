#!/usr/bin/env python3
"""`tipoff sweep FILE.toml`: finished points are kept; bad input by message and line.

    tests/cli/test_sweep.py [--only TEXT]

Needs build/bin/tipoff, the small workloads and the model of small2.
"""
import json
import math
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import time
import xml.etree.ElementTree

from cli import LARGE, ROOT, RUN, SMALL, TIMEOUT, TIPOFF, check, copy_of_build, main, refused, test, tipoff
from sweeps import FEW, SWEEP, swept, written

QUEENS = ROOT / "build/workloads/queens.small.elf"


def points(path):
    """{file: (inode, time of its content)} of finished points."""
    return {file.name: (file.stat().st_ino, file.stat().st_mtime_ns) for file in path.with_suffix(".sweep").glob("points/*.json")}


@test
def same_table_whatever_runs_it(folder):
    texts = [swept(written(folder, FEW, f"s{jobs}.toml"), "--jobs", jobs)[1] for jobs in (1, 3)]
    check(texts[0] == texts[1] and texts[0].count("\n") == 5, "another table with other --jobs")


@test
def runs_what_is_not_finished(folder):
    """Nothing twice; what is new; what stands on a program that has changed; a damaged result."""
    shutil.copy(SMALL, folder / "one.elf")
    shutil.copy(QUEENS, folder / "two.elf")
    text = 'program = ["one.elf", "two.elf"]\nconfig = "small2"\nmax_cycles = [2000, 3000]\n'
    path = written(folder, text)
    first = swept(path)[1]
    before = points(path)
    check(len(before) == 4 and swept(path)[1] == first and points(path) == before, "a finished point was run again")
    written(folder, text.replace("3000]", "3000, 4000]"))
    rows, _, err = swept(path)
    check("4 finished before, 2 run now" in err and len(rows) == 6 and before.items() <= points(path).items(), err)
    shutil.copy(SMALL, folder / "two.elf")
    earlier = points(path)
    rows, _, err = swept(path)
    check("3 finished before, 3 run now" in err and before.items() <= points(path).items(), err)
    check([row["instructions"] for row in rows[:3]] == [row["instructions"] for row in rows[3:]], "the same program now")
    # One of this program's: those of the program before it are of no sweep any more.
    victim = next(file for file in path.with_suffix(".sweep").glob("points/*.json") if file.name not in earlier)
    victim.write_text(victim.read_text()[:40])
    check("1 run now" in swept(path)[2], "a damaged result counts as one")
    for shape in ('{"results": [1]}', '[{"results": {}}]', '{"results": {"status": "0"}}', "7"):
        victim.write_text(shape)
        check("1 run now" in swept(path)[2], f"a result of another shape counts as one: {shape}")
    status, out, _ = tipoff("sweep", path, "--list")
    check(status == 0 and out.count(" finished ") == 6 and "program=one.elf config=small2 max_cycles=4000" in out, out)


@test
def changes_while_it_runs(folder):
    """A program that is replaced while its points run: no result of the new one is taken for one of the old one."""
    program = folder / "p[1].elf"  # a name, though it looks like a pattern
    shutil.copy(SMALL, program)
    path = written(folder, 'program = ["p[1].elf"]\nconfig = "small2"\nmax_cycles = [100000, 3000]\n')
    results = path.with_suffix(".sweep") / "points"
    with subprocess.Popen([TIPOFF, "sweep", path, "--jobs", "1", "-q"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as child:
        while not (results.exists() and list(results.glob(".*-*"))) and child.poll() is None:  # the first point runs
            time.sleep(0.005)
        shutil.copy(QUEENS, program)
        _, err = child.communicate(timeout=TIMEOUT)
    check(child.returncode == 1 and err.count(f"{program}: has changed since the sweep began") == 2, f"status {child.returncode}: {err}")
    check(not list(results.glob("*.json")), "a result of a program that has changed")
    rows, _, err = swept(path)
    check("2 run now" in err and len(rows) == 2, err)


@test
def two_in_one_folder(folder):
    """Two sweeps of one file at once: both end well, with one table."""
    path = written(folder, FEW)
    with subprocess.Popen([TIPOFF, "sweep", path, "--jobs", "1", "-q"], stderr=subprocess.PIPE, text=True) as other:
        rows, text, err = swept(path, "--jobs", "3", "-q")
        _, said = other.communicate(timeout=TIMEOUT)
    check(other.returncode == 0 and said == err == "" and len(rows) == 4, f"status {other.returncode}: {said}{err}")
    check(swept(path)[1] == text, "another table")


@test
def interrupted(folder):
    """SIGINT, to the group as a terminal sends it and to the command alone: status 130, what is finished stays, nothing else does."""
    shutil.copy(LARGE, folder / "large.elf")
    shutil.copy(SMALL, folder / "small.elf")
    text = 'program = ["small.elf", "large.elf"]\nconfig = "small2"\nmax_cycles = [2000, 400000000]\n'
    for number in range(2):
        path = written(folder, text, f"s{number}.toml")
        results = path.with_suffix(".sweep") / "points"
        with subprocess.Popen(
            [TIPOFF, "sweep", path, "--jobs", "1"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
        ) as child:
            while len(list(results.glob("*.json"))) < 3 and child.poll() is None:  # the fourth takes hours
                time.sleep(0.02)
            (os.killpg if number == 0 else os.kill)(child.pid, signal.SIGINT)
            _, err = child.communicate(timeout=60)
        check(child.returncode == 130 and "3 run now, 1 not finished" in err, f"status {child.returncode}: {err}")
        check(sorted(file.suffix for file in results.iterdir()) == [".json"] * 3, f"left: {list(results.iterdir())}")
        check(len((results.parent / "table.csv").read_text().splitlines()) == 4, "the finished points are in the table")
        check(not subprocess.run(["pgrep", "-f", str(folder)], capture_output=True, check=False).stdout, "a run goes on")


@test
def failed_points(folder):
    """A row with the status and no results, a line with what was wrong and how to run it again; the others run. Again: it is tried again."""
    path = written(folder, 'program = "interp.small"\nconfig = "small2"\nwarmup = [0, 100000000]\nmax_cycles = 3000\n')
    for _ in range(2):
        rows, _, err = swept(path, status=1)
        check([row["status"] for row in rows] == ["124", "2"] and rows[0]["cycles"] == "3000" and rows[1]["cycles"] == "", f"{rows}")
        check("warmup=100000000 max_cycles=3000: " in err and "nothing was measured" in err and "1 not finished" in err, err)
        again = next(line for line in err.splitlines() if line.startswith("  "))
        check(subprocess.run(again, shell=True, capture_output=True, check=False).returncode == 2, f"not the same: {again}")


SVG = "{http://www.w3.org/2000/svg}"


def translation(element):
    return [float(number) for number in re.match(r"translate\(([-0-9.]+),([-0-9.]+)\)", element.get("transform")).groups()]


def scale(ticks, log):
    """From a place in the picture to the value there, by the first and the last labelled tick."""
    (first, low), (last, high) = min(ticks), max(ticks)
    if log:
        low, high = math.log(low), math.log(high)
    slope = (high - low) / (last - first)
    return lambda at: (math.exp if log else float)(low + slope * (at - first))


def drawn(tree, log):
    """{name of a curve: [(x, y)]}, as the picture's own axes say."""
    ticks = {"middle": [], "end": []}
    for group in tree.iter(f"{SVG}g"):
        if group.get("text-anchor") in ticks and re.fullmatch(r" *[-0-9.]+( %)?", "".join(group.itertext()).strip()):
            x, y = translation(group)
            ticks[group.get("text-anchor")].append((x if group.get("text-anchor") == "middle" else y, float("".join(group.itertext()).replace("%", ""))))
    x_of = scale(ticks["middle"], "x" in log)
    y_of = scale(ticks["end"], "y" in log)
    y_label, x_label = 3.9, 0  # gnuplot puts a label's base line so far below its tick
    found = {}
    for group in tree.iter(f"{SVG}g"):
        if not (group.get("id") or "").startswith("gnuplot_plot_"):
            continue
        name = next("".join(inner.itertext()).strip() for inner in group.iter(f"{SVG}g") if inner.get("text-anchor") == "start")
        marks = [translation(mark) for mark in group.iter(f"{SVG}use")]
        found[name] = sorted((x_of(x + x_label), y_of(y + y_label)) for x, y in marks[:-1])  # the last is the key's
    return found


@test
def every_parameter(folder):
    """Each key is the option of its name, 0 is none: what a run by hand says."""
    machine = folder / "q.machine"
    tipoff("iss", "--quiet", "--checkpoint", machine, "--at", 4000, ROOT / "build/workloads/sort.small.elf")
    (folder / "typed").write_text("x")
    rows = swept(
        written(
            folder,
            'restore = "q.machine"\nconfig = "small2"\ninput = "typed"\nperiod = [0, 97]\njitter = 4\nseed = 3\nsample_from = 3000\nsample_to = ["main+0x10", 9000]\nmax_cycles = 20000\n',
        )
    )[0]
    check([row["period"] for row in rows] == ["0", "0", "97", "97"] and {row["restore"] for row in rows} == {"q.machine"}, f"{rows}")
    check([(row["from_cycle"], row["to_cycle"]) for row in rows if row["sample_to"] == "9000"] == [("3000", "9000")] * 2, f"{rows}")
    by_hand = folder / "stats.json"
    tipoff(
        *RUN,
        "--quiet",
        "--restore",
        machine,
        "--input",
        folder / "typed",
        "--period",
        97,
        "--jitter=4",
        "--seed",
        3,
        "--sample-from",
        3000,
        "--sample-to",
        9000,
        "--stats",
        by_hand,
    )
    said = json.loads(by_hand.read_text())
    check(
        all(float(rows[3][key]) == said[key] for key in ("cycles", "instructions", "samples", "triggers", "effective_samples")) and said["samples"] > 30,
        f"{rows[3]}",
    )
    check(rows[0]["samples"] == rows[1]["samples"] == "0" and rows[1]["error.TIP.instruction"] == "", "no samples without a period")


@test
def jitter(folder):
    """Without the key as a run by default, which has the greatest power of two; "none": every period alike, which a period of 0 may have, too."""
    head = 'program = "interp.small"\nconfig = "small2"\nmax_cycles = 9700\n'
    widths = {row["jitter"]: row for row in swept(written(folder, head + 'period = 97\njitter = ["none", 6]\n'))[0]}
    check((set(widths), widths["none"]["triggers"]) == ({"none", "6"}, "99"), f"{widths}")
    plain = swept(written(folder, head + "period = 97\n", "plain.toml"))[0][0]
    check(all(plain[key] == widths["6"][key] != widths["none"][key] for key in ("samples", "effective_samples")), f"{plain}: {widths}")
    off = swept(written(folder, head + 'period = 0\njitter = "none"\n', "off.toml"))[0][0]
    check(off["samples"] == "0", f"{off}")


@test
def plots(folder):
    """A curve for each combination of the others, through the means of what the table says."""
    path = written(
        folder,
        SWEEP
        + '[[plot]]\nx = "period"\ny = "samples"\nby = ["program"]\nlog = "xy"\nfile = "mine.svg"\n[[plot]]\nx = "period"\ny = "error.TIP.instruction"\nby = []\nfile = "error.svg"\n',
    )
    rows = swept(path)[0]
    for name, x, y, by, log in (
        ("ipc-by-llc.latency.svg", "llc.latency", "ipc", ("program", "period"), ""),
        ("mine.svg", "period", "samples", ("program",), "xy"),
        ("error.svg", "period", "error.TIP.instruction", (), ""),
    ):
        times = 100 if y.startswith("error.") else 1  # shares are drawn in per cent
        means = {}
        for row in rows:
            label = ", ".join(f"{key} {row[key]}" for key in by) or y
            means.setdefault(label, {}).setdefault(float(row[x]), []).append(times * float(row[y]))
        wanted = {label: sorted((at, sum(values) / len(values)) for at, values in points.items()) for label, points in means.items()}
        found = drawn(xml.etree.ElementTree.parse(path.with_suffix(".sweep") / name), log)
        check(found.keys() == wanted.keys(), f"{name}: {sorted(found)}, {sorted(wanted)}")
        for label, points in wanted.items():
            near = len(points) == len(found[label]) and all(abs(a / b - 1) < 0.03 for got, want in zip(found[label], points) for a, b in zip(got, want))
            check(near, f"{name}: {label}: {found[label]}, {points}")
    empty = folder / "path"
    empty.mkdir()
    (empty / "python3").symlink_to(sys.executable)
    (path.with_suffix(".sweep") / "mine.svg").unlink()
    status, _, err = tipoff("sweep", path, "--quiet", env={**os.environ, "PATH": str(empty)})
    check(status == 4 and "gnuplot-nox" in err and len(err.splitlines()) == 1, f"without gnuplot: {status}, {err}")


@test
def bad_input(folder):
    """One line: the file, the line in it, the fault, the remedy; nothing is run or made."""
    head = 'program = "interp.small"\nconfig = "small2"\n'
    cases = (
        ('prgram = "x"\n', ":1: prgram: no such key: did you mean program?"),
        (head + "zzz = 1\n", ":3: zzz: no such key: there are program, config"),
        (head + "period = -1\n", ":3: period: -1 is not a number from 0 on"),
        (head + 'period = ["x"]\n', ":3: period: 'x' is not a number"),
        (head + "period = true\n", ":3: period: True is not"),
        (head + "period = []\n", ":3: period: an empty list"),
        (head + "period = [97, 97]\n", ":3: period: 97 stands there twice"),
        ('config = "small2"\n', "names no program: write program"),
        ('program = "nosuch"\n', "no workload nosuch"),
        ('program = "*.nosuch"\n', ":1: program: no file"),
        (head + '[set]\n"llc.latency" = "x"\n', ":4: llc.latency: not a number"),
        (head + '[set]\n"llc.lattency" = 3\n', ":4: llc.lattency: --set llc.lattency: no such key: use one of"),
        (head + "[set]\nllc.ways = [4, 3]\n", ":4: llc.ways: --set llc.ways=3: a power of two"),
        (head + '[set]\n"core.width" = 3\n', ":4: core.width: --set core.width: changes the core itself"),
        (head.replace("small2", "narrow1"), ":2: config: narrow1: this configuration is not built: make build/narrow1/model.so"),
        (head.replace("small2", "nosuch"), ":2: config: nosuch: no such configuration"),
        (head + "period = [97, 3]\n", ":3: period: --period 3: not a number from 16"),
        (head + "jitter = 3\nmax_cycles = 100\n", ":3: jitter: --jitter needs --period"),
        (head + "period = 97\njitter = [4, 0]\n", ':4: jitter: 0 is not a number from 1 on, or "none"'),
        (head + "seed = 0\nmax_cycles = 100\n", ":3: seed: --seed 0: not a number from 1"),
        (head + "x\n", "not TOML:"),
        (head + "period = 97\nperiod = 98\n", "not TOML:"),
        (head + '[[plot]]\nx = "period"\n', "plot: a plot without y"),
        (head + '[[plot]]\nx = "period"\ny = "ipc"\n', "'period' is no parameter of this sweep: there are program, config"),
        (head + 'period = 97\n[[plot]]\nx = "program"\ny = "ipc"\n', ":5: x: 'program' is not of numbers"),
        (head + 'period = 97\n[[plot]]\nx = "period"\ny = "ipc"\nwidth = 3\n', ":7: width: no such key of a plot"),
        (head + 'period = 97\n[[plot]]\nx = "period"\ny = "ipc"\nfile = "../x.svg"\n', ":7: file: a name in the sweep's folder"),
        (head + 'period = 97\n[[plot]]\nx = "period"\ny = "ipc"\nlog = "z"\n', ':7: log: write "x"'),
    )
    for text, *texts in cases:
        if "narrow1" in text and (ROOT / "build/narrow1/model.so").exists():
            continue
        refused(["sweep", written(folder, text)], "sweep.toml", *texts)
        check(not list(folder.glob("sweep.sweep/*.csv")) and not list(folder.glob("sweep.sweep/points/*")), f"{text}: something was made")
    path = written(folder, head + "max_cycles = 100\n")
    refused(["sweep", folder / "none.toml"], "none.toml: cannot read: No such file", "name a TOML file")
    refused(["sweep", path, "--jobs", 0], "--jobs 0: not a number from 1 on", lines=0)
    refused(["sweep"], "FILE.toml", lines=0)
    refused(["sweep", path, "--nosuch"], "--nosuch", lines=0)
    refused(["sweep", path, "--slurm='"], "write options of sbatch as a shell takes them")
    refused(
        ["sweep", path, "--slurm"],
        "sbatch: no such command",
        "leave --slurm out",
        env={"PATH": f"{folder}:{os.path.dirname(sys.executable)}"}
        if not os.path.exists(f"{os.path.dirname(sys.executable)}/sbatch")
        else {"PATH": str(one_python(folder))},
    )
    refused(["sweep", path, "--output", path / "x"], "cannot create", "choose another --output", status=4)
    status, out, err = tipoff("sweep", written(folder, head + 'max_cycles = 100\n[[plot]]\nx = "max_cycles"\ny = "ipk"\n'), "--quiet")
    check(status == 2 and "sweep.toml:6: y: no point has a result 'ipk': did you mean ipc?" in err, f"status {status}: {err}")
    for option in "--output", "--jobs", "--slurm", "--list", "--quiet", "-h":
        check(option in tipoff("sweep", "--help")[1], f"--help lacks {option}")


def one_python(folder):
    """A folder for PATH with nothing but python3 in it."""
    only = folder / "only"
    only.mkdir()
    (only / "python3").symlink_to(sys.executable)
    return only


@test
def full_disk(folder):
    """Files may not grow any more: status 4, one line, nothing half written; with room again it goes on."""
    path = written(folder, 'program = "interp.small"\nconfig = "small2"\nmax_cycles = [200, 300]\n')
    status, _, err = tipoff("sweep", path, "--quiet", preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (20, 20)))
    check(status == 4 and err.count("\n") == 1 and "cannot write: File too large: free some space" in err, f"status {status}: {err}")
    check(not [file for file in path.with_suffix(".sweep").rglob("*") if file.is_file()], "something is left")
    check(len(swept(path)[0]) == 2, "with room")


@test
def installed(folder):
    """Beside an installed command, as `make install` lays it out; without it, one line."""
    command = copy_of_build(folder)
    path = written(folder, f'program = "{SMALL}"\nconfig = "small2"\nmax_cycles = 500\n')
    refused(["sweep", path], "build/python/sweep: missing: install tipoff again", command=command)
    shutil.copytree(ROOT / "python/sweep", folder / "build/python/sweep", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "python/command_line.py", folder / "build/python")
    rows = swept(path, command=command)[0]
    check(rows[0]["cycles"] == "500", f"{rows}")
    check(not list(folder.rglob("__pycache__")), "leaves compiled Python where it is installed")


if __name__ == "__main__":
    sys.exit(main())
