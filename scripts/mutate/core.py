#!/usr/bin/env python3
"""Mutation testing of the whole core: does a program in lockstep see each small fault of its modules?

    scripts/mutate/core.py [--sample N] [--seed S] [--jobs N] [--record]
    scripts/mutate/core.py --only K             reruns mutant K alone and shows what it changes
    scripts/mutate/core.py --list               the mutants, nothing is run

Of all places that can be changed (scripts/mutate/mutants.py) in fetch, decode, rename, dispatch, issue, execute, lsu, mmu,
csr and commit, MADE are drawn, the same each time, from each module as many as its share; the profiling units are
mutate.py's. One small2 model is built with all of them, chosen by a number when it starts. A mutant runs random programs
of every kind and ISA tests (the longest only if they test its folder), in lockstep, with the cross-check and the
assertions, until one fails or hangs. What survives is run once more for its cycles: a mutant that only changes those has changed speed, not results (predictors, caches'
replacement, queues' order), and a mutant that changes nothing at all has not been reached, or cannot be seen.
Verdicts are kept in build/mutate-core/verdicts.tsv with what they were said of; the result goes to result.txt beside it.
--sample draws so many of the MADE; --record writes the result to docs/mutants.md. Status 1 if the share killed is below the goal.
"""
import argparse
import concurrent.futures
import hashlib
import json
import os
import pathlib
import random
import re
import signal
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(ROOT / "scripts/mutate"), str(ROOT / "scripts/formal")]
from mutants import Module  # noqa: E402
from mutate import NUMBER, SELECTOR, fields_of_records, place, run, show  # noqa: E402

ROOM = ROOT / "build/mutate-core"
FOLDERS = ["fetch", "decode", "rename", "dispatch", "issue", "execute", "lsu", "mmu", "csr", "commit"]
MADE, DRAW = 2450, 5  # mutants in the model, and the seed that draws them
GOAL = 90.0      # percent of the mutants killed
GUARD = ["prlimit", "--cpu=120:130"]  # of processor time, not of the clock: a busy machine must not kill mutants. Runs end by their cycles
CYCLES = 3  # times as many as without a mutant, then a run has hung
# In this order: short and varied first.
RANDOM = [(kind, seed) for seed in range(1, 9) for kind in ("seed", "vm", "fp", "fpvm", "pmu", "pmuvm", "float")]
ISA = ["vm_translate", "vm_fault", "vm_traps", "vm_delegate", "vm_interrupts", "vm_order", "vm_sfence", "vm_straddle", "vm_svade", "vm_sum_mxr", "vm_mprv", "vm_access", "vm_sc", "pmp", "plic",
       "clint", "interrupts", "lcofi_s", "counters", "csr_values", "trap_state", "user_mode", "compressed", "fetch", "fence_i", "illegal", "wfi", "fp_state", "div", "divw", "rem", "remuw", "mulh",
       "mulhsu", "mulw", "sra", "sraw", "lr_d", "sc_w", "amomin_w", "amomaxu_d", "fdiv_d", "fdiv_s", "fsqrt_d", "fsqrt_s", "fmadd_d", "fmadd_s", "fcvt_l_d", "fcvt_s_d", "fcvt_d_s", "fcvt_wu_s",
       "fmin_s", "fmax_d", "fclass_s", "feq_d", "fsgnjx_s", "fmv_x_w", "jalr", "prefetch_w", "lb", "sh"]
WORKLOADS = ["crc", "sort"]  # of size small
# The longest, 40 % of all cycles, for mutants of what they test alone.
ONLY_FOR = {"pmp": ("mmu", "csr"), "fdiv_d": ("execute", "issue"), "fdiv_s": ("execute", "issue"), "vm_sum_mxr": ("mmu", "csr"), "vm_fault": ("mmu", "csr", "lsu", "fetch"),
            "vm_access": ("mmu", "csr", "lsu"), "vm_interrupts": ("mmu", "csr", "commit"), "vm_mprv": ("mmu", "csr")}


def all_modules():
    paths = sorted(p for folder in FOLDERS for p in (ROOT / "rtl" / folder).glob("*.sv") if not p.name.endswith("_pkg.sv"))
    return [Module(str(p.relative_to(ROOT)), p.read_text(), fields_of_records(), whole=False) for p in paths]


