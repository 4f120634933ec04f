"""RVWMO once more, naively: every order of all memory operations is tried, and the manual's axioms are looked up for it one by one.

Written from the text of the unprivileged manual's chapter on RVWMO alone, for small tests whose addresses are known: what csrc/litmus is held against.
"""
import dataclasses
import itertools
import random

BASE = {"x": 6, "y": 7}  # registers that hold the addresses
FENCES = ("rw,rw", "r,r", "r,w", "w,w", "w,r", "r,rw", "rw,w", "w,rw", "rw,r", "tso", "i")


@dataclasses.dataclass
class Op:
    kind: str  # R W AMO LR SC fence
    thread: int = 0
    place: str = "x"
    offset: int = 0
    size: int = 4
    rd: int = 0  # of a load, AMO, LR, SC
    value: int = 0  # of a store: a constant, ...
    copy: int = 0  # ... or this register
    aq: bool = False
    rl: bool = False
    address_on: int = 0  # registers of dependencies; 0: none
    data_on: int = 0
    branch_on: int = 0  # a branch before it
    sets: str = ""  # of a fence

    def reads(self):
        return self.kind in ("R", "AMO", "LR")

    def writes(self):
        return self.kind in ("W", "AMO", "SC")

    def bytes(self):
        return {(self.place, self.offset + i) for i in range(self.size)}


def random_test(seed):
    """Threads of operations, 6 of memory at most."""
    rng = random.Random(seed)
    threads, left, mixed = [], rng.choice((4, 5, 6)), rng.random() < 0.4
    for number in range(rng.choice((2, 2, 3))):
        thread, loaded, values = [], [], itertools.count(1 + 8 * number)
        for _ in range(rng.randint(1, 4)):
            if rng.random() < 0.3:
                thread.append(Op("fence", number, sets=rng.choice(FENCES)))
            if left == 0:
                break
            left -= 1
            kinds = ["R"] * 4 + ["W"] * 4 + ["AMO", "LR"] + (["SC"] * 3 if any(op.kind == "LR" for op in thread) else [])
            op = Op(rng.choice(kinds), number, rng.choice("xxy"))
            if mixed:
                op.size = rng.choice((4, 8))
                op.offset = rng.choice((0, 4)) if op.size == 4 else 0
            op.aq, op.rl = rng.random() < 0.15, rng.random() < 0.15
            for field, likely in (("address_on", 0.3), ("data_on", 0.3), ("branch_on", 0.2)):
                if loaded and rng.random() < likely:
                    setattr(op, field, rng.choice(loaded))
            if op.writes():
                op.value = next(values)
                if op.kind == "W" and not op.data_on and loaded and rng.random() < 0.2:
                    op.copy = rng.choice(loaded)
            if op.kind != "W":
                op.rd = 10 + len(loaded)
                loaded.append(op.rd)
            thread.append(op)
        threads.append(thread)
    return threads


def spread(op):
    """The constant as it is written: also in the upper half of a doubleword."""
    return op.value | op.value << 32 if op.size == 8 else op.value


# ---- as a .litmus file ----
def lines_of(op, label):
    if op.kind == "fence":
        return ["fence.i" if op.sets == "i" else "fence.tso" if op.sets == "tso" else f"fence {op.sets}"]
    lines = [f"bne x{op.branch_on},x0,{label}", f"{label}:"] if op.branch_on else []
    base, letter = BASE[op.place], "w" if op.size == 4 else "d"
    order = (".aq" if op.aq else "") + (".rl" if op.rl else "")
    if op.address_on:
        lines += [f"xor x20,x{op.address_on},x{op.address_on}", f"add x21,x{base},x20"]
        base = 21
    data = op.copy
    if op.writes() and not data:
        data = 22
        lines += [f"xor x22,x{op.data_on},x{op.data_on}", f"ori x22,x22,{op.value}"] if op.data_on else [f"li x22,{op.value}"]
        if op.size == 8:
            lines += ["slli x23,x22,32", "or x22,x22,x23"]
    if op.kind == "R":
        lines.append(f"l{letter}{order} x{op.rd},{op.offset}(x{base})")
    elif op.kind == "W":
        lines.append(f"s{letter}{order} x{data},{op.offset}(x{base})")
    else:
        if op.offset:
            lines.append(f"addi x24,x{base},{op.offset}")
            base = 24
        name = {"AMO": "amoadd", "LR": "lr", "SC": "sc"}[op.kind]
        lines.append(f"{name}.{letter}{order} x{op.rd}," + ("" if op.kind == "LR" else f"x{data},") + f"(x{base})")
    return lines


