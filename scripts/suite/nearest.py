"""The tests that are nearest to a file: those named after it or written in it, else those whose source names it, else all that read it."""
import difflib
import functools
import importlib
import pathlib
import re
import sys

from .groups import ROOT, SuiteError, Test

MOST = 12  # tests that only name the file
UNIT = re.compile(r"build/tests/unit(?:-\w+)?/(?!rtl/)([\w/]+)")
BENCH = re.compile(r"build/tests/unit/rtl/(\w+)[\w.]*/run")
PROOFS = "proofs of the file"
HOW = ("it is named after it", "its source names it", "it reads the file")


def wanted(text, files, root=ROOT):
    """The files of the tree that FILE= names: separated by commas or blanks, seen from the root."""
    found = []
    for word in text.replace(",", " ").split():
        path = pathlib.Path(word)
        path = str((path if path.is_absolute() else root / path).resolve())
        path = path.removeprefix(f"{root.resolve()}/")
        if path not in files:
            close = difflib.get_close_matches(path, sorted(files), 3, 0.7) or [one for one in sorted(files) if one.endswith(f"/{pathlib.Path(path).name}")][:3]
            what = "is a folder: name files of it" if (root / path).is_dir() else "there is no such file in the tree"
            raise SuiteError(f"FILE={word}: {what}{f': did you mean {chr(44).join(close)}?'.replace(chr(44), ', ') if close else ''}")
        found.append(path)
    if not found:
        raise SuiteError("FILE: name files of the tree: FILE=rtl/profile/sample_select.sv")
    return list(dict.fromkeys(found))


def proofs_of(path, root=ROOT):
    """The command of the proofs that read the file; "": none, or a tree without proofs."""
    if not (root / "scripts/formal/reads.py").exists():
        return ""
    sys.path.insert(0, str(root / "scripts/formal"))
    return importlib.import_module("reads").command_of(path)


class Nearest:
    """short: names of tests of `make test`. known: what tests read (inputs.py)."""

    def __init__(self, tests, short, known, configs):
        self.tests, self.short, self.known = tests, short, known
        self.sources = functools.cache(self._sources)
        self.variant = re.compile(rf"(_({'|'.join(sorted(configs))}))?")

    def _sources(self, test):
        """The files that a test is written in, as far as its command says: scripts, the C file of a unit test, the folder of a bench."""
        words = re.findall(r"[\w./-]+", test.command)
        found = {word for word in words if word in self.known.files and not word.startswith("build/")}
        found |= {f"tests/unit/{unit}.c" for word in words for unit in UNIT.findall(word)}
        folders = {f"tests/unit/rtl/{bench}/" for word in words for bench in BENCH.findall(word)}
        return (found | {path for path in self.known.files if path.startswith(tuple(folders))} if folders else found) & self.known.files

    def is_named_after(self, test, path, sources):
        """Or it is the file that the test is written in."""
        if path in sources:
            return True
        parts = pathlib.PurePosixPath(path)
        stems = {parts.parent.name} if parts.stem == "__init__" else {parts.stem, parts.stem.removeprefix("cmd_")}
        bench = BENCH.search(test.command)
        if bench:
            return any(re.fullmatch(re.escape(stem) + self.variant.pattern, bench[1]) for stem in stems)
        if any(pathlib.PurePosixPath(source).stem in {f"test_{stem}" for stem in stems} for source in sources if "/test_" in f"/{source}"):
            return True
        return path.startswith("tests/") and any(stem == word.split(".")[0] for stem in stems for word in test.name.split("/")[1:])

    def names_it(self, path, sources):
        """Its whole path, or as a header or a module is named: with its folder, or with its ending."""
        parts = pathlib.PurePosixPath(path)
        words = {path, "/".join(parts.parts[-2:]), parts.name} if parts.name not in ("Makefile",) else {path}
        if parts.suffix in (".c", ".h"):  # a C file is named by its header
            words |= {f"{parts.parent.name}/{parts.stem}.h"}
        text = "\n".join(self.known.text(source) for source in sources)
        module = parts.suffix == ".py" and re.search(rf"^\s*(from|import)\b.*\b{re.escape(parts.stem)}\b", text, re.MULTILINE)
        return bool(module) or any(re.search(rf"(?<![\w.-]){re.escape(word)}(?![\w-])", text) for word in words)

    def of(self, path):
        """(the nearest tests, those of all that read the file otherwise, what makes the first near)."""
        read = [(test, self.sources(test)) for test in self.tests if path in self.known.of(test)[0]]
        named = [test for test, sources in read if self.is_named_after(test, path, sources)]
        how = HOW[0]
        if not named:
            how = HOW[1]
            named = sorted((test for test, sources in read if self.names_it(path, sources)), key=lambda test: len(self.known.of(test)[0]))
            named = named if len(named) <= MOST else self.of_make_test(named)[:MOST]
        if not named:
            how = HOW[2]
            always = [test for test in self.tests if self.known.of(test)[1]]
            named = self.of_make_test([test for test, _ in read] or always)
        chosen = self.once(named)
        proofs = proofs_of(path)
        left = [test for test, _ in read if test not in chosen]
        if proofs:
            chosen = [*chosen, Test(f"{PROOFS}/{pathlib.PurePosixPath(path).stem}", proofs, 3000, PROOFS, (), ("build/small2/gen/.stamp",))]
        return chosen, left, how

    def of_make_test(self, tests):
        """Those of `make test`, where any are."""
        return [test for test in tests if test.name in self.short] or tests

    @staticmethod
    def once(tests):
        """A test with and without the sanitizers: the one without."""
        plain = {test.name for test in tests}
        return [test for test in tests if re.sub(r"^(\w+)-t?san/", r"\1/", test.name) == test.name or re.sub(r"^(\w+)-t?san/", r"\1/", test.name) not in plain]
