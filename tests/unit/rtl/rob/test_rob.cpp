// The reorder buffer with commit control against a queue of instructions.
//
// A place counts instructions from reset on: place p has ROB index p % entries, wraps when p passes the end, and lies in
// bank p % width. A squash takes the tail's place back. Everything that the window, the commit group and the raised
// exception should be is computed from the queue each cycle.
#include "../../../../build/gen/events.h"
#include "Vtop.h"
#include "bench.h"
#include "verilated.h"
#include <deque>
#include <memory>

enum { FP = 32, PD_VALID = 16, LOAD = 8, STORE = 4, FLUSH = 2, RVC = 1 };              // flags_i
static const unsigned ALL_EVENTS = (1 << EVENT_COUNT_ALONE) - 1;                          // the ROB keeps any bit, whoever sets it

struct entry {
    uint64_t place, pc, tval;
    uint32_t insn;
    uint16_t pd, old, ftq, psv;
    uint8_t rd, flags, cause;
    bool done, mispredict, exception, replay, met; // met: an event since dispatch
};

struct rates { // percent
    unsigned dispatch, complete, mispredict, exception, replay, flush, irq, nonspec, event;
};

static unsigned width, entries;
static std::deque<struct entry> queue;
static uint64_t tail, dispatched;
static bool locked;
static struct {
    unsigned full, empty, mispredict_cut, mispredict_last, flush, exception, replay, interrupt, locked, squash, squash_none, young_exception, group, dropped, reset, reset_locked, interrupted_replay, interrupted_wait, held, begins_again, denied, interrupted_fault, held_commit;
} seen;

static uint16_t index_of(uint64_t place) {
    return (uint16_t)(((place / entries) & 1) << 15 | place % entries);
}
static bool percent(unsigned n) {
    return bench_below(100) < n;
}
static void clock(Vtop *top) {
    top->clk_i = 0;
    top->eval();
    top->clk_i = 1;
    top->eval();
}

// The oldest exception there is: the one that a register for the oldest holds.
static const struct entry *first_exception(void) {
    for (const struct entry &e : queue)
        if (e.exception) return &e;
    return NULL;
}

// Window and dispatch side.
static void check_rob(const Vtop *top, unsigned cycle) {
    bench_check(top->empty_o == queue.empty(), "cycle %u: empty %u with %zu", cycle, top->empty_o, queue.size());
    unsigned room = entries - (unsigned)queue.size();
    bench_check(top->free_o == (room > width ? width : room), "cycle %u: free %u with %zu", cycle, top->free_o, queue.size());
    for (unsigned i = 0; i < width; i++)
        bench_check(top->dis_rob_o[i] == index_of(tail + i), "cycle %u: dispatch index %04x of lane %u, expected %04x", cycle, top->dis_rob_o[i], i,
                    index_of(tail + i));
    uint64_t head = tail - queue.size();
    bench_check(top->head_o == index_of(head), "cycle %u: head %04x, expected %04x", cycle, top->head_o, index_of(head));
    bench_check(top->oldest_o == head % entries % width, "cycle %u: oldest bank %u", cycle, top->oldest_o);
    for (unsigned k = 0; k < width; k++) {
        unsigned bank = (unsigned)((head + k) % entries % width);
        bool valid = k < queue.size();
        bench_check(((top->valid_o >> bank) & 1) == valid, "cycle %u: bank %u valid", cycle, bank);
        if (!valid) continue;
        const struct entry *e = &queue[k];
        bench_check(((top->done_o >> bank) & 1) == e->done, "cycle %u: bank %u done, place %lu", cycle, bank, e->place);
        bench_check(((top->mispredict_o >> bank) & 1) == e->mispredict, "cycle %u: bank %u mispredict, place %lu", cycle, bank, e->place);
        bench_check(top->pc_o[bank] == e->pc && top->insn_o[bank] == e->insn, "cycle %u: bank %u holds pc %lx insn %x, expected %lx %x", cycle, bank,
                    top->pc_o[bank], top->insn_o[bank], e->pc, e->insn);
        bench_check(top->psv_o[bank] == e->psv, "cycle %u: bank %u psv %03x, expected %03x", cycle, bank, top->psv_o[bank], e->psv);
    }
}

