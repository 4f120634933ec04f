// profileme against a model that knows every instruction: a queue from fetch to map and a ROB in which each instruction
// keeps the cycles of its life, and from which a record is written out when a followed one leaves.
//
// Random packets, dispatches, wakes, issues, completions, mispredictions, traps, replays, flushes and interrupts;
// random settings in both modes, singly and in pairs; records that are read by CSRs or taken; long waits, in which each
// latency saturates.
#include "Vtop.h"
#include "bench.h"
#include "verilated.h"
#include <algorithm>
#include <deque>
#include <memory>
#include <set>
#include <vector>
extern "C" {
#include "instruction_sample.h"
}

enum { MPDISCTL = 0x7c3, SPDISCOUNTER = 0x5c2, SISELECT = 0x150, MISELECT = 0x350 };
static const unsigned sireg[] = {0, 0x151, 0x152, 0x153, 0x155, 0x156, 0x157};
static const uint64_t control_mask = 0xf0000000001ff1f7, overflow = UINT64_C(1) << 63;
enum { USER = 0, SUPERVISOR = 1, MACHINE = 3 };
enum { CFI_NONE, CFI_COND, CFI_JUMP, CFI_CALL, CFI_IJUMP, CFI_ICALL, CFI_RET, CFI_SWAP };
enum { OTHER, LOAD, STORE, BOTH, TRANSFER };
enum stage { NONE, FRONT, OPERANDS, QUEUED, EXECUTES, DONE };
enum { RETIRED, MISPREDICTED, REORDERED, EXCEPTED, INTERRUPTED, FLUSHED, PAGED };
enum { DR_L1, DR_TLB, DR_SQ, FL_MB, FL_EX, FL_MO, ST_L1, ST_TLB, ST_LLC };
static const unsigned vector_bits = 0x1ff, wrap_bit = 1 << 15;

struct insn {
    uint64_t pc = 0, fetched = 0, mapped = 0, ready = 0, issued = 0, done = 0, space = 0, target = 0;
    unsigned cfi = CFI_NONE, mode = 0, history = 0, opportunity = 0, rob = 0, kind = OTHER, vector = 0, conflicts = 0,
             tags[3] = {}, has = 0, oldest = 0;
    bool returns = false, queued = true, addressed = false, resolved = false, taken = false, mispredicted = false;
    enum stage stage = FRONT;
    // How it left.
    bool left = false, own = false;
    uint64_t leaves = 0;
    enum stage last = NONE;
    unsigned outcome = RETIRED, cause = 0;
};
typedef std::shared_ptr<insn> insn_p;

struct follower { // one set of profile registers
    insn_p what;
    bool pair, second;
    unsigned distance;
};

static Vtop *top;
static unsigned width, sets, buffers, slots, entries, room_before_map, wakes, issues, addresses, event_ports,
    branch_ports, dones, pregs;
static struct {
    unsigned long outcomes[7], stages[6], opportunities[3], pairs, distances, same, collisions, saturated[6], taken,
        acknowledged, interrupts, kinds[8], full, seconds_alone;
} seen;

static uint64_t now;
static std::deque<insn_p> front, rob;
static unsigned head, tail;
static bool all_next, kill_next;
static insn_p killer;
static unsigned why_all, dead_since;
static unsigned slow, slows; // what waits for long: 1 dispatch, 2 wakes, 3 issue, 4 done, 5 retirement, 6 fetch; 7:
                             // pairs are as far apart as they can be

static unsigned place_after(unsigned place, unsigned n) {
    unsigned index = (place & ~wrap_bit) + n, wrap = place & wrap_bit;
    if (index >= entries) index -= entries, wrap ^= wrap_bit;
    return index | wrap;
}
static unsigned least(uint64_t cycles) {
    return cycles < 4095 ? (unsigned)cycles : 4095;
}

// ---- selection ----
static uint64_t control, collisions, picks;
static uint32_t interval, count, random_number;
static unsigned minor;
static bool waits;
static uint64_t first_fetched;
static struct {
    bool on, valid;
    uint64_t cycle, space, block;
    unsigned mode, slots, branches, history;
    insn_p at[8];
} late;
static struct follower follower[4];
static unsigned waiting;
static std::deque<struct instruction_sample> records;
static unsigned siselect, miselect;

static unsigned mode() {
    return control & 3;
}
static bool paired() {
    return control >> 2 & 1 && sets >= 2;
}
static uint32_t next_random(uint32_t value) {
    return value >> 1 ^ (value & 1 ? 0x80200003u : 0);
}

// The counted thing of that slot.
static insn_p thing(unsigned slot) {
    if (late.valid && late.slots >> slot & 1) return late.at[slot];
    insn_p nothing = std::make_shared<insn>();
    nothing->fetched = late.cycle;
    nothing->mode = late.mode;
    nothing->space = late.space;
    nothing->opportunity = late.valid ? 1 : 2;
    nothing->left = true;
    nothing->stage = NONE;
    return nothing;
}

