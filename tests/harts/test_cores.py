#!/usr/bin/env python3
"""Coherent cores under contention: progress, prefetches, what a line costs that another hart has, the order of loads, harts of several configurations.

    tests/harts/test_cores.py [CONFIG...] [--only TEXT]

CONFIG: the coherent cores that programs run on (default: small2c). Every run is in lockstep. Needs build/bin/tipoff and their models.
"""
import json
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "cli"))
from cli import ROOT, check, main, refused, test, tipoff  # noqa: E402
from programs import built  # noqa: E402

HERE = ROOT / "tests/harts"
configs = ["small2c"]


def ran(program, harts, cores):
    """What it prints; cores: options that choose them."""
    status, out, err = tipoff("run", *cores, "--max-cycles", 400000, program)
    check(status == 0 and err.count("memory-order, devices: all agree") == harts, f"{cores}: status {status}: {err}")
    return out


@test
def progress(folder):
    """Four harts on a line, two lines of a set, and a lock: all come to an end, and none gets less than a tenth of its fair share. A hart
    inside a critical section loses its line at most once for each try of those who spin."""
    harts, total = 4, 240
    program = built(folder, f"-DHARTS={harts}", f"-DTOTAL={total}", HERE / "start.S", HERE / "progress.c")
    for config in configs:
        out = ran(program, harts, ["--config", config, "--harts", harts])
        said = {line.split()[0]: [int(word) for word in line.split()[1:] if word.isdigit()] for line in out.splitlines()}
        for name in ("reserved", "added", "tickets", "lines"):
            check(sum(said[name]) == total and min(said[name]) >= total / harts / 10, f"{config}: {name}: shares of {total}: {said[name]}")
        section, lost, tries = said["section"]
        check(section == 2 * 64 + harts - 1 and lost <= tries, f"{config}: the section: {out}")


@test
def prefetches(folder):
    """prefetch.w makes a shared line its hart's own; the prefetcher of the next line leaves alone what another hart has modified, and who waits
    for a line that was refused asks again and gets it, later than without; it does not follow who has a line and only has to own it."""
    program = built(folder, HERE / "start.S", HERE / "prefetch.c")
    for config in configs:
        out = ran(program, 2, ["--config", config, "--harts", 2])
        plain, prefetched, before, after, read, joined, alone, values, owned, other = (int(word) for word in out.split()[1::2])
        check(prefetched + 15 <= plain, f"{config}: prefetch.w: an AMO takes {prefetched} cycles, {plain} without")
        check(after <= before + 2, f"{config}: a store to a hart's own line takes {after} cycles, {before} before another hart came by")
        check(read == 3 * 24, f"{config}: {read} read")
        check(values == 24 * 25, f"{config}: lines that a prefetch was refused have values of {values}")
        ahead = json.loads((ROOT / f"build/{config}/gen/config.json").read_text())["l1d.prefetch"]
        check(owned + 2 >= other >= 10, f"{config}: a load takes {owned} cycles where the line before it was owned, else {other}")
        check((joined >= alone + 16) == bool(ahead), f"{config}: two lines take {joined} cycles where the second was refused, {alone} where not")


@test
def latencies(folder):
    """A line that another L1 has comes in about the time that the last-level cache takes."""
    program = built(folder, HERE / "start.S", HERE / "latency.c")
    for config in configs:
        out = ran(program, 2, ["--config", config, "--harts", 2])
        took = {line.rsplit(" ", 1)[0]: int(line.rsplit(" ", 1)[1]) for line in out.splitlines()}
        check(took["own"] < took["llc"] < took["memory"], f"{config}: {took}")
        check(max(took["modified elsewhere"], took["exclusive elsewhere"]) <= took["llc"] + 4, f"{config}: {took}")
        check(config != "tea4c" or took["modified elsewhere"] < took["llc"], f"a line of another L1 does not wait for memory: {took}")


@test
def order(folder):
    """With lsu.load_order = 1 a load passes an older one of other bytes, with 0 none is seen to; of the same bytes none does."""
    program = built(folder, HERE / "start.S", HERE / "order.c")
    others = {name: built(folder, HERE / f"{name}.S", name=f"{name}.elf") for name in ("evicted", "forwarded")}
    for config in configs:
        cores = ["--config", config, "--harts", 2]
        _, line, _, half = ran(program, 2, cores).split()
        passes = json.loads((ROOT / f"build/{config}/gen/config.json").read_text())["lsu.load_order"]
        check(
            (int(line) > 0, int(half) > 0) == (passes, passes), f"{config}: loads of another line have passed {line} times, of the same doubleword {half} times"
        )
        for other in others.values() if config != "small2c" else ():  # test_harts.py has those of small2c
            ran(other, 2, cores)


@test
def scaling(folder):
    """Work that is shared out takes as much less time as there are harts: 1.9 times with 2, 3.7 times with 4. (make test-all: tea4c.)"""
    program = built(folder, "-DHARTS=4", HERE / "start.S", HERE / "scale.c")
    for config in configs:
        if config in ("small2c", "small2r"):
            continue
        out = ran(program, 4, ["--config", config, "--harts", 4])
        took = {(kernel, int(harts)): int(cycles) for kernel, harts, cycles in (line.split() for line in out.splitlines())}
        for kernel in ("compute", "stream"):
            alone = took[kernel, 1]
            check(alone >= 1.9 * took[kernel, 2] and alone >= 3.7 * took[kernel, 4], f"{config}: {took}")


