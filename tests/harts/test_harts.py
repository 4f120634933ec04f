#!/usr/bin/env python3
"""Programs of several harts on the ISS and on core models: the same output for each quantum as QEMU prints, ends by any hart and of guests, traces, checkpoints, bad input.

    tests/harts/test_harts.py [--qemu HARTS,...] [--only TEXT]

The program is one file for any number of harts, which it counts in the device tree. --qemu: with that many harts it runs on QEMU, too,
if that is installed (default: 2,4; on fewer cores than harts QEMU is slow). Needs build/bin/tipoff.
"""
import json
import pathlib
import re
import shutil
import subprocess
import sys

sys.path[:0] = [str(pathlib.Path(__file__).resolve().parents[1] / "cli"), str(pathlib.Path(__file__).resolve().parent)]
from cli import ROOT, TIPOFF, check, main, refused, test, tipoff  # noqa: E402
from programs import built  # noqa: E402

HERE = ROOT / "tests/harts"
OPENSBI = pathlib.Path("/usr/lib/riscv64-linux-gnu/opensbi/generic/fw_jump.bin")
PARTS = {  # what hart 0 prints, and why it is so, for n harts
    "harts": lambda n: n,
    "amo lock": lambda n: 200 * n,
    "lr lock": lambda n: 400 * n,  # on top of those
    "lr and sc": lambda n: 3 * 200 * n,
    "messages": lambda n: sum(i + n for i in range(1, 21)),  # each hart on the way adds 1
    "interrupts": lambda n: 200 * n,
    "timers": lambda n: n,
    "code": lambda n: 210 * n,  # 1 to 20, by each
    "translations": lambda n: 10 * (10 + 1000) * n,
    "lines": lambda n: 10 * n,  # the UART's source, by each
}
QEMU = ["qemu-system-riscv64", "-machine", "virt", "-m", "256M", "-bios", "none", "-display", "none", "-net", "none", "-monitor", "none", "-serial", "stdio"]
qemu_harts = [2, 4]


def together(folder):
    return built(folder, HERE / "start.S", HERE / "together.c")


def expected(harts):
    return "".join(f"{name} {value(harts)}\n" for name, value in PARTS.items())


@test
def output(folder):
    program = together(folder)
    for harts in (1, 2, 4, 8, 16):
        for quantum in (64, 256, 1000) if 1 < harts < 16 else (None,):
            options = ["--quantum", quantum] if quantum else []
            status, out, err = tipoff("iss", "--max-insns", 100000000, "--harts", harts, *options, program)
            check((status, out) == (0, expected(harts)), f"{harts} harts, quantum {quantum}: status {status}: {out!r}: {err}")
            by = f"exit status 0 by hart {harts - 1} of {harts}" if harts > 1 else "exit status 0\n"
            check(by in err, f"{harts} harts: {err}")


@test
def as_qemu(folder):
    if not shutil.which(QEMU[0]):
        print("qemu-system-riscv64 is not installed: not compared")
        return
    program = together(folder)
    for harts in qemu_harts:
        done = subprocess.run(
            [*QEMU, "-smp", str(harts), "-kernel", program], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=200, check=False
        )
        check((done.returncode, done.stdout) == (0, expected(harts)), f"QEMU, {harts} harts: status {done.returncode}: {done.stdout!r}: {done.stderr}")


@test
def firmware(folder):
    """Debian's OpenSBI boots all harts: its payload starts the others, wakes them and has them fenced by SBI, and ends with their number."""
    if not OPENSBI.exists():
        print("opensbi is not installed: not booted")
        return
    options = ["-march=rv64imac_zicsr", "-T", ROOT / "tests/firmware/link.ld", f'-DFIRMWARE="{OPENSBI}"']
    program = built(folder, *options, ROOT / "tests/firmware/harts.S")
    for harts in (1, 2, 4, 8):
        status, out, err = tipoff("iss", "--harts", harts, "--max-insns", 200000000, program)
        check(status == harts, f"{harts} harts: status {status}: {err}")
        listed = ",".join(f"{hart}*" for hart in range(harts))
        check(f"Domain0 HARTs             : {listed}\n" in out.replace("\r", ""), f"{harts} harts: the banner says {out}")