static struct {
    insn_p first, second;
    bool collision;
} pick;

static void select_one(bool room) {
    pick = {};
    const bool before = waits, counted = mode() && late.on &&
                                         !(control >> (late.mode == MACHINE      ? 62
                                                       : late.mode == SUPERVISOR ? 61
                                                                                 : 60) &
                                           1);
    if (counted)
        for (unsigned s = 0; s < slots; s++) {
            if (mode() < 2 && !(late.valid && late.slots >> s & 1)) continue;
            if (waits && --minor == 0) {
                pick.second = thing(s);
                waits = false;
            }
            if (--count != 0) continue;
            uint32_t jitter = control >> 4 & 31;
            uint32_t mask = ((uint32_t)1 << jitter) - 1, next = (interval & ~mask) | (random_number & mask);
            count = interval ? std::max<uint32_t>(next, 16) : 0;
            if (!room || before) {
                pick.collision = true;
            } else {
                pick.first = thing(s);
                if (paired()) {
                    waits = true;
                    minor = 1;
                    for (unsigned b = 0; b < 10 && b < (control >> 12 & 15); b++)
                        minor += (random_number >> (31 - b) & 1) << b;
                }
            }
            // A count that the software left at 0 stands for 2^32; one at which nothing is to come is left alone in
            // this cycle.
            if (!interval) {
                for (s++; s < slots && waits; s++) {
                    if (mode() < 2 && !(late.valid && late.slots >> s & 1)) continue;
                    if (--minor == 0) pick.second = thing(s), waits = false;
                }
                break;
            }
        }
    if (!mode() || !paired()) waits = false;
}

// ---- records ----
static struct instruction_sample record_of(const struct follower &f, unsigned number) {
    const insn &i = *f.what;
    struct instruction_sample s = {};
    s.mode = (uint8_t)i.mode;
    s.space = i.space;
    s.cycle = i.fetched;
    s.tag = (uint8_t)number;
    s.pair = f.pair;
    s.second = f.second;
    s.distance = (uint16_t)f.distance;
    s.opportunity = (uint8_t)i.opportunity;
    seen.opportunities[i.opportunity]++;
    seen.pairs += f.second;
    if (i.opportunity) return s;
    s.pc = i.pc;
    s.history = (uint16_t)i.history;
    s.stage = i.last;
    s.outcome = (uint8_t)i.outcome;
    s.own = i.own;
    s.cause = (uint8_t)i.cause;
    s.flushed = i.outcome != RETIRED;
    s.flush = i.outcome == RETIRED ? 0 : i.outcome == MISPREDICTED ? 1 : i.outcome == REORDERED ? 2 : 3;
    s.kind = (uint8_t)i.kind;
    s.events = (uint16_t)i.vector;
    s.itlb_miss = i.vector >> DR_TLB & 1;
    s.icache_miss = i.vector >> DR_L1 & 1;
    s.conflicts = (uint16_t)i.conflicts;
    s.addressed = i.addressed;
    s.address = i.addressed ? i.target : 0;
    s.resolved = i.resolved;
    s.taken = i.taken;
    s.mispredicted = i.mispredicted;
    s.oldest = (uint16_t)least(i.oldest);
    s.was_oldest = i.oldest != 0;
    // Where it left, the part that it was in ends.
    const uint64_t end = i.leaves;
    const bool mapped = i.last > FRONT, asked = mapped && i.queued, ready = i.last > OPERANDS, issued = i.last > QUEUED,
               done = i.last > EXECUTES;
    s.dispatch = (uint16_t)least((mapped ? i.mapped : end) - i.fetched);
    s.operands = (uint16_t)(asked ? least((ready ? i.ready : end) - i.mapped) : 0);
    s.contention = (uint16_t)(asked && ready ? least((issued ? i.issued : end) - i.ready) : 0);
    s.execution = (uint16_t)(issued ? least((done ? i.done : end) - (i.queued ? i.issued : i.mapped)) : 0);
    s.retire_wait = (uint16_t)(done ? least(end - i.done) : 0);
    s.issue = (uint16_t)least(s.operands + s.contention);
    s.total = (uint16_t)least(s.dispatch + s.issue + s.execution + s.retire_wait);
    s.dispatched = mapped;
    s.issued = issued && mapped;
    s.executed = done;
    const unsigned parts[] = {s.dispatch, s.operands, s.contention, s.execution, s.retire_wait, s.oldest};
    for (unsigned p = 0; p < 6; p++)
        seen.saturated[p] += parts[p] == 4095;
    if (i.kind == TRANSFER) {
        s.detail = i.returns;
        s.detail |= i.mispredicted << 13;
        if (i.cfi == CFI_COND && i.resolved) s.detail |= 1 << (i.taken ? 2 : 1);
        static const uint8_t bit[8] = {0, 0, 8, 6, 7, 5, 10, 9};
        if (bit[i.cfi]) s.detail |= 1 << bit[i.cfi];
    } else if (i.kind != OTHER) {
        s.detail = (i.vector >> ST_TLB & 1) | (i.vector >> ST_L1 & 1) << 2 | (i.vector >> ST_LLC & 1) << 3;
    }
    seen.outcomes[i.outcome]++;
    seen.stages[i.last]++;
    seen.kinds[i.cfi]++;
    return s;
}

