"""tipoff sensitivity: which change of the core makes a program faster, asked of the RTL itself."""
import argparse
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

if sys.version_info < (3, 11):
    sys.exit("tipoff: sensitivity needs Python 3.11 or newer: install it as python3")

sys.path.append(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import command_line  # noqa: E402
import changes as table  # noqa: E402
import models  # noqa: E402
import show  # noqa: E402
from changes import Error  # noqa: E402

FAILED, BAD_INPUT, OUTPUT = 1, 2, 4
CONFIGURATION = "tea4"  # of the commands in C, too: csrc/cli/configurations.h
FORMATS = {"text": show.text, "csv": show.as_csv, "json": show.as_json, "svg": show.svg}


def options():
    parser = command_line.Parser(
        "sensitivity",
        "Run PROGRAM on the core and on cores that differ from it in one step each (docs/guide/sensitivity.md), and print what each gains.",
        "Models are built in build/sensitivity where they are missing or out of date, and kept. Exit status: 0; 1 when a change could not be built or its run "
        "failed; 2 on bad usage or bad input; 4 when an output could not be written; 128 and the signal's number when a signal ended it: the same command goes on.",
    )
    parser.add_argument("program", metavar="PROGRAM.elf", nargs="?")
    parser.add_argument("--config", metavar="NAME", default=CONFIGURATION, help=f"core configuration, see `tipoff config` (default: {CONFIGURATION})")
    parser.add_argument(
        "--set", metavar="KEY=VALUE", action="append", default=[], help="override a key of the configuration, of the core, too; may be repeated"
    )
    parser.add_argument(
        "--only", metavar="NAMES", help="changes by name, separated by commas; NAME+NAME: several at once, where they take one model, as all ideal parts do"
    )
    parser.add_argument("--built", action="store_true", help="leave out changes whose model is not built")
    parser.add_argument("--list", action="store_true", help="list the changes, their keys, and whether their model is built")
    parser.add_jobs()
    parser.add_argument("--format", metavar="NAME", choices=FORMATS, default="text", help="output format: text (default), csv, json; svg, a picture")
    parser.add_argument("--output", "-o", metavar="FILE", help="write to FILE instead of stdout")
    parser.add_argument("--no-checks", action="store_true", help="without lockstep and other checks: quicker")
    parser.add_argument(
        "--run", metavar="OPTION", action="append", default=[], help="an option of `tipoff run` for all runs (--run=--sample-from=main); may be repeated"
    )
    parser.add_quiet()
    parser.add_argument("--build", required=True, help=argparse.SUPPRESS)
    arguments = parser.parse()
    arguments.jobs = arguments.jobs or command_line.cpus()
    if not arguments.program and not arguments.list:
        parser.error("a program is needed: an ELF file, as for `tipoff run`")
    return arguments


def chosen(arguments, root):
    base, made = table.all_of(root, arguments.config, arguments.set)
    if not arguments.only:
        return base, made
    by_name, found = {change.name: change for change in made}, []
    for word in arguments.only.split(","):
        parts = word.split("+")
        for part in parts:
            if part not in by_name:
                raise Error(f"--only {part}: no such change, or {arguments.config} is at its limit: there are {', '.join(by_name)}")
        found.append(by_name[word] if len(parts) == 1 else table.together([by_name[part] for part in parts], arguments.config))
    return base, found


class Runs:
    """Runs of the program, `jobs` at once: each leaves its statistics in a file."""

    def __init__(self, arguments, folder):
        self.arguments, self.folder, self.waiting, self.running, self.found = arguments, folder, [], {}, {}

    def add(self, name, config, keys):
        self.waiting.append((name, config, keys))

    def command(self, config, keys, stats):
        checks = ["--no-cosim", "--no-oracle"] if self.arguments.no_checks else []
        sets = [f"--set={key}={value}" for key, value in keys.items()]
        return [
            str(pathlib.Path(self.arguments.build) / "bin/tipoff"),
            "run",
            "--quiet",
            "--threads",
            "1",
            f"--config={config}",
            *checks,
            *sets,
            *self.arguments.run,
            "--stats",
            str(stats),
            self.arguments.program,
        ]

    def look(self, room):
        while self.waiting and len(self.running) < room:
            name, config, keys = self.waiting.pop(0)
            stats = self.folder / f"{len(self.found) + len(self.running)}-{name}.json"
            said = open(stats.with_suffix(".log"), "w+", encoding="utf-8")
            child = subprocess.Popen(self.command(config, keys, stats), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=said)
            self.running[name] = child, stats, said
        for name, (child, stats, said) in list(self.running.items()):
            if child.poll() is None:
                continue
            del self.running[name]
            said.seek(0)
            lines = said.read().strip().splitlines() or [f"status {child.returncode}"]
            said.close()
            try:
                statistics = json.loads(stats.read_text(encoding="utf-8"))
                good = statistics["checks"]["passed"] and (statistics["exited"] or child.returncode == 124)
            except (OSError, ValueError):
                good = False
            self.found[name] = statistics if good else {"message": lines[-1].removeprefix("tipoff: ")}

    def stop(self):
        for child, _, said in self.running.values():
            child.terminate()
            child.wait()
            said.close()


class Signals:
    def __init__(self):
        self.number = 0
        for number in signal.SIGINT, signal.SIGTERM, signal.SIGHUP:
            signal.signal(number, self.note)

    def note(self, number, _frame):
        self.number = number


def progress(line):
    """One line that the next one takes the place of."""
    columns = max(os.get_terminal_size(sys.stderr.fileno()).columns, 20) - 1
    print(f"\r{line[:columns]:{columns}}\r{line[:columns]}", end="", file=sys.stderr, flush=True)


def measure(arguments, base, picked, builder, runs, signals):
    """Builds and runs until all is known, or a signal comes."""
    waiting = {}
    for change in [*picked, base]:
        if change.model and change.model not in builder.failed:
            waiting.setdefault(change.model, []).append(change)
        elif not change.model:
            runs.add(change.name, arguments.config, change.run_keys)
    shown = 0.0
    while (builder.running or builder.waiting or runs.running or runs.waiting) and not signals.number:
        for name in builder.look():
            for change in waiting.pop(name, []):
                if name not in builder.failed:
                    runs.add(change.name, f"sensitivity/{name}", change.run_keys)
        runs.look(max(1, arguments.jobs - len(builder.running)))
        if not arguments.quiet and sys.stderr.isatty() and time.monotonic() - shown > 0.5:
            shown = time.monotonic()
            progress(
                f"{len(runs.found)} of {len(picked) + 1} runs done, {len(builder.running) + len(builder.waiting)} models to build{': ' if builder.running else ''}{', '.join(builder.running)}"
            )
        time.sleep(0.1)
    if not arguments.quiet and sys.stderr.isatty():
        progress("")
    builder.stop()
    runs.stop()


def result_of(arguments, core, picked, builder, runs):
    config = ", ".join([arguments.config, *arguments.set])
    base = runs.found.get("", {"message": builder.failed.get(core.model, "was not run")})
    if "message" in base:
        raise Error(f"{arguments.program} on {config}: {base['message']}")
    rows = []
    for change in picked:
        run = runs.found.get(change.name, {"message": builder.failed.get(change.model, "was not run")})
        cycles = run.get("cycles")
        rows.append(
            {
                "name": change.name,
                "resource": change.resource,
                "text": change.text,
                "keys": change.keys,
                "cycles": cycles,
                "gain": None if cycles is None else show.gain(base["cycles"], cycles),
                "message": run.get("message", ""),
            }
        )
    return {
        "program": pathlib.Path(arguments.program).name,
        "config": config,
        "cycles": base["cycles"],
        "instructions": base["instructions"],
        "ipc": base["instructions"] / base["cycles"],
        "changes": rows,
    }


def write(arguments, result):
    text = FORMATS[arguments.format](result)
    if not arguments.output:
        if arguments.format == "text" and sys.stdout.isatty():
            columns = max(os.get_terminal_size(sys.stdout.fileno()).columns, 60)
            text = "".join(line[:columns] + "\n" for line in text.splitlines())
        sys.stdout.write(text)
        return
    models.write(pathlib.Path(arguments.output), text)


def sensitivity(arguments):
    root = pathlib.Path(arguments.build).absolute().parent
    models.check_tree(root)
    base, picked = chosen(arguments, root)
    builder = models.Builder(root, arguments.config, arguments.jobs)
    if arguments.list:
        for change in picked:
            built = "" if not change.model else "built" if (root / builder.target(change.model)).exists() else "to build"
            print(f"{change.name:14}  {built:8}  {', '.join(f'{key}={value}' for key, value in change.keys.items())}: {change.text}")
        return 0
    if not pathlib.Path(arguments.program).exists():
        raise Error(f"{arguments.program}: no such file: name an ELF file, as for `tipoff run`")
    signals = Signals()
    if arguments.built:
        picked = [change for change in picked if not change.model or (root / builder.target(change.model)).exists()]
    for name, keys in {change.model: change.model_keys for change in [base, *picked] if change.model}.items():
        builder.want(name, keys)
    with tempfile.TemporaryDirectory(prefix="tipoff-sensitivity-") as folder:
        runs = Runs(arguments, pathlib.Path(folder))
        measure(arguments, base, picked, builder, runs, signals)
    if signals.number:
        if not arguments.quiet:
            print(f"tipoff: ended by signal {signals.number}: the same command goes on; models that are built stay", file=sys.stderr)
        return 128 + signals.number
    result = result_of(arguments, base, picked, builder, runs)
    write(arguments, result)
    lost = [row for row in result["changes"] if row["cycles"] is None]
    for row in lost:
        print(f"tipoff: {row['name']}: {row['message']}", file=sys.stderr)
    return FAILED if lost else 0


def give_up_stdout():
    """What is still to be written is not: Python would try once more as it ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def main():
    try:
        try:
            return sensitivity(options())
        finally:
            sys.stdout.flush()
    except Error as error:
        print(f"tipoff: {error}", file=sys.stderr)
        return BAD_INPUT
    except BrokenPipeError:
        give_up_stdout()
        return 0
    except OSError as error:
        give_up_stdout()
        print(f"tipoff: {error.filename or 'stdout'}: cannot write: {error.strerror}: free some space, or choose another place", file=sys.stderr)
        return OUTPUT


sys.exit(main())
