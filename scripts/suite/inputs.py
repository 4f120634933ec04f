"""Which files a test reads: what its group names in tests/suite.toml, and what follows from its command; with the digest of their state.

A group's `inputs` are files, folders (with / at the end), patterns (*), sets of the table [inputs] (@NAME; in a set "!" takes files
away), and

  always           the test reads the whole tree: it always runs
  includes:FILE.c  what the C files of this pattern include, and all of the libraries that those headers belong to, and of those they include
  list:FILE.f      the files that a list of Verilog sources names

Files that a command names are inputs without being named, and the modules that a Python script imports.
"""
import fnmatch
import functools
import hashlib
import pathlib
import posixpath
import re
import subprocess

from .groups import ROOT, SuiteError

INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.MULTILINE)
IMPORT = re.compile(r"^\s*(?:from\s+([\w.]+)\s+import\s+([\w, ()]+)|import\s+([\w., ]+))", re.MULTILINE)
MJS_IMPORT = re.compile(r"""from\s+["']\./([\w./-]+)["']""")
TOOLS = ("clang --version", "verilator --version", "riscv64-unknown-elf-gcc --version", "python3 --version", "qemu-system-riscv64 --version")


class NoGit(SuiteError):
    """What git knows is asked for, and there is none, or no such revision."""


def git(*words, root=ROOT):
    try:
        done = subprocess.run(["git", *words], cwd=root, capture_output=True, text=True, check=False)
    except OSError as reason:
        raise NoGit(f"git: {reason}") from None
    if done.returncode:
        raise NoGit(f"git {' '.join(words)}: {done.stderr.strip().splitlines()[0] if done.stderr.strip() else f'status {done.returncode}'}")
    return done.stdout


def tree(root=ROOT):
    """The files of the tree: those of git, and those that it does not know yet."""
    return set(git("ls-files", "-z", "-c", "-o", "--exclude-standard", root=root).split("\0")) - {""}


def changed_since(revision, root=ROOT):
    """Files that differ from a revision, deleted ones with them, and those that git does not know yet."""
    try:
        git("rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}", root=root)
    except NoGit:
        raise NoGit(f"CHANGED={revision}: there is no such revision: a branch, a tag or a commit of `git log`, HEAD for what is not committed") from None
    different = git("diff", "--name-only", "--no-renames", "-z", revision, "--", root=root).split("\0")
    return (set(different) | set(git("ls-files", "-z", "-o", "--exclude-standard", root=root).split("\0"))) - {""}


def library(path):
    """The folder of a file of C that is one library: includes lead to all of it. Of csrc/cli, each file is one for itself."""
    parts = path.split("/")
    if parts[0] == "csrc" and len(parts) > 2 and parts[1] != "cli":
        return "/".join(parts[:3] if parts[1] == "methods" else parts[:2])
    return "harness" if parts[0] == "harness" and len(parts) == 2 else None