static unsigned threshold() {
    return std::min<unsigned>(std::max<unsigned>(control >> 16 & 31, 1), buffers);
}
static bool interrupts() {
    return !records.empty() && records.size() >= threshold() && !(control & overflow);
}

// ---- what software sees ----
static uint64_t word_of(unsigned select, unsigned number, bool hide) {
    uint64_t words[INSTRUCTION_SAMPLE_WORDS];
    unsigned word = (select == 0x61 ? 6 : 0) + number - 1;
    if (records.empty() || word >= INSTRUCTION_SAMPLE_WORDS) return 0;
    struct instruction_sample s = records.front();
    s.collisions = (uint32_t)collisions;
    if (hide && s.mode == MACHINE) s.pc = s.address = s.history = 0;
    instruction_sample_pack(&s, words);
    return words[word];
}
static uint64_t csr_value(unsigned addr, bool hide) {
    if (addr == MPDISCTL) return control;
    if (addr == SPDISCOUNTER) return (uint64_t)interval << 32 | count;
    if (addr == SISELECT) return siselect;
    if (addr == MISELECT) return miselect;
    for (unsigned number = 1; number <= 6; number++)
        if (addr == sireg[number] || addr == sireg[number] + 0x200) {
            unsigned select = addr >= MISELECT ? miselect : siselect;
            if (select == 0x60 || select == 0x61) return word_of(select, number, hide);
            if (select == 0x62)
                return number == 1 ? picks : number == 2 ? collisions : number == 4 ? records.size() : 0;
        }
    return 0;
}

static void check_outputs() {
    top->eval();
    bench_check(top->ready_o == !records.empty(), "cycle %llu: ready %d, %zu records", (unsigned long long)now,
                top->ready_o, records.size());
    bench_check(top->lcofi_o == interrupts(), "cycle %llu: interrupt %d, expected %d", (unsigned long long)now,
                top->lcofi_o, interrupts());
    uint64_t expected = csr_value(top->addr_i, top->hidden_i);
    bench_check(top->rdata_o == expected, "cycle %llu: CSR 0x%x, select 0x%x: 0x%llx, expected 0x%llx",
                (unsigned long long)now, top->addr_i, top->addr_i >= MISELECT ? miselect : siselect,
                (unsigned long long)top->rdata_o, (unsigned long long)expected);
    for (unsigned w = 0; w < INSTRUCTION_SAMPLE_WORDS; w++) {
        expected = word_of(w < 6 ? 0x60 : 0x61, w < 6 ? w + 1 : w - 5, false);
        bench_check(top->word_o[w] == expected, "cycle %llu: word %u of the record: 0x%llx, expected 0x%llx",
                    (unsigned long long)now, w, (unsigned long long)top->word_o[w], (unsigned long long)expected);
    }
}

static uint64_t control_value() {
    uint64_t value = (unsigned[]){1, 1, 1, 2, 2, 3, 0, 0}[bench_below(8)];
    if (bench_below(2)) value |= 1 << 2;
    value |= (uint64_t)(bench_below(8) ? bench_below(6) : bench_below(32)) << 4;
    value |= (uint64_t)(bench_below(4) ? bench_below(6) : bench_below(16)) << 12;
    value |= (uint64_t)(bench_below(3) ? bench_below(6) : bench_below(32)) << 16;
    if (bench_below(4) == 0) value |= bench_random() & UINT64_C(0x7000000000000000);
    if (bench_below(4) == 0) value |= overflow;
    return bench_below(30) ? value : bench_random();
}

static unsigned readers; // 0: takes; 1: acknowledges; 2: both, seldom
static struct {
    bool control, counter, seed, acknowledge, take;
    uint64_t value;
} wrote;

