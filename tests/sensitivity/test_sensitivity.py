#!/usr/bin/env python3
"""`tipoff sensitivity` and the ideal parts: sockets change nothing, each part is ideal in lockstep, and programs that one resource alone makes slow name it.

    tests/sensitivity/test_sensitivity.py [--only TEXT]

Needs build/bin/tipoff, the small workloads, and the models small2 and sensitivity/small2.ideal.
"""
import json
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "cli"))
from cli import ROOT, check, main, refused, test, tipoff  # noqa: E402

IDEAL = "sensitivity/small2.ideal"
PARTS = ("branches", "l1i", "l1d", "tlb", "memory_order")
WORKLOADS = ("syscalls", "vm_sort")
# What the program is made of, how often, the part that is to blame, and the least that it gains.
PROGRAMS = (
    ("BRANCHES", 200, "branches", 0.3),
    ("L1I", 4, "l1i", 0.3),
    ("L1D", 60, "l1d", 0.5),
    ("TLB", 800, "tlb", 0.5),
    ("ORDER", 200, "memory_order", 0.1),
    ("CHAIN", 150, None, 0.0),
)


def program(folder, kind, loops):
    path = folder / f"{kind}.elf"
    subprocess.run(
        [
            "riscv64-unknown-elf-gcc",
            "-march=rv64ima_zicsr_zifencei",
            "-mabi=lp64",
            "-mcmodel=medany",
            "-ffreestanding",
            "-nostdlib",
            "-static",
            "-T",
            ROOT / "tests/workloads/runtime/link.ld",
            "-Wl,--no-warn-rwx-segments",
            "-Wl,--build-id",
            f"-D{kind}",
            f"-DLOOPS={loops}",
            "-o",
            path,
            ROOT / "tests/sensitivity/one_resource.S",
        ],
        check=True,
    )
    return path


def measured(folder, elf, *options, config=IDEAL):
    stats = folder / "stats.json"
    status, _, err = tipoff("run", "--quiet", "--config", config, "--stats", stats, *options, elf)
    check(status == 0, f"{options} {elf}: status {status}: {err}")
    return json.loads(stats.read_text())


def workload(name):
    return ROOT / f"build/workloads/{name}.small.elf"


def ideal(*parts):
    return [word for part in parts for word in ("--set", f"ideal.{part}=1")]


@test
def sockets_change_nothing(folder):
    """Cycle by cycle would be stronger; cycles, events and states of whole programs are what is compared."""
    for name in WORKLOADS:
        plain, with_sockets = measured(folder, workload(name), config="small2"), measured(folder, workload(name))
        for key in ("cycles", "instructions", "events", "state_cycles"):
            check(plain[key] == with_sockets[key], f"{name}: {key}: {plain[key]}, with sockets {with_sockets[key]}")