// What leaves: returns how many commit.
static unsigned check_commit(const Vtop *top, unsigned cycle) {
    const struct entry *first = first_exception();
    bool hold = top->check_i & 8, looked_again = top->check_i & 4, denied = top->check_i & 2, no_interrupt = top->check_i & 1;
    bool interrupt = top->irq_i && !queue.empty() && !locked && !top->serial_locked_i && !no_interrupt;
    bool at_head = first && first == &queue.front();
    bool page_fault = at_head && !first->replay && (first->cause == 12 || first->cause == 13 || first->cause == 15);
    bool raise = interrupt || (at_head && !(page_fault && hold));
    bool begins_again = raise && !interrupt && page_fault && looked_again;
    bench_check(top->page_fault_o == page_fault, "cycle %u: page fault %u, expected %u", cycle, top->page_fault_o, page_fault);
    seen.held += page_fault && hold;
    seen.begins_again += begins_again;
    seen.interrupted_fault += interrupt && page_fault;
    bench_check(top->raise_o == raise && top->interrupt_o == interrupt, "cycle %u: raise %u interrupt %u, expected %u %u", cycle, top->raise_o,
                top->interrupt_o, raise, interrupt);
    bench_check(top->replay_o == (raise && !interrupt && (first->replay || begins_again)), "cycle %u: replay %u", cycle, top->replay_o);
    if (raise) {
        const struct entry *head = &queue.front();
        bench_check(top->epc_o == head->pc, "cycle %u: epc %lx, expected %lx", cycle, top->epc_o, head->pc);
        unsigned event = begins_again ? 0 : 1u << (!interrupt && head->replay ? EVENT_FL_MO : EVENT_FL_EX);
        bench_check(top->raise_psv_o == (head->psv | event), "cycle %u: raised psv %03x, expected %03x", cycle, top->raise_psv_o, head->psv | event);
        bench_check(top->ftq_o == head->ftq, "cycle %u: ftq %x of the raising one, expected %x", cycle, top->ftq_o, head->ftq);
        if (interrupt)
            bench_check(top->cause_o == top->irq_cause_i && top->tval_o == 0, "cycle %u: cause %u tval %lx of an interrupt", cycle, top->cause_o, top->tval_o);
        else if (!head->replay && !begins_again) {
            unsigned cause = !page_fault || !denied ? head->cause : head->cause == 12 ? 1 : head->cause == 13 ? 5 : 7;
            bench_check(top->cause_o == cause && top->tval_o == head->tval, "cycle %u: cause %u tval %lx, expected %u %lx", cycle, top->cause_o, top->tval_o,
                        cause, head->tval);
            seen.denied += cause != head->cause;
        }
        seen.interrupt += interrupt;
        seen.interrupted_wait += interrupt && !head->done && head->met;
        seen.interrupted_replay += interrupt && at_head && head->replay;
        seen.replay += !interrupt && head->replay;
        seen.exception += !interrupt && !head->replay && !begins_again;
    }
    bool granted = top->nonspec_req_i && !queue.empty() && top->nonspec_rob_i == index_of(queue.front().place) && !raise;
    bench_check(top->nonspec_gnt_o == granted, "cycle %u: permission %u, expected %u", cycle, top->nonspec_gnt_o, granted);

    unsigned count = 0, loads = 0, stores = 0, commit = 0;
    bool flush = false;
    seen.held_commit += top->hold_i && !raise && !queue.empty() && queue.front().done && first != &queue.front();
    while (!raise && !top->hold_i && count < width && count < queue.size() && queue[count].done && &queue[count] != first) {
        const struct entry *e = &queue[count];
        commit |= 1u << e->place % entries % width;
        bench_check(((top->com_pd_valid_o >> count) & 1) == !!(e->flags & PD_VALID) && top->com_rd_o[count] == e->rd && top->com_pd_o[count] == e->pd &&
                        top->com_old_o[count] == e->old && ((top->com_fp_o >> count) & 1) == !!(e->flags & FP),
                    "cycle %u: rename record of the commit of age %u", cycle, count);
        loads += !!(e->flags & LOAD);
        stores += !!(e->flags & STORE);
        flush = e->flags & FLUSH;
        count++;
        if (flush || e->mispredict) break;
    }
    bench_check(top->commit_o == commit && top->count_o == count, "cycle %u: commit %02x count %u, expected %02x %u", cycle, top->commit_o, top->count_o, commit,
                count);
    bench_check(top->com_pd_valid_o >> count == 0 && top->com_fp_o >> count == 0, "cycle %u: rename record without a commit", cycle);
    bench_check(top->loads_o == loads && top->stores_o == stores, "cycle %u: loads %u stores %u, expected %u %u", cycle, top->loads_o, top->stores_o, loads,
                stores);
    bench_check(top->flush_o == flush, "cycle %u: flush %u", cycle, top->flush_o);
    if (count) bench_check(top->ftq_o == queue[count - 1].ftq, "cycle %u: ftq %x, expected %x", cycle, top->ftq_o, queue[count - 1].ftq);
    if (!queue.empty())
        bench_check(top->next_pc_o == queue.front().pc + (queue.front().flags & RVC ? 2 : 4), "cycle %u: next pc %lx", cycle, top->next_pc_o);

    if (count && queue[count - 1].mispredict) {
        seen.mispredict_cut += count < width && count < queue.size() && queue[count].done;
        seen.mispredict_last += count == width;
    }
    seen.flush += flush;
    seen.group += count == width;
    seen.young_exception += !raise && first && count && count < width && &queue[count] == first;
    seen.locked += locked && top->irq_i;
    locked = !raise && !count && (locked || granted);
    return count;
}