static void software(bool quiet) {
    wrote = {};
    top->write_i = 0;
    top->wdata_i = bench_random();
    top->hidden_i = bench_below(2);
    static const unsigned some[] = {MPDISCTL, SPDISCOUNTER, SISELECT, MISELECT, 0x154, 0x351, 0x14f, 0x7c0};
    top->addr_i = bench_below(3) ? sireg[1 + bench_below(6)] + (bench_below(4) == 0 ? 0x200 : 0) : some[bench_below(8)];
    if (bench_below(8) == 0) top->addr_i = top->addr_i | 0x800; // registers of others
    wrote.take = top->take_i = (readers == 0 ? bench_below(3) == 0 : readers == 2 && bench_below(40) == 0);
    seen.taken += wrote.take && !records.empty();
    if (quiet || bench_below(2)) return;
    top->write_i = 1;
    switch (bench_below(12)) {
    case 0:
        if (bench_below(12)) {
            if (!(control & overflow) || bench_below(3)) {
                top->write_i = 0;
                break;
            }
            top->wdata_i = control & ~overflow; // what a handler does
        } else {
            top->wdata_i = control_value();
        }
        top->addr_i = MPDISCTL;
        break;
    case 1:
        if (bench_below(12)) {
            top->write_i = 0;
            break;
        }
        top->addr_i = SPDISCOUNTER;
        top->wdata_i = (uint64_t)(bench_below(10) ? bench_below(60) : bench_below(3)) << 32 |
                       (bench_below(10) ? 1 + bench_below(20) : bench_below(3));
        if (bench_below(8) == 0) top->wdata_i |= UINT64_C(1) << 63; // an interval that has every bit
        if (bench_below(30) == 0) top->wdata_i = bench_random();
        break;
    case 2:
    case 3:
    case 4:
        top->addr_i = bench_below(4) ? SISELECT : MISELECT;
        top->wdata_i = (bench_random() & ~UINT64_C(0xfff)) | (bench_below(20)  ? 0x60 + bench_below(3)
                                                              : bench_below(2) ? 0x63
                                                                               : bench_below(0x1000));
        break;
    case 5:
    case 6:
        if (readers != 1 && bench_below(8)) top->write_i = 0;
        top->addr_i = sireg[1] + (bench_below(8) ? 0 : 0x200);
        break;
    case 7: top->addr_i = sireg[bench_below(4) ? 3 : 1 + bench_below(6)]; break;
    default: top->write_i = 0;
    }
    if (!top->write_i) return;
    if (bench_below(40) == 0) top->addr_i = top->addr_i | 0x800;
    wrote.value = top->wdata_i;
    wrote.control = top->addr_i == MPDISCTL;
    wrote.counter = top->addr_i == SPDISCOUNTER;
    const bool machine = top->addr_i >= MISELECT;
    const unsigned select = machine ? miselect : siselect,
                   addr = top->addr_i - (machine && top->addr_i < 0x400 ? 0x200 : 0);
    wrote.seed = select == 0x62 && addr == sireg[3] && top->addr_i < 0x400;
    if (wrote.seed && bench_below(4) == 0)
        wrote.value = top->wdata_i = bench_random() << 32 | (bench_below(2) ? 0xffffffff : 0);
    wrote.acknowledge = select == 0x60 && addr == sireg[1] && top->addr_i < 0x400;
    seen.acknowledged += wrote.acknowledge && !records.empty();
}

// ---- the core ----
static uint64_t leave(const insn_p &i, unsigned outcome) {
    i->left = true;
    i->leaves = now;
    i->last = i->stage;
    i->outcome = outcome;
    return 0;
}

static void noise() { // whatever stands where nothing is valid must not matter
    for (unsigned i = 0; i < 8; i++) {
        top->lane_rob_i[i] = bench_random();
        top->lane_kind_i[i] = bench_below(5);
        top->lane_ready_i[i] = bench_below(8);
        top->lane_psv_i[i] = bench_random() & vector_bits;
        for (unsigned s = 0; s < 3; s++)
            top->lane_ps_i[3 * i + s] = bench_random();
        top->kind_i[i] = bench_below(8);
        top->addressed_rob_i[i] = head;
        top->addressed_addr_i[i] = bench_random();
    }
    for (unsigned p = 0; p < 16; p++) {
        top->event_rob_i[p] = rob.empty() ? head : rob[bench_below(rob.size())]->rob;
        top->event_psv_i[p] = bench_random() & vector_bits;
    }
    for (unsigned p = 0; p < 32; p++) {
        top->wake_tag_i[p] = bench_below(8);
        top->issue_rob_i[p] = rob.empty() ? head : rob[bench_below(rob.size())]->rob;
        top->done_rob_i[p] = rob.empty() ? head : rob[bench_below(rob.size())]->rob;
    }
    for (unsigned p = 0; p < 2; p++) {
        top->resolve_rob_i[p] = rob.empty() ? head : rob[bench_below(rob.size())]->rob;
        top->resolve_target_i[p] = bench_random();
    }
    top->resolve_taken_i = bench_below(4);
    top->resolve_mispredict_i = bench_below(4);
    top->lane_returns_i = bench_below(256);
    top->lane_queued_i = bench_below(256);
    top->block_i = bench_random();
    top->slots_i = bench_below(256);
    top->rvc_i = bench_below(256);
    top->branches_i = bench_below(256);
    top->history_i = bench_random();
    top->irq_i = bench_below(2);
    top->replay_i = bench_below(2);
    top->reorders_i = bench_below(2);
    top->cause_i = bench_below(64);
    top->youngest_i = rob.empty() ? head : rob[bench_below(rob.size())]->rob;
    top->all_i = bench_below(2);
    top->flush_i = 0;
    top->conflict_i = 0;
    top->wake_i = top->issue_i = top->done_i = top->addressed_i = top->event_i = top->resolve_i = 0;
    top->packet_i = top->count_i = top->commits_i = top->raises_i = top->squash_i = 0;
}

