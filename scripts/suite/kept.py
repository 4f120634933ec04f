"""Kept runs: `tipoff run --quiet` of the same code, model, program and options writes the same files, so that after a change elsewhere,
in a report say, a test need not simulate again.

    kept.run([TIPOFF, "run", ...], capture_output=True, ...)      subprocess.run, or the kept result of the same run

What is kept depends on (each by its content): the code that a quiet run can reach, which the linker finds (build/kept/COMMAND, tests/tests.mk);
the models and configurations of the command; all files that the command names; its words; the environment. Only runs that succeed, whose output
is captured, and that write to folders of tempfile alone are kept. TIPOFF_KEPT, which scripts/run_tests.py sets: unset: nothing is kept; 0: results
are kept, and not used; else a time: those kept before it are used, too, so that of two runs in one session both are made.
"""

import functools
import hashlib
import json
import os
import pathlib
import re
import resource
import shutil
import subprocess
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
OPTIONS = {"capture_output", "text", "timeout", "check", "stdin", "cwd", "env", "errors"}
WRITTEN = ("--samples", "--stats", "--profile", "--trace")  # options whose file is written, not read
VARIABLES = re.compile(r"(TIPOFF(?!_KEPT)|LC_|LANG|TERM$|COLUMNS$|TMPDIR$|LD_|[AUT]SAN_)")
LARGEST = 64 << 20  # bytes of a run's files
UNUSED = 14 * 24 * 3600  # seconds: older ones are removed


@functools.cache
def _content(path, _modified, _size):
    return hashlib.sha256(pathlib.Path(path).read_bytes()).hexdigest()


def content(path):
    status = os.stat(path)
    return _content(str(path), status.st_mtime_ns, status.st_size)


def code(command, store):
    """The digest of what a quiet run of this command can execute, or None where it is not known of just this command."""
    try:
        of, digest = (store / command.name).read_text().split()
        return digest if of == content(command) else None
    except (OSError, ValueError):
        return None


def listing(folder):
    """{file below a folder: when written, size, whether a plain file}"""
    found = {}
    for path in pathlib.Path(folder).rglob("*"):
        status = path.lstat()
        found[path] = (status.st_mtime_ns, status.st_size, path.is_file() and not path.is_symlink())
    return found