@test
def parts_are_ideal(folder):
    """In lockstep, with every check of a run; and what is ideal does not happen."""
    for name in WORKLOADS:
        for part, events in (("l1i", {"DR_L1"}), ("l1d", {"ST_L1", "ST_LLC"}), ("memory_order", {"FL_MO"})):
            found = measured(folder, workload(name), *ideal(part))
            left = {event: found["events"][event] for event in events}
            check(not any(left.values()), f"{name}, ideal.{part}: {left}")
        base = measured(folder, workload(name))["events"]
        found = measured(folder, workload(name), *ideal("branches"))["events"]
        # What is left: branches on what the ISS cannot know ahead, the console and the time.
        check(found["FL_MB"] <= max(100, base["FL_MB"] // 10), f"{name}: {found['FL_MB']} mispredictions of {base['FL_MB']}")
        everything = measured(folder, workload(name), *ideal(*PARTS))
        check(everything["checks"]["passed"], f"{name}: all parts")
    found = measured(folder, workload("vm_chase"), *ideal("tlb"))["events"]
    base = measured(folder, workload("vm_chase"))["events"]
    check(found["ST_TLB"] + found["DR_TLB"] < (base["ST_TLB"] + base["DR_TLB"]) / 10, f"vm_chase: {found}, of {base}")  # page faults still walk


@test
def foresight(folder):
    """What cannot be predicted is taken back, and nothing else: where the simulator that runs ahead is wrong, the run fails."""
    elf = program(folder, "WORLD", 300)
    base, found = measured(folder, elf), measured(folder, elf, *ideal("branches"))
    differed = found["foresight_taken_back"]
    check(differed["interrupts"] > 200 and differed["unknowable_values"] > 300 and differed["host_writes"] == 0, differed)
    check(
        found["events"]["FL_MB"] < base["events"]["FL_MB"] / 5, f"{found['events']['FL_MB']} mispredictions of {base['events']['FL_MB']}"
    )  # what is left depends on the time
    check("foresight_taken_back" not in base, "nobody predicts where no part asks for it")


@test
def one_resource(folder):
    for kind, loops, part, least in PROGRAMS:
        status, out, err = tipoff("sensitivity", "--config", "small2", "--only", ",".join(PARTS), "--format", "json", "--quiet", program(folder, kind, loops))
        check(status == 0, f"{kind}: {err}")
        rows = json.loads(out)["changes"]
        gains = {row["name"]: row["gain"] for row in rows}
        best = max(gains, key=gains.get)
        if part is None:
            check(gains[best] < 0.05, f"{kind}: nothing is to blame, but {best} gains {gains[best]:.3f}")
        else:
            check(best == part and gains[best] >= least, f"{kind}: {gains}, not {part}")


# What Gus calls the same resources; it has neither TLB nor instruction misses nor memory order as such.
GUS = {"BRANCHES": {"redirect", "front", "latency"}, "L1D": {"llc.latency"}, "CHAIN": {"latency"}}


@test
def gus_agrees(folder):
    for kind, loops, _, _ in PROGRAMS:
        if kind not in GUS:
            continue
        status, out, err = tipoff("gus", "--config", "small2", "--sensitivity", "--format", "json", program(folder, kind, loops))
        check(status == 0, f"{kind}: {err}")
        singles = [v for v in json.loads(out)["variants"] if len(v["resources"]) == 1 and v["percent"] == 15]
        best = max(singles, key=lambda v: v["gain"])
        check(best["resources"][0] in GUS[kind], f"{kind}: {best}, not {GUS[kind]}")


@test
def topdown_adds_up(folder):
    said = {
        "BRANCHES": ("bad_speculation", "mispredictions"),
        "L1D": ("backend", "memory"),
        "TLB": ("backend", "memory"),
        "CHAIN": ("backend", "core"),
        "L1I": ("frontend", "latency"),
    }
    for kind, loops, _, _ in PROGRAMS:
        found = measured(folder, program(folder, kind, loops), "--worker", "topdown", "--count", "topdown")
        for source, t in (("worker", found["topdown"]), ("counters", found["count_groups"]["topdown"])):
            first = t["retiring"] + sum(t[part]["slots"] for part in ("bad_speculation", "frontend", "backend"))
            check(abs(first - t["slots"]) < 1e-6 * t["slots"], f"{kind}: {source}: {t}")
            for part in ("bad_speculation", "frontend", "backend"):
                check(abs(sum(v for k, v in t[part].items() if k != "slots") - t[part]["slots"]) < 1e-6 * t["slots"], f"{kind}: {source}: {part}: {t[part]}")
            second = {(part, name): value for part in ("bad_speculation", "frontend", "backend") for name, value in t[part].items() if name != "slots"}
            if kind in said:
                check(max(second, key=second.get) == said[kind], f"{kind}: {source}: {second}, not {said[kind]}")


@test
def forms(folder):
    elf = program(folder, "CHAIN", 20)
    arguments = ["sensitivity", "--config", "small2", "--only", "branches,branches+l1i,llc_latency", "--quiet"]
    status, out, err = tipoff(*arguments, elf)
    check(status == 0 and "branches+l1i" in out and "cycles" in out, err)
    status, csv, _ = tipoff(*arguments, "--format", "csv", elf)
    check(status == 0 and len(csv.splitlines()) == 4 and csv.startswith("program,config,change"), csv)
    path = folder / "gains.svg"
    status, out, _ = tipoff(*arguments, "--format", "svg", "--output", path, elf)
    check(status == 0 and out == "" and path.read_text().startswith("<svg"), "SVG to a file")
    status, out, err = tipoff("sensitivity", "--config", "small2", "--set", "llc.latency=60", "--only", "llc_latency", "--quiet", "--format", "json", elf)
    slower = json.loads(out)
    check(
        status == 0
        and slower["config"] == "small2, llc.latency=60"
        and slower["changes"][0]["keys"] == {"llc.latency": 30}
        and slower["cycles"] > slower["changes"][0]["cycles"],
        out + err,
    )
    status, out, _ = tipoff("sensitivity", "--config", "small2", "--set", "issue.int_ports=1", "--only", "int_ports", "--list")
    check(status == 0 and "issue.int_ports=2" in out, out)
    status, out, _ = tipoff("sensitivity", "--config", "small2", "--list")
    check(status == 0 and "ideal.branches=1" in out and "core.rob_entries" in out, out)


@test
def wrong(folder):
    elf = program(folder, "CHAIN", 20)
    refused(["sensitivity"], "a program is needed", lines=0)
    refused(["sensitivity", "--config", "none", elf], "none.toml", "no such configuration")
    refused(["sensitivity", "--config", "small2", "--only", "nothing", elf], "--only nothing", "branches")
    refused(["sensitivity", "--config", "small2", "--only", "branches+width", elf], "different models")
    for word, said in (
        ("llc.size=1", "tables/config_keys.tsv"),
        ("ideal.l1d=1", "--only"),
        ("issue.int_ports=9", "from 1 to 8"),
        ("issue.int_ports", "from 1 to 8"),
        ("llc.latency=x", "give llc.latency"),
    ):
        refused(["sensitivity", "--config", "small2", "--set", word, elf], f"--set {word}", said)
    refused(["sensitivity", folder / "none.elf"], "none.elf", "no such file")
    refused(["run", "--config", "small2", "--set", "ideal.l1d=1", elf], "no sockets", "ideal.sockets")
    refused(["run", "--config", "small2", "--set", "ideal.sockets=1", elf], "another model")


if __name__ == "__main__":
    sys.exit(main())
