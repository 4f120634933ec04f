"""Block files, in which samples and traces are kept: csrc/base/container.h has the layout."""
import json
import struct

try:
    from zstandard import ZstdDecompressor, ZstdError

    def _decompress(data, size):
        return ZstdDecompressor().decompress(data, max_output_size=size)

except ImportError:  # from Python 3.14 on it is in the standard library
    try:
        from compression.zstd import ZstdError, decompress

        def _decompress(data, _size):
            return decompress(data)

    except ImportError:
        raise ImportError("tipoff's files are compressed, and Python's module zstandard is missing: apt install python3-zstandard") from None

MAGIC = b"TIPOFF\r\n"
HEADER, END = 1, 2  # types of blocks that all kinds have
MOST = 64 << 20  # bytes of a block
BLOCK = struct.Struct("<5I")


class Error(Exception):
    """One line: the file, what is wrong with it, what to do."""


def _table():
    table = []
    for value in range(256):
        for _ in range(8):
            value = value >> 1 ^ 0x82F63B78 * (value & 1)
        table.append(value)
    return table


_TABLE = _table()


def crc32c(data):
    """CRC-32C (Castagnoli), as iSCSI has it (RFC 3720)."""
    crc, table = 0xFFFFFFFF, _TABLE
    for byte in data:
        crc = table[(crc ^ byte) & 0xFF] ^ crc >> 8
    return crc ^ 0xFFFFFFFF


class Container:
    """The blocks of a file, in order. `complete` is known when all have been read: the run that wrote it ended cleanly."""

    def __init__(self, path, kind, oldest, newest):
        self.path = str(path)
        self.complete = False
        try:
            self._file = open(path, "rb")
        except OSError as error:
            raise Error(f"{path}: cannot open: {error.strerror}: name a file that exists") from None
        start = self._file.read(24)
        if len(start) < 24 or start[:8] != MAGIC:
            self._file.close()
            raise Error(f"{path}: not a file of tipoff's: name one that tipoff run has written")
        name, (self.version, _) = start[8:16].rstrip(b"\0").decode("ascii", "replace"), struct.unpack("<2I", start[16:])
        if name != kind or not oldest <= self.version <= newest:
            self._file.close()
            what = f"version {self.version} of it" if name == kind else f"a file of {name}"
            raise Error(f"{path}: {what}, not a file of {kind} of version {oldest} to {newest}: use the module of the tipoff that wrote it")

    def blocks(self):
        """(type, bytes) of each. A file that was cut off ends early; one that is damaged raises Error."""
        with self._file as file:
            while True:
                words = file.read(BLOCK.size)
                if len(words) < BLOCK.size:
                    return
                number, raw, stored, words_crc, data_crc = BLOCK.unpack(words)
                if crc32c(words[:12]) != words_crc or max(raw, stored) > MOST:
                    raise Error(f"{self.path}: damaged at byte {file.tell() - BLOCK.size}: run again")
                data = file.read(stored)
                if len(data) < stored:
                    return
                if crc32c(data) != data_crc:
                    raise Error(f"{self.path}: a block is damaged at byte {file.tell() - stored}: run again")
                if number == END:
                    self.complete = True
                    return
                try:
                    data = data if raw == stored else _decompress(data, raw)
                except ZstdError:
                    data = b""
                if len(data) != raw:
                    raise Error(f"{self.path}: a block is damaged at byte {file.tell() - stored}: run again")
                yield number, data


def header(data, path, **wanted):
    """The first block: text in JSON, an object with the members that are wanted, of their types."""
    try:
        said = json.loads(data)
    except (ValueError, RecursionError):
        said = None
    if not isinstance(said, dict) or not all(isinstance(said.get(key), kind) for key, kind in wanted.items()):
        raise Error(f"{path}: its header is damaged: run again")
    return said