static void dispatch(Vtop *top, const struct rates *r, bool squashing) {
    top->fire_count_i = 0;
    if (squashing || !percent(r->dispatch)) return;
    unsigned count = bench_below(top->free_o + 1);
    top->fire_count_i = (CData)count;
    for (unsigned i = 0; i < count; i++) {
        struct entry e = {};
        e.place = tail + i;
        e.pc = bench_random();
        e.insn = (uint32_t)bench_random();
        e.rd = (uint8_t)bench_below(32);
        e.pd = (uint16_t)bench_below(top->pregs_o);
        e.old = (uint16_t)bench_below(top->pregs_o);
        e.ftq = (uint16_t)bench_below(top->ftq_entries_o);
        e.flags = (uint8_t)(bench_random() & (FP | PD_VALID | RVC));
        if (percent(30)) e.flags |= percent(50) ? LOAD : STORE;
        // What flushes is serial: it enters an empty ROB.
        else if (i == 0 && queue.empty() && percent(r->flush)) e.flags |= FLUSH;
        e.psv = (uint16_t)(bench_random() & ALL_EVENTS);
        top->pc_i[i] = e.pc;
        top->insn_i[i] = e.insn;
        top->rd_i[i] = e.rd;
        top->pd_i[i] = e.pd;
        top->old_i[i] = e.old;
        top->ftq_i[i] = e.ftq;
        top->flags_i[i] = e.flags;
        top->psv_i[i] = e.psv;
        queue.push_back(e);
    }
    tail += count;
    dispatched += count;
}

