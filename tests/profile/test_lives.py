#!/usr/bin/env python3
"""ProfileMe's records of programs whose instructions' lives are known by construction (tests/profile/lives, tests/profile/events, tests/sensitivity).

    tests/profile/test_lives.py CONFIG PART      transfers, history, outcomes, events, conflicts, measured, stages

Worker inst-lifetimes holds every record to an account of the same core (test_profileme.py); here each label of a program says what an instruction must have met.
Last line: 'N passed, M failed'.
"""
import collections
import csv
import json
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts/instruction_tables"))
import benches  # noqa: E402
import measure  # noqa: E402
import operands  # noqa: E402
import program  # noqa: E402
import solve  # noqa: E402

sys.path.append(str(ROOT / "scripts"))
from suite import kept  # noqa: E402

TIPOFF = ROOT / "build/bin/tipoff"
EVENTS = ROOT / "tests/profile/events"
INTERVAL = "17,jitter=2"
SEEDS = 16
ENOUGH = 8  # records of a label, for it to be judged

# The bit of `detail` and whether it resolves, by label (unprivileged manual, section 2.5.1: x1 and x5 are links).
TRANSFERS = {
    "direct_jump": (50, False),
    "indirect_jump": (49, True),
    "direct_call": (48, False),
    "call_indirect": (47, True),
    "return_from": (52, True),
    "coroutine_swap": (51, True),
    "not_taken": (43, True),
    "taken": (44, True),
    "trap_return": (42, False),
}
RETIRED, MISPREDICTION, REORDERED, EXCEPTION, INTERRUPT, FLUSH, PAGE = range(7)  # outcome
TIMER = 7  # mcause's code of the machine's timer
LOAD_PAGE_FAULT = 13
CONFLICTS = {  # one_resource.S's kind: how often, the bit of `conflicts` (from 16 on)
    "WINDOW": (500, "ROB"),
    "SNAPSHOTS": (500, "snapshots"),
    "INT_QUEUE": (500, "integer queue"),
    "MEM_QUEUE": (500, "memory queue"),
    "FP_QUEUE": (500, "FP queue"),
    "LOAD_QUEUE": (500, "load queue"),
    "STORE_QUEUE": (500, "store queue"),
}
RESOURCES = ("ROB", "integer queue", "memory queue", "FP queue", "load queue", "store queue", "registers", "snapshots", "serial")
# stages.S on two lanes, M being the cycle in which the division is mapped, alone after the CSR write but for waits_for_it: instructions are mapped, and
# retire, two at a time; who is mapped in M can be ready in M + 1 and issue in M + 2. The division issues then, is done 35 cycles later (table: 37, woken
# late), retires in M + 38; the next can issue three cycles behind its being done. map to ready, ready to issue, issue to done, done to retire:
STAGES = {
    "division": (1, 1, 35, 1),
    "waits_for_it": (38, 1, 1, 1),  # M: the result can be read in M + 39; it retires in M + 41
    "passes_it": (1, 1, 1, 37),  # M + 1: done in M + 4, retires beside waits_for_it
    "chain_1": (
        1,
        2,
        3,
        35,
    ),  # M + 1: ports choose from the highest down (rtl/issue/issue_queue.sv): passes_it, the older, has the multiplier's; done in M + 7, retires in M + 42
    "chain_2": (4, 1, 3, 32),  # M + 2: three cycles behind chain_1 each
    "chain_3": (7, 1, 3, 30),  # M + 2
    "unit_is_taken": (1, 36, 35, 1),  # M + 3: issues in M + 40, retires in M + 76
    "last": (1, 1, 1, 70),  # M + 3: done in M + 6, retires beside unit_is_taken
}
# The configuration whose measured table (tables/measured) is that of the core.
MEASURED = {"full2": "small2"}
# Loads and what iterates wake their readers with their result, two cycles after it; of all others it is known ahead.
SLOW, LATE = ("div", "rem", "fdiv", "fsqrt"), 2
results = []


def check(good, what):
    results.append(bool(good))
    print(f"{'PASS' if good else 'FAIL'}  {what}", flush=True)


def built(folder, source, *options, script="tests/fuzz/link.ld"):
    elf = folder / f"{source.stem}{''.join(options)}.elf"
    subprocess.run(
        [
            "riscv64-unknown-elf-gcc",
            "-march=rv64gc_zicsr_zifencei",
            "-mabi=lp64d",
            "-mcmodel=medany",
            "-nostdlib",
            "-static",
            "-Wl,--no-warn-rwx-segments",
            "-T",
            script,
            *options,
            "-o",
            elf,
            source,
        ],
        cwd=ROOT,
        check=True,
    )
    return elf


