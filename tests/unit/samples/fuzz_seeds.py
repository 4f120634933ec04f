#!/usr/bin/env python3
"""Sample files as inputs of the fuzzer of their reader (fuzz_samples.h): tests/unit/samples/fuzz_seeds.py FOLDER FILE.tips..."""
import pathlib
import struct
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "python"))
sys.path.append("/usr/lib/python3/dist-packages")  # where zstandard is, for another Python than Debian's own
from tipoff.container import Container  # noqa: E402

LONGEST = 2000  # bytes of a block; of longer ones the beginning


def main(folder, *files):
    for number, path in enumerate(files):
        file = Container(path, "samples", 1, 4)
        blocks = [struct.pack("<2I", kind, len(data[:LONGEST])) + data[:LONGEST] for kind, data in file.blocks()]
        head, *rest = blocks
        # each block alone after the header, and all
        for i, block in enumerate([b"".join(rest), *rest]):
            pathlib.Path(folder, f"{number}-{i}").write_bytes(bytes([file.version]) + head + block)
        pathlib.Path(folder, f"{number}-raw").write_bytes(b"\0" + pathlib.Path(path).read_bytes()[:LONGEST])


main(*sys.argv[1:])