def litmus(threads, name):
    columns = [[line for i, op in enumerate(ops) for line in lines_of(op, f"L{i}")] for ops in threads]
    text = f"RISCV {name}\n{{uint64_t x; uint64_t y;"
    text += "".join(f"{i}:x6=x;{i}:x7=y;" for i in range(len(threads))) + "}\n"
    text += " | ".join(f"P{i}" for i in range(len(threads))) + ";\n"
    for row in itertools.zip_longest(*columns, fillvalue=""):
        text += " | ".join(row) + ";\n"
    shown = [f"{op.thread}:x{op.rd};" for ops in threads for op in ops if op.rd]
    return text + f"locations [{' '.join(shown)} x; y;]\nexists (true)\n"


# ---- the axioms ----
def annotations(op):
    both = op.aq and op.rl
    acquire = op.aq and op.kind != "W" and (op.kind != "SC" or both) or op.kind == "W" and op.aq
    release = op.rl and (op.kind != "LR" or both)
    return acquire, release, op.kind in ("AMO", "LR", "SC") and (acquire or release)


def fence_orders(fence, a, b):
    if fence.sets == "i":
        return False
    if fence.sets == "tso":
        return a.reads() or a.writes() and b.writes()
    before, after = fence.sets.split(",")
    return (a.reads() and "r" in before or a.writes() and "w" in before) and (b.reads() and "r" in after or b.writes() and "w" in after)