class Choices:
    """Which mutants can be one side of a choice in a module's copy without changing what the other side means."""

    def __init__(self, module):
        self.module = module
        self.arrays = set(re.findall(r"\b(\w+) \[[^\]]+\]\s*[,;)]", module.text))
        signed = {name for names in re.findall(r"\bsigned \[[^\]]*\]\s*([\w, ]+)", module.text) for name in names.replace(" ", "").split(",")}
        self.signed = re.compile("|".join([r"\$signed", ">>>", r"'sd", *(rf"\b{name}\b" for name in sorted(signed))]))

    def allows(self, mutant):
        """Not with an assignment pattern or a whole array, nor how often something is repeated: Verilator refuses them; nor in a
        statement with signed numbers, which a choice would make unsigned."""
        module = self.module
        original = module.text[mutant.start:mutant.end]
        return ("'{" not in mutant.text + original and module.text[mutant.end] != "{" and not self.signed.search(module.statement_of(mutant))
                and not self.arrays & set(re.findall(r"\b(\w+)\b(?!\s*\[)", original)))


def draw():
    """The modules, each with its share of MADE mutants, numbered; and how many there are in all."""
    found, dice = all_modules(), random.Random(DRAW)
    everything, number = sum(len(module.mutants) for module in found), 1
    for module in found:
        choices = Choices(module)
        module.mutants = [m for m in module.mutants if choices.allows(m)]
        share = max(min(8, len(module.mutants)), round(MADE * len(module.mutants) / everything))
        module.mutants = sorted(dice.sample(module.mutants, share), key=lambda m: (m.start, m.end, m.text))
        number = module.number_from(number)
    return found, everything


def build(found):
    """The model of small2 with the mutants; its digest."""
    sources = ROOM / "sources"
    sources.mkdir(parents=True, exist_ok=True)
    mutated = {}
    for module in found:
        mutated[module.path] = sources / pathlib.Path(module.path).name
        mutated[module.path].write_text(module.schemata(SELECTOR))
    (ROOM / "mutant.cpp").write_text(NUMBER)
    gen, objects = "build/small2/gen", ROOM / "obj"
    packages = [f"{gen}/{p}_pkg.sv" for p in ("config", "events", "csrs", "memory_map", "instructions", "records")] + ["rtl/pkg/core_pkg.sv", "rtl/pkg/fp_pkg.sv"]
    packages += [str(p.relative_to(ROOT)) for p in sorted(ROOT.glob("rtl/*/*_pkg.sv")) if p.parent.name != "pkg"]
    rtl = [str(p.relative_to(ROOT)) for p in sorted([*ROOT.glob("rtl/*/*.sv"), *ROOT.glob("rtl/*.sv")]) if not p.name.endswith("_pkg.sv")]
    sim = [str(p.relative_to(ROOT)) for p in sorted(ROOT.glob("sim/*_pkg.sv")) + sorted(p for p in ROOT.glob("sim/*.sv") if not p.name.endswith("_pkg.sv"))]
    inputs = [*packages, *(str(mutated.get(path, path)) for path in rtl), *sim]
    shim = ["harness/model_shim.cpp", str(ROOM / "mutant.cpp")]
    digest = hashlib.sha256(b"".join((ROOT / name).read_bytes() for name in [*inputs, *shim, "rtl/prim/assert.svh", "build/gen/signals.svh"])).hexdigest()[:16]
    model, stamp = ROOM / "model.so", ROOM / "inputs"
    if model.exists() and stamp.exists() and stamp.read_text() == digest:
        return digest
    include = run(["verilator", "--getenv", "VERILATOR_ROOT"]).stdout.strip() + "/include"
    steps = [["verilator", "--cc", "-O3", "--assert", "--x-assign", "unique", "--x-initial", "unique", "--trace-fst", "--trace-depth", "1", "--output-split", "15000",
              "--output-split-cfuncs", "3000", "-Wno-lint", "-Wno-style", "-Wno-ENUMVALUE", "-Irtl/prim", "-Ibuild/gen", "sim/lint.vlt", "--prefix", "Vsim_top", "--top-module", "sim_top", "--Mdir", str(objects), *inputs],
             ["make", "-s", "-j2", "-C", str(objects), "-f", "Vsim_top.mk", "CXX=clang++ -Wno-parentheses-equality", "LINK=clang++", "OPT_FAST=-O1 -fPIC", "OPT_SLOW=-O0 -fPIC",
              "OPT_GLOBAL=-O1 -fPIC", "Vsim_top__ALL.a"],
             ["clang++", "-std=gnu++17", "-O1", "-fPIC", "-shared", f"-I{objects}", "-I.", "-Icsrc", "-Ibuild/gen", f"-I{gen}", f"-I{include}", f"-I{include}/vltstd", "-DVM_TRACE=1", "-DVM_TRACE_FST=1",
              "-o", str(model), *shim, str(objects / "Vsim_top__ALL.a"), *(f"{include}/{f}.cpp" for f in ("verilated", "verilated_dpi", "verilated_threads", "verilated_fst_c")), "-lz", "-lpthread",
              "-latomic"]]
    for step in steps:
        done = run(step)
        if done.returncode:
            raise SystemExit(f"core.py: {step[0]} fails on the sources with the mutants (build/mutate-core/sources):\n{done.stdout[:3000]}")
    stamp.write_text(digest)
    return digest


