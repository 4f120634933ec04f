#!/usr/bin/env python3
"""Says which proofs hold on record at this state of the sources: proved, stale (on record for other sources), or never proved.

    scripts/formal/book_state.py [--all] [--prune]

A line an owner (a width, a row of PLAN), and the totals; --all: a line a proof. --prune takes out of tests/formal/proofs what holds of
nothing: rows of stale proofs, and of proofs that no script knows. Proves nothing. Status 1 if there is a row that no script knows.
"""
import argparse
import sys

import book
import prove
import prove_axi
import prove_coherence
import prove_profileme
import prove_psv

STATES = ("proved", "stale", "never")


def everything():
    """A book with all proofs that the scripts know listed."""
    listing = book.Book(listing=True)
    prove.ROOM = prove.ROOM / "state"  # proofs that are under way have their packages in the other
    for script in (prove, prove_psv, prove_profileme, prove_axi, prove_coherence):
        for _ in script.every(listing):
            pass
    return listing


def states(listing):
    """[(owner, proof, state)] of the listed proofs."""
    return [
        (owner, proof, "proved" if listing.has(proof, digest) else "stale" if proof in listing.rows else "never") for owner, proof, digest in listing.listed
    ]


def strangers(listing):
    """(path, proof) of each row that no script knows, or that stands in another's file."""
    known = {(book.path_of(owner), proof) for owner, proof, _ in listing.listed}
    return [(path, proof) for path in sorted(book.ROOM.glob("*.tsv")) for proof in book.rows_of(path) if (path, proof) not in known]


def prune(listing):
    """Leaves the rows that hold."""
    good = {}
    for owner, proof, digest in listing.listed:
        if listing.has(proof, digest):
            good.setdefault(book.path_of(owner), {})[proof] = {digest}
    for path in book.ROOM.glob("*.tsv"):
        book.write(path, good.get(path, {}))


def lines(found, all_of_them):
    """Lines of what is found."""
    if all_of_them:
        yield from (f"{state:<7} {proof}" for _, proof, state in found)
    else:
        for owner in dict.fromkeys(owner for owner, _, _ in found):
            mine = [state for other, _, state in found if other == owner]
            yield f"{owner:<20}" + ", ".join(f"{mine.count(state)} {state}" for state in STATES if state in mine)
    count = [sum(state == each for _, _, state in found) for each in STATES]
    yield f"{len(found)} proofs: " + ", ".join(f"{number} {state}" for number, state in zip(count, STATES))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--all", action="store_true", help="a line a proof")
    parser.add_argument("--prune", action="store_true", help="take out what holds of nothing")
    arguments = parser.parse_args()
    listing = everything()
    print("\n".join(lines(states(listing), arguments.all)))
    wrong = strangers(listing)
    for path, proof in wrong:
        print(f"{path.relative_to(book.ROOT)}: '{proof}' is no proof that a script of scripts/formal knows: --prune takes it out", file=sys.stderr)
    if arguments.prune:
        prune(listing)
        return 0
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
