"""The suite's tests as what finds faults: which there are, what each one takes, and what it says of a set of faults."""
import collections
import fnmatch
import json
import os
import pathlib
import resource
import signal
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))
import stale  # noqa: E402
from suite import groups, inputs  # noqa: E402

ONES_OWN = [  # what runs neither the command nor the unit tests that the faults are in, or builds of its own
    *("gen", "gen/*", "run-tests", "strict", "mutants*", "faults/table", "house*", "proofs-on-record", "archive", "install-once", "layout", "rams"),
    *("synth-check", "unit/overhead", "unit/netlist", "unit/gates", "ip", "attach/boom", "systemc", "tenth-event", "widths/*", "rtl/*", "isa-coverage"),
    *("iss-san/*", "unit-tsan/*", "rivals/faults*", "linux*", "slurm", "exports-go-pprof", "sensitivity", "instruction-tables", "core/wider"),
    *("report/new-view", "kept-runs"),  # the second keeps no run under the limits that a test has here
]
# Bytes that a test may use of memory and write: faults can make it ask for more than there is. Used, not reserved: address
# space costs nothing, and a run with 2 GiB of memory reserves ten times that for its checks.
MEMORY, OUTPUT = 4 << 30, 1 << 30
PAGE = resource.getpagesize()
LOOK = 0.25  # seconds between two looks at what a test does
UNKNOWN = 60  # seconds of the processor for a test whose time is not known

Test = collections.namedtuple("Test", "name command rest group", defaults=("",))
Test.__doc__ = "rest: whether `make test-all` alone runs it. group: the name of its group in tests/suite.toml."
Seen = collections.namedtuple("Seen", "status seconds processor")
Seen.__doc__ = "What a test took without a fault, in seconds, by the clock and of the processor."


def listed(tree, paths, model=None):
    """The tests of the suite that are built in that tree, can find faults there and read one of the files that have faults, by name. One of the
    sanitizers' runs without them, for they are another build, and counts for the plain one of the same command, if that is left out. model: the
    configuration whose model alone has the faults."""
    suite = groups.load(ROOT / "tests/suite.toml")
    known = inputs.Inputs(suite, inputs.tree())
    short = {test.name for test in groups.wanted(suite["group"], root=tree)}
    found, commands = {}, set()
    for test in sorted(groups.wanted(suite["group"], part=groups.ALL, root=tree), key=lambda test: test.name not in short):
        command = plain(test.command)
        word = command.split()[0]
        built = not word.startswith("build/") or (tree / word).exists()
        builds_its_own = any(fnmatch.fnmatch(test.name, pattern) for pattern in ONES_OWN)
        comes = model is None or comes_to(command, model)
        if built and comes and not builds_its_own and command not in commands and not test.name.endswith(groups.EMPTY) and known.of(test)[0] & paths:
            commands.add(command)
            found[test.name] = Test(test.name, command, test.name not in short, test.group)
    return found


def comes_to(command, model, root=ROOT):
    """Whether it may run that configuration's model: neither the command nor a script that it names says another one alone."""
    named = stale.configurations(command, root)
    scripts = (root / word for word in command.split() if word.endswith(".py"))
    return not named or model in named or any(model in script.read_text(encoding="utf-8") for script in scripts if script.is_file())


def times(tree=ROOT):
    """Seconds of each test when `make test` last ran it, for the order: no result depends on them."""
    path = tree / "build/tests/times.json"
    try:
        return json.loads(path.read_text())
    except (OSError, ValueError):
        return {}


def in_order(tests, price):
    """Those of `make test`, the cheapest first; then of the others one of each group, then the next of each, for those of a group find much the same."""
    placed, rounds = [], collections.Counter()
    for test in sorted(tests, key=lambda test: (test.rest, price(test.name))):
        placed.append((test.rest, rounds[test.group] if test.rest else 0, price(test.name), test))
        rounds[test.group] += test.rest
    return [one[-1] for one in sorted(placed, key=lambda one: one[:-1])]


