"""Proofs on record, tests/formal/proofs.tsv: each that has passed, with the digest of all that it depends on.

What depends on the same text is not proved again where --recorded is given; anything else is, always.
"""
import fcntl
import hashlib
import os
import pathlib

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PATH = ROOT / "tests/formal/proofs.tsv"
HEAD = """# Proofs that have passed, with the digest of the sources, generated packages, options and scripts that they depend on; written by
# scripts/formal/prove.py --record and prove_psv.py --record. With --recorded, as in the test suite, these are not run again.
digest\tproof
"""
SCRIPTS = ["scripts/formal/smt2.mjs", "rtl/prim/assert.svh"]  # how sources become what the solver reads; what is asked of it is in the words


def used(sources):
    """Without the packages (*_pkg.sv) that none of the others names."""
    texts = {source: (ROOT / source).read_text() for source in sources}
    while True:
        kept = {
            source: text
            for source, text in texts.items()
            if not str(source).endswith("_pkg.sv") or any(pathlib.Path(source).stem + "::" in other for name, other in texts.items() if name != source)
        }
        if len(kept) == len(texts):
            return list(kept)
        texts = kept


def digest_of(sources, *words):
    """Of the text of these files (below the root of the tree, or anywhere) as far as it is used, of the scripts, and of these words."""
    text = hashlib.sha256()
    for source in [*used(sources), *SCRIPTS]:
        data = (ROOT / source).read_bytes()
        text.update(f"{pathlib.Path(source).name} {len(data)}\n".encode() + data)
    text.update("\0".join(words).encode())
    return text.hexdigest()[:16]


def rows():
    """{proof: digest} of what is on record."""
    lines = PATH.read_text().splitlines() if PATH.exists() else []
    return {line.split("\t")[1]: line.split("\t")[0] for line in lines if line and not line.startswith(("#", "digest\t"))}


class Book:
    """recorded: leave out what is on record. writing: put what passes on record."""

    def __init__(self, recorded=False, writing=False):
        self.rows = rows()
        self.recorded, self.writing = recorded, writing

    def holds(self, proof, digest):
        return self.recorded and self.rows.get(proof) == digest

    def add(self, proof, digest):
        """Written at once: a run that is stopped keeps what it has. Another that writes at the same time keeps what it has, too."""
        if not self.writing:
            return
        folder = os.open(PATH.parent, os.O_RDONLY)
        try:
            fcntl.flock(folder, fcntl.LOCK_EX)
            self.rows = {**rows(), proof: digest}
            fresh = PATH.with_suffix(".new")
            fresh.write_text(HEAD + "".join(f"{digest}\t{proof}\n" for proof, digest in sorted(self.rows.items())))
            fresh.replace(PATH)
        finally:
            os.close(folder)
