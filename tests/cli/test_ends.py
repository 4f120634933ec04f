#!/usr/bin/env python3
"""How runs end: exit codes, what a program asks of its host (HTIF), budgets, signals, and what is on disk then.

    tests/cli/test_ends.py [--only TEXT]

Needs build/bin/tipoff, build/workloads/interp.{small,large}.elf and the model of small2.
"""
import json
import os
import pathlib
import pty
import re
import signal
import subprocess
import sys
import time

from cli import BLOCK, LARGE, ROOT, RUN, SMALL, TIMEOUT, TIPOFF, assembled, check, main, refused, test, tipoff


# ---- exit statuses and runs ended from outside ----
@test
def exit_status(folder):
    program = assembled(folder, "exit7.S")
    check(tipoff("iss", program)[0] == 7, "iss: the program's status")
    check(tipoff(*RUN, program)[0] == 7, "run: the program's status")
    status, _, err = tipoff("iss", "--max-insns", 3, program)
    check(status == 124 and "did not end" in err, f"iss --max-insns: status {status}: {err}")
    path, stats = folder / "x.tips", folder / "x.json"
    status, out, _ = tipoff(*RUN, "--period", 97, "--samples", path, "--stats", stats, "--max-cycles", 5000, SMALL)
    check(status == 124 and "Hottest instructions" in out, f"--max-cycles: status {status}")
    check(json.loads(stats.read_text())["cycles"] == 5000, "--max-cycles: cycles")
    report = json.loads(tipoff("report", "--format", "json", path)[1])
    check(report["complete"] and report["cycles"] == 5000 and report["samples"] > 0, "--max-cycles: the file is whole")
    oracle = json.loads(tipoff("report", "--format", "json", "--profiler", "Oracle", path)[1])
    check(oracle["weight"] == 5000 * oracle["U"], "cycles are conserved in a run that --max-cycles ended")


STORES = [  # how it is stored, what, exit code
    ("sd t1, 0(t0)", 7, 3),
    ("sw t1, 0(t0); sw zero, 4(t0)", 7, 3),  # riscv-tests
    ("sw t1, 0(t0)", 7, 3),  # riscv-arch-test
    ("sw t1, 0(t0)", 0x300000007, 3),  # the register is wider than the store
    ("sb t1, 0(t0)", 0x207, 3),
    ("sh t1, 0(t0); sh zero, 2(t0); sw zero, 4(t0)", 7, 3),
    ("amoswap.d zero, t1, (t0)", 7, 3),
    ("amoadd.w zero, t1, (t0)", 7, 3),
    ("sw zero, 4(t0); sw t1, 0(t0)", 1, 0),
    ("sd t1, 0(t0)", 2 * 255 + 1, 255),
    ("sd t1, 0(t0)", 2 * 256 + 1, 256),  # a multiple of 256 is no success
    ("sd t1, 0(t0)", 2 * 1337 + 1, 1337),
]


@test
def tohost(folder):
    """A store of any width ends the program, on ISS and core alike; codes above 255 give status 255, and are printed."""
    for store, value, code in STORES:
        program = assembled(folder, "htif_end.S", f"-DINIT={value:#x}", f"-DSTORE={store}")
        for command in (["iss", "--max-insns", 100000], [*RUN, "--max-cycles", 100000]):
            status, _, err = tipoff(*command, program)
            said = f"{command[0]}, {store} of {value:#x}: status {status}: {err}"
            check(status == min(code, 255), said)
            check(code <= 255 or f"{code} (status 255" in err, said)


@test
def tohost_once(folder):
    """A single narrow store, and nothing after it: the host waits a while for the rest of the word, then takes what has come."""
    program = assembled(folder, "htif_end.S", "-DINIT=7", "-DSTORE=sw t1, 0(t0)", "-DONCE")
    for command in (["iss", "--max-insns", 100000], [*RUN, "--max-cycles", 100000]):
        status, _, err = tipoff(*command, program)
        check(status == 3, f"{command[0]}: status {status}: {err}")