// One cycle of the core: drives the inputs, and moves the instructions as they say.
static std::vector<insn_p> fetched_now;
static insn_p fetched_at[8];
static bool squash_now;
static void core(uint64_t space, unsigned priv) {
    const unsigned was_head = head;
    noise();
    squash_now = all_next || kill_next;
    const unsigned dead = all_next ? why_all : (unsigned)MISPREDICTED;
    top->squash_i = squash_now;
    if (squash_now) top->all_i = all_next;
    top->head_i = head;
    top->head_valid_i = !rob.empty() && !all_next;
    size_t keeps = rob.size(); // those that a branch does not kill
    if (kill_next && !all_next)
        for (keeps = 0; rob[keeps] != killer; keeps++)
            continue;
    if (kill_next && !all_next) {
        keeps++;
        top->youngest_i = killer->rob;
    }
    const bool everything = all_next;
    all_next = kill_next = false;

    // Leaves at the head. The bits of a cycle in which the ROB is being cleared mean nothing: there is nobody.
    std::vector<insn_p> retiring;
    insn_p raised;
    if (!everything && !rob.empty()) {
        rob[0]->oldest++;
        bool hurry = slow != 5;
        unsigned most = hurry && bench_below(4) ? bench_below(width + 1) : 0;
        while (retiring.size() < most && retiring.size() < keeps && rob[retiring.size()]->stage == DONE)
            retiring.push_back(rob[retiring.size()]);
        if (retiring.empty() && bench_below(slow ? 100000 : 60) == 0) {
            raised = rob[0];
            top->raises_i = 1;
            all_next = true;
            why_all = top->irq_i ? INTERRUPTED : !top->replay_i ? EXCEPTED : top->reorders_i ? REORDERED : PAGED;
        } else if (!retiring.empty() && bench_below(slow ? 2000 : 20) == 0) {
            top->flush_i = 1;
            all_next = true;
            why_all = FLUSHED;
        }
    }
    top->commits_i = retiring.size();

    // Execution, of what existed at the beginning of the cycle.
    std::set<insn *> spoken;
    unsigned w = 0, is = 0, d = 0, a = 0, e = 0, r = 0;
    unsigned woken = 0;
    for (; w < wakes; w++)
        if (slow != 2 && bench_below(4) == 0) {
            top->wake_i |= 1u << w;
            woken |= 1u << top->wake_tag_i[w];
        }
    insn_p mispredicts;
    for (size_t n = 0; n < rob.size() && !everything; n++) {
        const insn_p &i = rob[n];
        if (i->left) continue;
        if (bench_below(8) == 0 && e < event_ports) {
            top->event_i |= 1u << e;
            top->event_rob_i[e] = i->rob;
            i->vector |= top->event_psv_i[e++];
        }
        if (bench_below(6) == 0 && a < addresses && (i->kind == LOAD || i->kind == STORE || i->kind == BOTH)) {
            top->addressed_i |= 1u << a;
            top->addressed_rob_i[a] = i->rob;
            i->target = top->addressed_addr_i[a++];
            i->addressed = true;
        }
        switch (i->stage) {
        case OPERANDS:
            for (unsigned s = 0; s < 3; s++)
                if (woken >> i->tags[s] & 1) i->has |= 1u << s;
            break;
        case QUEUED:
            if (is < issues && slow != 3 && bench_below(3) == 0) {
                while (is + 1 < issues && bench_below(2))
                    is++;
                top->issue_i |= 1u << is;
                top->issue_rob_i[is++] = i->rob;
                i->issued = now;
            }
            break;
        case EXECUTES:
            if (d < dones && slow != 4 && bench_below(4) == 0) {
                while (d + 1 < dones && bench_below(2))
                    d++;
                top->done_i |= 1u << d;
                top->done_rob_i[d++] = i->rob;
                i->done = now;
                if (i->kind == TRANSFER && r < branch_ports && bench_below(4)) {
                    top->resolve_i |= 1u << r;
                    top->resolve_rob_i[r] = i->rob;
                    i->resolved = true;
                    i->taken = top->resolve_taken_i >> r & 1;
                    i->addressed = i->taken;
                    i->target = top->resolve_target_i[r];
                    // One that dies in this cycle redirects nobody.
                    bool wrong = bench_below(slow ? 400 : 3) == 0 && n < keeps && !mispredicts;
                    top->resolve_mispredict_i = (top->resolve_mispredict_i & ~(1u << r)) | (unsigned)wrong << r;
                    i->mispredicted = wrong;
                    if (wrong) mispredicts = i;
                    r++;
                }
            }
            break;
        default: break;
        }
    }

    // Dispatch: not what is younger than a cycle, not while things die.
    unsigned able = 0, space_in_rob = entries - rob.size();
    while (able < front.size() && able < width && able < space_in_rob && front[able]->fetched + 2 <= now)
        able++;
    unsigned leaves = squash_now ? 0 : slow == 1 ? 0 : bench_below(3) ? able : bench_below(able + 1);
    top->count_i = leaves;
    std::vector<insn_p> mapped;
    for (unsigned k = 0; k < leaves; k++) {
        const insn_p &i = front[k];
        top->lane_rob_i[k] = i->rob = place_after(tail, k);
        i->mapped = now;
        i->kind = i->cfi != CFI_NONE ? (unsigned)TRANSFER
                                     : (unsigned[]){OTHER, OTHER, LOAD, STORE, BOTH, TRANSFER}[bench_below(6)];
        top->lane_kind_i[k] = i->kind;
        i->queued = top->lane_queued_i >> k & 1;
        i->returns = top->lane_returns_i >> k & 1;
        i->vector = top->lane_psv_i[k];
        i->has = top->lane_ready_i[k] = bench_below(2) ? 7 : bench_below(8);
        for (unsigned s = 0; s < 3; s++)
            top->lane_ps_i[3 * k + s] = i->tags[s] = bench_below(8);
        mapped.push_back(i);
    }
    if (!squash_now && leaves < front.size() && leaves < width && front[leaves]->fetched + 2 <= now && bench_below(3)) {
        top->conflict_i = bench_below(512);
        front[leaves]->conflicts |= top->conflict_i;
    }

    // Fetch.
    fetched_now.clear();
    for (insn_p &at : fetched_at)
        at = nullptr;
    top->priv_i = priv;
    top->space_i = space;
    if (!squash_now && slow != 6 && bench_below(3)) { // a redirect goes with every squash
        top->packet_i = 1;
        unsigned wanted = top->slots_i & ((1u << slots) - 1);
        if (bench_below(2)) wanted = (1u << slots) - 1;
        unsigned kept = 0;
        for (unsigned s = 0; s < slots; s++) {
            if (!(wanted >> s & 1) || front.size() + fetched_now.size() >= room_before_map + width) continue;
            kept |= 1u << s;
            insn_p i = std::make_shared<insn>();
            i->fetched = now;
            i->pc = top->block_i * (2 * slots) + 2 * s - (top->rvc_i >> s & 1 ? 0 : 2);
            i->cfi = top->kind_i[s] = bench_below(2) ? (unsigned)CFI_NONE : bench_below(8);
            i->kind = i->cfi == CFI_NONE ? OTHER : TRANSFER;
            i->mode = priv;
            i->space = space;
            fetched_at[s] = i;
            fetched_now.push_back(i);
        }
        // Branches end in slots that hold an instruction.
        top->branches_i &= kept;
        for (unsigned s = 0, before = 0; s < slots; s++)
            if (fetched_at[s]) {
                fetched_at[s]->history = (top->history_i << before) & 0xffff;
                before += top->branches_i >> s & 1;
            }
        top->slots_i = kept | (top->slots_i & ~((1u << slots) - 1));
    }

    // The end of the cycle: who leaves, who goes on.
    if (raised) {
        leave(raised, why_all);
        raised->own = true;
        if (!top->replay_i) {
            raised->cause = top->cause_i;
            raised->vector |= 1 << FL_EX;
        } else if (top->reorders_i) {
            raised->vector |= 1 << FL_MO;
        }
    }
    for (const insn_p &i : retiring) {
        leave(i, RETIRED);
        if (i->mispredicted) i->vector |= 1 << FL_MB;
    }
    if (squash_now) {
        for (size_t n = everything ? 0 : keeps; n < rob.size(); n++)
            if (!rob[n]->left) leave(rob[n], dead);
        for (const insn_p &i : front)
            leave(i, dead);
    }
    for (const insn_p &i : rob) {
        if (i->left) continue;
        if (i->stage == OPERANDS && i->has == 7)
            i->stage = QUEUED, i->ready = now + 1;
        else if (i->stage == QUEUED && i->issued == now)
            i->stage = EXECUTES;
        else if (i->stage == EXECUTES && i->done == now)
            i->stage = DONE;
    }
    for (const insn_p &i : mapped) {
        i->stage = !i->queued ? EXECUTES : i->has == 7 ? QUEUED : OPERANDS;
        i->ready = now + 1;
    }
    if (everything) {
        rob.clear();
    } else if (squash_now) {
        rob.resize(keeps);
        tail = place_after(killer->rob, 1);
    }
    if (squash_now)
        front.clear();
    else
        front.erase(front.begin(), front.begin() + leaves);
    for (const insn_p &i : mapped)
        rob.push_back(i);
    for (const insn_p &i : fetched_now)
        front.push_back(i);
    if (!squash_now) tail = place_after(tail, leaves);
    head = place_after(was_head, retiring.size());
    rob.erase(rob.begin(), rob.begin() + retiring.size());
    if (all_next) tail = head; // who is still in the ROB dies in the next cycle, and nobody comes until then
    if (mispredicts && !mispredicts->left && !all_next) {
        kill_next = true;
        killer = mispredicts;
    } else if (mispredicts && std::find(retiring.begin(), retiring.end(), mispredicts) != retiring.end()) {
        abort();
    }
}