def symbols(elf):
    listed = subprocess.run(["riscv64-unknown-elf-nm", elf], capture_output=True, text=True, check=True).stdout
    return {line.split()[-1]: int(line.split()[0], 16) for line in listed.splitlines()}


def sampled(config, elf, folder, seed=1):
    """Records, each a dictionary; numbers but for what is text."""
    tips = folder / "lives.tips"
    for command in (
        ["run", "--config", config, "--quiet", "--seed", str(seed), "--no-oracle", "--max-cycles", "20000000", "--profileme", INTERVAL, "--samples", tips, elf],
        ["profileme", "--records", "--format", "csv", "--output", folder / "records.csv", tips],
    ):
        done = kept.run([TIPOFF, *command], cwd=ROOT, capture_output=True, text=True, timeout=600, check=False)
        if done.returncode:
            check(False, f"{elf.stem}: {command[0]}: status {done.returncode}: {done.stderr[-300:]}")
            return []
    with (folder / "records.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    return [
        {key: int(value, 0) if re.fullmatch(r"\d+|0x[0-9a-f]+", value) else value for key, value in row.items()} for row in rows if row["opportunity"] == "0"
    ]


def at(records, place, of=None):
    """What has that address, or lies in [from, to)."""
    first, end = place if isinstance(place, tuple) else (place, place + 1)
    return [r for r in records if first <= r["pc"] < end and (of is None or r["outcome"] == of)]


def all_are(records, what, **fields):
    wrong = [r for r in records if any(r[k] != v for k, v in fields.items())]
    said = ", ".join(f"{k} {v}" for k, v in fields.items())
    first = f"; not so: {[wrong[0][k] for k in fields]} at {wrong[0]['pc']:#x}" if wrong else ""
    check(len(records) >= ENOUGH and not wrong, f"{what}: {len(records) - len(wrong)} of {len(records)} records have {said}{first}")


def transfers(config, folder):
    elf = built(folder, ROOT / "tests/profile/lives/transfers.S")
    records, label = sampled(config, elf, folder), symbols(elf)
    for name, (bit, resolves) in TRANSFERS.items():
        found = at(records, label[name], RETIRED)
        mispredicts = bool(found) and sum(r["mispredicted"] for r in found) > 2
        check(not mispredicts, f"{name} goes where it has always gone")
        found = [r for r in found if not r["mispredicted"]]
        all_are(found, name, kind=4, detail=1 << bit - 42, resolved=int(resolves), taken=int(resolves and name != "not_taken"), flushed=0)
    targets = {"indirect_jump": "indirect", "call_indirect": "leaf", "coroutine_swap": None, "taken": "behind"}
    for name, target in targets.items():
        if target:
            all_are(at(records, label[name], RETIRED), f"{name}'s target", addressed=1, address=label[target])


def history(config, folder):
    elf = built(folder, ROOT / "tests/profile/lives/history.S")
    records = sampled(config, elf, folder)
    for name, address in symbols(elf).items():
        if name.startswith("at_"):
            known = name[3:].replace("T", "1").replace("N", "0")
            found = at(records, address, RETIRED)
            wrong = [r["history"] for r in found if format(r["history"], "016b")[-len(known) :] != known]
            check(len(found) >= ENOUGH and not wrong, f"{name}: {len(found)} records, {len(wrong)} of another history")
    last = symbols(elf)["at_TNNTTTNNNNNTNTN"]
    steady = [r for r in at(records, last, RETIRED) if r["history"] >> 15]  # from the second round on: the loop's branch before TNNTTTNNNNNTNTN
    all_are(steady, "all sixteen", history=0b1100111000001010)


