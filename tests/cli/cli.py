"""What the tests of the command line share: running it, checking, a registry of tests and their runner."""
import argparse
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "scripts"))
from suite import kept  # noqa: E402

TIPOFF = str(ROOT / "build/bin" / os.environ.get("TIPOFF", "tipoff"))  # tipoff-san: the one with sanitizers
TINY = ROOT / "build/workloads/interp.tiny.elf"  # 37,000 cycles on small2; the small one: 253,000
SMALL = ROOT / "build/workloads/interp.small.elf"
LARGE = ROOT / "build/workloads/interp.large.elf"
MODEL = ROOT / "build/small2/model.so"
RUN = ["run", "--config", "small2", "--period", "none"]  # no samples of itself (test_run_default.py); a later --period samples
BLOCK = 4096  # samples a block, csrc/samples/samples.h
TIMEOUT = 120
TESTS = []

# Under nohup, or with a shell's &, signals are ignored, and a run would keep them so: the tests send them.
for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
    if signal.getsignal(number) is signal.SIG_IGN:
        signal.signal(number, signal.SIG_DFL)


def test(function):
    TESTS.append(function)
    return function


def tipoff(*arguments, env=None, command=TIPOFF, cwd=ROOT, **more):
    done = kept.run([str(command), *map(str, arguments)], stdin=subprocess.DEVNULL, capture_output=True, timeout=TIMEOUT, check=False, cwd=cwd, env=env, **more)
    return done.returncode, done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace")


def check(condition, message):
    if not condition:
        raise AssertionError(message)


def refused(arguments, *texts, lines=1, status=2, **more):
    """Bad input: status 2, stdout empty, `lines` lines on stderr (0: any number, usage errors add a hint) with the texts."""
    got, out, err = tipoff(*arguments, **more)
    said = f"tipoff {' '.join(map(str, arguments))}: status {got}, stdout {out!r}, stderr {err!r}"
    check(got == status, f"status {status} expected: {said}")
    check(out == "", f"nothing on stdout expected: {said}")
    check(not lines or err.count("\n") == lines and err.endswith("\n"), f"{lines} line expected: {said}")
    for text in texts:
        check(text in err, f"{text!r} expected: {said}")


def assembled(folder, source, *options, name="program.elf"):
    """A program of tests/cli, linked like a workload."""
    program = folder / name
    subprocess.run(
        [
            "riscv64-unknown-elf-gcc",
            "-march=rv64ima_zicsr_zifencei",
            "-mabi=lp64",
            "-mcmodel=medany",
            "-ffreestanding",
            "-O2",
            "-nostdlib",
            "-static",
            "-T",
            ROOT / "tests/workloads/runtime/link.ld",
            "-Wl,--no-warn-rwx-segments",
            "-Wl,--build-id",
            *options,
            "-o",
            program,
            ROOT / "tests/cli" / source,
        ],
        check=True,
    )
    return program


def sampled(folder, period=97, program=TINY):
    path = folder / "good.tips"
    status, _, err = tipoff(*RUN, "--quiet", "--period", period, "--samples", path, program)
    check(status == 0, f"the run failed: {err}")
    return path


def measured(folder, *options, status=0):
    """Statistics, the Oracle's profile as {row without its weight: weight}, stderr."""
    stats, profile = folder / "stats.json", folder / "profile.csv"
    got, _, err = tipoff(*RUN, "--stats", stats, "--profile", profile, *options)
    check(got == status, f"{options}: status {got}: {err}")
    rows = {}
    for line in profile.read_text().splitlines()[2:]:
        pc, state, psv, weight, *context = line.split(",")
        rows[pc, state, psv, *context] = int(weight)
    return json.loads(stats.read_text()), rows, err


def copy_of_build(folder):
    """bin/tipoff and small2 as a build of its own: files in it can be changed. Returns its command."""
    for name in ("bin", "small2/gen"):
        (folder / "build" / name).mkdir(parents=True)
    shutil.copy(TIPOFF, folder / "build/bin/tipoff")
    shutil.copy(MODEL, folder / "build/small2/model.so")
    shutil.copy(ROOT / "build/small2/gen/config.json", folder / "build/small2/gen/config.json")
    return folder / "build/bin/tipoff"


def main():
    parser = argparse.ArgumentParser(description=sys.modules["__main__"].__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", help="tests whose name contains TEXT")
    only = parser.parse_args().only
    passed = failed = 0
    for function in TESTS:
        if only not in function.__name__:
            continue
        with tempfile.TemporaryDirectory() as folder:
            try:
                function(pathlib.Path(folder))
                passed += 1
            except (AssertionError, subprocess.SubprocessError, OSError, ValueError, KeyError, IndexError) as error:
                failed += 1
                print(f"FAIL {function.__name__}: {type(error).__name__}: {error}\n  rerun: {sys.argv[0]} --only {function.__name__}", flush=True)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0
