"""Writes perf.data files by hand, as tools/perf/Documentation/perf.data-file-format.txt of Linux has them."""
import struct

IP, TID, TIME, ADDR, READ, CALLCHAIN, ID, CPU, PERIOD = (1 << bit for bit in (0, 1, 2, 3, 4, 5, 6, 7, 8))
IDENTIFIER = 1 << 16
KERNEL, USER = 1, 2
CHAIN_KERNEL, CHAIN_USER = -128 & (1 << 64) - 1, -512 & (1 << 64) - 1


def padded(text, to=8):
    data = text.encode() + b"\0"
    return data + bytes(-len(data) % to)


class Perf:
    """Records of one or more events; sample_type is that of all."""

    def __init__(self, events=("cpu-clock",), sample_type=IDENTIFIER | IP | TID | TIME | CALLCHAIN | PERIOD, id_all=True):
        self.events, self.type, self.id_all = events, sample_type, id_all
        self.records = []

    def attr(self, name):
        kind, config = {"cpu-clock": (1, 0), "cycles": (0, 0), "instructions": (0, 1)}.get(name, (4, 1))
        return struct.pack("<IIQQQQQ", kind, 64, config, 1000, self.type, 0, self.id_all << 18) + bytes(16)

    def record(self, kind, misc, payload):
        self.records.append(struct.pack("<IHH", kind, misc, 8 + len(payload)) + payload)

    def trailer(self, pid, when):
        """What ends every record but samples: tid, time, identifier, as far as sample_type has them."""
        if not self.id_all:
            return b""
        text = struct.pack("<II", pid, pid) if self.type & TID else b""
        text += struct.pack("<Q", when) if self.type & TIME else b""
        text += struct.pack("<Q", 1) if self.type & ID else b""
        text += struct.pack("<II", 0, 0) if self.type & CPU else b""
        return text + (struct.pack("<Q", 1) if self.type & IDENTIFIER else b"")

    def comm(self, pid, name, when=0, execs=True):
        self.record(3, 0x2000 if execs else 0, struct.pack("<II", pid, pid) + padded(name) + self.trailer(pid, when))

    def fork(self, pid, parent, when=0):
        self.record(7, 0, struct.pack("<IIIIQ", pid, parent, pid, parent, when) + self.trailer(pid, when))

    def mmap2(self, pid, start, size, offset, path, when=0, build_id=b"", mode=USER, protection=5):
        field = struct.pack("<I", len(build_id)) + build_id.ljust(20, b"\0") if build_id else bytes(24)
        misc = mode | (1 << 14 if build_id else 0)
        text = struct.pack("<IIQQQ", pid, pid, start, size, offset) + field + struct.pack("<II", protection, 2) + padded(path)
        self.record(10, misc, text + self.trailer(pid, when))

    def mmap(self, pid, start, size, offset, path, when=0, mode=USER):
        self.record(1, mode, struct.pack("<IIQQQ", pid, pid, start, size, offset) + padded(path) + self.trailer(pid, when))

    def sample(self, pid, ip, when=0, period=1000, chain=(), event=0, mode=USER):
        parts = (
            (IDENTIFIER, struct.pack("<Q", event + 1)),
            (IP, struct.pack("<Q", ip)),
            (TID, struct.pack("<II", pid, pid)),
            (TIME, struct.pack("<Q", when)),
            (ADDR, struct.pack("<Q", 0)),
            (ID, struct.pack("<Q", event + 1)),
            (CPU, struct.pack("<II", 0, 0)),
            (PERIOD, struct.pack("<Q", period)),
            (READ, struct.pack("<Q", 5)),
            (CALLCHAIN, struct.pack(f"<Q{len(chain)}Q", len(chain), *chain)),
        )
        self.record(9, mode, b"".join(data for bit, data in parts if self.type & bit))

    def compressed(self, pack):
        """The records so far, in two records of one stream of zstd (Linux: PERF_RECORD_COMPRESSED), cut in the midst."""
        packed = pack(b"".join(self.records))
        self.records = []
        for part in (packed[: len(packed) // 2], packed[len(packed) // 2 :]):
            self.record(81, 0, part)

    def file(self, names=True):
        """The file form, with the names of events (feature 12)."""
        ids_at, count = 104, len(self.events)
        attrs_at = ids_at + 8 * count
        data_at = attrs_at + 80 * count
        data = b"".join(self.records)
        ids = b"".join(struct.pack("<Q", 1 + i) for i in range(count))
        attrs = b"".join(self.attr(name) + struct.pack("<QQ", ids_at + 8 * i, 8) for i, name in enumerate(self.events))
        bits = 1 << 12 if names else 0
        head = b"PERFILE2" + struct.pack("<QQQQQQQQ", 104, 80, attrs_at, 80 * count, data_at, len(data), 0, 0) + struct.pack("<QQQQ", bits, 0, 0, 0)
        feature = struct.pack("<II", count, 64)
        for i, name in enumerate(self.events):
            text = padded(name, 64)
            feature += self.attr(name) + struct.pack("<II", 1, len(text)) + text + struct.pack("<Q", 1 + i)
        where = struct.pack("<QQ", data_at + len(data) + 16, len(feature))
        return head + ids + attrs + data + (where + feature if names else b"")

    def pipe(self):
        """The pipe form: attributes and names are records."""
        ahead = Perf()
        for i, name in enumerate(self.events):
            ahead.record(64, 0, self.attr(name) + struct.pack("<Q", 1 + i))
            ahead.record(78, 0, struct.pack("<QQ", 2, 1 + i) + padded(name))
        return b"PERFILE2" + struct.pack("<Q", 16) + b"".join(ahead.records + self.records)
