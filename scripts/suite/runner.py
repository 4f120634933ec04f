"""Runs tests, several at once, each in a process group of its own, until all have ended or a signal ends them."""
import concurrent.futures
import os
import signal
import subprocess
import threading
import time

from .groups import ROOT

LOG = ROOT / "build" / "tests" / "log"


class Ended(BaseException):
    """A signal has ended the suite."""


def on_signal(number, _frame):
    raise Ended(number)


class Runner:
    """Runs tests, several at once, each in a process group of its own."""

    def __init__(self):
        self.lock = threading.Lock()
        self.running = set()
        self.ended = False

    @staticmethod
    def kill(process):
        """Ends a test with all that it has started."""
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass

    def end(self):
        """Ends all that runs; what has not begun does not begin."""
        with self.lock:
            self.ended = True
            for process in self.running:
                self.kill(process)

    def run(self, test):
        """(command, status, output, seconds), or None where the suite was ended before or meanwhile."""
        name, command, timeout = test.name, test.command, test.timeout
        started = time.monotonic()
        with self.lock:
            if self.ended:
                return None
            process = subprocess.Popen(
                ["bash", "-c", command], cwd=ROOT, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True
            )
            self.running.add(process)
        try:
            output, _ = process.communicate(timeout=timeout)
            status = process.returncode
        except subprocess.TimeoutExpired:
            self.kill(process)
            output, _ = process.communicate()
            output, status = output + f"\nkilled after {timeout} s (hang guard)\n".encode(), 124
        with self.lock:
            self.running.remove(process)
            if self.ended:
                return None
        (LOG / (name.replace("/", "_") + ".log")).write_bytes(output)
        return command, status, output.decode(errors="replace"), time.monotonic() - started


def run_all(tests, jobs, results):
    """Runs them; returns the signal that ended the suite, or 0."""
    runner = Runner()
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        try:
            for number in (signal.SIGINT, signal.SIGTERM):
                signal.signal(number, on_signal)
            of = {pool.submit(runner.run, test): test for test in tests}
            for future in concurrent.futures.as_completed(of):
                results.take(of[future], *future.result())
        except BaseException as reason:
            for number in (signal.SIGINT, signal.SIGTERM):
                signal.signal(number, signal.SIG_IGN)
            runner.end()
            if not isinstance(reason, Ended):
                raise
            return reason.args[0]
    return 0