class Candidate:
    """One outcome of each SC: `ops` are the memory operations, in program order by thread."""

    def __init__(self, threads, failed):
        self.all = threads
        self.failed = failed  # ids of SC that fail
        self.ops = [op for ops in threads for op in ops if op.kind != "fence" and id(op) not in failed]
        self.number = {id(op): i for i, op in enumerate(self.ops)}
        self.pairs = self.find_pairs()

    def find_pairs(self):
        pairs = {}
        for ops in self.all:
            last = None
            for op in ops:
                if op.kind == "LR":
                    last = op
                elif op.kind == "SC":
                    if last and id(op) not in self.failed:
                        pairs[self.number[id(op)]] = self.number[id(last)]
                    last = None
        return pairs

    def possible(self):
        return all(i in self.pairs for i, op in enumerate(self.ops) if op.kind == "SC")

    def writer_of(self, op, register):
        """The operation that gave the register; None: nothing that counts."""
        before = [o for o in self.all[op.thread] if o.rd == register]
        return self.number.get(id(before[0])) if before else None

    def depends(self, a, b, *fields):
        return any(getattr(self.ops[b], field) and self.writer_of(self.ops[b], getattr(self.ops[b], field)) == a for field in fields)

    def between(self, a, b):
        ops = self.all[self.ops[a].thread]
        first, last = (next(k for k, o in enumerate(ops) if o is self.ops[i]) for i in (a, b))
        return ops[first + 1 : last]

    def controls(self, a, b):
        own = [o for o in self.between(a, b) if o.branch_on] + ([self.ops[b]] if self.ops[b].branch_on else [])
        return any(self.writer_of(o, o.branch_on) == a for o in own)

    def static(self, a, b):
        """Rules that do not look at what loads return; a is before b in one thread."""
        x, y = self.ops[a], self.ops[b]
        middle = self.between(a, b)
        acquire, _, rcsc = annotations(x)
        _, release, rcsc_too = annotations(y)
        return (
            (y.writes() and x.bytes() & y.bytes())  # 1
            or any(o.kind == "fence" and fence_orders(o, x, y) for o in middle)  # 4
            or acquire  # 5
            or release  # 6
            or (rcsc and rcsc_too)  # 7
            or self.pairs.get(b) == a  # 8
            or self.depends(a, b, "address_on")  # 9
            or (y.writes() and self.depends(a, b, "data_on", "copy"))  # 10
            or (y.writes() and self.controls(a, b))  # 11
            or (y.writes() and any(id(o) in self.number and self.depends(a, self.number[id(o)], "address_on") for o in middle))  # 13
        )

    def dynamic(self, a, b, source):
        """Rules 2, 3 and 12."""
        x, y = self.ops[a], self.ops[b]
        if not y.reads():
            return False
        middle = [self.number[id(o)] for o in self.between(a, b) if id(o) in self.number]
        written = set().union(*(self.ops[m].bytes() for m in middle if self.ops[m].writes()), set())
        if x.reads() and any(source[a, at] != source[b, at] for at in (x.bytes() & y.bytes()) - written):
            return True
        from_y = {source[b, at] for at in y.bytes()}
        if x.kind in ("AMO", "SC") and a in from_y:
            return True
        return any(m in from_y and self.ops[m].writes() and self.depends(a, m, "address_on", "data_on", "copy") for m in middle)

    def outcomes(self):
        count = len(self.ops)
        same = [(a, b) for a in range(count) for b in range(a + 1, count) if self.ops[a].thread == self.ops[b].thread]
        before = [pair for pair in same if self.static(*pair)]
        for order in itertools.permutations(range(count)):
            at = {op: i for i, op in enumerate(order)}
            if any(at[a] > at[b] for a, b in before):
                continue
            source = self.sources(order, at)
            if any(at[a] > at[b] and self.dynamic(a, b, source) for a, b in same) or not self.atomic(at, source):
                continue
            yield self.outcome(order, source)

    def sources(self, order, at):
        """The load value axiom: (load, byte) -> store; None: the initial value."""
        found = {}
        for i, op in enumerate(self.ops):
            for byte in op.bytes() if op.reads() else ():
                own = [k for k in range(i) if self.ops[k].thread == op.thread]
                may = [k for k in order if k != i and self.ops[k].writes() and byte in self.ops[k].bytes() and (at[k] < at[i] or k in own)]
                found[i, byte] = max(may, key=at.get) if may else None
        return found

    def atomic(self, at, source):
        for w, r in self.pairs.items():
            for byte in self.ops[r].bytes():
                s = source[r, byte]
                if s is not None and at[s] > at[w]:
                    return False
                for k, op in enumerate(self.ops):
                    foreign = op.thread != self.ops[r].thread and op.writes() and byte in op.bytes()
                    if foreign and (s is None or at[k] > at[s]) and at[k] < at[w]:
                        return False
        return True

    def outcome(self, order, source):
        written, registers = {}, {}

        def byte_of(store, byte):
            return 0 if store is None else written[store] >> 8 * (byte[1] - self.ops[store].offset) & 0xFF

        left = list(range(len(self.ops)))
        while left:  # a value is known once those that it comes from are; there is always one, else the rules let a value come from itself
            for i in left:
                op = self.ops[i]
                from_stores = {source[i, byte] for byte in op.bytes()} - {None} if op.reads() else set()
                if from_stores - written.keys() or op.copy and (op.thread, op.copy) not in registers:
                    continue
                read = sum(byte_of(source[i, byte], byte) << 8 * (byte[1] - op.offset) for byte in op.bytes()) if op.reads() else 0
                if op.writes():
                    value = registers[op.thread, op.copy] if op.copy else spread(op)
                    written[i] = (value + (read if op.kind == "AMO" else 0)) & ((1 << 8 * op.size) - 1)
                if op.rd:
                    registers[op.thread, op.rd] = 0 if op.kind == "SC" else read
                left.remove(i)
                break
            else:
                raise AssertionError("a value comes from itself")
            for ops in self.all:
                registers.update({(op.thread, op.rd): 1 for op in ops if id(op) in self.failed})
        memory = {}
        for i in order:
            if self.ops[i].writes():
                memory.update({byte: byte_of(i, byte) for byte in self.ops[i].bytes()})
        state = {f"{thread}:x{rd}": value for (thread, rd), value in registers.items()}
        state.update({place: sum(memory.get((place, i), 0) << 8 * i for i in range(8)) for place in BASE})
        return frozenset(state.items())


def allowed(threads):
    conditionals = [id(op) for ops in threads for op in ops if op.kind == "SC"]
    found = set()
    for count in range(len(conditionals) + 1):
        for failed in itertools.combinations(conditionals, count):
            candidate = Candidate(threads, set(failed))
            if candidate.possible():
                found.update(candidate.outcomes())
    return found
