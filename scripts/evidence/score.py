"""What the verdicts say of the suite: how many of the faults that `make test-all` finds `make test` finds, with its interval; what each group finds."""
import collections
import math

Z = 1.959964  # 95 %, two sides
Claim = collections.namedtuple("Claim", "drawn found short open escaped")
Claim.__doc__ = """Of one half of the faults: how many were drawn, some test finds, a test of `make test` finds; ids of those that are open (not
begun, or some tests have not run, and no test of `make test` finds them yet), and of those that escape `make test`."""


def wilson(hits, of):
    """The interval of a share, or None of nothing."""
    if not of:
        return None
    share, z = hits / of, Z * Z
    middle, half = share + z / (2 * of), Z * math.sqrt(share * (1 - share) / of + z / (4 * of * of))
    return (middle - half) / (1 + z / of), (middle + half) / (1 + z / of)


def claim(faults, verdicts, rest):
    """faults: ids. verdicts: by id. rest: names of the tests that `make test-all` alone runs."""
    found = short = 0
    unfinished, escaped = [], []
    for fault in faults:
        verdict = verdicts.get(fault)
        finders = verdict.finders if verdict else []
        by_short = any(name not in rest for name in finders)
        whole = verdict is not None and verdict.whole()
        found += bool(finders)
        short += by_short
        if not by_short and not whole:
            unfinished.append(fault)
        elif not by_short and finders:
            escaped.append(fault)
    return Claim(len(faults), found, short, unfinished, escaped)


def group_of(test):
    """Its group; of unit tests the library's, too."""
    return "/".join(test.name.split("/")[:2]) if "/{test}/" in test.group else test.group


def firsts(verdicts):
    """(how many faults each test is the first to find; which tests are the only finder of a fault that all its tests have run on, and of how many)."""
    first, alone = collections.Counter(), collections.Counter()
    for verdict in verdicts:
        finders = verdict.finders
        first.update(finders[:1])
        if len(finders) == 1 and verdict.whole():
            alone.update(finders)
    return first, alone