def outcomes(config, folder):
    elf = built(folder, ROOT / "tests/profile/lives/outcomes.S")
    records, label = sampled(config, elf, folder), symbols(elf)
    sets = bool(json.loads((ROOT / f"build/{config}/gen/config.json").read_text(encoding="utf-8"))["mmu.ad_update"])

    # Older code may kill what was fetched ahead of it, by its own mispredictions and exceptions: they are left out, or let through.
    never = (label["never_misprediction"], label["never_misprediction_end"])
    all_are(at(records, never), "after a return that goes elsewhere", outcome=MISPREDICTION, flushed=1, flush=1, own=0, met="")
    returns = at(records, label["late_return"], RETIRED)
    all_are(returns, "that return", mispredicted=1, detail=1 << 52 - 42 | 1 << 55 - 42, met="FL_MB", address=label["never_misprediction_end"])

    for name in sorted(name for name in label if name.startswith("exception_")):
        cause = int(name.split("_")[1])
        all_are([r for r in at(records, label[name]) if r["own"]], name, outcome=EXCEPTION, cause=cause, flushed=1, flush=3, met="FL_EX", was_oldest=1)
        check(not at(records, label[name], RETIRED), f"... and no record says that it retired: {len(at(records, label[name], RETIRED))}")
    found = [r for r in at(records, (label["never_exception"], label["never_exception_end"])) if r["outcome"] != MISPREDICTION]
    all_are(found, "after an ecall that is not returned to", outcome=EXCEPTION, own=0, cause=0, met="")

    found = at(records, label["behind_flush"])
    kinds = collections.Counter(r["outcome"] for r in found)
    check(
        set(kinds) <= {RETIRED, FLUSH, MISPREDICTION, EXCEPTION} and kinds[FLUSH] >= ENOUGH and kinds[RETIRED] >= ENOUGH,
        f"behind fence.i, outcomes {dict(kinds)}: it is fetched twice",
    )
    all_are(at(records, label["behind_flush"], FLUSH), "... once without success", own=0, flush=3)

    loop = (label["interrupted"], label["interrupted_end"])
    kinds = collections.Counter(r["outcome"] for r in at(records, loop))
    check(
        kinds[INTERRUPT] >= ENOUGH and set(kinds) <= {RETIRED, INTERRUPT, MISPREDICTION, FLUSH, EXCEPTION},
        f"in a loop that the timer interrupts, outcomes {dict(kinds)}",
    )
    own = [r for r in at(records, loop, INTERRUPT) if r["own"]]
    check(all(r["cause"] == TIMER and r["met"] == "FL_EX" for r in own), f"... the oldest of them by the timer: {len(own)}")
    check(all(r["cause"] == 0 and r["met"] == "" for r in at(records, loop, INTERRUPT) if not r["own"]), "... and what came after it met nothing")

    loads = at(records, label["page_bit"])
    if sets:
        found = [r for r in loads if r["own"]]
        all_are(found, "loads of pages not accessed before", outcome=PAGE, flushed=1, flush=3)
        again = [r for r in loads if r["outcome"] == RETIRED]
        check(len(again) >= ENOUGH and all("ST_TLB" in r["met"] for r in again), f"... and again, with all TLBs emptied: {len(again)}")
    else:
        found = [r for r in loads if r["own"]]
        check(
            all(r["outcome"] == EXCEPTION and r["cause"] == LOAD_PAGE_FAULT for r in found),
            f"a load of a page not accessed before faults: {len(found)} records of the only one",
        )


def events(config, folder):
    for source in sorted(EVENTS.glob("*.S")):
        combination = set(re.search(r"^# event: (\S+)$", source.read_text(encoding="utf-8"), re.M).group(1).split("+"))
        elf = built(folder, source)
        blamed = {address for name, address in symbols(elf).items() if name.startswith("blame")}
        records, met = [], []
        for seed in range(1, SEEDS + 1):  # some provoke their event 48 times in all
            if len(met) < 2 * ENOUGH:
                records += [r for r in sampled(config, elf, folder, seed) if r["outcome"] == RETIRED or r["own"]]
                met = [r for r in records if set(r["met"].split("+")) == combination]
        where = collections.Counter(r["pc"] in blamed for r in met)
        name = "+".join(sorted(combination))
        check(
            where[True] >= ENOUGH and where[True] >= 0.9 * len(met),
            f"{source.stem}: {len(met)} records met {name}, {where[True]} of them at a blamed instruction",
        )
        # What the record says of it beside the vector.
        memory = {"ST_TLB": 42, "ST_L1": 44, "ST_LLC": 45}
        for event, bit in memory.items():
            wrong = [r for r in records if r["kind"] in (1, 2, 3) and (event in r["met"].split("+")) != bool(r["detail"] >> bit - 42 & 1)]
            check(not wrong, f"... detail says {event} of those that met it, and of no other: {len(wrong)} differ")
        for event, field in (("DR_L1", "icache_miss"), ("DR_TLB", "itlb_miss")):
            wrong = [r for r in records if event in r["met"].split("+") and not r[field]]
            check(not wrong, f"... so does {field}: {len(wrong)} differ")