def programs():
    """(name, command) in the order in which they run."""
    base = ["build/bin/tipoff", "run", "--config", "small2", "--model", str(ROOM / "model.so"), "--quiet"]
    sampled = ["--period", "31", "--jitter"]
    rows = [(f"{kind}-{seed}", [*base, "--seed", str(seed), "--input", "tests/fuzz/fuzz.py", *sampled, f"build/tests/fuzz/{kind}-{seed}.elf"])
            for kind, seed in RANDOM]
    rows += [(name, [*base, f"build/tests/isa/{name}.elf"]) for name in ISA]
    return rows + [(name, [*base, *sampled, f"build/workloads/{name}.small.elf"]) for name in WORKLOADS]


def outcome(command, number):
    """'' if the program runs as it should, else what was seen."""
    done = run([*GUARD, *command], env=dict(os.environ, MUTANT=str(number)), errors="replace")
    if done.returncode == 0:
        return ""
    if done.returncode < 0 and -done.returncode in (signal.SIGTERM, signal.SIGSTOP, signal.SIGINT):
        raise SystemExit(f"core.py: {command[-1]} was ended from outside: run again")
    text = done.stdout
    for what in ("lockstep", "cross-check", "the sample unit"):
        if what + ":" in text:
            return what
    return "assertion" if "Assertion" in text or "assertion" in text or "%Error" in text else "cycles ran out" if done.returncode == 124 else "processor time ran out" if done.returncode == -signal.SIGXCPU else f"status {done.returncode}"


def cycles(name, command, number):
    stats = ROOM / f"stats-{os.getpid()}-{number}-{name}.json"
    run([*GUARD, *command, "--stats", str(stats)], env=dict(os.environ, MUTANT=str(number)), errors="replace")
    found = json.loads(stats.read_text())["cycles"] if stats.exists() else None
    stats.unlink(missing_ok=True)
    return found


def judge(module, number, rows, timed):
    """(verdict, program, what was seen)"""
    folder = module.path.split("/")[1]
    for name, command in rows:
        if folder not in ONLY_FOR.get(name, folder):
            continue
        seen = outcome(command, number)
        if seen:
            return "killed", name, seen
    if any(cycles(name, command, number) != right for name, command, right in timed):
        return "speed", "", "only cycles differ"
    return "silent", "", "no difference"