// ---- ProfileMe in that cycle ----
static void profiler(uint64_t cycles_of_unit, uint64_t space, unsigned priv) {
    int chosen = -1;
    for (unsigned t = 0; t < sets && chosen < 0; t += paired() ? 2 : 1)
        if (!follower[t].what && (!paired() || (t + 1 < sets && !follower[t + 1].what))) chosen = (int)t;
    // Which set hands its record on.
    int from = -1;
    for (unsigned t = 0; t < sets; t++) {
        auto complete = [](unsigned n) {
            return follower[n].what && follower[n].what->left && follower[n].what->leaves < now;
        };
        bool starts = complete(t);
        if (paired() && (t | 1) < sets) starts = starts && (t & 1 ? !follower[t - 1].what : complete(t + 1));
        if (starts && from < 0) from = (int)t;
        if (starts && paired() && (t & 1)) from = (int)t;
    }
    if (records.size() >= buffers) {
        seen.full += from >= 0;
        from = -1;
    }
    const bool raises = interrupts(), off = mode() == 0;
    seen.interrupts += raises;
    select_one(chosen >= 0);
    if (wrote.counter) interval = (uint32_t)(wrote.value >> 32), count = (uint32_t)wrote.value;
    collisions += pick.collision;
    seen.collisions += pick.collision;
    picks += (pick.first != nullptr) + (pick.second != nullptr);
    const unsigned number = pick.first ? (unsigned)chosen : waiting;
    if (pick.first) first_fetched = pick.first->fetched;
    if (pick.first) waiting = number;
    // A record that goes comes after the existing ones.
    const bool takes = !records.empty() && (wrote.take || wrote.acknowledge);
    if (from >= 0) {
        struct instruction_sample s = record_of(follower[from], (unsigned)from);
        if (s.second && s.distance == 0) seen.same++;
        if (s.second && s.distance == 4095) seen.distances++;
        records.push_back(s);
        follower[from].what = nullptr;
    }
    if (takes) records.pop_front();
    if (off)
        for (unsigned t = 0; t < sets; t++)
            follower[t].what = nullptr;
    const struct follower fresh[2] = {
        {pick.first, paired(), false, 0},
        {pick.second, paired(), true, pick.second ? least(pick.second->fetched - first_fetched) : 0}};
    for (unsigned k = 0; k < 2; k++)
        if (fresh[k].what) {
            const unsigned to = k ? number | 1 : number;
            bench_check(to < sets && !follower[to].what, "cycle %llu: the model picks for set %u, which is not free",
                        (unsigned long long)now, to);
            follower[to] = fresh[k];
            if (fresh[k].what->opportunity) fresh[k].what->leaves = now;
        }
    if (wrote.control)
        control = wrote.value & control_mask;
    else if (raises)
        control |= overflow;
    if (top->write_i && top->addr_i == SISELECT) siselect = top->wdata_i & 0xfff;
    if (top->write_i && top->addr_i == MISELECT) miselect = top->wdata_i & 0xfff;
    if (wrote.seed)
        random_number = (uint32_t)wrote.value ? (uint32_t)wrote.value : 1;
    else if (!off)
        random_number = next_random(random_number);
    // The packet of this cycle is counted in the next one.
    late.on = !off;
    late.valid = !off && top->packet_i;
    if (!off) {
        late.cycle = cycles_of_unit;
        late.space = space;
        late.mode = priv;
        late.slots = top->slots_i & ((1u << slots) - 1);
        for (unsigned s = 0; s < slots; s++)
            late.at[s] = fetched_at[s];
    }
}

