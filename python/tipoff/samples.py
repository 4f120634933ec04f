"""Sample files: csrc/samples/samples_format.h has the layout of their blocks."""
import collections
import json
import struct

from .container import Container, digits, Error, HEADER, header, texts, whole
from .records import Call, Lane, Row, Sample
from .result_names import RESULTS
from .statistics import of_results

OLDEST, NEWEST = 1, 4
BOUND = 16 << 20, 256  # SAMPLES_SPARE and SAMPLES_UNPACKED of csrc/samples/samples_format.h
TEXT = 3  # the last version whose files have their statistics as JSON
MUST = 1 << 31  # a block of such a type has to be understood
SAMPLES_1, PROFILE_1, STATISTICS, SAMPLES_2, PROFILE_2, LOSSES, PROFILE_3, SAMPLES, STACKS, PROFILE = (
    16,
    17,
    18,
    19 | MUST,
    20 | MUST,
    21,
    22 | MUST,
    23 | MUST,
    24 | MUST,
    25 | MUST,
)
RESULT = 38
STATES = "Computing", "Stalled", "Flushed", "Drained", "Unknown"
MODES = {0: "U", 1: "S", 3: "M"}
KINDS = "root", "call", "exception", "interrupt", "upcall"
UNKNOWN = 0  # the stack of code whose callers are unknown
LOST = 1  # that of what had more different stacks than a file holds
DATA = None, "access", "drain"
ADDRESS_BITS = 56  # of a physical address
END_OF_RUN = (1 << 64) - 1
NEVER = (1 << 64) - 1  # a cycle

_fixed = struct.Struct("<4Q2I6B")
_data = struct.Struct("<BQ")  # after it, since 2026-11-27
_fixed_1 = struct.Struct("<2Q4B")
_lane = struct.Struct("<QHI")
_lane_2 = struct.Struct("<QH")
_row = struct.Struct("<3QHBI")
_row_3 = struct.Struct("<3QHB")
_row_2 = struct.Struct("<2QHB")
_stack = struct.Struct("<IBQQQ")
_result = struct.Struct("<HHBBHIIQ")
_field = struct.Struct("<HH")


