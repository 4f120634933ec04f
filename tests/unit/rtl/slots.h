// What each slot of dispatch is used for, from the whole history: looks back cycle by cycle where the hardware has
// flags. For pmu_slots and for the counters after it.
#ifndef TIPOFF_SLOTS_H
#define TIPOFF_SLOTS_H

#include <stdint.h>
#include <vector>

struct slots_cycle {
    bool redirect, exception, rob_empty;
    unsigned commit, flush, oldest;
    uint32_t oldest_insn;
    unsigned dispatch; // slots that do
    unsigned occupied; // slots with an instruction, whether it does or not
};

// Lanes, and two of one bit, in the order of the events' numbers: 11 to 15, then 29 to 31.
struct slots_use {
    unsigned dispatched, latency, bandwidth, memory, recovery_branch, clear, branch_redirect, recovery_clear;
};

// Whether an instruction loads, stores, or does both: by the lists of the ISA manual, chapters 24 (opcodes) and 16
// (compressed, RV64).
static inline bool slots_accesses(uint32_t insn) {
    switch (insn & 0x7f) {
    case 0x03:
    case 0x07:
    case 0x23:
    case 0x27:
    case 0x2f: return true; // LOAD, LOAD-FP, STORE, STORE-FP, AMO
    default: break;
    }
    switch (insn & 0xe003) {
    case 0x2000:
    case 0x4000:
    case 0x6000: // c.fld, c.lw, c.ld
    case 0xa000:
    case 0xc000:
    case 0xe000: // c.fsd, c.sw, c.sd
    case 0x2002:
    case 0x4002:
    case 0x6002: // c.fldsp, c.lwsp, c.ldsp
    case 0xa002:
    case 0xc002:
    case 0xe002: return true; // c.fsdsp, c.swsp, c.sdsp
    default: return false;
    }
}

class slots_model {
    std::vector<slots_cycle> past; // the last is the cycle at hand
    static bool clears(const slots_cycle &c) { return c.exception || (c.commit & c.flush); }
    bool by_clear(std::size_t at) const { // the redirect in that cycle
        if (clears(past[at])) return true;
        if (!past[at].rob_empty) return false;
        while (at-- > 0) {
            if (clears(past[at])) return true;
            if (past[at].commit) return false;
        }
        return false;
    }

  public:
    slots_use step(unsigned width, const slots_cycle &c) {
        const unsigned all = (1u << width) - 1, empty = all & ~(c.dispatch | c.occupied),
                       held = all & c.occupied & ~c.dispatch;
        slots_use use = {};
        past.push_back(c);
        std::size_t at = past.size() - 1, last = at; // last: the redirect that this cycle recovers from
        bool recovers = false;
        if (!c.dispatch) {
            for (std::size_t i = at + 1; i-- > 0;) {
                if (i != at && past[i].dispatch) break;
                if (past[i].redirect) {
                    recovers = true;
                    last = i;
                    break;
                }
            }
        }
        unsigned recovery = (recovers ? empty : 0) | (c.redirect ? held : 0);
        (by_clear(last) ? use.recovery_clear : use.recovery_branch) = recovery;
        use.dispatched = c.dispatch;
        const bool stalls = !c.rob_empty && !c.commit;
        if (!recovers && empty != all) use.bandwidth = empty;
        if (!recovers && empty == all && !stalls) use.latency = all;
        const unsigned waits = all & ~(c.dispatch | recovery | use.bandwidth | use.latency); // for the back end
        if (stalls && slots_accesses(c.oldest_insn)) use.memory = waits;
        use.clear = clears(c);
        use.branch_redirect = c.redirect && !by_clear(at);
        return use;
    }
    void reset() { past.clear(); }
};

static inline unsigned slots_of_event(const slots_use &u, unsigned event) { // 0 where the event is none of these
    switch (event) {
    case 11: return (unsigned)__builtin_popcount(u.dispatched);
    case 12: return (unsigned)__builtin_popcount(u.latency);
    case 13: return (unsigned)__builtin_popcount(u.bandwidth);
    case 14: return (unsigned)__builtin_popcount(u.memory);
    case 15: return (unsigned)__builtin_popcount(u.recovery_branch);
    case 29: return u.clear;
    case 30: return u.branch_redirect;
    case 31: return (unsigned)__builtin_popcount(u.recovery_clear);
    default: return 0;
    }
}

#endif