@test
def console_by_htif(folder):
    """Characters, system calls and input through tohost and fromhost, on the ISS, and on the core in lockstep and without."""
    typed = folder / "typed"
    typed.write_text("read.")
    wanted = "character by character\nby system call\n*b*y* \n"
    for options, code, more in (["-DREADS"], 41, "read"), (["-DCALL=93"], 42, ""):
        program = assembled(folder, "htif_console.c", *options)
        for command in (["iss"], RUN, [*RUN, "--no-cosim", "--no-oracle"], [*RUN, "--period", 97, "--jitter"]):
            status, out, err = tipoff(*command, "--quiet", "--input", typed, program)
            check(status == code and out == wanted + more, f"{command} {options}: status {status}, {out!r}: {err}")


@test
def two_halves_are_one_command(folder):
    """Two stores of four bytes, low half first: the character is printed, not taken for an exit code (its bit 0 is set)."""
    store = "sw t1, 0(t0); li t1, 0x01010000; sw t1, 4(t0); 3: ld t2, 0(t0); bnez t2, 3b; li t1, 11; sd t1, 0(t0)"
    program = assembled(folder, "htif_end.S", f"-DINIT={ord('A')}", f"-DSTORE={store}", "-DONCE")
    for command in (["iss"], RUN):
        status, out, err = tipoff(*command, "--quiet", program)
        check(status == 5 and out == "A", f"{command[0]}: status {status}, {out!r}: {err}")


@test
def finisher(folder):
    """The test finisher ends a run, on ISS and core: with a status, or, where a reset is asked for, with a line and status 5."""
    for word, status in (0x5555, 0), (0x3333, 0), (0x2A3333, 42), (0x1003333, 255), (0x7777, 5):
        program = assembled(folder, "finisher_end.S", f"-DWORD={word:#x}", "-Wl,--defsym=finisher=0x100000")
        for command in (["iss"], ["iss", "--trace", os.devnull], RUN, [*RUN, "--period", 97]):
            got, out, err = tipoff(*command, "--quiet", program)
            check(got == status and out == "", f"{command} {word:#x}: status {got}, {out!r}: {err}")
            check(err.count("\n") == (status == 5) and (status != 5 or "asked for a reset" in err), f"{command} {word:#x}: {err!r}")
    for program in (
        assembled(folder, "finisher_end.S", "-DWORD=0x5555"),
        assembled(folder, "finisher_end.S", "-DWORD=0x5555", "-Wl,--defsym=finisher=0x100008"),
    ):
        for command, limit in LIMITS:
            refused([*command, program], ONLY_FINISHER.format(program=program, limit=limit))


LIMITS = (  # commands that run a program, and their options that end it
    (["iss"], "--max-insns"),
    (["iss", "--trace", os.devnull], "--max-insns"),
    (RUN, "--max-cycles or --max-insns"),
    (["mix", "--exact"], "--max-insns"),
    (["gus"], "--max-insns or --to"),
)
ONLY_FINISHER = (
    "tipoff: {program}: has no symbol tohost, so that only the test finisher can end the run: if it does, link with -Wl,--defsym=finisher=0x100000; "
    "else link tohost in (docs/guide/workloads.md); or give {limit}\n"
)


@test
def finisher_ends_counts(folder):
    """... and what mix and gus count, with the symbol finisher as with a limit of instructions."""
    program = assembled(folder, "finisher_end.S", "-DWORD=0x5555", "-Wl,--defsym=finisher=0x100000")
    bare = assembled(folder, "finisher_end.S", "-DWORD=0x5555", name="bare.elf")
    for command in ["mix", "--exact"], ["gus"]:
        for more in [program], ["--max-insns", 1000, bare]:
            got, out, err = tipoff(*command, *more)
            check(got == 0 and out and not err, f"{command} {more}: status {got}, {out!r}: {err}")