@test
def ends(folder):
    """The status is the ending hart's; a run that nothing can end reports it."""
    for by in (0, 1, 3):
        program = built(folder, f"-DBY={by}", HERE / "ends.S")
        status, _, err = tipoff("iss", "--harts", 4, program)
        check(status == by and f"exit status {by} by hart {by} of 4" in err, f"by hart {by}: status {status}: {err}")
    program = built(folder, "-DBY=0", "-DFOREVER", HERE / "ends.S")
    status, _, err = tipoff("iss", "--harts", 3, program)
    check(status == 5 and "all harts wait for an interrupt (wfi), and none will come" in err, f"forever: status {status}: {err}")
    check(all(f"hart {i}, after" in err for i in range(3)) and "hart 3" not in err, f"where they are: {err}")
    status, _, err = tipoff("iss", "--quiet", "--harts", 3, program)
    check(status == 5 and err.count("\n") == 1, f"--quiet: status {status}: {err}")


@test
def guests(folder):
    """`tipoff linux` with what is as good as a kernel: how a run ends after the program has begun, that no hart can be woken, and which marker is missing."""
    waits = "all harts wait for an interrupt (wfi), and none will come"
    for number, (markers, after, want, text) in enumerate(
        (
            (2, 3 << 16 | 0x3333, 3, ""),
            (2, 0, 5, waits),
            (2, 0x7777, 5, "asked for a reset"),
            (1, 0, 5, "the guest has not come to its init: build it again (make linux-smp)"),
            (0, 0, 2, "the guest has not come to its init: build it again (make linux-smp)"),
        )
    ):
        place = folder / str(number)
        command, guest = place / "build/bin/tipoff", place / "build/linux/smp"
        command.parent.mkdir(parents=True)
        guest.mkdir(parents=True)
        shutil.copy(TIPOFF, command)
        program = built(guest, f"-DMARKERS={markers}", f"-DAFTER={after}", HERE / "guest.S", name="linux.elf")
        for again in range(2):
            status, out, err = tipoff("linux", "--iss", "--harts", 3, "--", program, command=command)
            booted = again == 0 or markers == 0
            lines = [line for line in err.splitlines() if "boots once" not in line]
            check(status == want and out == "", f"{number}: status {status}, {want} expected: {err}")
            check(len(lines) == bool(text) and text in "".join(lines), f"{number}: {err}")
            check(("boots once" in err) == booted, f"{number}, {'again' if again else 'first'}: {err}")
        if markers == 2:
            machine = place / "machine"
            status, out, err = tipoff("linux", "--iss", "--harts", 3, "--checkpoint", machine, "--", program, command=command)
            check((status, out, err) == (0, "", ""), f"{number}: a checkpoint: status {status}: {err}")
            status, out, err = tipoff("iss", "--quiet", "--restore", machine)
            check(status == want and text in err, f"{number}: restored: status {status}: {err}")


@test
def repeats(folder):
    """A traced run is the run without a trace; each line has its hart, and turns have the quantum's length."""
    program, traces = together(folder), [folder / "one", folder / "two"]
    said = [tipoff("iss", "--harts", 3, "--quantum", 77, "--trace", trace, program) for trace in traces]
    plain = tipoff("iss", "--harts", 3, "--quantum", 77, program)
    first, second = (trace.read_text() for trace in traces)
    check(first == second, "two runs differ")
    lines = first.splitlines()
    check(f" {len(lines):,} instructions in" in plain[2] and said[0][1] == plain[1], f"{len(lines)} lines: {plain[2]}")
    turns = [[lines[0][0], 0]]
    for line in lines:
        if line[0] != turns[-1][0]:
            turns.append([line[0], 0])
        turns[-1][1] += 1
    check([hart for hart, _ in turns[:6]] == list("012012") and [n for _, n in turns[:6]] == [77] * 6, f"turns {turns[:6]}")
    check(max(n for _, n in turns[:100]) == 77, "a turn is longer than the quantum")


