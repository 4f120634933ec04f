"""Results of runs, kept in a file, so that a measurement that is interrupted goes on where it ended."""
import hashlib
import json
import pathlib
import subprocess
import threading

ROOT = pathlib.Path(__file__).resolve().parents[2]
MEASURED = ("rtl", "sim", "harness", "csrc", "tables", "tests/kernels", "tests/workloads")  # what the figures are of


def digest(*paths):
    """Of what these files hold."""
    found = hashlib.sha256()
    for path in paths:
        found.update(path.read_bytes())
    return found.hexdigest()[:16]


def measured_at(root=ROOT):
    """Which tree the figures are of, as a line of a page."""

    def git(*words):
        return subprocess.run(["git", "-C", root, *words], capture_output=True, text=True, check=True).stdout.strip()

    try:
        changed = git("status", "--porcelain", "--untracked-files=no", "--", *MEASURED)
        return f"Measured at commit `{git('rev-parse', '--short=7', 'HEAD')}`{', with changes of its own' if changed else ''}."
    except (OSError, subprocess.CalledProcessError):
        return "Measured in a tree without a history."


class Kept:
    """Results by program and run, each with the key of what it depends on."""

    def __init__(self, path):
        self.path = path
        self.data = json.loads(path.read_text()) if path.exists() else {}
        self.lock = threading.Lock()

    def get(self, program, run, key):
        """None: not run yet, or something that it depends on has changed."""
        entry = self.data.get(program, {}).get(run)
        return entry.get("found") if entry and entry["key"] == key else None

    def put(self, program, run, key, found):
        with self.lock:
            self.data.setdefault(program, {})[run] = {"key": key, "found": found}
            self.path.parent.mkdir(parents=True, exist_ok=True)
            new = self.path.with_suffix(".new")
            new.write_text(json.dumps(self.data))
            new.replace(self.path)
