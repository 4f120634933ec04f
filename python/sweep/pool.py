"""Points run side by side: by processes of this machine, or by a Slurm array. Both have the same work list, and leave the same files."""
import json
import os
import pathlib
import secrets
import shlex
import shutil
import signal
import subprocess
import sys
import time

import point as one_point
from plan import Error

SCRIPT = pathlib.Path(__file__).resolve().parent / "point.py"
TASKS_MOST = 1000  # of a Slurm array: its own limit is 1001 unless its configuration says another


class Unwritten(Exception):
    """One line about an output: file, fault, remedy."""


class Folder:
    """Where a sweep keeps what it has: points/ID.json, and the table and plots made of them."""

    def __init__(self, path):
        self.path = pathlib.Path(path).absolute()
        try:
            (self.path / "points").mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise Unwritten(f"{path}: cannot create: {error.strerror}: choose another --output") from error

    def result(self, point):
        """What a finished point has found; None: it is not finished."""
        try:
            results = json.loads((self.path / f"points/{point.id}.json").read_text(encoding="utf-8"))["results"]
        except (OSError, ValueError, KeyError, TypeError):
            return None
        whole = isinstance(results, dict) and "status" in results and all(type(number) in (int, float) for number in results.values())
        return results if whole else None

    def failure(self, point):
        try:
            return json.loads((self.path / f"points/{point.id}.failed").read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return None

    def write_work(self, tipoff, points):
        """A list of its own: another sweep in this folder, of the same points even, takes its own away as it ends."""
        keys = ("id", "arguments", "parameters", "files")
        content = {"tipoff": str(tipoff), "points": [{key: getattr(point, key) for key in keys} for point in points]}
        path = self.path / f"work-{secrets.token_hex(6)}.json"
        one_point.write(path, content)
        return path


class Progress:
    """One line on a terminal, as other commands have it; a line for each point that fails in any case."""

    def __init__(self, tipoff, folder, points, finished_before, quiet):
        self.tipoff = str(tipoff)
        self.folder, self.points, self.before, self.quiet = folder, points, finished_before, quiet
        self.shown, self.failed, self.left, self.finished = 0.0, set(), set(points), 0

    def look(self):
        for point in list(self.left):
            failure = self.folder.failure(point)
            if failure and point.id not in self.failed:
                self.failed.add(point.id)
                self.clear()
                print(f"tipoff: {words(point)}: {failure['message']}\n  {shlex.join([self.tipoff, 'run', *point.arguments])}", file=sys.stderr)
            if failure or (self.folder.path / f"points/{point.id}.json").exists():
                self.left.discard(point)
                self.finished += not failure
        if not self.quiet and sys.stderr.isatty():
            print(
                f"\r{self.before + self.finished} of {self.before + len(self.points)} points, {len(self.failed)} failed ", end="", file=sys.stderr, flush=True
            )

    def look_twice_a_second(self):
        if time.monotonic() - self.shown > 0.5:
            self.look()
            self.shown = time.monotonic()

    def clear(self):
        if not self.quiet and sys.stderr.isatty():
            print(f"\r{'':60}\r", end="", file=sys.stderr)


def words(point):
    return " ".join(f"{key}={value}" for key, value in point.parameters.items())


class Signals:
    """A signal that asks the sweep to end is noted."""

    def __init__(self):
        self.number = 0
        for number in signal.SIGINT, signal.SIGTERM, signal.SIGHUP:
            signal.signal(number, self.note)

    def note(self, number, _frame):
        self.number = number


def run_here(work, points, jobs, progress, signals):
    """Up to `jobs` at once. Whether all ran: False where a signal came, or nothing can be written."""
    waiting, running, unwritten, reported = list(points), [], False, False
    while (waiting and not signals.number and not unwritten) or running:
        while waiting and len(running) < jobs and not signals.number and not unwritten:
            running.append(subprocess.Popen([sys.executable, "-IB", str(SCRIPT), str(work), waiting.pop(0).id]))
        if signals.number and not reported:
            reported = True
            for child in running:
                child.send_signal(signal.SIGTERM)
        for child in list(running):
            try:
                unwritten |= child.wait(0.02 if child is running[0] else 0) == 4
                running.remove(child)
            except subprocess.TimeoutExpired:
                pass
        progress.look_twice_a_second()
    return not unwritten and not signals.number


def options_of(text):
    try:
        return shlex.split(text)
    except ValueError as error:
        raise Error(f"--slurm={text}: {error}: write options of sbatch as a shell takes them") from error


def run_by_slurm(work, points, jobs, options, progress, signals):
    """A task of an array for each point, or for some where there are more than an array has tasks."""
    sbatch = shutil.which("sbatch")
    if not sbatch:
        raise Error("sbatch: no such command, which --slurm runs: install slurm-client, or leave --slurm out")
    tasks = min(len(points), TASKS_MOST)
    script = work.with_suffix(".sh")
    script.write_text(
        f"#!/bin/sh\nexec {shlex.join([sys.executable, '-IB', str(SCRIPT), str(work), '--part'])} \"$SLURM_ARRAY_TASK_ID\" {tasks}\n", encoding="utf-8"
    )
    array = f"--array=0-{tasks - 1}" + (f"%{jobs}" if jobs else "")
    logs = work.parent / "slurm-%A_%a.log"
    with subprocess.Popen(
        [sbatch, "--wait", "--parsable", "--job-name=tipoff-sweep", f"--chdir={work.parent}", f"--output={logs}", array, *options, str(script)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as child:
        job = child.stdout.readline().split(";")[0].strip()
        if not job:
            said = child.communicate()[1].strip().splitlines() or ["it said nothing"]
            raise Error(f"sbatch: {said[-1].removeprefix('sbatch: error: ')}: nothing was submitted")
        if not progress.quiet:
            print(f"tipoff: Slurm job {job}: {tasks} tasks for {len(points)} points", file=sys.stderr)
        while child.poll() is None and not signals.number:
            progress.look_twice_a_second()
            time.sleep(0.02)
        if signals.number:
            progress.clear()
            child.terminate()
            print(f"tipoff: the job goes on: the same command takes what it finishes; scancel {job} ends it", file=sys.stderr)
    return not signals.number


def cpus():
    return len(os.sched_getaffinity(0))
