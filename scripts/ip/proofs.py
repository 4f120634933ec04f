"""The proofs of a release: the units' specification beside them, what the solver reads, and a script that runs it. The runs are prove.py's."""
import re
import string

import prove

SPECIFICATION = ["tests/formal/profile_spec.sv", "tests/formal/sample_story.sv", "tests/formal/profile_proof.sv"]


def steps():
    """What Yosys does behind `prep` (scripts/formal/smt2.mjs)."""
    text = (prove.ROOT / "scripts/formal/smt2.mjs").read_text()
    return re.sub(r"'\s*\+ '", "", re.search(r"prep -top \$\{top\} -flatten; (.*?write_smt2 -wires)", text, re.DOTALL)[1].replace("`", "'")).strip()


def write(folder, here, prefix, lanes, files):
    """prove.sh, and the proofs that the solver reads, of a release whose sources lie there. files: of profile.f."""
    room = folder / "proofs"
    rules = f"check/{prefix}_bundle_rules.sv"
    specification = [f"proofs/{prefix}_{name.rsplit('/', 1)[1]}" for name in SPECIFICATION]
    proofs = [*prove.PROOFS, "COVER"]
    lines = []
    for proof, unit, how, options, lane in prove.runs(lanes):
        if lane is not None:
            (room / f"oldest{lane}.smtc").write_text(prove.oldest_is(lanes, lane))
            options = ["--smtc", f"proofs/oldest{lane}.smtc", *options]
        lines.append(f"run '{unit}' '{how}' {proof} {' '.join(options)}")
    values = {"prefix": prefix, "proofs": " ".join(proofs), "sources": " ".join([*files, rules, *specification]), "steps": steps(), "runs": "\n".join(lines)}
    script = room / "prove.sh"
    script.write_text(string.Template((here / "prove.sh.in").read_text()).substitute(values))
    script.chmod(0o755)


def elaborate(folder, prefix, files):
    """proofs/*.smt2, of what lies in the folder."""
    room = folder / "proofs"
    sources = [
        str(folder / name)
        for name in (
            f"include/{prefix}_assert.svh",
            *files,
            f"check/{prefix}_bundle_rules.sv",
            *(f"proofs/{prefix}_{name.rsplit('/', 1)[1]}" for name in SPECIFICATION),
        )
    ]
    if not prove.elaborate_into(room, sources, [*prove.PROOFS, "COVER"], [], [str(folder / f"proofs/{prefix}_profile_proof.sv")]):
        raise SystemExit(f"release.py: the front end refused the proofs: {(room / 'elaborate.log').read_text()}")
    (room / "elaborate.log").unlink()
