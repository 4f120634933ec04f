"""tipoff sweep: programs, configurations, periods and keys, all combinations of them, as one table."""
import os
import argparse
import difflib
import subprocess
import sys

if sys.version_info < (3, 11):
    sys.exit("tipoff: sweep needs Python 3.11 or newer: install it as python3")

sys.path.append(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import command_line  # noqa: E402
import plot as plots  # noqa: E402
import pool  # noqa: E402
import table  # noqa: E402
from plan import PARAMETERS, Error, Plan  # noqa: E402

FAILED, BAD_INPUT, OUTPUT = 1, 2, 4


def options():
    parser = command_line.Parser(
        "sweep",
        "Run all combinations of what FILE.toml lists (docs/guide/sweeps.md) and write one table of their results, a row each.",
        "Points that are finished are not run again, unless a file that they depend on has changed. Exit status: 0; 1 when a point failed: its row has "
        "the run's status and no results; 2 on bad usage or bad input; 4 when an output could not be written; 128 and the signal's number "
        "when a signal ended it.",
    )
    parser.add_argument("file", metavar="FILE.toml")
    parser.add_argument("--output", "-o", metavar="FOLDER", help="write points, table.csv and plots to FOLDER (default: FILE.sweep, beside FILE.toml)")
    parser.add_jobs("; with --slurm as many as Slurm starts")
    parser.add_argument(
        "--slurm",
        metavar="OPTIONS",
        nargs="?",
        const="",
        help="submit a Slurm array, a task for each point, with these options of sbatch (--slurm='--partition=long'), and wait for it",
    )
    parser.add_argument("--list", action="store_true", help="list the points, and which are finished, and run nothing")
    parser.add_quiet()
    parser.add_argument("--build", required=True, help=argparse.SUPPRESS)
    return parser.parse()


def blamed(message, parameters):
    """The parameter whose option the message names first."""
    options = {key: PARAMETERS[key][1] if key in PARAMETERS else f"--set {key}" for key in parameters}
    found = {message.find(option): key for key, option in options.items() if option and option in message}
    return found[min(found)] if found else None


def check_runs(plan, points):
    """Each value once, in a run of one cycle: what no point could do is reported before any of them runs."""
    seen = set()
    for point in points:
        new = [(key, value) for key, value in point.parameters.items() if (key, value) not in seen]
        if not new:
            continue
        seen.update(new)
        window = ("warmup", "sample_from", "sample_to", "max_insns", "max_cycles")  # nothing would be measured
        tried = plan.arguments({key: value for key, value in point.parameters.items() if key not in window})
        done = subprocess.run(
            [plan.tipoff, "run", "--quiet", "--no-cosim", "--no-oracle", "--max-cycles", "1", *tried],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            check=False,
        )
        if done.returncode == BAD_INPUT and "nothing was measured" not in done.stderr:
            said = (done.stderr.strip().splitlines() or ["refused"])[0].removeprefix("tipoff run: ").removeprefix("tipoff: ")
            raise plan.fault(blamed(said, point.parameters) or new[-1][0], said)


def write_outputs(plan, points, folder, whole):
    rows = table.rows(points, folder)
    try:
        if rows:
            table.write(folder.path / "table.csv", table.text(rows))
        for plot in plan.plots:
            try:
                drawn = plots.svg(rows, plot)
            except plots.Missing as error:
                raise pool.Unwritten(f"{folder.path / plot['file']}: {error}") from error
            if drawn:
                table.write(folder.path / plot["file"], drawn)
            elif whole and rows:
                known = [name for name in table.columns(rows) if name not in plan.axes]
                near = difflib.get_close_matches(plot["y"], known, 1)
                raise plan.fault(
                    "y",
                    f"no point has a result '{plot['y']}': "
                    + (f"did you mean {near[0]}?" if near else f"the columns of {folder.path / 'table.csv'} are the results"),
                )
    except OSError as error:
        raise pool.Unwritten(f"{error.filename or folder.path}: cannot write: {error.strerror}: free some space and run again") from error
    return rows


def check_outputs(plan, folder):
    """No output is an input."""
    inputs = [plan.path, *(plan.file(key, name) for key in ("program", "restore", "input") for name in plan.axes.get(key, []))]
    for output in [folder.path / "table.csv", *(folder.path / plot["file"] for plot in plan.plots)]:
        for path in inputs:
            if output.exists() and output.samefile(path):
                raise Error(f"{output}: is an input of the sweep: choose another --output")


def show(points, folder):
    for point in points:
        state = "finished" if folder.result(point) is not None else "failed" if folder.failure(point) else "to run"
        print(f"{point.id}  {state:8}  {pool.words(point)}")


def sweep(arguments):
    plan = Plan(arguments.file, arguments.build)
    signals = pool.Signals()
    points = plan.points()
    folder = pool.Folder(arguments.output or plan.path.with_suffix(".sweep"))
    todo = [point for point in points if folder.result(point) is None]
    if arguments.list:
        show(points, folder)
        return 0
    check_outputs(plan, folder)
    check_runs(plan, todo)
    progress = pool.Progress(plan.tipoff, folder, todo, len(points) - len(todo), arguments.quiet)
    whole = True
    if todo:
        for point in todo:
            (folder.path / f"points/{point.id}.failed").unlink(missing_ok=True)
        work = folder.write_work(plan.tipoff, todo)
        if arguments.slurm is None:
            whole = pool.run_here(work, todo, arguments.jobs or pool.cpus(), progress, signals)
        else:
            whole = pool.run_by_slurm(work, todo, arguments.jobs, pool.options_of(arguments.slurm), progress, signals)
        progress.look()
        progress.clear()
        if whole or arguments.slurm is None:  # a job that goes on needs it
            work.unlink(missing_ok=True)
            work.with_suffix(".sh").unlink(missing_ok=True)
    write_outputs(plan, points, folder, whole)
    missing = [point for point in points if folder.result(point) is None]
    if not arguments.quiet:
        said = f"{len(points)} points: {len(points) - len(todo)} finished before, {len(todo) - len([p for p in missing if p in todo])} run now, {len(missing)} not finished"
        print(f"tipoff: {folder.path / 'table.csv'}: {said}", file=sys.stderr)
    if signals.number:
        return 128 + signals.number
    return 0 if not missing else FAILED if whole else OUTPUT


def give_up_stdout():
    """What is still to be written is not: Python would try once more as it ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def main():
    try:
        try:
            return sweep(options())
        finally:
            sys.stdout.flush()
    except Error as error:
        print(f"tipoff: {error}", file=sys.stderr)
        return BAD_INPUT
    except BrokenPipeError:
        give_up_stdout()
        return 0
    except (pool.Unwritten, OSError) as error:
        said = (
            str(error) if isinstance(error, pool.Unwritten) else f"{error.filename or 'stdout'}: cannot write: {error.strerror}: free some space and run again"
        )
        give_up_stdout()
        print(f"tipoff: {said}", file=sys.stderr)
        return OUTPUT


sys.exit(main())
