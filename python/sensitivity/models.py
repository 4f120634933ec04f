"""Models of changed configurations: written to build/sensitivity/NAME, built by make, which builds again only what is not up to date."""
import os
import re
import subprocess
import sys

from changes import Error


def text_of(base, keys):
    """The configuration's file with other values."""
    section, lines = "", []
    for line in base.splitlines():
        if head := re.fullmatch(r"\[(\w+)\]", line.strip()):
            section = head[1]
        elif match := re.fullmatch(r"(\w+) = \d+", line.strip()):
            line = f"{match[1]} = {keys.get(f'{section}.{match[1]}', line.split()[-1])}"
        lines.append(line)
    return "\n".join(lines) + "\n"


def write(path, text):
    """All or nothing, and only where it changes."""
    if path.exists() and path.read_text(encoding="utf-8") == text:
        return
    part = path.with_suffix(f".{os.getpid()}")
    try:
        part.write_text(text, encoding="utf-8")
        os.replace(part, path)
    except OSError as error:  # which does not always say of what file
        part.unlink(missing_ok=True)
        raise OSError(error.errno, error.strerror, str(path)) from error


def cause(log, status):
    """The line of a log that says why a build failed, and where the rest stands."""
    lines = [line.strip() for line in log.read_text(encoding="utf-8", errors="replace").splitlines() if not line.startswith("make")]
    said = next((line for line in lines if re.search("error|no space", line, re.IGNORECASE)), f"make ended with status {status}: check the space on the disk")
    return f"{said} ({log})"


class Builder:
    """Builds at most `jobs` models side by side; `make` is what it calls, in the source tree."""

    def __init__(self, root, config, jobs):
        self.root, self.jobs = root, jobs
        self.base = (root / f"tables/config/{config}.toml").read_text(encoding="utf-8")
        self.folder = root / "build/sensitivity"
        self.running = {}  # {name: process}
        self.waiting = []
        self.failed = {}  # {name: last line}

    def want(self, name, keys):
        """A model; also an existing one: make decides whether it is up to date."""
        self.folder.mkdir(parents=True, exist_ok=True)
        path = self.folder / f"{name}.toml"
        write(path, text_of(self.base, keys))
        made = subprocess.run(
            [sys.executable, "scripts/gen.py", "config", str(path), str(self.folder / name / "gen")], cwd=self.root, capture_output=True, text=True, check=False
        )
        if made.returncode != 0:
            self.failed[name] = (made.stderr.strip().splitlines() or ["failed"])[-1].removeprefix("gen.py: ")
            return
        self.waiting.append(name)

    def target(self, name):
        return f"build/sensitivity/{name}/model.so"

    def stale(self, name):
        """Whether make would build it."""
        return subprocess.run(["make", "-q", self.target(name)], cwd=self.root, capture_output=True, check=False).returncode != 0

    def look(self):
        """Starts what can be started. Names that have ended since the last call."""
        ended = []
        for name, child in list(self.running.items()):
            if child.poll() is None:
                continue
            del self.running[name]
            ended.append(name)
            if child.returncode != 0:
                self.failed[name] = f"cannot be built: {cause(self.folder / name / 'make.log', child.returncode)}"
        while self.waiting and len(self.running) < self.jobs:
            name = self.waiting.pop(0)
            with open(self.folder / f"{name}/make.log", "w", encoding="utf-8") as log:
                # Each of them in few processes: several are built side by side. -O1: quicker to build.
                self.running[name] = subprocess.Popen(
                    ["make", "VOPT=-O1", "JOBS=1", self.target(name)],
                    cwd=self.root,
                    stdin=subprocess.DEVNULL,
                    stdout=log,
                    stderr=subprocess.STDOUT,
                    start_new_session=True,
                )
        return ended

    def stop(self):
        """Ends what runs. make removes a target that is not whole."""
        for child in self.running.values():
            try:
                os.killpg(child.pid, 15)
            except ProcessLookupError:
                pass
        for child in self.running.values():
            child.wait()
        self.running = {}


def check_tree(root):
    if not (root / "Makefile").exists() or not (root / "rtl").is_dir():
        raise Error(f"{root}: no source tree: changed cores are built from the RTL: run build/bin/tipoff of a source tree")
