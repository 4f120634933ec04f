#!/usr/bin/env python3
"""Inputs of the programs of programs.toml: made, not kept; the same on every machine.

    scripts/programs/inputs.py FILE    makes the one of that name: game.chess, text.txt, note.txt, sound.wav, image.ppm, random.cnf, transport.lp
"""
import math
import pathlib
import random
import struct
import sys

SEED = 20240601


def words(dice, number):
    """Pseudo-words; the n-th is as frequent as 1/n."""
    part = ["ba", "be", "ci", "do", "er", "fa", "ga", "ing", "ka", "lo", "mi", "no", "ou", "pa", "ra", "se", "ti", "un", "ve", "zo"]
    names = ["".join(part[int(dice.random() * len(part))] for _ in range(1 + int(dice.random() * 4))) for _ in range(number)]
    shares = [1 / (1 + i) for i in range(number)]
    return lambda: names[dice.choices(range(number), shares)[0]]


def text(dice, size=200_000):
    word, lines, length = words(dice, 3000), [], 0
    while length < size:
        lines.append(" ".join(word() + ("," if dice.random() < 0.1 else "") for _ in range(6 + int(dice.random() * 8))) + ".\n")
        length += len(lines[-1])
    return "".join(lines).encode()


def sound(dice, samples=24_000):
    """Stereo, 16 bits: two tones that change, and noise."""
    data = bytearray()
    for i in range(samples):
        tone = 9000 * math.sin(i * (0.03 + i * 1e-7)) + 4000 * math.sin(i * 0.171)
        data += struct.pack("<hh", int(tone + 60 * dice.random()), int(tone / 2 + 90 * dice.random()))
    header = struct.pack("<4sI4s4sIHHIIHH4sI", b"RIFF", 36 + len(data), b"WAVE", b"fmt ", 16, 1, 2, 44100, 44100 * 4, 4, 16, b"data", len(data))
    return header + bytes(data)


def image(dice, width=240, height=160):
    data = bytearray(b"P6\n%d %d\n255\n" % (width, height))
    for y in range(height):
        for x in range(width):
            shade = (x * x + y * y) // 97 % 200
            data += bytes((shade + int(dice.random() * 40), (x * 255 // width) ^ (shade & 31), y * 255 // height))
    return bytes(data)


def formula(dice, variables=150, ratio=4.2):
    """Random 3-SAT near where it is hardest."""
    clauses = []
    while len(clauses) < int(variables * ratio):
        chosen = {1 + int(dice.random() * variables) for _ in range(3)}
        if len(chosen) == 3:
            clauses.append(" ".join(str(v if dice.random() < 0.5 else -v) for v in sorted(chosen)) + " 0\n")
    return (f"p cnf {variables} {len(clauses)}\n" + "".join(clauses)).encode()


def transport(dice, plants=20, towns=30):
    """Cheapest way of goods from plants to towns."""
    cost = [[1 + int(dice.random() * 90) for _ in range(towns)] for _ in range(plants)]
    need = [5 + int(dice.random() * 40) for _ in range(towns)]
    have = sum(need) // plants + 7
    out = ["Minimize", " cost: " + "\n + ".join(f"{cost[p][t]} x{p}_{t}" for p in range(plants) for t in range(towns)), "Subject To"]
    out += [f" plant{p}: " + " + ".join(f"x{p}_{t}" for t in range(towns)) + f" <= {have}" for p in range(plants)]
    out += [f" town{t}: " + " + ".join(f"x{p}_{t}" for p in range(plants)) + f" >= {need[t]}" for t in range(towns)]
    return ("\n".join(out) + "\nEnd\n").encode()


def game(_):
    """A position of the queen's gambit for a chess program, searched six plies deep."""
    return b"depth 6\nsetboard r1bq1rk1/pp2bppp/2n1pn2/3p4/2PP4/2N1PN2/PP2BPPP/R1BQ1RK1 w - - 0 8\ngo\nquit\n"


def note(dice):
    return text(dice, 12_000)


MAKERS = {"game.chess": game, "text.txt": text, "note.txt": note, "sound.wav": sound, "image.ppm": image, "random.cnf": formula, "transport.lp": transport}


def make(name):
    return MAKERS[name](random.Random(SEED))


if __name__ == "__main__":
    if len(sys.argv) != 2 or sys.argv[1] not in MAKERS:
        sys.exit(f"scripts/programs/inputs.py: name one of {', '.join(MAKERS)}")
    sys.stdout.buffer.write(make(pathlib.Path(sys.argv[1]).name))
