"""The page of the evidence, and the summary at the end of a run."""
import pathlib
import sys

import score
from fault import half

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))
import page_head  # noqa: E402

PAGE = ROOT / "docs/results/evidence.md"


def percent(claim):
    if claim.open or not claim.found:
        return f"{claim.short} of {claim.found} so far"  # no share: what is open is what the quick tests do not find
    low, high = score.wilson(claim.short, claim.found)
    return f"{claim.short} of {claim.found}, {100 * claim.short / claim.found:.1f} % (95 % interval {100 * low:.1f} to {100 * high:.1f} %)"


class Evidence:
    """All builds together."""

    def __init__(self, grounds):
        self.grounds = grounds
        self.faults = {fault.id: fault for ground in grounds for fault in ground.faults}
        self.verdicts = {fault_id: verdict for ground in grounds for fault_id, verdict in ground.book.verdicts.items() if fault_id in self.faults}
        self.tests = {name: test for ground in grounds for name, test in ground.tests.items()}
        self.rest = {name for name, test in self.tests.items() if test.rest}
        self.asked = [ground.book.asked() for ground in grounds]
        self.first, self.alone = score.firsts(self.verdicts.values())

    def measured(self, ground):
        """(tests that ran with faults, all tests)."""
        return len(ground.book.asked()), len(ground.tests)

    def claim(self, which, room=None):
        """Over one half of the sample, or one room of it."""
        drawn = [fault for fault in self.faults.values() if half(fault.id) == which and room in (None, fault.room)]
        parts = []
        for ground in self.grounds:
            own = [fault.id for fault in ground.faults if fault in drawn]
            parts.append(score.claim(own, self.verdicts, self.rest))
        return score.Claim(*(sum((part[at] for part in parts), [] if isinstance(parts[0][at], list) else 0) for at in range(len(parts[0]))))

    def of_groups(self):
        """{group: [tests of make test, of the rest, seconds of those that ran without a fault, first finds, sole finds, tests asked]}."""
        rows = {}
        for name, test in self.tests.items():
            row = rows.setdefault(score.group_of(test), [0, 0, 0.0, 0, 0, 0])
            row[test.rest] += 1
            seen = [ground.baseline.seen[name] for ground in self.grounds if name in ground.baseline.seen]
            row[5] += any(name in asked for asked in self.asked)
            row[2] += max((one.seconds for one in seen), default=0)
            row[3] += self.first[name]
            row[4] += self.alone[name]
        return rows


def summary(evidence):
    """The lines at the end of a run."""
    yield f"{sum(verdict.counts()[0] > 0 for verdict in evidence.verdicts.values())} of {len(evidence.faults)} faults begun"
    for which, words in (("choose", "to choose by"), ("state", "to state")):
        claim = evidence.claim(which)
        yield f"half {words}: make test finds {percent(claim)} of what make test-all finds; open: {len(claim.open)}, escaped: {len(claim.escaped)}"


def for_suite(evidence):
    """What the choice of `short` may go by: from the half to choose with."""
    chosen = [verdict for fault_id, verdict in evidence.verdicts.items() if half(fault_id) == "choose"]
    first, alone = score.firsts(chosen)
    yield "tests that make test leaves out and that find faults first (or alone): candidates to come back"
    for name in sorted(evidence.rest, key=lambda name: (-first[name], -alone[name], name)):
        if first[name] or alone[name]:
            yield f"  {name}: first of {first[name]}, alone of {alone[name]}"
    yield "groups of make test that have run with faults and are the first finder of none: candidates to leave, where each property stands in another test"
    names = [name for name in evidence.tests if name not in evidence.rest]
    groups = {name: score.group_of(evidence.tests[name]) for name in names}
    tried = {group: sum(name in verdict.ran for verdict in chosen for name in names if groups[name] == group) for group in set(groups.values())}
    for group, (short, _, seconds, _, _, _) in sorted(evidence.of_groups().items(), key=lambda item: -item[1][2]):
        if short and tried.get(group) and not any(first[name] for name in names if groups[name] == group):
            yield f"  {group}: {seconds:.1f} s, asked of {tried[group]} faults"


def escapes(evidence, claim):
    for fault_id in claim.escaped:
        fault = evidence.faults[fault_id]
        yield f"| `{fault_id}` | {fault.path}: {fault.function} | {fault.what}: `{cell(fault.original)}` | {evidence.verdicts[fault_id].finders[0]} |"


def cell(text):
    return text.replace("|", "\\|").replace("`", "'")


def page(evidence):
    yield "# Evidence for the short suite"
    yield ""
    yield "Which tests find small faults, and whether `make test` finds what `make test-all` finds. How it is done: [verification](../method/verification.md)."
    yield "One half of the faults chooses the tests of `make test`, the other gives the number; no fault is in both."
    yield ""
    yield "## How far it is"
    yield ""
    yield "What has not run is left: `make evidence` goes on where it ended. A fault is open while no test of `make test` finds it and not all tests have run with it,"
    yield "and then it counts on no side. Tests run with many faults at once; what that may hide was tried on pairs of a fault that is found and a test that passed."
    yield ""
    yield "| build | faults | begun | tests that have run | pairs run alone | of these found |"
    yield "|---|---:|---:|---:|---:|---:|"
    for ground in evidence.grounds:
        there, of = evidence.measured(ground)
        begun = sum(v.counts()[0] > 0 for v in (ground.book.verdicts.get(fault.id) for fault in ground.faults) if v)
        pairs, found = ground.alone()
        yield f"| {ground.module.TITLE} | {len(ground.faults)} | {begun} | {there} of {of} | {pairs} | {found} |"
    yield ""
    yield "## What make test finds of what make test-all finds"
    yield ""
    yield "| half | room | drawn | found by make test-all | of these by make test | open | escaped |"
    yield "|---|---|---:|---:|---|---:|---:|"
    for which in ("state", "choose"):
        for room in [None, *sorted({fault.room for fault in evidence.faults.values()})]:
            claim = evidence.claim(which, room)
            yield f"| {which} | {room or 'all'} | {claim.drawn} | {claim.found} | {percent(claim)} | {len(claim.open)} | {len(claim.escaped)} |"
    yield ""
    yield "Escaped, of both halves: found by tests of make test-all alone. While not all tests of make test have run (above), another of them may find it."
    yield ""
    lines = [line for which in ("state", "choose") for line in escapes(evidence, evidence.claim(which))]
    yield from ["| fault | where | change | found by |", "|---|---|---|---|", *lines] if lines else ["none so far."]
    yield ""
    yield "## Groups of tests"
    yield ""
    yield "Seconds of those that have run without a fault, one after the other on this machine, whatever else it did; of how many faults it is the first finder, and"
    yield "the only one where all tests have run. Groups that have not run are left out."
    yield ""
    yield "| group | tests of make test | of make test-all alone | run | seconds | first finder | only finder | seconds a first find |"
    yield "|---|---:|---:|---:|---:|---:|---:|---:|"
    for group, (short, rest, seconds, first, alone, ran) in sorted(evidence.of_groups().items(), key=lambda item: (-item[1][3], item[0])):
        if ran:
            price = f"{seconds / first:.1f}" if first else ""
            yield f"| {cell(group)} | {short} | {rest} | {ran} | {seconds:.1f} | {first} | {alone} | {price} |"


def write(grounds, record, suite):
    evidence = Evidence(grounds)
    print("\n".join(summary(evidence)))
    if suite:
        print("\n".join(for_suite(evidence)))
    if record:
        page_head.write(PAGE, "\n".join(page(evidence)) + "\n", "make evidence")