// Lets instructions complete, with what they find out. `live` were in the ROB before this cycle; `leave` of them commit
// now. Returns the place of the oldest mispredicted branch, or -1.
static int64_t complete(Vtop *top, const struct rates *r, size_t live, unsigned leave, bool squashing, uint64_t squash_place) {
    top->done_i = 0;
    top->mispredict_i = 0;
    top->event_i = top->exc_i = 0;
    int64_t wrong = -1;
    unsigned branch_ports = top->branch_ports_o, port = top->dones_o, source = 0, order = bench_below(4), branches = 0, events = 0;
    auto raises = [&](uint64_t place, bool replay, uint8_t cause, uint64_t tval) {
        unsigned port = source++ ^ order; // not always the oldest on the first port
        top->exc_i |= (CData)(1u << port);
        top->exc_rob_i[port] = index_of(place);
        top->exc_replay_i = (CData)((top->exc_replay_i & ~(1u << port)) | (unsigned)replay << port);
        top->exc_cause_i[port] = cause;
        top->exc_tval_i[port] = tval;
    };
    // In the cycle of a squash, what it kills may still say that it raised.
    if (squashing && percent(50)) {
        uint64_t place = top->squash_all_i ? tail + bench_below(entries) : squash_place + 1 + bench_below(width);
        seen.dropped++;
        raises(place, percent(50), 2, 0xdead);
    }
    for (size_t i = leave; i < live; i++) {
        struct entry *e = &queue[i];
        if (e->done && !e->exception && i && (e->flags & LOAD) && !queue[0].done && source < 4 && percent(r->replay)) {
            e->exception = e->replay = true; // an older store found that this load ran too early
            raises(e->place, true, (uint8_t)(percent(50) ? 12 + bench_below(4) : bench_below(64)), bench_random()); // of no meaning here
        }
        if (e->done && !e->exception && percent(2)) { // said once more, it changes nothing
            unsigned d = port > branch_ports ? --port : top->dones_o; // but a branch is resolved once
            if (d < top->dones_o) {
                top->done_i |= 1u << d;
                top->done_rob_i[d] = index_of(e->place);
            }
        }
        // Events come while it waits, and in the cycle in which it completes.
        if (!e->done && !e->exception && (e->flags & (LOAD | STORE)) && events < top->mem_events_o && percent(r->event)) {
            unsigned psv = (unsigned)bench_random() & ALL_EVENTS;
            unsigned p = events++;
            top->event_i |= (SData)(1u << p);
            top->event_rob_i[p] = index_of(e->place);
            top->event_psv_i[p] = (SData)psv;
            e->psv |= (uint16_t)psv;
            e->met = true;
        }
        if (e->done || e->exception || !percent(r->complete)) continue;
        bool branch = !(e->flags & (LOAD | STORE | FLUSH)) && branches < branch_ports && percent(50);
        if (!branch && port <= branch_ports) continue;
        unsigned d = branch ? branches++ : --port;
        e->done = true;
        top->done_i |= 1u << d;
        top->done_rob_i[d] = index_of(e->place);
        if (branch) {
            if (!percent(r->mispredict)) continue;
            e->mispredict = true;
            top->mispredict_i |= (CData)(1u << d);
            if (wrong < 0) wrong = (int64_t)e->place; // the oldest wins
        } else if (source < 4 && percent(r->exception)) {
            e->exception = true;
            e->cause = (uint8_t)(percent(50) ? 12 + bench_below(4) : bench_below(64));
            e->tval = bench_random();
            raises(e->place, false, e->cause, e->tval);
        }
    }
    return wrong;
}

// Takes what is younger than `place` out of the queue.
static void squash(uint64_t place) {
    while (!queue.empty() && queue.back().place > place) queue.pop_back();
    tail = place + 1;
}

