// Both issue queues against lists in age order.
//
// Each cycle the model says exactly who is granted which port: the ports choose from the highest down, each the oldest
// that asks and that it can take. A store whose data are not ready goes in two parts, where the configuration splits stores. What was granted must come out of register read (integer) or into EX (memory) with
// its payload, unless a squash killed it meanwhile.
#include "../../../../build/gen/instructions.h"
#include "Vtop.h"
#include "bench.h"
#include "verilated.h"
#include <deque>
#include <memory>
#include <vector>

static const uint64_t VALUE_OF = 0x9e3779b97f4a7c15; // as in the wrapper

struct uop {
    uint64_t place, pc;
    uint32_t imm;
    unsigned op, unit, pd, ps1, ps2, ports;
    bool pd_valid, ready1, ready2, waits;
    bool begun;    // its first part has been issued
    unsigned part; // as granted: ALL, ADDR, DATA
};

struct rates { // percent
    unsigned dispatch, memory, wait, squash, gate, wake, chain, store, hold;
};

enum { ALL, ADDR, DATA };

typedef std::deque<struct uop> uops;

static bool splits;
static unsigned width, rob_entries, pregs, ftq_mask, snapshot_mask, lq_mask, sq_mask;
static struct {
    unsigned int_full, mem_full, squash, killed_rr, behind_store, gated, chained, all_ports, held, halves, past_half;
} seen;

static bool percent(unsigned n) {
    return bench_below(100) < n;
}
static uint16_t index_of(uint64_t place) {
    return (uint16_t)(((place / rob_entries) & 1) << 15 | place % rob_entries);
}
static bool one_cycle(const struct uop *u) {
    return u->unit != UNIT_MUL && u->unit != UNIT_DIV && u->unit != UNIT_LOAD && u->unit != UNIT_STORE && u->unit != UNIT_AMO;
}

// Who asks, in age order; `alive` is the place of the youngest that the squash of this cycle spares.
static std::vector<const struct uop *> select(const uops &queue, unsigned ports, bool gate_open, unsigned held, uint64_t end) {
    std::vector<const struct uop *> left, granted(ports, nullptr);
    bool store_before = false, half_before = false;
    for (const struct uop &u : queue) {
        if (u.place >= end) break;
        bool behind = u.waits && store_before, gated = u.unit == UNIT_DIV && !gate_open;
        seen.behind_store += behind && u.ready1 && u.ready2;
        seen.gated += gated && u.ready1 && u.ready2;
        bool second = u.ready2 || (splits && u.unit == UNIT_STORE && !u.begun);
        if (u.ready1 && second && !behind && !gated) left.push_back(&u);
        store_before |= u.unit == UNIT_STORE && !u.begun;
        seen.past_half += u.waits && u.ready1 && u.ready2 && !store_before && half_before;
        half_before |= u.begun;
    }
    for (unsigned p = ports; p-- > 0;) {
        if (held >> p & 1) {
            seen.held += !left.empty();
            continue;
        }
        for (size_t k = 0; k < left.size(); k++)
            if ((left[k]->ports >> p) & 1) {
                granted[p] = left[k];
                left.erase(left.begin() + (long)k);
                break;
            }
    }
    return granted;
}

static uint64_t rest_of_int(const struct uop *u) {
    return (uint64_t)u->op << 56 | (uint64_t)u->unit << 52 | (uint64_t)u->pd_valid << 51 | (uint64_t)u->pd << 40 | (uint64_t)u->ps1 << 30 |
           (uint64_t)u->ps2 << 20 | (u->pc & 15) << 16 | ((u->pc >> 8) & ftq_mask) << 8 | ((u->pc >> 16) & snapshot_mask);
}
static uint64_t rest_of_mem(const struct uop *u) {
    return (uint64_t)u->op << 56 | (uint64_t)u->unit << 52 | (uint64_t)u->pd_valid << 51 | (uint64_t)u->pd << 40 | (uint64_t)(u->imm & 0xfff) << 28 |
           ((u->pc >> 8) & lq_mask) << 8 | ((u->pc >> 16) & sq_mask);
}
static void erase(uops *queue, uint64_t place) {
    for (size_t k = 0; k < queue->size(); k++)
        if ((*queue)[k].place == place) {
            queue->erase(queue->begin() + (long)k);
            return;
        }
}