@test
def what_the_host_refuses(folder):
    """A device or a system call that is not served ends the run, with a line that says which."""
    cases = [
        ("htif_end.S", ["-DINIT=0x0200000000000041", "-DSTORE=sd t1, 0(t0)"], "HTIF device 2, command 0 is not served"),
        ("htif_end.S", ["-DINIT=0x80000100", "-DSTORE=sd t1, 0(t0)"], "without a symbol fromhost"),
        ("htif_console.c", ["-DCALL=58"], "system call 58 of the host (HTIF) is not served"),
    ]
    for source, options, text in cases:
        program = assembled(folder, source, *options)
        for command in (["iss"], RUN):
            status, _, err = tipoff(*command, "--quiet", program)
            check(status == 2 and text in err and err.count("\n") == 1 and str(program) in err, f"{command[0]}: status {status}: {err}")


@test
def call_in_rom(folder):
    """Words of a call that lie in the boot ROM are the ROM's, on the ISS as on the core: its first instruction is no number of a call."""
    program = assembled(folder, "htif_end.S", "-DINIT=0x1000", "-DSTORE=sd t1, 0(t0)", "-DONCE", "-Wl,--defsym=fromhost=0x80200000")
    said = []
    for command in (["iss"], RUN):
        status, _, err = tipoff(*command, "--quiet", program)
        said.append(re.search(r"system call (\d+) of the host", err)[1])
        check(status == 2 and said[-1] != "0", f"{command[0]}: status {status}: {err}")
    check(said[0] == said[1], f"the ISS reads {said[0]}, the core {said[1]}")


@test
def no_tohost(folder):
    """Nothing says that such a program ends: it is refused, unless a budget is given."""
    program = folder / "stripped.elf"
    subprocess.run(["riscv64-unknown-elf-strip", "-o", program, SMALL], check=True)
    for command, limit in LIMITS:
        refused([*command, program], ONLY_FINISHER.format(program=program, limit=limit))
    for command, option in (["iss"], "--max-insns"), (RUN, "--max-cycles"):
        status, _, err = tipoff(*command, option, 1000, program)
        check(status == 124, f"{command[0]} {option}: status {status}: {err}")
    program = assembled(folder, "htif_end.S", "-DINIT=7", "-DSTORE=sd t1, 0(t0)", "-Wl,--defsym=tohost=0x80000004", "-DELSEWHERE")
    for command in (["iss"], RUN):
        refused([*command, program], "tohost is at 0x80000004, not on an 8-byte boundary")


@test
def stack_overflow(folder):
    """A stack that overflows is a trap of the program that reports it, small frames or large; not a difference of the core's."""
    runtime = ROOT / "tests/workloads/runtime"
    for size in (64, 5000, 2 << 20):
        program = assembled(
            folder,
            "overflow.c",
            f"-DFRAME={size}",
            f"-I{runtime}",
            '-DWORKLOAD="overflow"',
            *[runtime / name for name in ("crt0.S", "tohost.S", "console.c", "string.c", "trap.c")],
        )
        for command in (["iss"], [*RUN, "--max-cycles", 3000000]):
            status, out, err = tipoff(*command, "--quiet", program)
            check(
                status == 125 and re.fullmatch(r"stack overflow: trap 0x7 \(0x7[0-9a-f]{7}\) at 0x8[0-9a-f]{7}\n", out),
                f"{command[0]}, frames of {size}: status {status}, {out!r}: {err}",
            )


@test
def rewritten_code(folder):
    """Code rewritten without fence.i: ISS and core may execute either. Where they differ, the message says what the program did."""
    status, _, err = tipoff(*RUN, "--quiet", assembled(folder, "rewrites.S", "-DFENCE"))
    check(status == 0, f"with fence.i: status {status}: {err}")
    status, _, err = tipoff(*RUN, "--quiet", assembled(folder, "rewrites.S"))
    last = err.splitlines()[-1] if err else ""
    check(
        status == 3 and re.search(r"instruction word: .*; the program stored to this word at cycle \d+, and has had no fence.i since$", last),
        f"without: status {status}: {err}",
    )