int main(int argc, char **argv) {
    bench_seed(argc, argv, 41);
    auto owner = std::make_unique<Vtop>();
    Vtop *top = owner.get();
    top->rst_ni = 0;
    clock(top);
    top->rst_ni = 1;
    top->eval();
    width = top->width_o;
    entries = top->entries_o;
    struct rates r = {};
    bool squashing = false, all = false;
    uint64_t squash_place = 0;

    for (unsigned cycle = 0; cycle < 300000 && bench_failed < 20; cycle++) {
        if (cycle % 256 == 0) {
            r.dispatch = 20 + bench_below(81);
            r.complete = 2 + bench_below(60);
            r.mispredict = percent(50) ? 0 : bench_below(30);
            r.exception = percent(60) ? 0 : bench_below(10);
            r.replay = percent(70) ? 0 : bench_below(10);
            r.flush = bench_below(50);
            r.irq = percent(70) ? 0 : bench_below(5);
            r.nonspec = bench_below(100);
            r.event = bench_below(60);
        }
        top->squash_i = squashing;
        top->squash_all_i = squashing && all;
        top->squash_rob_i = index_of(squash_place);
        bool raising = !queue.empty() && first_exception() == &queue.front();
        bool reset = bench_below(locked ? 200 : 2000) == 0; // in the middle of whatever goes on
        top->rst_ni = !reset;
        // soon after a reset, too: a lock from before it must be gone
        top->irq_i = percent(tail < 2 * width ? 50 : raising && r.irq ? 40 : r.irq);
        top->irq_cause_i = (CData)bench_below(64);
        top->serial_locked_i = percent(5);
        top->hold_i = percent(5);
        top->check_i = percent(raising && !first_exception()->replay ? 50 : 90) ? 0 : (CData)bench_below(16);
        top->nonspec_req_i = percent(r.nonspec);
        top->nonspec_rob_i = index_of(tail - queue.size() + (percent(70) ? 0 : bench_below(width)));
        top->fire_count_i = 0;
        top->done_i = 0;
        top->mispredict_i = 0;
        top->event_i = top->exc_i = 0;
        top->eval();
        check_rob(top, cycle);
        seen.full += queue.size() == entries;
        seen.empty += queue.empty();

        unsigned leave = check_commit(top, cycle);
        bool clear = top->raise_o || top->flush_o;
        uint64_t head = tail - queue.size();
        size_t live = queue.size();
        if (squashing && !all) { // the dead do not complete
            seen.squash++;
            seen.squash_none += live && queue.back().place == squash_place;
            while (live && queue[live - 1].place > squash_place) live--;
        }
        int64_t wrong = complete(top, &r, live, leave, squashing, squash_place);
        dispatch(top, &r, squashing);
        clock(top);

        if (squashing && !all) squash(squash_place);
        if (clear) {
            queue.clear();
            tail = head + leave;
        } else {
            queue.erase(queue.begin(), queue.begin() + leave);
        }
        squashing = clear || wrong >= 0;
        if (reset) {
            queue.clear();
            tail = 0;
            seen.reset_locked += locked;
            squashing = locked = false;
            seen.reset++;
        }
        all = clear;
        squash_place = (uint64_t)wrong;
    }
    bench_check(dispatched > 20 * entries, "too few instructions: %lu", dispatched);
    const struct {
        const char *what;
        unsigned count;
    } corners[] = {{"full", seen.full}, {"empty", seen.empty}, {"group of full width", seen.group}, {"group cut by a misprediction", seen.mispredict_cut},
                   {"misprediction as the last of a full group", seen.mispredict_last}, {"flush", seen.flush}, {"exception", seen.exception},
                   {"replay", seen.replay}, {"interrupt", seen.interrupt}, {"interrupt held off by a lock", seen.locked},
                   {"exception that waits to be the oldest", seen.young_exception}, {"squash", seen.squash}, {"squash of nobody", seen.squash_none},
                   {"exception of the dead", seen.dropped}, {"reset", seen.reset}, {"reset under a lock", seen.reset_locked}, {"interrupt of what would be replayed", seen.interrupted_replay},
                   {"interrupt of what waits and has met something", seen.interrupted_wait},
                   {"page fault held", seen.held}, {"commit held for a violation", seen.held_commit}, {"page fault that begins again", seen.begins_again}, {"page fault that is an access fault", seen.denied},
                   {"interrupt of a page fault", seen.interrupted_fault}};
    for (const auto &c : corners) bench_check(c.count >= 20, "not reached often enough: %s, %u times", c.what, c.count);
    top->final();
    return bench_end();
}
