"""Files that tests damage on purpose: a copy of another one with some bytes changed."""
import struct


def changed(path, name, change):
    data = bytearray(path.read_bytes())
    change(data)
    out = path.with_name(name)
    out.write_bytes(data)
    return out


def flip(at):
    def change(data):
        data[at] ^= 0x10

    return change


def cut(bytes_kept):
    def change(data):
        del data[bytes_kept:]

    return change


def version_99(data):
    struct.pack_into("<I", data, 16, 99)