class Samples:
    """A sample file, read whole.

    header: what the run was (a dict: config, period, program, command, ...); units: U; samples: list of Sample; profiles: {name: list of Row};
    stacks: {number: Call}; results: {name: list of rows, each a dict}, docs/reference/results.md has what is in them, a place as (address or None, mode,
    space), a cycle that did not come as NEVER, and rows of another result as their number; passed_over: the (hart, region) of results that are not among
    them, since they are not the first one's; statistics: dict, or None where the run did not end; losses: triggers without a sample, or None; complete: it ended cleanly.
    """

    def __init__(self, path):
        self.path = str(path)
        self.header, self.samples, self.profiles, self.stacks = {}, [], {}, {}
        self.statistics = self.losses = None
        self.results, self._totals, self._of, self.passed_over = {}, {}, None, set()
        self._vectors = {}
        file = Container(path, "samples", OLDEST, NEWEST, BOUND)
        self.version = file.version
        for number, data in file.blocks():
            try:
                self._block(number, data)
            except (struct.error, IndexError, ValueError, RecursionError):
                raise Error(f"{path}: a block of type {number & ~MUST} is damaged: run again") from None
        if not self.header:
            raise Error(f"{path}: has no header: the run that wrote it ended before it began")
        kept = {name: rows for name, rows in self.results.items() if len(rows) == self._totals[name]}
        if file.complete and len(kept) < len(self.results):
            raise Error(f"{path}: a result lacks rows: copy the file again, or run again")
        self.results, self.complete = kept, file.complete
        if self.results.get("lost_triggers"):
            self.losses = self.results["lost_triggers"][0].get("collisions")
        if self.version > TEXT and self.results.get("run_outcome"):
            try:
                self.statistics = of_results(self.header, self.results, STATES)
            except (ArithmeticError, LookupError, TypeError, ValueError) as error:
                raise Error(f"{path}: results that no run leaves: {error!r}") from error

    @property
    def units(self):
        return self.header["units"]

    @property
    def period(self):
        return int(self.header["period"])

    @property
    def events(self):
        return self.header["events"]

    def callers(self, stack):
        """The Calls of a stack, innermost first."""
        calls = []
        while stack in self.stacks:
            calls.append(self.stacks[stack])
            stack = self.stacks[stack].parent
        return calls

    def sites(self, stack):
        """Addresses of the calls of a stack, outermost first: the column stack0, ... of `tipoff samples`. None: not known."""
        if stack not in self.stacks:
            return None
        return tuple(call.site for call in reversed(self.callers(stack)) if call.kind != "root")

    def time(self):
        """Cycles by (address, mode, space, state, events), booked from the samples: lanes in equal parts."""
        cycles = collections.Counter()
        for s in self.samples:
            if s.stalled_cycles:
                address, events = (s.lanes[0].address, s.lanes[0].events) if s.lanes else (None, ())
                cycles[address, s.mode if s.lanes else "U", s.space if s.lanes else 0, "Stalled", events] += s.stalled_cycles
            rest = s.cycles - s.stalled_cycles
            if rest and not s.lanes:
                cycles[None, "U", 0, s.state, ()] += rest
            for lane in s.lanes if rest else ():
                cycles[lane.address, s.mode, s.space, s.state, lane.events] += rest / len(s.lanes)
        return cycles

    # ---- blocks ----
    def _block(self, number, data):
        if number == HEADER:
            self.header = header(data, self.path, units=whole(1, (1 << 32) - 1), period=digits, events=texts)
        elif not self.header:
            raise Error(f"{self.path}: its header is damaged: run again")
        elif number in (SAMPLES, SAMPLES_2, SAMPLES_1):
            self._take_samples(number, data)
        elif number in (PROFILE, PROFILE_3, PROFILE_2, PROFILE_1):
            self._take_profile(number, data)
        elif number == STACKS:
            (first,) = struct.unpack_from("<I", data)
            for i, (parent, kind, site, entry, context) in enumerate(_stack.iter_unpack(data[4:])):
                if parent >= max(first + i, 1):  # stacks are numbered after the ones that they were called from
                    raise ValueError
                self.stacks[first + i] = Call(parent, KINDS[kind], site, entry, *self._context(context))
        elif number == LOSSES:  # before version 4
            (self.losses,) = struct.unpack_from("<Q", data)
        elif number == STATISTICS and self.version <= TEXT:
            self.statistics = json.loads(data)
        elif number == RESULT:
            self._take_result(data)
        elif number & MUST:
            raise Error(f"{self.path}: has a block of type {number & ~MUST}, which this module does not know: use the one of the tipoff that wrote it")

    def _names(self, vector):
        if vector not in self._vectors:
            self._vectors[vector] = tuple(name for i, name in enumerate(self.header["events"]) if vector >> i & 1)
        return self._vectors[vector]

    @staticmethod
    def _context(context):
        return MODES.get(context & 3, "?"), context >> 2

    def _take_samples(self, number, data):
        first, at = number == SAMPLES_1, 0
        size = _fixed_1.size
        if not first:
            (size,), at = struct.unpack_from("<H", data), 2
        while at < len(data):
            if first:
                (cycle, cycles, state, valid, _, flags), rest = _fixed_1.unpack_from(data, at), (0, 0, 0, 0, 0, 0)
            else:
                cycle, cycles, stalled_cycles, space, repeats, stalled, state, valid, _, flags, hart, mode = _fixed.unpack_from(data, at)
                rest = stalled_cycles, space, repeats, stalled, hart, mode
            stalled_cycles, space, repeats, stalled, hart, mode = rest
            data_of, address = _data.unpack_from(data, at + _fixed.size) if size >= _fixed.size + _data.size else (0, 0)
            if address >> ADDRESS_BITS or bool(address) != bool(data_of):
                raise ValueError
            waits = DATA[data_of], address or None
            at, lanes = at + size, []
            for _ in range(valid.bit_count()):
                if number == SAMPLES:
                    address, vector, stack = _lane.unpack_from(data, at)
                    at += _lane.size
                else:
                    (address, vector), stack = _lane_2.unpack_from(data, at), UNKNOWN
                    at += _lane_2.size
                lanes.append(Lane(address, self._names(vector), stack))
            self.samples.append(
                Sample(
                    cycle,
                    cycles,
                    stalled_cycles,
                    repeats,
                    stalled,
                    STATES[state],
                    bool(flags & 1),
                    bool(flags & 2),
                    bool(flags & 4),
                    hart,
                    MODES.get(mode, "?"),
                    space,
                    lanes,
                    bool(flags & 8),
                    *waits,
                )
            )

    def _take_result(self, data):
        """Rows by the fields that the block names; those without a name here, and other harts than the first, are passed over."""
        at, result, encoding, size, count, hart, region, total = _result.unpack_from(data)
        if result not in RESULTS or encoding > 1:
            return
        self._of = self._of or (hart, region)
        if self._of != (hart, region):
            self.passed_over.add((hart, region))
            return
        name, _, known = RESULTS[result]
        fields = [_field.unpack_from(data, at + size * i) for i in range(count)]
        at += size * count
        row_size = sum(size for _, size in fields)
        if not row_size or (len(data) - at) % row_size:
            raise ValueError
        if encoding:  # by planes: of all rows the first bytes, then the second ones
            rows = (len(data) - at) // row_size
            data, at = b"".join(bytes(data[at + row :: rows]) for row in range(rows)), 0
        rows, self._totals[name] = self.results.setdefault(name, []), total
        while at < len(data):
            row = {}
            for field, size in fields:
                key, kind, _ = known.get(field, (None, None, None))
                value, at = int.from_bytes(data[at : at + size], "little"), at + size
                if kind and kind.endswith("+") and not value:
                    raise Error(f"{self.path}: a block of type {RESULT} is damaged: result {name}, field {key} is 0: run again")
                if kind == "place":
                    address, context = value & END_OF_RUN, value >> 64
                    value = (None if address == END_OF_RUN else address, *self._context(context))
                elif kind == "f64":
                    (value,) = struct.unpack("<d", data[at - size : at])
                elif kind == "text":
                    value = bytes(data[at - size : at]).partition(b"\0")[0].decode()
                if key:
                    row[key] = value
            rows.append(row)

    def _take_profile(self, number, data):
        length = data[0]
        name, at = data[1 : 1 + length].decode(), 1 + length
        if number != PROFILE_1:
            at += 10  # events u16, rows u64
        rows = self.profiles.setdefault(name, [])
        form = {PROFILE: _row, PROFILE_3: _row_3}.get(number, _row_2)
        for values in form.iter_unpack(data[at:]):
            context, stack = 0, UNKNOWN
            if number == PROFILE:
                address, context, weight, vector, state, stack = values
            elif number == PROFILE_3:
                address, context, weight, vector, state = values
            else:
                address, weight, vector, state = values
            rows.append(Row(None if address == END_OF_RUN else address, *self._context(context), STATES[state], self._names(vector), weight, stack))