@test
def last_stores(folder):
    """What is stored to the UART right before the end, with no fence, is printed: stores wait in the queue when the one that ends the run commits."""
    for store in ("sd", "sw"):
        program = assembled(folder, "uart_last.S", f"-DSTORE={store}")
        for command in (["iss"], RUN, [*RUN, "--no-cosim"]):
            status, out, err = tipoff(*command, "--quiet", program)
            check(status == 0 and out == "ABCDEF", f"{command[0]}, {store}: status {status}: {out!r}: {err}")


@test
def trap_loop(folder):
    """A program that traps forever says with which trap: pc 0 holds no instruction, and mtvec points there."""
    program = assembled(folder, "trap_loop.S")
    trap = "; the last trap, 0 instructions ago: exception 1 at 0x0, value 0x0"
    status, _, err = tipoff("iss", "--max-insns", 1000, program)
    check(status == 124 and err.endswith(f"did not end at pc 0x0{trap}\n"), f"iss: status {status}: {err}")
    status, _, err = tipoff(*RUN, "--quiet", "--worker", "watchdog:limit=2000", program)
    said = re.search(r"nothing has committed for \d+ cycles; (the oldest is at 0x0|the ROB is empty)(.*)\n$", err)
    check(status == 5 and said and said[2] == trap, f"run: status {status}: {err}")


@test
def order_in_a_log(folder):
    """In one file for both streams the program's output stands before what the command says of the run."""
    program = assembled(folder, "uart_last.S", "-DSTORE=sd")
    for command in (["iss"], ["iss", "--checkpoint", folder / "machine", "--at", "_start+64"], RUN):
        done = subprocess.run(
            [TIPOFF, *command, program], cwd=ROOT, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
        )
        check(done.stdout.startswith("ABCDEF"), f"{command}: {done.stdout}")


@test
def ignored_signals(folder):
    """What nohup and shells have a process ignore does not end a run."""
    command = [TIPOFF, *map(str, RUN), "--quiet", "--max-cycles", "200000", "--stats", folder / "stats", SMALL]
    process = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.DEVNULL, preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
    while process.poll() is None:
        process.send_signal(signal.SIGHUP)
        time.sleep(0.05)
    check(process.returncode == 124 and json.loads((folder / "stats").read_text())["cycles"] == 200000, f"status {process.returncode}")


@test
def model_of_this_folder(folder):
    """A model's name without a folder is the file here, and not one of the library path."""
    (folder / "m.so").symlink_to(ROOT / "build/small2/model.so")
    done = subprocess.run([TIPOFF, *map(str, RUN), "--quiet", "--model", "m.so", "--max-cycles", "1000", SMALL], cwd=folder, capture_output=True, text=True)
    check(done.returncode == 124, f"status {done.returncode}: {done.stderr}")


@test
def stale_translation(folder):
    """A page table changed without sfence.vma: ISS and core may use either translation. Where they differ, the message says what the program did."""
    for kind, words in ("SATP", r"satp was written at cycle \d+"), ("ENTRY", r"the program stored to the page-table entry at 0x8[0-9a-f]{7} at cycle \d+"):
        status, _, err = tipoff(*RUN, "--quiet", assembled(folder, "stale_translation.S", f"-D{kind}", "-DFENCE"))
        check(status == 0, f"{kind}, with sfence.vma: status {status}: {err}")
        status, _, err = tipoff(*RUN, "--quiet", assembled(folder, "stale_translation.S", f"-D{kind}"))
        last = err.splitlines()[-1] if err else ""
        remark = f"destination value: .*; {words}, and there was no sfence.vma since: a stale translation is legal, too$"
        check(status == 3 and re.search(remark, last), f"{kind}: status {status}: {err}")


def started(*arguments):
    """A run whose progress line can be read: stderr is a terminal. Returns the process and the terminal's file."""
    master, slave = pty.openpty()
    process = subprocess.Popen([TIPOFF, *map(str, arguments)], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=slave, cwd=ROOT)
    os.close(slave)
    return process, master


