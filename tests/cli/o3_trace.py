"""Instructions as gem5's O3PipeView writes them, for tests that make traces by hand."""

TICKS = 500
NEVER = 0


def way(number, pc, fetch, dispatch, retire, text, part=0, complete=0):
    """One instruction as gem5 writes it; cycles, 0: never. Cycle 0 is tick 500."""
    tick = [TICKS * (cycle + 1) if cycle else 0 for cycle in (fetch, dispatch, complete, retire)]
    return (
        f"O3PipeView:fetch:{tick[0]}:0x{pc:08x}:{part}:{number}:  {text}\nO3PipeView:decode:{tick[1]}\nO3PipeView:rename:{tick[1]}\n"
        f"O3PipeView:dispatch:{tick[1]}\nO3PipeView:issue:{tick[2]}\nO3PipeView:complete:{tick[2]}\nO3PipeView:retire:{tick[3]}:store:0\n"
    )