@test
def checkpoints(folder):
    """A restored machine goes on as the saved one; it has as many harts, whatever is asked for."""
    program, machine, again, whole, rest = (folder / name for name in ("program.elf", "machine", "again", "whole", "rest"))
    together(folder)
    run = ["iss", "--quiet", "--harts", 4, "--quantum", 100]
    status, full, _ = tipoff(*run, "--trace", whole, program)
    check(status == 0, f"status {status}")
    lines = whole.read_text().splitlines()
    for at in (1, 12345, len(lines) // 2, len(lines) - 50):
        status, _, err = tipoff(*run, "--checkpoint", machine, "--at", at, program)
        check(status == 0, f"at {at}: status {status}: {err}")
        status, out, err = tipoff("iss", "--quiet", "--restore", machine, "--trace", rest)
        check(status == 0 and full.endswith(out), f"at {at}: status {status}: {out!r}: {err}")
        check(rest.read_text().splitlines() == lines[at:], f"at {at}: another stream")
        for path in (machine, again):
            tipoff(*run, "--checkpoint", path, "--at", at, program)
        check(machine.read_bytes() == again.read_bytes(), f"at {at}: two files of one machine differ")
    status, _, err = tipoff("iss", "--harts", 4, "--checkpoint", machine, "--at", "hart_main:2", program)
    check(status == 0 and "the machine with hart 1 next, at pc 0x" in err, f"a place is reached by any hart: status {status}: {err}")
    check(tipoff("iss", "--quiet", "--harts", 4, "--restore", machine)[0] == 0, "--harts as the checkpoint's")
    refused(["iss", "--harts", 2, "--restore", machine], f"{machine}: a checkpoint of a machine of 4 harts, not of 2")
    refused(["iss", "--quantum", 99, "--restore", machine], "--quantum: the checkpoint determines it", lines=2)
    refused(["mix", "--exact", "--restore", machine], f"{machine}: a checkpoint of a machine of 4 harts, not of 1: `tipoff iss` and `tipoff run` continue it")
    alone = folder / "alone"
    tipoff("iss", "--quiet", "--checkpoint", alone, "--at", 100, program)
    refused(["iss", "--harts", 4, "--restore", alone], f"{alone}: a checkpoint of a machine of 1 hart, not of 4")


def by_hart(folder, harts, said):
    """Its rows: one a file, with the numbers of its statistics; files of one hart, or of another run, are refused."""
    files = [folder / f"run.hart{i}.tips" for i in reversed(range(harts))]
    report = ["report", "--by", "hart", "--format", "json"]
    rows = json.loads(tipoff(*report, *files)[1])["rows"]
    want = [(i, said[i]["cycles"], said[i]["instructions"]) for i in reversed(range(harts))]
    check([(row["hart"], row["cycles"], row["instructions"]) for row in rows] == want, f"rows {rows}, {want} expected")
    for row in rows:
        time = [row[state] for state in ("Computing", "Stalled", "Flushed", "Drained")]
        check(abs(sum(time) - 1) < 1e-9, f"states of {row}")
        check(row["by_others_at"] in (None, "[boot ROM]+0xc"), f"they share no other memory: {row}")
        check(row["file"] == str(folder / f"run.hart{row['hart']}.tips"), f"the file of {row}")
    refused([*report, files[0], files[0]], f"{files[0]}: of hart {harts - 1}, as a file before it")
    check(tipoff("report", "--by", "mode", *files)[0] == 0, "the harts' files together")


@test
def cores(folder):
    """Core models as the harts of one machine: they wake each other through the CLINT, print to one UART, and end in one cycle."""
    for harts in (2, 5):
        program, stats = built(folder, f"-DHARTS={harts}", HERE / "wake.S"), folder / "run.json"
        want = "".join(map(str, [*range(1, harts), 0])) * 3
        check(tipoff("iss", "--quiet", "--harts", harts, program)[:2] == (7, want), "on the ISS")
        run = ["run", "--config", "small2c", "--harts", harts, "--stats", stats]
        seen = []
        for options in (["--max-cycles", 10000], ["--max-cycles", 10000, "--period", 50, "--samples", folder / "run.tips"]):
            status, out, err = tipoff(*run, *options, program)
            check(status == 7 and out.startswith(want), f"{harts} harts: status {status}: {out!r}: {err}")
            check(err.count("memory-order, devices: all agree") == harts, f"{harts} harts in lockstep: {err}")
            check(err.count("small2c: exit 7") == harts and f"\nhart {harts - 1}: {program} on small2c: exit 7" in err, f"{harts} harts: {err}")
            said = [json.loads((folder / f"run.hart{i}.json").read_text()) for i in range(harts)]
            check(f"\n{harts} harts: " in err and f", {sum(one['instructions'] for one in said):,} instructions, IPC " in err, f"the sum: {err}")
            check(len({one["cycles"] for one in said}) == 1, f"{harts} harts end in cycles {[one['cycles'] for one in said]}")
            seen.append([(one["cycles"], one["instructions"]) for one in said])
        check(seen[0] == seen[1], f"sampling changes the run: {seen}")
        by_hart(folder, harts, said)
        dump = tipoff("samples", folder / f"run.hart{harts - 1}.tips")[1]
        check(dump.count("\n") > 5, f"samples of the last hart: {dump}")
    status, _, err = tipoff("run", "--config", "small2c", "--harts", 2, "--max-cycles", 300, program)
    check(status == 124 and err.count("still running at --max-cycles") == 2, f"a limit: status {status}: {err}")
    sleeps, busy = built(folder, "-DBY=0", "-DFOREVER", HERE / "ends.S", name="sleeps.elf"), together(folder)
    for limit, limited in (5, sleeps), (100, busy), (150, busy):  # the last hart comes to it first
        status, _, err = tipoff("run", "--quiet", "--config", "small2c", "--harts", 2, "--max-insns", limit, limited)
        check((status, err) == (124, ""), f"a limit of {limit} instructions: status {status}: {err}")
    status, _, err = tipoff("run", "--quiet", "--config", "small2c", "--harts", 3, "--max-cycles", 5000, sleeps)
    waits = "all harts wait for an interrupt (wfi), and none will come: hart 0 at 0x"
    check(status == 5 and waits in err and ", hart 1 at 0x" in err and ", hart 2 at 0x" in err, f"none can wake another: status {status}: {err}")


@test
def shared(folder):
    """Coherent caches: counters, locks, neighbours in one line and a mailbox of several harts come out right, in lockstep, and as the ISS has them."""
    rounds = 24
    for harts in (2, 4):
        program = built(folder, f"-DHARTS={harts}", f"-DROUNDS={rounds}", HERE / "start.S", HERE / "shared.c")
        sums = {"added": sum(range(1, harts + 1)), "reserved": harts, "tickets": harts, "sides": harts, "apart": harts, "mail": (rounds + 1) / 2}
        want = " ".join(f"{name} {int(each * rounds)}" for name, each in sums.items()) + "\n"
        for command in (["iss"], ["run", "--config", "small2c"]):
            status, out, err = tipoff(*command, "--harts", harts, "--max-insns" if command == ["iss"] else "--max-cycles", 300000, program)
            check((status, out) == (0, want), f"{command}, {harts} harts: status {status}: {out!r}, {want!r} expected: {err}")
    check(err.count("memory-order, devices: all agree") == harts, f"lockstep: {err}")
    run = ["run", "--quiet", "--config", "small2c", "--max-cycles", 100]
    refused([*run, "--set", "llc.latency=12", program], "small2c: llc.latency = 12: 13 at least with harts.coherent")
    alone = folder / "alone.so"
    shutil.copy(ROOT / "build/small2c/model.so", alone)
    refused([*run, "--model", alone, program], f"{folder}/hub.so: cannot read the hub's model")


@test
def lockstep(folder):
    """Each load is proved against all harts' stores: of words that harts share, and of words of their own. (test_incoherent.c: that it can fail.)"""
    run = ["run", "--config", "small2c", "--max-cycles", 100000, "--harts"]
    for harts, stride in ((2, 0), (3, 4096)):
        program = built(folder, f"-DSTRIDE={stride}", HERE / "words.S")
        status, _, err = tipoff(*run, harts, program)
        check(status == 0 and err.count("memory-order, devices: all agree") == harts, f"{harts} harts: status {status}: {err}")
    status, _, err = tipoff("run", "--config", "small2c", "--max-cycles", 100000, "--harts", 2, program)
    check(status == 0 and err.count("memory-order, devices: all agree") == 2, f"coherent caches: status {status}: {err}")
    for name in ("evicted", "forwarded", "peeked"):
        status, _, err = tipoff(*run, 2, built(folder, HERE / f"{name}.S"))
        check(status == 0 and err.count("memory-order, devices: all agree") == 2, f"{name}: status {status}: {err}")
    refused([*run, 2, "--worker", "memory", program], "worker memory compares one hart alone", lines=1)
    refused([*run, 2, "--worker", "memory-order:on=no", program], "lockstep of several harts needs worker memory-order")
    refused(["run", "--config", "small2", "--max-cycles", 9, "--harts", 2, program], "--harts: the caches of small2 are not coherent", "small2c")


@test
def together_on_cores(folder):
    """Locks, messages, interrupts, code and page tables that another hart changes, on coherent cores in lockstep."""
    status, out, err = tipoff("run", "--config", "small2c", "--max-cycles", 1000000, "--harts", 2, together(folder))
    check((status, out) == (0, expected(2)), f"status {status}: {out!r}: {err}")
    check(err.count("memory-order, devices: all agree") == 2, f"lockstep: {err}")


@test
def stale(folder):
    """Entries of page tables, with a fence and without, and code with exceptions in it, that another hart has written: lockstep follows the core."""
    program, rounds, harts = built(folder, "-DHARTS=3", HERE / "start.S", HERE / "stale.c"), 24, 3
    sums = harts * rounds * (rounds + 1) // 2
    want = f"mapped {sums + harts * 2 * (rounds - 1)} unmapped {harts * rounds} calls {sums}\n"
    for command in (["iss"], ["run", "--config", "small2c"]):
        status, out, err = tipoff(*command, "--harts", harts, "--max-insns" if command == ["iss"] else "--max-cycles", 300000, program)
        check((status, out) == (0, want), f"{command}: status {status}: {out!r}, {want!r} expected: {err}")
    check(err.count("memory-order, devices: all agree") == harts, f"lockstep: {err}")


@test
def checkpoints_on_cores(folder):
    """Cores go on from a machine of several harts: amid locks, with one in wfi and one that has been woken, amid changes of page tables."""
    program, machine = together(folder), folder / "machine"
    status, whole, err = tipoff("iss", "--quiet", "--harts", 2, program)
    for harts, at in ((2, "on_ping:350"), (2, 88000), (3, "on_line")):
        status, before, err = tipoff("iss", "--quiet", "--harts", harts, "--checkpoint", machine, "--at", at, program)
        status, out, err = tipoff("run", "--config", "small2c", "--max-cycles", 300000, "--restore", machine)
        check((status, before + out) == (0, expected(harts)), f"{harts} harts, at {at}: status {status}: {before!r}, {out!r}: {err}")
        check(err.count("memory-order, devices: all agree") == harts, f"{harts} harts, at {at}: lockstep: {err}")
    refused(["run", "--config", "small2c", "--harts", 2, "--restore", machine], f"{machine}: a checkpoint of a machine of 3 harts, not of 2", "--harts 3")
    refused(["run", "--config", "small2", "--restore", machine], "--harts: the caches of small2 are not coherent")
    tipoff("iss", "--quiet", "--harts", 9, "--checkpoint", machine, "--at", 100, program)
    refused(["run", "--config", "small2c", "--restore", machine], f"{machine}: a checkpoint of a machine of 9 harts; cores have 8 at most", lines=0)


@test
def random_programs(folder):
    """Random programs that meet in a few lines, on coherent cores: every load proved, and the counters right."""
    for seed, harts in ((1, 2), (2, 2), (3, 3), (4, 4)):
        source = folder / "random.S"
        source.write_text(
            subprocess.run(
                [ROOT / "tests/fuzz/harts_fuzz.py", "--seed", str(seed), "--harts", str(harts), "--length", "60"], capture_output=True, text=True, check=True
            ).stdout
        )
        status, _, err = tipoff("run", "--config", "small2c", "--max-cycles", 100000, "--harts", harts, built(folder, source))
        check(status == 0 and err.count("memory-order, devices: all agree") == harts, f"seed {seed}, {harts} harts: status {status}: {err}")


@test
def bad_input(folder):
    program = built(folder, "-DBY=0", HERE / "ends.S")
    for text in ("0", "17", "x", "", "-1", "2x"):
        refused(["iss", f"--harts={text}", program], f"--harts {text}: not a number from 1 to 16", lines=2)
    for text in ("0", "9", "2x"):
        refused(["run", f"--harts={text}", program], f"--harts {text}: not a number from 1 to 8", lines=2)
    run = ["run", "--config", "small2c", "--harts", 2, "--no-cosim"]
    for options in (["--hart-id", 3], ["--failure-checkpoint", folder / "t"]):
        refused([*run, *options, program], options[0], lines=2)
    for text in ("63", "0", "1000001", "x"):
        refused(["iss", "--harts", 2, f"--quantum={text}", program], f"--quantum {text}: not a number from 64 to 1000000", lines=2)
    refused(["iss", "--quantum", 100, program], "--quantum: needs --harts of 2 or more", lines=2)
    refused(["iss", "--harts", 2, "--hart-id", 3, program], "--hart-id: several harts are numbered from 0", lines=2)
    commands = re.findall(r"^  ([a-z]+)  ", tipoff("--help")[1], re.MULTILINE)
    check({"iss", "linux", "run", "gus", "mix", "sweep", "report"} <= set(commands), f"of tipoff --help: {commands}")
    for command in commands:
        if command not in ("bbv", "gus", "iss", "linux", "litmus", "regions", "run"):
            refused([command, "--harts", 2, "--", program], "--harts", lines=0)
    large = folder / "large.elf"
    many = ["-Wl,--defsym=__hart_stack_size=0x100000", ROOT / "tests/cli/cc_harts.c", "-o", large]
    subprocess.run([ROOT / "build/bin/tipoff-cc", *many], check=True)
    refused(["iss", "--harts", 8, "--memory", "16M", large], f"{large}: does not fit into memory of 16M", "run with --memory 32M")
    check(tipoff("iss", "--quiet", "--harts", 8, "--memory", "32M", large, "--", 8)[0] == 0, "32M, then")
    for options in (["--memory", "16M"], ["--memory", "2G"]):
        status, _, err = tipoff("iss", "--quiet", "--harts", 16, *options, built(folder, "-DBY=15", HERE / "ends.S"))
        check(status == 15, f"{options}: status {status}: {err}")
    refused(["linux", "--iss", "--harts", 8, "--memory", "16M", "--", large], "--memory 16M: too little for Linux: at least 256M")
    refused(["linux", "--iss", "--harts", 17, "--", large], "--harts needs a number, 1 to 16: 17", lines=2)
    refused(["linux", "--harts", 9, "--", large], "--harts: cores have 8 at most", lines=2)


if __name__ == "__main__":
    if "--qemu" in sys.argv:
        at = sys.argv.index("--qemu")
        qemu_harts = [int(n) for n in sys.argv[at + 1].split(",")]
        del sys.argv[at : at + 2]
    sys.exit(main())