def progress_until(process, master, cycles):
    """Waits until the progress line shows that many cycles; returns what it showed last."""
    text, deadline = "", time.monotonic() + TIMEOUT
    while time.monotonic() < deadline and process.poll() is None:
        text += os.read(master, 4096).decode(errors="replace")
        shown = [int(n.replace(",", "")) for n in re.findall(r"([\d,]+) cycles", text)]
        if shown and shown[-1] >= cycles:
            return shown[-1]
    process.kill()
    raise AssertionError(f"no progress line of {cycles} cycles: {text!r}")


def last_words(master):
    text = b""
    try:
        while part := os.read(master, 4096):
            text += part
    except OSError:  # the other end is closed
        pass
    os.close(master)
    return text.decode(errors="replace")


@test
def killed_between_blocks(folder):
    """SIGKILL long before the first block is full: what was sampled until a second ago is in the file."""
    path = folder / "killed.tips"
    process, master = started(*RUN, "--period", 9973, "--samples", path, LARGE)
    progress_until(process, master, 100000)
    time.sleep(2.5)
    process.send_signal(signal.SIGKILL)
    check(process.wait(TIMEOUT) == -signal.SIGKILL, "killed")
    process.stdout.close()
    shown = [int(n.replace(",", "")) for n in re.findall(r"([\d,]+) cycles", last_words(master))]
    status, out, err = tipoff("report", "--format", "json", path)
    check(status == 0 and "truncated" in err, f"status {status}: {err}")
    report = json.loads(out)
    check(0 < report["samples"] < BLOCK, f"{report['samples']} samples")
    # The progress line comes twice a second: 1.6 s of its cycles at the most are missing.
    rate = (shown[-1] - shown[0]) / (0.5 * (len(shown) - 1))
    check(report["cycles"] >= shown[-1] - 1.6 * rate, f"{shown[-1]} cycles ran at {rate:.0f} a second, samples up to {report['cycles']} are on disk")


@test
def killed(folder):
    """SIGKILL in mid-run: at most the block that was being filled is lost."""
    period, path = 23, folder / "killed.tips"
    process, master = started(*RUN, "--period", period, "--samples", path, LARGE)
    shown = progress_until(process, master, 4 * BLOCK * period)
    process.send_signal(signal.SIGKILL)
    check(process.wait(TIMEOUT) == -signal.SIGKILL, "killed")
    process.stdout.close()
    last_words(master)
    status, out, err = tipoff("report", "--format", "json", path)
    check(status == 0 and "truncated" in err, f"status {status}: {err}")
    report = json.loads(out)
    check(report["samples"] >= BLOCK, f"a block expected: {report['samples']} samples")
    # Collisions make samples rarer than the period: take the measured distance.
    distance = report["cycles"] / report["samples"]
    check(report["cycles"] >= shown - 1.05 * BLOCK * distance, f"{shown} cycles ran, samples up to {report['cycles']} are on disk")
    status, out, err = tipoff("report", path)
    check(status == 0 and "Hottest instructions" in out, f"status {status}: {err}")


def interrupted(folder, number):
    path, stats, profile = folder / f"{number}.tips", folder / f"{number}.json", folder / f"{number}.csv"
    process, master = started(*RUN, "--period", 97, "--samples", path, "--stats", stats, "--profile", profile, LARGE)
    progress_until(process, master, 100000)
    process.send_signal(number)
    out, _ = process.communicate(timeout=TIMEOUT)
    words = last_words(master)
    check(process.returncode == 128 + number, f"status {process.returncode}: {words}")
    check("interrupted" in words and "all agree" in words, f"closing lines: {words!r}")
    check("Hottest instructions" in out.decode(), "the report is printed")
    statistics = json.loads(stats.read_text())
    report = json.loads(tipoff("report", "--format", "json", path)[1])
    check(report["complete"], "the sample file is whole")
    check(report["cycles"] == statistics["cycles"] and report["samples"] == statistics["samples"] > 0, f"{report['samples']} samples, statistics {statistics}")
    first, _, *rows = profile.read_text().splitlines()
    units = int(re.search(r"U=(\d+)", first)[1])
    check(sum(int(row.rsplit(",", 1)[1]) for row in rows) == statistics["cycles"] * units, "cycles are conserved in an interrupted run")


