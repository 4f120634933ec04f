// tea_unit: stories by hand for each state, for what ends the wait of a Stalled or Drained sample (commit, exception,
// replay, a head that vanishes), for further triggers and lost ones; then random sequences against the facts of
// tests/unit/rtl/hold.h.
#include "hold.h"

int main(int argc, char **argv) {
    bench_seed(argc, argv, 1);
    top = new Vtop;
    top->eval();
    width = top->width_o;
    // Computing, Flushed and a Stalled cycle that excepts are complete in the cycle of the trigger.
    STORY("nothing", {"Cr", ""}, {"Sr", ""}, {"Fr", ""}, {"Ddr", ""}, {"Sxr", ""});
    STORY("Computing", {"Ctr", "TIK", 0, 0}, {"Cr", ""});
    STORY("Flushed", {"Ftr", "TIK", 0, 0}, {"Fdr", ""});
    STORY("exception in the sampled cycle", {"Stxr", "TIK", 0, 0}, {"Fr", ""});
    STORY("one each cycle", {"Ctr", "TIK", 0, 0}, {"Ctr", "TIK", 1, 1}, {"Stxr", "TIK", 2, 2}, {"Ftr", "TIK", 3, 3});
    STORY("no room", {"Ct", "TIK", 0, 0}, {"S", "HK", 0, 0}, {"St", "LHK", 0, 0}, {"Sx", "HK", 0, 0}, {"Dtr", "THK", 0, 0}, {"Dr", "H"}, {"Ddr", "H"}, {"Cr", "HEK", 6, 7});
    // Stalled: waits for its instruction; its vector is the one at the end.
    STORY("Stalled", {"Str", "T"}, {"Sr", "H"}, {"Sdr", "H"}, {"Cr", "HEK", 0, 3}, {"Cr", ""});
    STORY("Stalled, then an exception", {"Str", "T"}, {"Sr", "H"}, {"Sxr", "HEK", 0, 2}, {"Fr", ""});
    STORY("Stalled, then a replay", {"Str", "T"}, {"Spr", "HEK", 0, 1}, {"Fr", ""});
    STORY("Stalled, then dropped", {"Str", "T"}, {"Sr", "H"}, {"Dr", "HEK", 0, 0}, {"Dr", ""});
    STORY("Stalled, further", {"Str", "T"}, {"Str", "FH"}, {"St", "FH"}, {"Cr", "HEK", 0, 3});
    STORY("a trigger in the cycle of the exception is one more", {"Str", "T"}, {"Stxr", "FHEK", 0, 1}, {"Ftr", "TIK", 2, 2});
    STORY("a trigger in the cycle of the commit is a sample of its own", {"Str", "T"}, {"Sr", "H"}, {"Ctr", "THEIK", 0, 2}, {"Sr", "HK", 2, 2}, {"Sr", ""});
    STORY("... where there is room", {"Str", "T"}, {"Ct", "LHEK", 0, 1}, {"St", "LHK", 0, 1}, {"Str", "THK", 0, 1}, {"Ctr", "THEIK", 3, 4}, {"Cr", "HK", 4, 4});
    STORY("a trigger in the cycle of the drop is a sample of its own", {"Str", "T"}, {"Dtr", "THEK", 0, 0}, {"Dtr", "FH"}, {"Ddr", "H"}, {"Cr", "HEK", 3, 4});
    STORY("completes without room", {"St", "T"}, {"C", "HEK", 0, 1}, {"C", "HK", 0, 1}, {"Sx", "HK", 0, 1}, {"Fr", "HK", 0, 1}, {"F", ""});
    // Drained: for the first dispatch, then for that instruction.
    STORY("Drained", {"Dtr", "T"}, {"Dr", "H"}, {"Ddr", "H"}, {"Sdr", "H"}, {"Sr", "H"}, {"Cr", "HEK", 2, 5}, {"Cr", ""});
    STORY("Drained, commits at once", {"Dtr", "T"}, {"Ddr", "H"}, {"Cr", "HEK", 1, 2});
    STORY("Drained, dispatch with the trigger", {"Dtdr", "T"}, {"Sr", "H"}, {"Sxr", "HEK", 0, 2}, {"Fr", ""});
    STORY("Drained, dispatched, dropped", {"Dtdr", "T"}, {"Dr", "HEK", 0, -1}, {"Dr", ""});
    STORY("Drained, further in both states", {"Dtr", "T"}, {"Dtr", "FH"}, {"Dtd", "FH"}, {"Str", "FsH"}, {"Str", "FsH"}, {"Stxr", "FsHEK", 2, 5}, {"Ftr", "TIK", 6, 6});
    STORY("Drained, further, and a trigger with the commit", {"Dtdr", "T"}, {"Str", "FsH"}, {"Ctr", "THEIK", 0, 2}, {"Cr", "HK", 2, 2});
    STORY("Drained after a complete one", {"Ct", "TIK", 0, 0}, {"Dtdr", "THK", 0, 0}, {"St", "FsH"}, {"C", "HEK", 1, 3}, {"Dr", "HK", 1, 3});
    // A reset forgets what is held.
    hold_random(true);
    hold_reset();
    top->trigger_i = 1;
    top->state_i = STALLED;
    top->rob_empty_i = 0;
    hold_edge();
    bench_check(top->hold_o & HELD, "holds before the reset: 0x%x", top->hold_o);
    hold_reset();
    bench_check(top->hold_o == 0, "after a reset: 0x%x", top->hold_o);
    top->final();
    delete top;
    return bench_end();
}