int main(int argc, char **argv) {
    bench_seed(argc, argv, 61);
    auto owner = std::make_unique<Vtop>();
    Vtop *top = owner.get();
    auto clock = [&] {
        top->clk_i = 0;
        top->eval();
        top->clk_i = 1;
        top->eval();
    };
    top->rst_ni = 0;
    clock();
    top->rst_ni = 1;
    top->eval();
    width = top->width_o;
    rob_entries = top->rob_entries_o;
    pregs = top->pregs_o;
    ftq_mask = snapshot_mask = lq_mask = sq_mask = 3; // payload bits that any configuration carries
    splits = top->split_stores_o;
    unsigned int_ports = top->int_ports_o, mem_ports = top->mem_ports_o;
    unsigned all_ports = (1u << int_ports) - 1;

    uops ints, mems;
    std::vector<bool> ready(pregs, true);
    struct late {
        uint64_t place;
        unsigned tag, delay;
    };
    std::vector<struct late> late; // results that are not known a cycle after the grant
    std::vector<unsigned> owner_of(pregs, 0); // register has a writer in flight
    uint64_t tail = 0, int_issued = 0, mem_issued = 0;
    unsigned last_pd = 0;
    struct rates r = {};
    std::vector<struct uop> rr_int(int_ports), rr_mem(mem_ports), ex_mem(mem_ports);
    std::vector<bool> rr_int_valid(int_ports), rr_mem_valid(mem_ports), ex_mem_valid(mem_ports);

    for (unsigned cycle = 0; cycle < 100000 && bench_failed < 20; cycle++) {
        if (cycle % 256 == 0) {
            r = {20 + bench_below(81), bench_below(80), bench_below(60), percent(50) ? 0 : bench_below(10), bench_below(101), 10 + bench_below(91),
                 bench_below(100), bench_below(100), percent(50) ? 0 : bench_below(101)};
        }
        uint64_t head = tail;
        if (!ints.empty()) head = ints.front().place;
        if (!mems.empty() && mems.front().place < head) head = mems.front().place;
        for (const struct late &l : late)
            if (l.place < head) head = l.place;
        for (unsigned p = 0; p < int_ports; p++)
            if (rr_int_valid[p] && rr_int[p].place < head) head = rr_int[p].place;
        for (unsigned p = 0; p < mem_ports; p++) {
            if (rr_mem_valid[p] && rr_mem[p].place < head) head = rr_mem[p].place;
            if (ex_mem_valid[p] && ex_mem[p].place < head) head = ex_mem[p].place;
        }

        // ---- squash: everything from place `end` on dies ----
        uint64_t end = tail;
        top->squash_i = top->squash_all_i = 0;
        if (tail > head && percent(r.squash)) {
            uint64_t place = head + bench_below((unsigned)(tail - head));
            top->squash_i = 1;
            top->squash_all_i = percent(20);
            top->squash_rob_i = index_of(place);
            end = top->squash_all_i ? head : place + 1;
            seen.squash++;
        }
        bool squash = top->squash_i;

        // ---- late wakes ----
        top->wake_i = 0;
        unsigned wakes = 0;
        std::vector<unsigned> woken;
        for (size_t k = 0; k < late.size();) {
            if (late[k].place < end && !late[k].delay && wakes < 2 + mem_ports && percent(r.wake)) {
                top->wake_i |= (CData)(1u << wakes);
                top->wake_tag_i[wakes++] = (SData)late[k].tag;
                woken.push_back(late[k].tag);
                late.erase(late.begin() + (long)k);
                continue;
            }
            late[k].delay -= late[k].delay != 0;
            k++;
        }
        top->div_free_i = percent(r.gate);
        top->hold_i = (CData)(percent(r.hold) ? 1 + bench_below(3) : 0);
        top->want_int_i = top->want_mem_i = top->fire_i = 0;
        top->eval();

        // ---- registered outputs ----
        for (unsigned p = 0; p < int_ports; p++) {
            bool valid = (top->rr_valid_o >> p) & 1;
            bench_check(valid == rr_int_valid[p], "cycle %u: port %u: register read valid %u", cycle, p, valid);
            if (!valid || !rr_int_valid[p]) continue;
            const struct uop *u = &rr_int[p];
            uint64_t mask = ~0xfcfcull;
            bench_check(top->rr_rob_o[p] == index_of(u->place) && top->rr_pc_o[p] == u->pc && top->rr_imm_o[p] == u->imm &&
                            (top->rr_rest_o[p] & mask) == rest_of_int(u),
                        "cycle %u: port %u: payload of place %lu: rob %04x rest %lx, expected %04x %lx", cycle, p, u->place, top->rr_rob_o[p],
                        top->rr_rest_o[p] & mask, index_of(u->place), rest_of_int(u));
            int_issued++;
        }
        const bool divides = rr_int_valid[top->div_port_o] && rr_int[top->div_port_o].unit == UNIT_DIV;
        bench_check(top->rr_divides_o == divides, "cycle %u: divides %u, expected %u", cycle, top->rr_divides_o, divides);
        for (unsigned p = 0; p < mem_ports; p++) {
            bool valid = (top->ex_valid_o >> p) & 1;
            bench_check(valid == ex_mem_valid[p], "cycle %u: memory port %u: EX valid %u", cycle, p, valid);
            if (!valid || !ex_mem_valid[p]) continue;
            const struct uop *u = &ex_mem[p];
            uint64_t mask = ~0xfcfcull;
            bench_check(top->ex_rob_o[p] == index_of(u->place) && top->ex_base_o[p] == VALUE_OF * u->ps1 && top->ex_data_o[p] == VALUE_OF * u->ps2 &&
                            (top->ex_rest_o[p] & mask) == rest_of_mem(u) && top->ex_part_o[p] == u->part,
                        "cycle %u: memory port %u: payload of place %lu: rest %lx, expected %lx", cycle, p, u->place, top->ex_rest_o[p] & mask,
                        rest_of_mem(u));
            mem_issued++;
        }

        // ---- who is granted; integer ones show by their wake ----
        std::vector<const struct uop *> int_granted = select(ints, int_ports, top->div_free_i, 0, end);
        std::vector<const struct uop *> mem_granted = select(mems, mem_ports, true, top->hold_i, end);
        unsigned used = 0;
        for (unsigned p = 0; p < int_ports; p++) {
            const struct uop *u = int_granted[p];
            bool fast = u && u->pd_valid && one_cycle(u), wake = (top->int_wake_o >> p) & 1;
            if (u || !squash) // else it may be a dying one's
                bench_check(wake == fast && (!fast || top->int_wake_tag_o[p] == u->pd), "cycle %u: port %u: wake %u of %u, expected %u of %u", cycle, p, wake,
                            top->int_wake_tag_o[p], fast, u ? u->pd : 0);
            used += u != nullptr;
            if (fast) woken.push_back(u->pd);
        }
        seen.all_ports += used == int_ports;

        // ---- dispatch ----
        std::vector<struct uop> group;
        if (!squash) {
            std::vector<bool> now = ready;
            for (unsigned tag : woken) now[tag] = true;
            std::vector<unsigned> owners = owner_of;
            bool cut = false;
            unsigned int_wants = 0, mem_wants = 0, lanes = bench_below(width + 1), int_full = 0, mem_full = 0;
            bool go = percent(r.dispatch);
            for (unsigned l = 0; l < lanes; l++) {
                struct uop u = {};
                u.place = tail + l;
                u.pc = bench_random();
                u.imm = (uint32_t)bench_random();
                u.op = 1 + bench_below(INSN_COUNT - 1);
                auto source = [&] { return last_pd && percent(r.chain) ? last_pd : bench_below(pregs); };
                u.ps1 = source();
                u.ps2 = source();
                bool memory = percent(r.memory);
                u.ports = all_ports;
                if (memory) {
                    u.unit = percent(r.store) ? UNIT_STORE : percent(80) ? UNIT_LOAD : UNIT_AMO;
                    u.ports = u.unit == UNIT_AMO ? 1 : (1u << mem_ports) - 1;
                    u.waits = u.unit == UNIT_LOAD && percent(r.wait);
                } else {
                    static const unsigned units[] = {UNIT_ALU, UNIT_ALU, UNIT_ALU, UNIT_JAL, UNIT_BRANCH, UNIT_JALR, UNIT_MUL, UNIT_DIV, UNIT_CSR, UNIT_FENCE};
                    u.unit = units[bench_below(10)];
                    if (u.unit == UNIT_BRANCH) u.ports = (1u << top->branch_ports_o) - 1;
                    if (u.unit == UNIT_JALR || u.unit == UNIT_CSR || u.unit == UNIT_FENCE) u.ports = 1;
                    if (u.unit == UNIT_MUL) u.ports = 1u << top->mul_port_o;
                    if (u.unit == UNIT_DIV) u.ports = 1u << top->div_port_o;
                }
                u.ready1 = now[u.ps1];
                u.ready2 = now[u.ps2];
                unsigned candidate = 1 + bench_below(pregs - 1);
                if (u.unit != UNIT_BRANCH && u.unit != UNIT_STORE && !owners[candidate] && percent(90)) {
                    // Nobody that still waits may read a register that gets a new writer.
                    bool read = false;
                    for (const uops *queue : {&ints, &mems})
                        for (const struct uop &o : *queue) read |= o.ps1 == candidate || o.ps2 == candidate;
                    for (const struct uop &o : group) read |= o.ps1 == candidate || o.ps2 == candidate;
                    if (!read && candidate != u.ps1 && candidate != u.ps2) {
                        u.pd = candidate;
                        u.pd_valid = true;
                    }
                }
                top->op_i[l] = (CData)u.op;
                top->unit_i[l] = (CData)u.unit;
                top->rob_i[l] = index_of(u.place);
                top->pd_i[l] = (SData)u.pd;
                top->ps1_i[l] = (SData)u.ps1;
                top->ps2_i[l] = (SData)u.ps2;
                top->pc_i[l] = u.pc;
                top->imm_i[l] = u.imm;
                CData bit = (CData)(1u << l);
                top->pd_valid_i = (CData)(u.pd_valid ? top->pd_valid_i | bit : top->pd_valid_i & ~bit);
                top->ready1_i = (CData)(u.ready1 ? top->ready1_i | bit : top->ready1_i & ~bit);
                top->ready2_i = (CData)(u.ready2 ? top->ready2_i | bit : top->ready2_i & ~bit);
                top->waits_i = (CData)(u.waits ? top->waits_i | bit : top->waits_i & ~bit);
                bool full;
                if (memory) {
                    top->want_mem_i |= bit;
                    full = mems.size() + mem_wants++ >= top->mem_entries_o;
                    mem_full |= full ? bit : 0u;
                } else {
                    top->want_int_i |= bit;
                    full = ints.size() + int_wants++ >= top->int_entries_o;
                    int_full |= full ? bit : 0u;
                }
                cut |= full || !go || u.place - head >= rob_entries;
                if (cut) continue; // wants, and does not get in
                group.push_back(u);
                if (u.pd_valid) {
                    owners[u.pd] = 1;
                    now[u.pd] = false;
                    last_pd = u.pd;
                }
            }
            top->eval();
            bench_check(top->int_full_o == int_full && top->mem_full_o == mem_full, "cycle %u: full %02x %02x, expected %02x %02x", cycle, top->int_full_o,
                        top->mem_full_o, int_full, mem_full);
            seen.int_full += int_full != 0;
            seen.mem_full += mem_full != 0;
        }
        top->fire_i = (CData)((1u << group.size()) - 1);
        clock();

        // ---- what the cycle did ----
        for (unsigned p = 0; p < mem_ports; p++) {
            ex_mem_valid[p] = rr_mem_valid[p] && rr_mem[p].place < end;
            seen.killed_rr += rr_mem_valid[p] && !ex_mem_valid[p];
            ex_mem[p] = rr_mem[p];
            rr_mem_valid[p] = mem_granted[p] != nullptr;
            if (!mem_granted[p]) continue;
            rr_mem[p] = *mem_granted[p];
            rr_mem[p].part = rr_mem[p].begun ? DATA : rr_mem[p].ready2 ? ALL : ADDR;
        }
        for (unsigned p = 0; p < int_ports; p++) {
            rr_int_valid[p] = int_granted[p] != nullptr;
            if (int_granted[p]) rr_int[p] = *int_granted[p];
        }
        for (unsigned p = 0; p < int_ports; p++)
            if (rr_int_valid[p]) {
                const struct uop *u = &rr_int[p];
                if (u->pd_valid && !one_cycle(u)) late.push_back({u->place, u->pd, bench_below(6)});
                erase(&ints, u->place);
            }
        for (unsigned p = 0; p < mem_ports; p++)
            if (rr_mem_valid[p]) {
                const struct uop *u = &rr_mem[p];
                if (u->pd_valid) late.push_back({u->place, u->pd, bench_below(6)});
                seen.halves += u->part == DATA;
                if (u->part != ADDR) erase(&mems, u->place);
                else
                    for (struct uop &o : mems) o.begun |= o.place == u->place;
            }
        for (unsigned tag : woken) {
            ready[tag] = true;
            owner_of[tag] = 0;
            for (uops *queue : {&ints, &mems})
                for (struct uop &u : *queue) {
                    seen.chained += (u.ps1 == tag && !u.ready1) || (u.ps2 == tag && !u.ready2);
                    u.ready1 |= u.ps1 == tag;
                    u.ready2 |= u.ps2 == tag;
                }
        }
        if (squash) {
            for (uops *queue : {&ints, &mems})
                while (!queue->empty() && queue->back().place >= end) {
                    if (queue->back().pd_valid) {
                        ready[queue->back().pd] = true;
                        owner_of[queue->back().pd] = 0;
                    }
                    queue->pop_back();
                }
            for (size_t k = 0; k < late.size();)
                if (late[k].place >= end) {
                    ready[late[k].tag] = true;
                    owner_of[late[k].tag] = 0;
                    late.erase(late.begin() + (long)k);
                } else {
                    k++;
                }
            tail = end;
        }
        for (const struct uop &u : group) {
            bool memory = u.unit == UNIT_LOAD || u.unit == UNIT_STORE || u.unit == UNIT_AMO;
            (memory ? mems : ints).push_back(u);
            if (u.pd_valid) {
                ready[u.pd] = false;
                owner_of[u.pd] = 1;
            }
        }
        tail += group.size();
    }
    bench_check(int_issued > 10000 && mem_issued > 10000, "issued %lu and %lu", int_issued, mem_issued);
    const struct {
        const char *what;
        unsigned count;
    } corners[] = {{"integer queue full", seen.int_full},      {"memory queue full", seen.mem_full}, {"squash", seen.squash},
                   {"killed in register read", seen.killed_rr}, {"load after a store", seen.behind_store}, {"division behind another", seen.gated},
                   {"wake of one that waits", seen.chained},    {"all ports at once", seen.all_ports},
                   {"memory port held", seen.held}};
    if (splits) bench_check(seen.halves > 1000 && seen.past_half > 20, "%u stores in two parts, %u loads past one", seen.halves, seen.past_half);
    for (const auto &c : corners) bench_check(c.count >= 20, "not reached often enough: %s, %u times", c.what, c.count);
    top->final();
    return bench_end();
}
