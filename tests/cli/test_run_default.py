#!/usr/bin/env python3
"""`tipoff run PROGRAM` and nothing else: it samples, keeps the samples beside an older file, and says how to see them; and how long a run will take."""
import os
import pty
import re
import shutil
import subprocess
import time

from cli import LARGE, ROOT, TIMEOUT, TINY, TIPOFF, assembled, check, main, refused, test, tipoff

RUN = ["run", "--config", "small2"]
REPORT = "report: tipoff report"


def typed(*words, cwd):
    """As tipoff(), but run once more each time: what runs of before have left is what is asked."""
    done = subprocess.run([TIPOFF, *map(str, words)], stdin=subprocess.DEVNULL, capture_output=True, timeout=TIMEOUT, check=False, cwd=cwd)
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def last(err):
    return err.splitlines()[-1] if err else ""


@test
def samples_of_itself(folder):
    """PROGRAM.tips in the current folder, as --period 97 --samples would write it; stdout is the program's alone."""
    status, out, err = tipoff(*RUN, TINY, cwd=folder)
    check(status == 0 and out.count("\n") == 1 and "PASS" in out, f"status {status}: {out}")
    check(last(err) == f"{REPORT} interp.tiny.tips", err)
    check(sorted(p.name for p in folder.iterdir()) == ["interp.tiny.tips"], "one file")
    asked = tipoff(*RUN, "--period", 97, "--samples", "asked.tips", TINY, cwd=folder)
    check(asked[0] == 0 and not asked[2].splitlines()[-1].startswith("report:"), asked[2])
    rows = [tipoff("samples", name, cwd=folder)[1] for name in ("interp.tiny.tips", "asked.tips")]
    check(rows[0] == rows[1] and rows[0].count("\n") > 100, "the same samples")
    status, out, _ = tipoff(*last(err).removeprefix("report: tipoff ").split(), cwd=folder)
    check(status == 0 and "Hottest instructions" in out, "the line that it ends with")


@test
def older_files(folder):
    """A sample file of before becomes NAME.old, of a run that fails too early it stays; anything else is left alone."""
    mine = folder / "interp.tiny.tips"
    check(typed(*RUN, TINY, cwd=folder)[0] == 0, "a run")
    mine.write_bytes(mine.read_bytes() + b"marked")
    check(typed(*RUN, TINY, cwd=folder)[0] == 0, "a second one")
    old = folder / "interp.tiny.tips.old"
    check(old.read_bytes().endswith(b"marked") and not mine.read_bytes().endswith(b"marked"), "the older one is .old")
    shutil.copy(TINY, folder / "interp.tiny.elf")
    with open(folder / "interp.tiny.elf", "r+b") as program:
        program.truncate(1000)
    before = mine.read_bytes()
    refused([*RUN, "interp.tiny.elf"], "interp.tiny.elf", cwd=folder)
    check(mine.read_bytes() == before and old.read_bytes().endswith(b"marked"), "nothing ran, nothing moved")
    mine.write_text("a letter")
    refused([*RUN, TINY], "interp.tiny.tips: exists, and is no sample file", "--samples FILE", "--period none", cwd=folder)
    mine.unlink()
    mine.symlink_to(old)
    refused([*RUN, TINY], "interp.tiny.tips: exists, and is no sample file", cwd=folder)
    check(old.read_bytes().endswith(b"marked"), "not through a link")


@test
def asked_for_something_else(folder):
    """With -q, an output, a count, a worker, fewer checks: no file. With a limit: none either, but the line says how."""
    for options in (
        ["-q"],
        ["--stats", os.devnull],
        ["--count", "BRANCHES"],
        ["--worker", "topdown"],
        ["--no-oracle"],
        ["--period", "none"],
        ["--period", 997],
    ):
        status, _, err = tipoff(*RUN, *options, TINY, cwd=folder)
        check(status == 0 and "sampled:" not in err and REPORT not in err, f"{options}: {err}")
    for limit in ["--max-insns", 1000], ["--max-cycles", 1000], ["--sample-to", 1000]:
        status, _, err = tipoff(*RUN, *limit, TINY, cwd=folder)
        check(status == 124 and last(err).startswith("not sampled: --period 97 samples"), f"{limit}: {err}")
    check(not list(folder.iterdir()), "no file")


@test
def too_short(folder):
    """A run of fewer cycles than a period leaves no file, keeps the one of before, and is no error."""
    program = assembled(folder, "exit7.S", name="short.elf")
    shutil.copy(program, folder / "kept")
    tipoff(*RUN, "--period", 97, "--samples", "short.tips", TINY, cwd=folder)
    before = (folder / "short.tips").read_bytes()
    status, _, err = typed(*RUN, program, cwd=folder)
    cycles = int(re.search(r"([\d,]+) cycles", err)[1].replace(",", ""))
    if cycles < 48:  # half a period: the shortest distance that jitter makes
        check(last(err).startswith("not sampled: the run is shorter"), f"status {status}: {err}")
        check((folder / "short.tips").read_bytes() == before and not (folder / "short.tips.old").exists(), "as before")
    check(status == 7, f"status {status}: {err}")


@test
def period_is_known(folder):
    """--samples FILE alone samples as --period 97 does."""
    check(tipoff(*RUN, "-q", "--samples", "a.tips", TINY, cwd=folder)[0] == 0, "without --period")
    check(tipoff(*RUN, "-q", "--period", 97, "--samples", "b.tips", TINY, cwd=folder)[0] == 0, "with it")
    check(tipoff("samples", "a.tips", cwd=folder)[1] == tipoff("samples", "b.tips", cwd=folder)[1], "the same samples")
    refused([*RUN, "--samples", "c.tips", "--period", "none", TINY], "--period none takes none", lines=0, cwd=folder)


@test
def each_hart(folder):
    """Harts have a file each; the line names them all."""
    if not (ROOT / "build/small2c/model.so").exists():
        return
    (folder / "two.c").write_text("void tipoff_hart_main(unsigned long hart) { (void)hart; }\nint main(void) { return 0; }\n")
    subprocess.run([ROOT / "runtime/tipoff-cc", "two.c", "-o", "two.elf"], check=True, cwd=folder)
    status, _, err = tipoff("run", "--config", "small2c", "--harts", 2, "two.elf", cwd=folder)
    check(status == 0 and last(err) == f"{REPORT} two.hart0.tips two.hart1.tips", err)
    status, out, err = tipoff(*last(err).removeprefix("report: tipoff ").split(), cwd=folder)
    check(status == 0 and out, err)


@test
def how_long(folder):
    """The progress line of a long run knows how many instructions it will have: as many as the ISS executes."""
    _, _, err = tipoff("iss", LARGE)
    count = int(re.search(r"([\d,]+) instructions", err)[1].replace(",", ""))
    master, slave = pty.openpty()
    process = subprocess.Popen([TIPOFF, *RUN, LARGE], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=slave, cwd=folder)
    os.close(slave)
    text, deadline = "", time.monotonic() + TIMEOUT
    while time.monotonic() < deadline and not re.search(r" left", text):
        text += os.read(master, 4096).decode(errors="replace")
    process.terminate()
    process.wait(TIMEOUT)
    os.close(master)
    check(f" of about {count / 1e6:.1f} M instructions, " in text, f"{count}: {text!r}")
    check(re.search(rf"\x1b\[K{count / 1e6:.1f} M instructions, about [\d.]+ (s|min|h)\r?\n", text), text)


if __name__ == "__main__":
    main()
