"""Proofs on record, tests/formal/proofs/: each that has passed, with the digest of all that it depends on.

What depends on the same text is not proved again where --recorded is given; anything else is, always. A row is a fact, that
this proof passed on a text of this digest, and stays one whatever else changes: where two branches have recorded different rows git
keeps both (merge=union in .gitattributes), and the next run with --record drops those of other digests.
"""

import fcntl
import hashlib
import os
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import uses  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
ROOM = ROOT / "tests/formal/proofs"
HEAD = "# Proofs that have passed, with the digest of all that they depend on (scripts/formal/book.py).\ndigest\tproof\n"
SCRIPTS = ["scripts/formal/smt2.mjs", "rtl/prim/assert.svh"]  # how sources become what the solver reads; what is asked of it is in the words


def digest_of(sources, *words):
    """Of these files (below the root of the tree, or anywhere) as far as anybody uses what is in them (uses.py), of the scripts, and of these words."""
    texts = {pathlib.Path(source).name: (ROOT / source).read_text() for source in sources}
    if len(texts) != len(sources):
        raise SystemExit(f"book.py: two of these files have one name: {' '.join(map(str, sources))}")
    scripts = {script: uses.plain((ROOT / script).read_text()) if script.endswith(".svh") else (ROOT / script).read_text() for script in SCRIPTS}
    text = hashlib.sha256()
    for name, data in [*uses.of(texts, "\n".join(scripts.values())).items(), *scripts.items()]:
        data = data.encode()
        text.update(f"{pathlib.Path(name).name} {len(data)}\n".encode() + data)
    text.update("\0".join(words).encode())
    return text.hexdigest()[:16]


def path_of(owner):
    """The file of rows of that owner, such as 'width 8' or 'psv amo'."""
    return ROOM / (re.sub(r"\W+", "-", owner) + ".tsv")


def rows_of(path):
    """{proof: its digests} of a file; several where branches have been merged."""
    found = {}
    for number, line in enumerate(path.read_text().splitlines() if path.exists() else [], 1):
        if line and not line.startswith(("#", "digest\t")):
            fields = line.split("\t")
            if len(fields) != 2:
                raise SystemExit(f"book.py: {path}:{number}: not a digest and a proof: take the line out")
            found.setdefault(fields[1], set()).add(fields[0])
    return found


def write(path, rows):
    """One row a line in the order of the proofs' names; no rows: no file."""
    if not rows:
        path.unlink(missing_ok=True)
        return
    fresh = path.with_suffix(".new")
    fresh.write_text(HEAD + "".join(f"{digest}\t{proof}\n" for proof, digests in sorted(rows.items()) for digest in sorted(digests)))
    fresh.replace(path)


class Book:
    """recorded: leave out what is on record. writing: put what passes on record. listing: prove nothing, keep in `listed` what is asked for."""

    def __init__(self, recorded=False, writing=False, listing=False):
        self.rows = {}
        for path in sorted(ROOM.glob("*.tsv")):
            for proof, digests in rows_of(path).items():
                self.rows.setdefault(proof, set()).update(digests)
        self.recorded, self.writing = recorded, writing
        self.listed = [] if listing else None  # (owner, proof, digest)

    def lists(self, owner, proof, digest):
        """True if proofs are listed, not run."""
        if self.listed is not None:
            self.listed.append((owner, proof, digest))
        return self.listed is not None

    def has(self, proof, digest):
        return digest in self.rows.get(proof, ())

    def holds(self, proof, digest):
        return self.recorded and self.has(proof, digest)

    def add(self, owner, proof, digest):
        """Written at once: a run that is stopped keeps what it has. Another that writes at the same time keeps what it has, too."""
        if not self.writing:
            return
        ROOM.mkdir(parents=True, exist_ok=True)
        folder = os.open(ROOM, os.O_RDONLY)
        try:
            fcntl.flock(folder, fcntl.LOCK_EX)
            path = path_of(owner)
            write(path, {**rows_of(path), proof: {digest}})
            self.rows[proof] = {digest}
        finally:
            os.close(folder)