def conflicts(config, folder):
    for kind, (loops, resource) in CONFLICTS.items():
        elf = built(
            folder, ROOT / "tests/sensitivity/one_resource.S", f"-D{kind}", "-DMISSES", "-DFP", f"-DLOOPS={loops}", script="tests/workloads/runtime/link.ld"
        )
        count = collections.Counter()
        for r in sampled(config, elf, folder):
            count.update(name for i, name in enumerate(RESOURCES) if r["conflicts"] >> i & 1)
        most = max(count, key=count.get, default="none")
        check(most == resource and count[most] >= ENOUGH, f"{kind}: what dispatch lacks most is {most}: {dict(count)}")


def stages(config, folder):
    elf = built(folder, ROOT / "tests/profile/lives/stages.S")
    records, label = sampled(config, elf, folder), symbols(elf)
    for name, cycles in STAGES.items():
        found = at(records, label[name], RETIRED)
        settled = found[len(found) // 10 :]  # the first rounds miss the instruction cache
        all_are(settled, name, **dict(zip(("operands", "contention", "execution", "retire_wait"), cycles)), dispatched=1, issued=1, executed=1)
        for r in settled:
            if r["total"] != r["dispatch"] + sum(cycles):
                check(False, f"... total {r['total']} is not the sum of its stages")
                break


def pattern_places(elf, number, bench):
    """Addresses of the first instruction of each repetition of a bench: after the reading of the cycle, from 16 bytes on (program.function)."""
    label = symbols(elf)
    for half in (1, 2):
        start = label[f"bench_{number}_{half}"]
        text = subprocess.run(
            ["riscv64-unknown-elf-objdump", "-d", f"--start-address={start}", f"--stop-address={start + 256}", elf], capture_output=True, text=True, check=True
        ).stdout
        read = int(re.search(r"^ *([0-9a-f]+):.*(?:rdcycle|csrr)\s+a7", text, re.M).group(1), 16)
        first = (read + 4 + 15) // 16 * 16
        yield from range(first, first + 4 * len(bench.pattern) * bench.copies * half, 4 * len(bench.pattern))


def measured(config, folder):
    """Time from issue to done of each instruction, against its latency in the measured table, which is the slope of a chain's cycles: nothing of ProfileMe's."""
    core = measure.keys(MEASURED[config])
    instructions = [i for i in operands.read(ROOT / "tables/instructions.tsv", bool(core["core.fp"])) if i.name not in solve.NOT_MEASURED]
    rows = [(i, bench) for i in instructions for bench in (i.sources and benches.latency(i, 0), benches.longest(i)) if bench]
    source = folder / "benches.S"
    source.write_text(program.text([bench for _, bench in rows], bool(core["core.fp"])), encoding="ascii")
    elf = folder / "benches.elf"
    subprocess.run([ROOT / "build/bin/tipoff-cc", source, "-o", elf], check=True)
    with (ROOT / f"tables/measured/{MEASURED[config]}.tsv").open(encoding="utf-8") as file:
        table = {row["name"]: row for row in csv.DictReader((line for line in file if not line.startswith("#")), delimiter="\t")}
    found = collections.defaultdict(collections.Counter)
    for seed in (1, 2, 3):  # the rarest label has some 4 records a run
        for r in sampled(config, elf, folder, seed):
            if r["outcome"] == RETIRED:
                found[r["pc"]][r["execution"]] += 1
    for number, (instruction, bench) in enumerate(rows):
        latency = int(table[instruction.name]["rs1" if bench.key[1] == "latency" else "longest"])
        cycles = latency - LATE * instruction.name.startswith(SLOW) - LATE * (instruction.unit == "load")
        seen = sum((found[place] for place in pattern_places(elf, number, bench)), collections.Counter())
        check(
            sum(seen.values()) >= ENOUGH and set(seen) == {cycles},
            f"{instruction.name}, {bench.key[1]} {latency}: issue to done {dict(seen)}, expected {cycles}",
        )


def main():
    config, part = sys.argv[1:]
    with tempfile.TemporaryDirectory() as name:
        {"transfers": transfers, "history": history, "outcomes": outcomes, "events": events, "conflicts": conflicts, "measured": measured, "stages": stages}[
            part
        ](config, pathlib.Path(name))
    print(f"{sum(results)} passed, {len(results) - sum(results)} failed")
    return 0 if all(results) and results else 1


if __name__ == "__main__":
    sys.exit(main())