class Inputs:
    """The inputs of tests. files: all of them, and those at the revision."""

    def __init__(self, suite, files, root=ROOT):
        self.sets = suite.get("inputs", {})
        self.files = frozenset(files)
        self.root = root
        self.of_pattern = functools.cache(self._of_pattern)
        self.of_script = functools.cache(self._of_script)
        self.includes = functools.cache(self._includes)
        self.of_library = functools.cache(self._of_library)
        self.of_c_file = functools.cache(self._of_c_file)
        self.of_words = functools.cache(self._of_words)
        self.by_name = {}
        for path in sorted(self.files):
            if path.endswith(".py"):
                name = path.rsplit("/", 2)[-2] if path.endswith("/__init__.py") and "/" in path else path.rsplit("/", 1)[-1][:-3]
                self.by_name.setdefault(name, set()).add(path)

    def text(self, path):
        try:
            return (self.root / path).read_text(encoding="utf-8", errors="replace")
        except OSError:
            return ""

    # ---- what a pattern names ----
    def _of_pattern(self, pattern):
        kind, _, rest = pattern.partition(":")
        if pattern.startswith("@"):
            return self.of_set(pattern)
        if kind == "includes":
            return frozenset().union(*(self.of_c_file(path) for path in fnmatch.filter(self.files, rest)))
        if kind == "list":
            return frozenset({rest, *re.findall(r"^[\w./-]+$", self.text(rest), re.MULTILINE)}) & self.files
        if any(sign in pattern for sign in "*?["):
            return frozenset(fnmatch.filter(self.files, pattern + "*" if pattern.endswith("/") else pattern))
        if pattern.endswith("/"):
            return frozenset(path for path in self.files if path.startswith(pattern))
        return self.files & {pattern}

    def of_set(self, name):
        """ "@NAME", or "@NAME=CONFIG": for one configuration alone."""
        name, _, config = name[1:].partition("=")
        if name not in self.sets:
            raise SuiteError(f"inputs: there is no set @{name}: {', '.join(sorted(self.sets))}")
        found = set()
        for pattern in self.sets[name]:
            out = pattern.startswith("!")
            pattern = pattern.lstrip("!").replace("{config}", config or "*")
            if pattern.startswith("@") and config:
                pattern += f"={config}"
            files = self.of_pattern(pattern)
            found = found - files if out else found | files
        return frozenset(found)

    # ---- what C includes ----
    def _includes(self, path):
        """Files of the tree that a C file includes itself."""
        folder = path.rsplit("/", 1)[0] if "/" in path else ""
        found = set()
        for name in INCLUDE.findall(self.text(path)):
            for base in (folder, "csrc", "", "tests/unit"):
                there = posixpath.normpath(posixpath.join(base, name))
                if there in self.files:
                    found.add(there)
                    break
        return found

    def _of_library(self, folder):
        """Its own files."""
        return frozenset(path for path in self.files if library(path) == folder)

    def _of_c_file(self, path):
        """A file and what it includes, each library as a whole, csrc/cli and others by file: with a header comes the file of its name."""
        found, left = set(), {path} & self.files
        while left:
            one = left.pop()
            found.add(one)
            folder = library(one)
            more = self.of_library(folder) if folder else {one[:-2] + ".c"} & self.files if one.endswith(".h") else set()
            left |= (more | self.includes(one)) - found
        return frozenset(found)

    # ---- what scripts import ----
    def _of_script(self, path):
        """A script and the modules that it imports, by name: those of its own folder where there is one, else all of that name."""
        found, left = set(), {path} & self.files
        while left:
            one = left.pop()
            found.add(one)
            text, folder = self.text(one), one.rpartition("/")[0]
            if one.endswith(".mjs"):
                left |= {str(pathlib.PurePosixPath(folder, name)) for name in MJS_IMPORT.findall(text)} & self.files - found
                continue
            if not one.endswith(".py"):
                continue
            for source, names, plain in IMPORT.findall(text):
                words = set(re.findall(r"\w+", source.rpartition(".")[2] or plain)) | (set(re.findall(r"\w+", names)) if source else set())
                for word in words:
                    there = self.by_name.get(word, set())
                    own = {file for file in there if file.rpartition("/")[0] == folder or file.rpartition("/")[0].startswith(f"{folder}/")}
                    left |= (own or there) - found
        return frozenset(found)

    # ---- what a test reads ----
    def of(self, test):
        """(its files, whether it always runs)"""
        return self.of_words(test.command, test.inputs)

    def _of_words(self, command, patterns):
        found = set()
        for word in re.findall(r"[\w./-]+", command):
            if word in self.files:
                found |= self.of_script(word)
        for pattern in patterns:
            if pattern != "always":
                found |= self.of_pattern(pattern)
        return frozenset(found), not patterns or "always" in patterns


class State:
    """What the inputs are now, as digests: the contents, the commands, the versions of the tools."""

    def __init__(self, inputs, root=ROOT):
        self.inputs = inputs
        self.root = root
        self.file = functools.cache(self._file)
        self.of_files = functools.cache(self._of_files)

    @functools.cached_property
    def tools(self):
        texts = []
        for command in TOOLS:
            try:
                texts.append(subprocess.run(command.split(), capture_output=True, text=True, check=False).stdout)
            except OSError:
                texts.append("")
        return "".join(texts)

    def _file(self, path):
        try:
            return hashlib.sha256((self.root / path).read_bytes()).digest()
        except OSError:
            return b""

    def _of_files(self, files):
        whole = hashlib.sha256()
        for path in sorted(files):
            whole.update(path.encode() + b"\0" + self.file(path))
        return whole.hexdigest()

    def of(self, test):
        """The digest of all that a test's result follows from."""
        files, always = self.inputs.of(test)
        whole = self.of_files(self.inputs.files if always else files)
        return hashlib.sha256("\0".join((whole, test.command, self.tools)).encode()).hexdigest()[:32]

    def stamp(self):
        """Times and sizes of all files: whether one was written meanwhile."""
        found = {}
        for path in self.inputs.files:
            try:
                status = (self.root / path).stat()
                found[path] = (status.st_mtime_ns, status.st_size)
            except OSError:
                found[path] = None
        return found