class Run:
    """A command whose result may be kept. key: of all that the result follows from; None: it may not."""

    def __init__(self, words, options, root):
        self.words, self.root, self.store = [str(word) for word in words], root, root / "build" / "kept"
        self.key, self.temporary, self.inputs = None, [], {}
        command = pathlib.Path(self.words[0])
        if command.parent != root / "build" / "bin" or self.words[1:2] != ["run"] or "--quiet" not in self.words or not self.plain(options):
            return
        digest = code(command, self.store)
        if digest and self.take_paths():
            environment = sorted(f"{name}={value}" for name, value in os.environ.items() if VARIABLES.match(name))
            models = [path for config in {"small2", *self.pieces()} for path in self.models(config)]
            parts = [digest, *map(self.neutral, self.words), *environment]
            parts += [f"{self.neutral(str(path))} {content(path)}" for path in sorted([*models, *self.inputs])]
            self.key = hashlib.sha256("\0".join(parts).encode()).hexdigest()[:40]

    def plain(self, options):
        known = {name for name in options if options[name] is not None} <= OPTIONS and options.get("capture_output") and options.get("env") is None
        free = resource.getrlimit(resource.RLIMIT_FSIZE)[0] == resource.RLIM_INFINITY
        return known and free and pathlib.Path(options.get("cwd", os.getcwd())) == self.root and options.get("stdin", subprocess.DEVNULL) == subprocess.DEVNULL

    def pieces(self):
        return {piece for word in self.words[2:] for piece in [word, *re.split("[=,:]", word)] if piece}

    def models(self, config):
        folder = self.root / "build" / config
        there = "/" not in config and config not in (".", "..") and (folder / "gen" / "config.json").is_file()
        return [*folder.glob("model*.so"), folder / "gen" / "config.json"] if there else []

    def take_paths(self):
        """Temporary folders, and the files that the words name; False where something is neither."""
        base = tempfile.gettempdir() + "/"
        for piece in self.pieces():
            path = self.root / piece
            if str(path).startswith(base):
                folder = base + str(path)[len(base) :].split("/")[0]
                if path.exists() and not self.written(piece) or ".." in path.parts or not os.path.isdir(folder) or folder == str(path):
                    return False  # a program there: results may name it, compressed
                self.temporary += [folder] * (folder not in self.temporary)
            elif path.is_file():
                self.inputs[path] = path.stat().st_mtime_ns
            elif "/" in piece and not piece.startswith("-") and not any(part in piece for part in "=,:"):
                return False
        return True

    def written(self, piece):
        return all(word.split("=")[0] in WRITTEN or word == piece and before in WRITTEN for before, word in zip(self.words, self.words[1:]) if piece in word)

    def neutral(self, text):
        for number, folder in enumerate(self.temporary):
            text = text.replace(folder, f"\1{number}\1")
        return text

    def real(self, text):
        for number, folder in enumerate(self.temporary):
            text = text.replace(f"\1{number}\1", folder)
        return text

    # ---- the result ----
    def kept(self, before):
        """(stdout, stderr) of the run that is kept, its files put where this one wants them; None: none is."""
        entry = self.store / self.key
        try:
            meta = json.loads((entry / "meta").read_text())
            if meta["made"] >= before:
                return None
            for number, name in enumerate(meta["files"]):
                shutil.copyfile(entry / str(number), self.real(name))
            os.utime(entry)
        except (OSError, ValueError):
            return None
        with open(self.store / "used", "a", encoding="ascii") as used:
            used.write(".")
        return self.real(meta["stdout"]), self.real(meta["stderr"])

    def make(self, options):
        """Runs it, and keeps what came of it where nothing speaks against that."""
        older = [listing(folder) for folder in self.temporary]
        beside = set(os.listdir(self.root))
        done = subprocess.run(self.words, **options)
        newer = [listing(folder) for folder in self.temporary]
        files = [path for old, new in zip(older, newer) for path, state in new.items() if old.get(path) != state]
        plain = all(new[path][2] for new in newer for path in new if path in files)
        same = set(os.listdir(self.root)) == beside and all(path.stat().st_mtime_ns == written for path, written in self.inputs.items())
        if done.returncode == 0 and plain and same and sum(path.stat().st_size for path in files) <= LARGEST:
            self.keep(done, files)
        return done

    def keep(self, done, files):
        texts = [out if isinstance(out, str) else out.decode(errors="surrogateescape") for out in (done.stdout, done.stderr)]
        if any(folder.encode() in path.read_bytes() for path in files for folder in self.temporary):
            return
        self.store.mkdir(parents=True, exist_ok=True)
        fresh = pathlib.Path(tempfile.mkdtemp(dir=self.store))
        for number, path in enumerate(files):
            shutil.copyfile(path, fresh / str(number))
        out, err = map(self.neutral, texts)
        meta = {"made": time.time(), "files": [self.neutral(str(path)) for path in files], "stdout": out, "stderr": err}
        (fresh / "meta").write_text(json.dumps(meta))
        shutil.rmtree(self.store / self.key, ignore_errors=True)
        try:
            fresh.rename(self.store / self.key)
        except OSError:  # another test has just kept it
            shutil.rmtree(fresh, ignore_errors=True)


def run(words, root=ROOT, **options):
    """subprocess.run of a command of the tree, or what is kept of the same one."""
    before = os.environ.get("TIPOFF_KEPT")
    this = Run(words, options, root) if before is not None else None
    if not this or not this.key:
        return subprocess.run([str(word) for word in words], **options)
    found = this.kept(float(before))
    if not found:
        return this.make(options)
    encoded = found if options.get("text") else [text.encode(errors="surrogateescape") for text in found]
    return subprocess.CompletedProcess(this.words, 0, *encoded)


def begin(use, root=ROOT):
    """A session of tests begins: results are kept from now on, and used if `use`. What nobody has used for long goes."""
    store, now = root / "build" / "kept", time.time()
    os.environ["TIPOFF_KEPT"] = str(now if use else 0)
    for entry in store.glob("*/meta"):
        if now - entry.parent.stat().st_mtime > UNUSED:
            shutil.rmtree(entry.parent, ignore_errors=True)
    (store / "used").unlink(missing_ok=True)


def goals(names):
    """What make builds, with what the kept runs of its commands are known by."""
    return [*names, *(f"build/kept/{command}" for command in ("tipoff", "tipoff-san") if f"build/bin/{command}" in names)]


def used(root=ROOT):
    """How many runs of this session were kept ones."""
    try:
        return (root / "build" / "kept" / "used").stat().st_size
    except OSError:
        return 0