def report(found, everything, chosen, verdicts, seconds):
    lines, count, by, seen = [], {"killed": 0, "speed": 0, "silent": 0}, {}, {}
    for module, mutant in chosen:
        verdict, name, what = verdicts[mutant.number]
        count[verdict] += 1
        if verdict == "killed":
            kind = name.rstrip("0123456789").rstrip("-") if name[-1].isdigit() else "ISA tests" if name in ISA else "workloads"
            by[kind] = by.get(kind, 0) + 1
            seen[what] = seen.get(what, 0) + 1
        else:
            where, original, text, how = place(module, mutant)
            lines.append(f"{verdict:<7} {mutant.number:>5}  {where}  {how}: {original[:90]}  =>  {text[:90]}")
    lines.append("")
    for folder in FOLDERS:
        mine = [verdicts[mutant.number][0] for module, mutant in chosen if module.path.split("/")[1] == folder]
        if mine:
            lines.append(f"  rtl/{folder:<9} {len(mine):>5} mutants {mine.count('killed'):>5} killed {mine.count('speed'):>5} change speed alone {mine.count('silent'):>5} no difference")
    for title, table in (("killed by", by), ("seen by", seen)):
        lines.append(f"  {title} " + ", ".join(f"{name} {n}" for name, n in sorted(table.items(), key=lambda item: -item[1])))
    total, made = len(chosen), sum(len(module.mutants) for module in found)
    share = 100 * count["killed"] / total
    lines.append(f"{total} mutants run of {made} made of {everything} that there are; {count['killed']} killed ({share:.1f} %), {count['speed']} change speed alone, {count['silent']} no difference; "
                 f"of those that change results {100 * count['killed'] / max(total - count['speed'], 1):.1f} % at least; {seconds:.0f} s")
    text = "\n".join(lines) + "\n"
    print(text, end="")
    (ROOM / "result.txt").write_text(text)
    return share, text


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", type=int, metavar="K", help="rerun mutant K and show its change")
    parser.add_argument("--sample", type=int, metavar="N", help="N of the mutants instead of all")
    parser.add_argument("--seed", type=int, default=1, help="of that sample (default 1)")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--record", action="store_true", help="write docs/mutants.md")
    parser.add_argument("--list", action="store_true", help="print the mutants, run nothing")
    options = parser.parse_args()
    started = time.monotonic()
    found, everything = draw()
    chosen = [(module, mutant) for module in found for mutant in module.mutants if options.only in (None, mutant.number)]
    if not chosen:
        raise SystemExit("core.py: no such mutant: --list prints them")
    if options.sample and options.sample < len(chosen):
        print(f"sample of {options.sample} of {len(chosen)} mutants, seed {options.seed}")
        chosen = random.Random(options.seed).sample(chosen, options.sample)
    if options.list:
        for module, mutant in chosen:
            print(f"{mutant.number:>5}  {'  '.join(place(module, mutant))}")
        return 0
    if options.only is not None:
        show(*chosen[0])
    digest = build(found)
    rows = programs()
    if run(["make", "-s", "-j2", "build/bin/tipoff", *(command[-1] for _, command in rows)]).returncode:
        raise SystemExit("core.py: the programs do not build: make build, and see")
    right = {name: cycles(name, command, 0) for name, command in rows}
    rows = [(name, [*command[:-1], "--max-cycles", str(CYCLES * (right[name] or 0)), command[-1]]) for name, command in rows]
    wrong = [name for name, command in rows if outcome(command, 0)]
    if wrong:
        raise SystemExit(f"core.py: without a mutant, these fail: {', '.join(wrong)}")
    timed = [(name, command, right[name]) for name, command in rows if name in ("seed-1", "seed-2", "vm-1", "fp-1", "fence_i", *WORKLOADS)]
    kept, verdicts = ROOM / "verdicts.tsv", {}
    if kept.exists() and options.only is None:
        for line in kept.read_text().splitlines():
            stamp, number, *verdict = line.split("\t")
            if stamp == digest:
                verdicts[int(number)] = tuple(verdict)
    todo, last = [(module, mutant.number) for module, mutant in chosen if mutant.number not in verdicts], time.monotonic()
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool, kept.open("a") as file:
        for (_, number), verdict in zip(todo, pool.map(lambda which: judge(*which, rows, timed), todo)):
            verdicts[number] = verdict
            file.write("\t".join([digest, str(number), *verdict]) + "\n")
            file.flush()
            if time.monotonic() - last > 30:
                last = time.monotonic()
                mine = [verdicts[n][0] for _, m in chosen if (n := m.number) in verdicts]
                print(f"  {len(mine)} of {len(chosen)}, {mine.count('killed')} killed", flush=True)
    share, text = report(found, everything, chosen, verdicts, time.monotonic() - started)
    if options.record:
        commit = run(["git", "rev-parse", "--short", "HEAD"]).stdout.strip()
        which = f"--sample {options.sample} --seed {options.seed}" if options.sample else "all that are made"
        (ROOT / "docs/mutants.md").write_text(f"# Mutants of the core\n\nWritten by `scripts/mutate/core.py --record` at {commit} ({which}). Its header says how it is done. Goal: {GOAL:.0f} % killed. What was not\n"
                                              "killed, with its number for `--only`, then the sums:\n\n```\n" + text + "```\n")
    return 1 if share < GOAL and options.only is None else 0


if __name__ == "__main__":
    sys.exit(main())
