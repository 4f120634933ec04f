"""Which proofs read a file: the command that proves again those of them that are not on record as it is."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import prove  # noqa: E402
import prove_axi  # noqa: E402
import prove_coherence  # noqa: E402
import prove_profileme  # noqa: E402
import prove_psv  # noqa: E402

FEW = ("2",)  # width: the others say the same of other numbers of lanes


def rows():
    """(script, row of its plan or "", the sources that it names) of each proof that is no wider case of another."""
    yield from (("prove.py", width, [*prove.UNITS, *prove.SPECIFICATION]) for width in FEW)
    for script, module in (("prove_psv.py", prove_psv), ("prove_profileme.py", prove_profileme)):
        yield from ((script, name, [*row[3], *row[4]]) for name, row in module.PLAN.items() if name not in module.LONG)
    yield "prove_axi.py", "", [*prove_axi.UNITS, *prove_axi.SPECIFICATION]
    for name, units in prove_coherence.UNITS.items():
        yield "prove_coherence.py", name, [*units, f"tests/formal/{prove_coherence.PARTS[name][1]}_proof.sv"]


def command_of(path):
    """The command of all of them, or "" where no proof names the file (below the root of the tree)."""
    found = {}
    for script, row, sources in rows():
        if path in sources:
            found.setdefault(script, []).append(row)
    return " && ".join(" ".join([f"scripts/formal/{script} --recorded", *filter(None, names)]) for script, names in found.items())