def plain(command):
    """What a test of the sanitizers runs, without them: it finds the same and more."""
    return command.replace("build/tests/unit-san/", "build/tests/unit/").replace("tipoff-san", "tipoff")


def limits(processor):
    def set_them():
        if processor:
            resource.setrlimit(resource.RLIMIT_CPU, (int(processor), int(processor) + 1))
        resource.setrlimit(resource.RLIMIT_FSIZE, (OUTPUT, OUTPUT))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

    return set_them


def at_work(session):
    """Of a session's processes: whether one runs or waits for a disk; which they are, with the clock ticks that they have had of the processor; the
    memory that they use."""
    works, ticks, pids, memory = False, 0, [], 0
    for path in pathlib.Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
        except OSError:
            continue  # ended meanwhile
        if int(fields[3]) == session:
            works |= fields[0] in "RD"
            ticks += sum(map(int, fields[11:15]))
            pids.append(path.parent.name)
            memory += int(fields[21]) * PAGE
    return works, (ticks, sorted(pids)), memory


class Watch:
    """Whether a test has to be ended: nothing has been done for N seconds (what waits for what never comes has hung, on a busy machine as well), or it
    uses more memory than a test may. The second holds without a fault, too: such a test fails there, and finds none."""

    def __init__(self, session, seconds):
        self.session, self.seconds, self.done = session, seconds, None
        self.since = self.looked = time.monotonic()

    def is_over(self):
        now, memory = time.monotonic(), 0
        if now - self.looked > LOOK:
            self.looked, before = now, self.done
            works, self.done, memory = at_work(self.session)
            if works or self.done != before:
                self.since = now
        return now - self.since > self.seconds or memory > MEMORY


def run(tree, command, environment, processor=None, idle=3600):
    """(status, seconds, seconds of the processor); a test that takes longer is ended with all that it has started."""
    started = time.monotonic()
    with open(tree / "build/evidence.out", "wb") as out:
        process = subprocess.Popen(
            ["bash", "-c", command],
            cwd=tree,
            env=dict(os.environ, **environment),
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            preexec_fn=limits(processor),
        )
        watch = Watch(process.pid, idle)
        try:
            while True:
                pid, status, used = os.wait4(process.pid, os.WNOHANG)
                if pid:
                    break
                if watch.is_over():
                    os.killpg(process.pid, signal.SIGKILL)
                    _, status, used = os.wait4(process.pid, 0)
                    break
                time.sleep(0.005 if time.monotonic() - started < 1 else 0.05)
        except BaseException:
            os.killpg(process.pid, signal.SIGKILL)
            os.wait4(process.pid, 0)
            raise
        process.returncode = os.waitstatus_to_exitcode(status)
        try:
            os.killpg(process.pid, signal.SIGKILL)  # what it has left behind
        except ProcessLookupError:
            pass
    return process.returncode, time.monotonic() - started, used.ru_utime + used.ru_stime


class Baseline:
    """What each test takes without a fault, on disk as it comes; what was measured of other faults' build is not taken."""

    def __init__(self, path, of):
        self.path, self.of, self.seen = path, of, {}
        for line in path.read_text().splitlines() if path.exists() else ():
            row = json.loads(line)
            if row["of"] == of and row["status"] == 0:  # one that failed is run again: what it needs may exist now
                self.seen[row["test"]] = Seen(row["status"], row["seconds"], row["processor"])

    def measure(self, tree, test):
        status, seconds, processor = run(tree, test.command, {})
        seen = self.seen[test.name] = Seen(status, round(seconds, 3), round(processor, 3))
        with self.path.open("a") as file:
            print(json.dumps({"of": self.of, "test": test.name, **seen._asdict()}), file=file)
        return seen

    def passes(self, tree, test, numbers):
        """Whether the test passes with all these faults. It has five times its time, of the processor: a busy machine finds no fault."""
        seen = self.seen.get(test.name)
        processor, idle = (5 * seen.processor + 5, seen.seconds + 10) if seen else (UNKNOWN, 2 * UNKNOWN)
        return run(tree, test.command, {"MUTANT": ",".join(map(str, numbers))}, processor, idle)[0] == 0
