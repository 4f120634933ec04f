"""Which tests a command asks for: by name, by what differs from a revision, by files, all of a part."""
import stale

from . import changed, groups, inputs, nearest
from .groups import ROOT


def counted(number, word):
    return f"{number} {word}{'' if number == 1 else 's'}"


def of_groups(tests):
    return f"{counted(len(tests), 'test')} of {counted(len({test.group for test in tests}), 'group')}"


class Choice:
    """The tests that a command asks for, and what is to be said of it before and after them."""

    def __init__(self, arguments, suite):
        self.tests, self.before, self.last, self.taken = [], [], [], 0
        self.groups = suite.get("group", [])
        if arguments.changed is not None:
            self.choose_changed(arguments, suite)
        elif arguments.file is not None:
            self.choose_nearest(arguments.file, suite)
        else:
            part = groups.ALL if arguments.only or arguments.all or arguments.list or arguments.trace_inputs else groups.SUITE
            self.tests = groups.wanted(self.groups, arguments.only, part)

    def choose_changed(self, arguments, suite):
        revision = arguments.changed
        files = inputs.changed_since(revision)
        known = inputs.Inputs(suite, inputs.tree() | files)
        short = groups.wanted(self.groups)
        names = {test.name for test in short}
        rest = [test for test in groups.wanted(self.groups, part=groups.ALL) if test.name not in names]
        path = arguments.suite.resolve()
        again = set()
        if path.is_relative_to(ROOT) and str(path.relative_to(ROOT)) in files:
            again = changed.redefined(self.groups, old_groups(revision, path.relative_to(ROOT)), ROOT)
        self.tests, unknown = changed.select(short, rest, files, known)
        chosen = {test.name for test in self.tests}
        self.tests += [test for test in short if test.name in again - chosen]
        chosen |= again
        left = [test for test in short if test.name not in chosen]
        self.before.append(f"{counted(len(files), 'file')} differ from {revision}")
        if unknown:
            self.before.append(
                f"no group of {arguments.suite.name} names {', '.join(unknown[:3])}{' ...' if len(unknown) > 3 else ''} as an input: everything runs"
            )
        self.last.append(
            f"left out: {of_groups(left)}, whose inputs are those of {revision}: make test runs them" if left else "left out: nothing of make test"
        )

    def choose_nearest(self, text, suite):
        tree = inputs.tree()
        short = {test.name for test in groups.wanted(self.groups)}
        near = nearest.Nearest(groups.wanted(self.groups, part=groups.ALL), short, inputs.Inputs(suite, tree), stale.known())
        left = {}
        for path in nearest.wanted(text, tree):
            tests, others, how = near.of(path)
            self.before.append(f"{path}: {of_groups(tests)}: {how}")
            self.tests += [test for test in tests if test.name not in {one.name for one in self.tests}]
            left |= {test.name: test for test in others}
        rest = [left[name] for name in sorted(left.keys() - {test.name for test in self.tests})]
        others = f"{of_groups(rest)} that read it, too: make test CHANGED=HEAD runs those of make test" if rest else "no other test reads it"
        self.last.append(f"left out: lint; {others}")


def old_groups(revision, path):
    """The groups of the suite at a revision, or none where there was no such file or none that can be read."""
    try:
        return groups.tomllib.loads(inputs.git("show", f"{revision}:{path}")).get("group", [])
    except (groups.SuiteError, ValueError):
        return []