static void edge() {
    top->clk_i = 0;
    top->eval();
    top->clk_i = 1;
    top->eval();
}

static void reset() {
    front.clear();
    rob.clear();
    records.clear();
    for (struct follower &f : follower)
        f.what = nullptr;
    noise();
    top->write_i = top->take_i = top->addr_i = 0;
    top->rst_ni = 0;
    edge();
    if (bench_below(2)) edge(); // one cycle of it is enough
    top->rst_ni = 1;
    head = tail = 0;
    all_next = kill_next = waits = false;
    control = collisions = picks = 0;
    interval = count = 0;
    random_number = 1;
    late = {};
    siselect = miselect = 0;
    now = 0;
}

// A followed instruction is where it can wait for that.
static bool ripe(unsigned what) {
    static const enum stage stages[] = {NONE, FRONT, OPERANDS, QUEUED, EXECUTES, DONE};
    if (what == 0 || what == 7) return false;
    if (what == 6) return waits;
    for (const struct follower &f : follower)
        if (f.what && !f.what->left && f.what->stage == stages[what] && (what < 4 || f.what == rob[0])) return true;
    return false;
}

static void run(unsigned cycles, unsigned waits_for) {
    reset();
    slow = 0;
    slows = waits_for;
    uint64_t until = 0; // the end of a wait
    readers = slows ? 0 : bench_below(3);
    uint64_t space = bench_random() & 0xfffffffffff;
    unsigned priv = MACHINE;
    for (uint64_t end = now + cycles; now < end; now++) {
        top->clk_i = 0;
        if (bench_below(40) == 0) priv = (unsigned[]){USER, SUPERVISOR, MACHINE}[bench_below(3)];
        if (bench_below(40) == 0) space = bench_random() & 0xfffffffffff;
        if (slow && now >= until) slow = 0;
        if (!slow && now >= until + 300 && ripe(slows)) slow = slows, until = now + 4300;
        software(slows != 0);
        if (now < 3) { // it begins soon
            top->write_i = 1;
            top->take_i = wrote.take = 0;
            wrote = {};
            top->addr_i = now == 0 ? MPDISCTL : now == 1 ? SPDISCOUNTER : SISELECT;
            top->wdata_i = now == 0     ? (slows == 7                ? 5 | 10 << 12
                                           : slows == 6              ? 5 | 3 << 12
                                           : slows || bench_below(2) ? 1
                                                                     : control_value())
                           : now == 1   ? UINT64_C(16) << 32 | (1 + bench_below(8))
                           : slows == 7 ? 0x62
                                        : 0x60;
            wrote.control = now == 0;
            wrote.counter = now == 1;
            wrote.value = top->wdata_i;
        }
        if (slows == 7 && now >= 3) { // every random number is the largest: so is each distance of a pair
            const bool take = wrote.take;
            wrote = {};
            wrote.take = take;
            wrote.seed = true;
            wrote.value = top->wdata_i = 0xffffffff;
            top->addr_i = sireg[3];
            top->write_i = 1;
        }
        core(space, priv);
        check_outputs();
        profiler(now, space, priv);
        edge();
    }
}