@test
def ctrl_c(folder):
    """SIGINT ends a run cleanly: everything sampled so far is on disk and reported."""
    interrupted(folder, signal.SIGINT)


@test
def terminated(folder):
    interrupted(folder, signal.SIGTERM)


@test
def hung_up(folder):
    """SIGHUP, as when the terminal of a run goes away."""
    interrupted(folder, signal.SIGHUP)


SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def piped(*arguments):
    """A run whose output goes to a pipe of one page."""
    pipe = subprocess.PIPE  # a page before anything is written: a pipe that holds more cannot be made smaller
    return subprocess.Popen([TIPOFF, *map(str, arguments)], stdin=subprocess.DEVNULL, stdout=pipe, stderr=pipe, pipesize=4096, cwd=ROOT)


def threads(process):
    """State and processor time of each of its threads (proc(5): fields 3, 14 and 15 of stat)."""
    fields = [path.read_text().rsplit(")", 1)[1].split() for path in sorted(pathlib.Path(f"/proc/{process.pid}/task").glob("*/stat"))]
    return [(each[0], each[11], each[12]) for each in fields]


def waits(process):
    """Until all its threads sleep, and go on sleeping: it waits for its reader, or for its input. (One that is ready to run is not
    asleep, however long a busy machine lets it wait.)"""
    seen, deadline = [], time.monotonic() + TIMEOUT
    while len(seen) < 10 or seen[-10:] != [seen[-1]] * 10 or any(state != "S" for state, *_ in seen[-1]):
        check(process.poll() is None and time.monotonic() < deadline, "the run never waits")
        time.sleep(0.02)
        seen.append(threads(process))


@test
def iss_ctrl_c(_):
    """A signal while the reader of the trace is slow: every line up to the end is written."""
    for number in SIGNALS:
        process = piped("iss", "--trace", "-", LARGE)
        waits(process)
        process.send_signal(number)
        out, err = process.communicate(timeout=TIMEOUT)
        check(process.returncode == 128 + number and b"interrupted at pc 0x8" in err, f"{number}: status {process.returncode}: {err!r}")
        check(out.count(b"\n") == int(re.search(rb": ([\d,]+) instructions", err)[1].replace(b",", b"")), f"{number}: {out.count(10)} lines: {err!r}")


@test
def ctrl_c_at_a_full_pipe(folder):
    """The same for a run on the core: the program's console goes to a reader that is slow."""
    program = assembled(folder, "prints.S", "-DUART=0x10000000", ROOT / "tests/workloads/runtime/tohost.S")
    for number in SIGNALS:
        process = piped(*RUN, program)
        waits(process)
        process.send_signal(number)
        out, err = process.communicate(timeout=TIMEOUT)
        check(process.returncode == 128 + number and b"interrupted" in err and b"cannot" not in err, f"{number}: status {process.returncode}: {err!r}")
        # A page in the pipe, and what followed: a whole buffer, or, after a second without output, a part of one.
        check(len(out) > 4096 and not out.strip(b"x"), f"{number}: {len(out)} bytes, {out.strip(b'x')[:100]!r}")


@test
def ctrl_c_at_the_prompt(folder):
    """A signal while the program waits for a byte that nobody types ends the run."""
    program = assembled(folder, "htif_console.c", "-DREADS")
    for number in SIGNALS:
        for command in ["iss"], RUN:
            typed = folder / "typed"
            typed.unlink(missing_ok=True)
            os.mkfifo(typed)
            writer = os.open(typed, os.O_RDWR)
            process = piped(*command, "--input", typed, program)
            waits(process)
            process.send_signal(number)
            _, err = process.communicate(timeout=TIMEOUT)
            os.close(writer)
            check(process.returncode == 128 + number and b"interrupted" in err, f"{command[0]} {number}: status {process.returncode}: {err!r}")


if __name__ == "__main__":
    sys.exit(main())
