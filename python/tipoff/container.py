"""Block files, in which samples and traces are kept: csrc/base/container.h has the layout."""
import json
import struct

# _decompress makes `size` bytes at most, whatever a frame says of its size: memory is taken for no more.
try:
    from zstandard import frame_content_size, ZstdDecompressor, ZstdError

    def _decompress(data, size):
        return ZstdDecompressor().decompress(data, max_output_size=size) if frame_content_size(data) in (-1, size) else b""

except ImportError:  # from Python 3.14 on it is in the standard library
    try:
        from compression.zstd import ZstdDecompressor, ZstdError

        def _decompress(data, size):
            return ZstdDecompressor().decompress(data, max_length=size)

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

    def __init__(self, path, kind, oldest, newest, bound=None):
        """bound: bytes, and bytes for each byte of the file, that all blocks together may unpack to: container_bound of container.h."""
        self.path = str(path)
        self.complete = False
        self._bound = bound
        try:
            self._file = open(path, "rb")
        except (OSError, ValueError) as error:
            raise Error(f"{path}: cannot open: {getattr(error, 'strerror', None) or error}: name a file that exists") from None
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
        offset, unpacked = 24, 0
        with self._file as file:
            while True:
                words = file.read(BLOCK.size)
                if len(words) < BLOCK.size:
                    return
                number, raw, stored, words_crc, data_crc = BLOCK.unpack(words)
                if crc32c(words[:12]) != words_crc:
                    raise self._bad(offset, "block header")
                if raw > MOST or stored > raw:
                    raise self._bad(offset, "length")
                unpacked += raw
                if self._bound and unpacked - self._bound[0] > (offset + BLOCK.size + stored) * self._bound[1]:
                    raise self._bad(offset, "unpacks to far more than a run writes")
                data = file.read(stored)
                if len(data) < stored:
                    return
                if crc32c(data) != data_crc:
                    raise self._bad(offset, "checksum")
                try:
                    data = data if raw == stored else _decompress(data, raw)
                except ZstdError:
                    data = b""
                if len(data) != raw:
                    raise self._bad(offset, "compressed data")
                offset += BLOCK.size + stored
                if number == END and file.read(1):
                    raise self._bad(offset, "data after the end mark")
                if number == END:
                    self.complete = True
                    return
                yield number, data

    def _bad(self, offset, what):
        return Error(f"{self.path}: bad block at offset {offset} ({what}): copy the file again, or run again")


def whole(least, most):
    return lambda value: type(value) is int and least <= value <= most


def digits(value):
    return isinstance(value, str) and value.isascii() and value.isdigit() and len(value) <= 20


def texts(value):
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


def header(data, path, **wanted):
    """The first block: text in JSON, an object with the members that are wanted, which their tests take."""
    try:
        said = json.loads(data)
    except (ValueError, RecursionError):
        said = None
    if not isinstance(said, dict) or not all(good(said.get(key)) for key, good in wanted.items()):
        raise Error(f"{path}: its header is damaged: run again")
    return said