int main(int argc, char **argv) {
    bench_seed(argc, argv, 1);
    top = new Vtop;
    top->eval();
    unsigned *const sizes[] = {&width, &sets,   &buffers,   &slots,       &entries,      &room_before_map,
                               &wakes, &issues, &addresses, &event_ports, &branch_ports, &dones};
    for (unsigned i = 0; i < 12; i++)
        *sizes[i] = top->sizes_o[i];
    pregs = top->pregs_o;
    for (unsigned i = 0; i < 60; i++)
        run(1500, 0);
    for (unsigned i = 1; i <= 6; i++)
        for (unsigned k = 0; k < (i == 6 ? 10 : 4); k++)
            run(5000, i);
    run(6000, 7);
    for (unsigned o = RETIRED; o <= PAGED; o++)
        bench_check(seen.outcomes[o] > 20, "outcome %u: %lu records", o, seen.outcomes[o]);
    for (unsigned s = FRONT; s <= DONE; s++)
        bench_check(seen.stages[s] > 20, "left in stage %u: %lu records", s, seen.stages[s]);
    for (unsigned k = CFI_NONE; k <= CFI_SWAP; k++)
        bench_check(seen.kinds[k] > 20, "transfers of kind %u: %lu records", k, seen.kinds[k]);
    for (unsigned o = 0; o <= 2; o++)
        bench_check(seen.opportunities[o] > 20, "opportunities of kind %u: %lu", o, seen.opportunities[o]);
    for (unsigned p = 0; p < 6; p++)
        bench_check(seen.saturated[p] > 0, "latency %u never saturates", p);
    bench_check(seen.collisions > 100 && seen.interrupts > 20 && seen.taken > 100 && seen.acknowledged > 100 &&
                    seen.full > 20,
                "%lu collisions, %lu interrupts, %lu records taken, %lu acknowledged, buffer full %lu times",
                seen.collisions, seen.interrupts, seen.taken, seen.acknowledged, seen.full);
    if (sets >= 2)
        bench_check(seen.pairs > 100 && seen.same > 10 && seen.distances > 0,
                    "%lu pairs, %lu of one packet, %lu far apart", seen.pairs, seen.same, seen.distances);
    top->final();
    delete top;
    return bench_end();
}
