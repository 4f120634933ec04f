"""Results of runs, kept in a file, so that a measurement that is interrupted goes on where it ended."""
import hashlib
import json
import threading


def digest(*paths):
    """Of what these files hold."""
    found = hashlib.sha256()
    for path in paths:
        found.update(path.read_bytes())
    return found.hexdigest()[:16]


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