@test
def counts(folder):
    """Counters of coherence, by how often two harts hand a line over, and one reads what the other has written. Each read is compared with
    what the hub has sent and got, too."""
    times, nodes = 50, 16  # as counted.c has them
    program = built(folder, "-I", ROOT / "build/gen", HERE / "start.S", HERE / "counted.c")
    names = ["SNOOPS", "SNOOPS_HIT", "LINES_LOST", "UPGRADES", "PREFETCHES_REFUSED", "HUB_WAITS", "REPLAYS_ORDER", "REPLAYS_SNOOP", "REPLAYS_PAGE"]
    for config in configs:
        out = ran(program, 2, ["--config", config, "--harts", 2])
        said = [(line.split()[0], dict(zip(names, map(int, line.split()[1:])))) for line in out.splitlines()]
        check([part for part, _ in said] == ["exchange", "exchange", "chase", "chase"], f"{config}: {out}")
        prefetches = json.loads((ROOT / f"build/{config}/gen/config.json").read_text())["l1d.prefetch"]  # of the next line, which hart 0 has prefetched
        for part, of in said[:2]:  # each store takes the other's copy, each read shares what the other has written
            check((of["UPGRADES"], of["LINES_LOST"]) == (times, times), f"{config}: {part}: {of}")
            check(2 * times <= of["SNOOPS_HIT"] <= 2 * times + 2 * prefetches, f"{config}: {part}: {of}")
            check(of["SNOOPS_HIT"] <= of["SNOOPS"] <= 2 * times + 10, f"{config}: {part}, with a few misses of the other hart: {of}")
        wrote, read = said[2][1], said[3][1]
        check(wrote["SNOOPS_HIT"] == nodes + read["PREFETCHES_REFUSED"], f"{config}: {nodes} lines are read from it, and some asked for: {wrote}, {read}")
        check(nodes / 2 * prefetches <= read["PREFETCHES_REFUSED"] <= nodes * prefetches, f"{config}: {read}")
        check(all(of[name] == 0 for of in (wrote, read) for name in ("LINES_LOST", "UPGRADES")), f"{config}: {wrote}, {read}")
        check(nodes * 12 <= read["HUB_WAITS"] <= nodes * 28, f"{config}: links and hub take 12 cycles, a line of another hart 28: {read}")


@test
def kinds(folder):
    """Harts of several configurations: each has its own model and files; what software sees differently is refused, and so are caches without a hub."""
    harts = [*configs, *configs[:1] * 3][:3]
    names = ",".join(harts)
    program, stats = built(folder, "-DHARTS=3", HERE / "start.S", HERE / "shared.c"), folder / "run.json"
    ran(program, 3, ["--harts", names, "--stats", stats])
    said = [json.loads((folder / f"run.hart{i}.json").read_text()) for i in range(3)]
    check([one["config"] for one in said] == harts and len({one["cycles"] for one in said}) == 1, f"statistics of {names}: {said}")
    alone = ran(program, 3, ["--config", harts[0], "--harts", 3])
    if len(set(harts)) == 1:
        check(ran(program, 3, ["--harts", names]) == alone, "one kind named thrice is three harts of it")
    for text, part in (
        ("small2c,", "--harts small2c,: not a number from 1 to 8, nor names of configurations"),
        (",".join(["small2c"] * 9), "more than 8: name fewer configurations"),
    ):
        refused(["run", "--harts", text, program], part, lines=2)
    refused(["run", "--harts", "small2c,mega9", program], "mega9: no such configuration")
    refused(["run", "--harts", "small2c,small2", program], "--harts: the caches of small2 are not coherent")
    refused(["run", "--harts", "small2c,small2c", "--config", "small2", program], "--config: --harts names the configuration of each hart", lines=2)
    refused(["run", "--harts", "small2c,small2c", "--model", program, program], "--model: harts of several configurations have several", lines=2)


@test
def software_sees(folder):
    """A configuration that differs in what software sees is no hart beside another one."""
    program, place = built(folder, "-DBY=0", HERE / "ends.S"), folder / "build"
    (place / "bin").mkdir(parents=True)
    subprocess.run(["cp", "-r", ROOT / "build/bin/tipoff", place / "bin/"], check=True)
    keys = json.loads((ROOT / "build/small2c/gen/config.json").read_text())
    for name, changes in (("one", {}), ("two", {"core.pmp_entries": 3}), ("three", {"core.fp": 0})):
        (place / name / "gen").mkdir(parents=True)
        (place / name / "gen/config.json").write_text(json.dumps({**keys, **changes}))
        for model in ("model.so", "hub.so"):
            (place / name / model).symlink_to(ROOT / "build/small2c" / model)
    run = ["run", "--max-cycles", 100, "--harts"]
    for name, key in (("two", "core.pmp_entries = 3, and 8"), ("three", "core.fp = 0, and 1")):
        refused([*run, f"one,{name}", program], f"hart 1: small2c: {key} in small2c, hart 0's: software sees that", command=place / "bin/tipoff")


if __name__ == "__main__":
    named = [word for word in sys.argv[1:] if not word.startswith("-") and (ROOT / f"tables/config/{word}.toml").exists()]
    configs = named or configs
    sys.argv = [word for word in sys.argv if word not in named]
    sys.exit(main())
