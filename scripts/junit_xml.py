"""Results of a test suite as JUnit XML, as Jenkins, GitLab and others read it.

The form is that of the xUnit plugin of Jenkins (junit-10.xsd): testsuites, a testsuite a group, testcases with classname and name,
failure with the end of the test's output, skipped for what has not run. The file is whole at any moment: it is
replaced after each test, with all tests that have not ended yet as skipped, so that a run that is killed leaves what it knows.
"""
import datetime
import os
import pathlib
import platform
import re
import stat
import xml.etree.ElementTree as ElementTree

LINES, CHARACTERS = 40, 20000  # the end of a test's output that a failure shows: at most
ILLEGAL = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")  # XML 1.0, production 2


def legal(text):
    """What XML has no way to write, as an escape sequence of Python: a colour of a terminal is '\\x1b[31m'."""
    return ILLEGAL.sub(lambda match: match[0].encode("unicode_escape").decode(), text)


def class_of(name):
    """A test's group: its name up to the first '/'."""
    return name.split("/")[0]


class JunitFile:
    """The file at `path`, of `tests` (their names), and of `left_out`: (name, reason) of what exists, but does not run."""

    def __init__(self, path, tests, left_out=()):
        self.path = pathlib.Path(path)
        if self.path.exists() and not stat.S_ISREG(self.path.stat().st_mode):
            raise OSError(f"{path}: not a regular file: name another")
        self.started = datetime.datetime.now().isoformat(timespec="seconds")
        self.results = {name: (0.0, "skipped", "not run: the suite was ended before") for name in tests}
        self.results.update((name, (0.0, "skipped", reason)) for name, reason in left_out)
        self.output = {}
        self.fault = None  # why the file could not be written last
        if not self.write():
            raise self.fault

    def passed(self, name, seconds):
        self.results[name] = (seconds, None, "")
        self.write()

    def failed(self, name, seconds, reason, output):
        """reason: in a few words; output: of the test; the end is kept."""
        self.results[name] = (seconds, "failure", reason)
        self.output[name] = "\n".join(output.splitlines()[-LINES:])[-CHARACTERS:]
        self.write()

    def tree(self):
        groups = {}
        for name in self.results:
            groups.setdefault(class_of(name), []).append(name)
        root = ElementTree.Element("testsuites", name="tipoff", **self.counts(self.results))
        for group, names in groups.items():
            suite = ElementTree.SubElement(
                root,
                "testsuite",
                name=legal(group),
                timestamp=self.started,
                hostname=legal(platform.node() or "unknown"),
                **self.counts(names),
                skipped=str(self.number(names, "skipped")),
            )
            for name in names:
                seconds, kind, reason = self.results[name]
                case = ElementTree.SubElement(suite, "testcase", classname=legal(group), name=legal(name), time=f"{seconds:.3f}")
                if kind:
                    detail = ElementTree.SubElement(case, kind, message=legal(reason))
                if kind == "failure":
                    detail.set("type", reason.split()[0])
                    detail.text = legal(self.output[name])
        return root

    def number(self, names, kind):
        return sum(self.results[name][1] == kind for name in names)

    def counts(self, names):
        return {
            "tests": str(len(names)),
            "failures": str(self.number(names, "failure")),
            "errors": "0",
            "time": f"{sum(self.results[name][0] for name in names):.3f}",
        }

    def write(self):
        """Whole, or not at all; False, with `fault`: it could not be written."""
        root = self.tree()
        ElementTree.indent(root)
        beside = self.path.with_name(f".{self.path.name}.{os.getpid()}")
        try:
            beside.write_bytes(ElementTree.tostring(root, encoding="utf-8", xml_declaration=True) + b"\n")
            os.replace(beside, self.path)
            self.fault = None
        except OSError as fault:
            self.fault = fault
        finally:
            beside.unlink(missing_ok=True)
        return self.fault is None
