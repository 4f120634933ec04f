// Directed test of blame_rule: redirects that somebody is to blame for, and each way in which nobody is.
#include "Vtop.h"
#include "bench.h"
#include "verilated.h"

// A cycle in letters: E the ROB is empty; D an instruction dispatches; R redirect; X exception; c, w, f: what the older lane commits
// (plainly, mispredicted, flushing), then what the younger does; o: lane 1 is the older one; m: the next lane's mispredict, which
// does not commit; !: the rule is broken.
static void play(Vtop *top, const char *name, const char *story) {
    top->rst_ni = 0;
    top->clk_i = 0;
    top->eval();
    top->clk_i = 1;
    top->eval();
    top->rst_ni = 1;
    unsigned cycle = 0;
    for (const char *p = story; *p; cycle++) {
        top->clk_i = 0;
        top->commit_i = top->mispredict_i = top->flush_i = top->oldest_i = 0;
        top->rob_empty_i = top->exception_i = top->redirect_i = top->dispatch_i = 0;
        unsigned lanes = 0;
        bool broken = false;
        for (; *p && *p != ' '; p++) {
            unsigned lane = 1u << (lanes ^ top->oldest_i);
            switch (*p) {
            case 'E': top->rob_empty_i = 1; break;
            case 'D': top->dispatch_i = 1; break;
            case 'R': top->redirect_i = 1; break;
            case 'X': top->exception_i = 1; break;
            case 'o': top->oldest_i = 1; break;
            case 'm': top->mispredict_i |= lane; break;
            case 'w': top->mispredict_i |= lane; top->commit_i |= lane; lanes++; break;
            case 'f': top->flush_i |= lane; top->commit_i |= lane; lanes++; break;
            case 'c': top->commit_i |= lane; lanes++; break;
            case '!': broken = true; break;
            default: break;
            }
        }
        while (*p == ' ') p++;
        top->eval();
        bench_check(top->broken_o == broken, "%s, cycle %u: broken %u, expected %u", name, cycle, top->broken_o, broken);
        top->clk_i = 1;
        top->eval();
    }
}

int main() {
    Verilated::assertOn(false); // the output is looked at instead
    Vtop *top = new Vtop;
    play(top, "a branch that commits later", "ED - R c w E E ED - c E");
    play(top, "both in one cycle, the younger mispredicted", "ED R cw E E");
    play(top, "... in lane 1", "ED R ocw E E");
    play(top, "a flush, redirect in its cycle or in the next", "ED Rf E E ED f ER E");
    play(top, "an exception", "ED X ER E E ED - c E E");
    play(top, "the right path enters in time", "ED R D cc E E");
    play(top, "... in the cycle of the redirect's drain", "ED R w ED c E");
    play(top, "before anything has left", "ER E E");
    play(top, "the front end is late", "ED c E E ED c E");
    play(top, "nobody mispredicted", "ED R cc E! E! ED! - c E");
    play(top, "the older one did, not the youngest", "ED R wc E!");
    play(top, "... in lane 1", "ED R owc E!");
    play(top, "nobody flushed", "ED cc ER! E! ED! c E");
    play(top, "a flag of lanes that do not commit", "ED R cm E!");
    play(top, "an exception long before", "ED X ER E ED R c E!");
    top->final();
    delete top;
    return bench_end();
}
