"""Which tests a change of files calls for."""
from .groups import expand


def select(short, rest, changed, inputs):
    """(tests to run, whether everything runs, files that no test names). short, rest: tests of `make test`, and those that it leaves out: of these one
    runs where a file changed that no test of `make test` reads. A file that no test names runs all of `make test`."""
    changed = frozenset(changed)
    of_short = [(test, inputs.of(test)) for test in short]
    of_rest = [(test, inputs.of(test)) for test in rest]
    spoken = {path for path in changed if any(path in files for _, (files, _) in of_short)}
    others = {path for path in changed - spoken if any(path in files for _, (files, _) in of_rest)}
    unknown = changed - spoken - others
    if unknown:
        return list(short), sorted(unknown)
    found = [test for test, (files, always) in of_short if always or not files.isdisjoint(changed)]
    return found + [test for test, (files, _) in of_rest if not files.isdisjoint(others)], []


def redefined(groups, old_groups, root):
    """Names of tests whose command is not what it was: the file of the suite is an input of each of them."""
    before = {test.name: test.command for group in old_groups for test in expand(group, root)}
    return {test.name for group in groups for test in expand(group, root) if before.get(test.name) != test.command}
