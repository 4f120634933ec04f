// tip_unit: stories by hand for each state, for a Drained sample that stays open, for further triggers and lost ones; then
// random sequences against the facts of tests/unit/rtl/hold.h.
#include "hold.h"

int main(int argc, char **argv) {
    bench_seed(argc, argv, 1);
    top = new Vtop;
    top->eval();
    width = top->width_o;
    // Computing, Stalled and Flushed are complete in the cycle of the trigger, and go on if there is room.
    STORY("nothing", {"Cr", ""}, {"Sr", ""}, {"Fr", ""}, {"Ddr", ""});
    STORY("Computing", {"Ctr", "TIK", 0, 0}, {"Cr", ""});
    STORY("Stalled", {"Str", "TIK", 0, 0}, {"Sr", ""}, {"Cr", ""});
    STORY("Stalled on an exception", {"Stxr", "TIK", 0, 0}, {"Fr", ""});
    STORY("Flushed", {"Ftr", "TIK", 0, 0}, {"Fdr", ""});
    STORY("one each cycle", {"Ctr", "TIK", 0, 0}, {"Str", "TIK", 1, 1}, {"Str", "TIK", 2, 2}, {"Ctr", "TIK", 3, 3});
    // Without room it is held, as it was taken; a trigger then is lost, but in the cycle in which it goes.
    STORY("no room", {"Ct", "TIK", 0, 0}, {"S", "HK", 0, 0}, {"St", "LHK", 0, 0}, {"Dd", "HK", 0, 0}, {"Str", "THKI", 0, 0}, {"Cr", "HK", 4, 4}, {"Cr", ""});
    STORY("no room, no trigger", {"Ft", "TIK", 0, 0}, {"Fr", "HK", 0, 0}, {"F", ""});
    // Drained: complete with the first dispatch.
    STORY("Drained", {"Dtr", "T"}, {"Dr", "H"}, {"Dr", "H"}, {"Ddr", "HEK", 3, -1}, {"Sdr", ""});
    STORY("Drained, dispatch with the trigger", {"Dtdr", "TIK", 0, -1}, {"Sr", ""});
    STORY("Drained, dispatch with the trigger, no room", {"Dtd", "TIK", 0, -1}, {"Sd", "HK", 0, -1}, {"Sr", "HK", 0, -1});
    STORY("Drained, further", {"Dtr", "T"}, {"Dtr", "FH"}, {"Dt", "FH"}, {"Ddtr", "FHEK", 3, -1}, {"Str", "TIK", 4, 4});
    STORY("Drained, completes without room", {"Dtr", "T"}, {"Dd", "HEK", 1, -1}, {"St", "LHK", 1, -1}, {"Sdr", "HK", 1, -1}, {"S", ""});
    STORY("Drained, a further one without room", {"Dt", "T"}, {"Dtd", "FHEK", 1, -1}, {"Sdtr", "THIK", 1, -1}, {"Cr", "HK", 2, 2});
    STORY("Drained, Drained again after it", {"Dt", "T"}, {"Dd", "HEK", 1, -1}, {"Dtr", "THK", 1, -1}, {"Dr", "H"}, {"Dtdr", "FHEK", 4, -1}, {"Sr", ""});
    // A reset forgets what is held.
    hold_reset();
    hold_random(false);
    top->trigger_i = 1;
    top->take_i = 0;
    hold_edge();
    hold_reset();
    bench_check(top->hold_o == 0, "after a reset: 0x%x", top->hold_o);
    top->final();
    delete top;
    return bench_end();
}
