// The load/store unit against program order: a small model of the rest of the core dispatches random loads, stores and
// AMOs, issues them in any order, mispredicts, takes interrupts and honours replays; a memory answers late and in any
// order; devices note each access. What commits is compared with a plain byte array that executes one instruction after
// the other. In some episodes addresses are virtual: see vm_model.h; walks end late, and the walker reads words of its own.
#include "Vtop.h"
#include "bench.h"
#include "vm_model.h"
#include <string.h>

enum kind { LOAD, STORE, AMO, BRANCH };

static const uint64_t DRAM = 0x80000000, DEVICE = 0x2000000, ROM = 0x1000, HOLE = 0x40000000;
static const unsigned DRAM_BYTES = 1 << 20, WINDOW = 1024, RESPONSES = 32;
static const unsigned TABLES = 1 << 16; // bytes at the end that the program leaves alone

struct insn {
    enum kind kind;
    unsigned code, size; // code: see op_of in lsu_tb.sv
    bool uns;
    uint64_t base, va, addr, data; // addr: physical
    int imm;
};

struct entry { // of the reorder buffer
    struct insn in;
    uint64_t index;  // in the program; ~0 on a wrong path
    unsigned lq, sq; // tail that the lane saw
    bool issued, done, exception, replay, locked, mispredict;
    bool split, data_issued; // a store whose data come after its address
    bool l1, llc, coh, tlb; // events so far
    bool llc_known, coh_known, joined; // ST_LLC, ST_COH are due with its next M1 at the latest; an MSHR of its line existed
    bool lacked, upgrades; // it has found no line that was good for it; its copy went as it asked to own the line
    uint64_t ready_at, data_at, issued_at, done_at, value, tval, device_value;
    unsigned cause, device_reads;
};

struct mode {
    unsigned addresses;                             // 0 few words, 1 few sets, 2 everywhere, 3 mixed
    unsigned delay;                                 // cycles to issue, at most
    unsigned latency;                               // of memory, at most
    unsigned stall;                                 // memory accepts in one cycle of this many
    unsigned device, fault, amo, branch, interrupt; // per mille (interrupt: per 10000 cycles)
    unsigned vm;                                    // episodes with translation, percent
    unsigned walk;                                  // cycles to the end of a walk, at most
    unsigned table;                                 // walker's own reads, per mille of cycles without one
};

struct response {
    bool valid, llc, error;
    unsigned id;
    uint64_t at;
    uint32_t data[16];
};

static Vtop *top;
static struct mode mode;
static uint64_t cycle, last_commit, committed, replays, squashes, forwards, fastest;
static uint8_t memory[DRAM_BYTES], reference[DRAM_BYTES];
static struct response responses[RESPONSES];

static struct insn program[WINDOW]; // by index % WINDOW
static uint64_t generated, next_index;
static const struct insn *script; // instead of random ones: scripted instructions from index script_from on
static uint64_t script_from, limit;

static struct entry rob[512]; // by sequence number % rob_entries_o
static uint64_t head, tail;
static bool wrong_path;
static struct {
    bool valid, all;
    uint64_t seq, restart;
    unsigned lq, sq;
} squash;
static struct entry last_load; // last load or AMO that committed
static struct entry recent[8]; // the last loads and AMOs, by recent_count % 8
static unsigned recent_count;
static uint64_t line_reads;    // lines asked for
static struct {
    uint64_t line;             // of this one the bus knows nothing; 0: there is none
    unsigned reads, lost;      // asked for; stores to it that left without being done
} bad;
static struct {
    bool on, llc;
    unsigned cycles;
} answer; // where on: each line comes after that many cycles, from beyond the LLC or not
static struct entry last;      // last instruction that committed or raised an exception

static unsigned held[2]; // ports on which nothing issues: two cycles ago, one cycle ago
static struct {
    bool busy, stale; // stale: the TLB was flushed meanwhile
    uint64_t vpn, at;
} walker;
static struct {
    bool valid;
    uint64_t addr, since; // since: may lie ahead
} table;
static uint64_t data_parts, walks, table_reads, table_swaps, table_others, hits_known, misses_known, page_faults, access_faults, held_all, table_forced, lines_of_others, starved_store, starved_table, met_coh, met_upgrades;
static unsigned most_waited[3]; // cycles without a port: drain, AMO, table read

static bool resv_valid;
static uint64_t resv_line;

static struct {
    uint64_t addr, data;
    unsigned size;
} dev_stores[512]; // committed, not yet seen at the device
static unsigned dev_head, dev_tail;
static bool dev_busy, dev_is_read;
static uint64_t sc_lost; // SCs that failed as another hart took the line
#include "other_hart.h"
static uint64_t dev_at, dev_value, dev_reads, dev_writes;

// ---- reference ----
static uint64_t mask_of(unsigned size) {
    return size == 3 ? ~0ull : (1ull << (8 << size)) - 1;
}

static uint64_t extend(uint64_t value, unsigned size, bool uns) {
    unsigned shift = 64 - (8 << size);
    return uns ? value << shift >> shift : (uint64_t)((int64_t)(value << shift) >> shift);
}

static uint64_t reference_read(uint64_t addr, unsigned size) {
    uint64_t value = 0;
    if (addr >= DRAM) memcpy(&value, reference + (addr - DRAM), 1u << size);
    return value; // the boot ROM of this bench holds zeros
}

static uint64_t amo_result(unsigned op, uint64_t old, uint64_t operand, unsigned size) {
    int64_t so = (int64_t)extend(old, size, false), sr = (int64_t)extend(operand, size, false);
    uint64_t uo = extend(old, size, true), ur = extend(operand, size, true);
    switch (op) {
    case 3: return old + operand;
    case 4: return old ^ operand;
    case 5: return old | operand;
    case 6: return old & operand;
    case 7: return so < sr ? old : operand;
    case 8: return so > sr ? old : operand;
    case 9: return uo < ur ? old : operand;
    case 10: return uo > ur ? old : operand;
    default: return operand;
    }
}

static bool is_device(uint64_t addr) {
    return addr >= DEVICE && addr < DEVICE + 0x10000;
}

static bool only_reads(const struct insn *in) {
    return in->kind == LOAD || (in->kind == AMO && (in->code & 15) == 0);
}

// 0: none, else the cause
static unsigned expected_exception(const struct insn *in) {
    bool reads = only_reads(in);
    bool dram = in->addr >= DRAM && in->addr < DRAM + 0x10000000, rom = in->addr >= ROM && in->addr < ROM + 0x1000;
    bool allowed = dram || (is_device(in->addr) && in->kind != AMO) || (rom && reads);
    uint64_t pa;
    if (in->va & ((1u << in->size) - 1)) return reads ? 4 : 6;
    unsigned cause = vm_exception(in->va, reads, &pa);
    if (cause) return cause;
    return allowed ? 0 : reads ? 5 : 7;
}

// ---- program ----
// A physical address, and the one under which the program knows it; false when no page can be made for it.
static bool random_address(struct insn *in) {
    unsigned way = mode.addresses == 3 ? bench_below(3) : mode.addresses, sets = top->sets_o;
    uint64_t line;
    if (way == 0)
        line = bench_below(3) * sets;
    else if (way == 1)
        line = bench_below(4) + (uint64_t)bench_below(2 * top->ways_o + 2) * sets;
    else
        line = bench_below((DRAM_BYTES - TABLES) / 64);
    unsigned offset = bench_below(way == 0 ? 32 : 64);
    if (in->kind == AMO) offset = bench_below(16);
    if (top->coherent_o) offset %= OTHER_HALF;
    in->addr = DRAM + line * 64 + offset;
    if (bench_below(1000) < mode.device && in->kind != AMO) in->addr = DEVICE + bench_below(0x10000);
    bool fault = bench_below(1000) < mode.fault;
    if (fault) {
        if (bench_below(2)) in->addr = (bench_below(2) ? HOLE : ROM) + bench_below(256);
        if (bench_below(2) && in->kind == AMO) in->addr = DEVICE;
    } else
        in->addr &= ~((1ull << in->size) - 1);
    in->va = in->addr;
    if (!vm_translates()) return true;
    in->va = vm_alias(in->addr, only_reads(in), bench_below(1000) < mode.fault);
    if (in->va == 0) return false;
    if (fault && bench_below(4) == 0) in->va ^= 1ull << (39 + bench_below(25));
    in->addr = vm_physical(in->va);
    return true;
}

static struct insn random_insn(bool wrong) {
    struct insn in = {};
    unsigned r = bench_below(1000);
    if (r < mode.branch && !wrong) {
        in.kind = BRANCH;
        return in;
    }
    r = bench_below(1000);
    if (r < mode.amo && !wrong) {
        in.kind = AMO;
        in.size = 2 + bench_below(2);
        in.code = (in.size == 2 ? 16 : 32) + (bench_below(2) ? bench_below(2) : bench_below(11));
    } else if (bench_below(100) < 55) {
        in.kind = LOAD;
        in.code = bench_below(7);
        in.size = in.code & 3;
        in.uns = in.code >= 4;
    } else {
        in.kind = STORE;
        in.size = bench_below(4);
        in.code = 8 + in.size;
    }
    unsigned tries = 0;
    while (tries < 20 && !random_address(&in))
        tries++;
    if (tries == 20) { // the existing pages belong to another privilege: whatever one does
        in.va = vm_address(vm.pages[bench_below(vm.page_count)].vpn, bench_below(4096) & ~((1u << in.size) - 1));
        in.addr = vm_physical(in.va);
    }
    in.data = bench_random();
    in.imm = (int)bench_below(4096) - 2048;
    in.base = in.va - (uint64_t)(int64_t)in.imm;
    return in;
}

static const struct insn *program_at(uint64_t index) {
    while (generated <= index) {
        program[generated % WINDOW] = script ? script[generated - script_from] : random_insn(false);
        generated++;
    }
    return &program[index % WINDOW];
}

// ---- reorder buffer ----
static struct entry *entry_at(uint64_t seq) {
    return &rob[seq % top->rob_entries_o];
}

static unsigned tag_of(uint64_t seq) {
    return (unsigned)(seq % top->rob_entries_o) | (unsigned)(seq / top->rob_entries_o & 1) << (top->rob_bits_o - 1);
}

static struct entry *find_tag(unsigned tag, uint64_t *seq) {
    for (*seq = head; *seq < tail; ++*seq)
        if (tag_of(*seq) == tag) return entry_at(*seq);
    return NULL;
}

static void commit_amo(const struct entry *e) {
    const struct insn *in = &e->in;
    unsigned op = in->code & 15;
    uint64_t old = reference_read(in->addr, in->size), want, stored = amo_result(op, old, in->data, in->size);
    bool writes = op != 0;
    if (op == 0) {
        resv_valid = true;
        resv_line = in->addr >> 6;
    }
    want = extend(old, in->size, false);
    if (op == 1) {
        writes = resv_valid && resv_line == in->addr >> 6;
        if (other.on && writes && !top->amo_wrote_o) { // another hart may have taken the line since
            writes = false;
            sc_lost++;
        }
        want = !writes;
        resv_valid = false;
    }
    bench_check(e->value == want, "cycle %lu: AMO code %u at %lx gave %lx, expected %lx", cycle, in->code, in->addr,
                e->value, want);
    bench_check(top->amo_wrote_o == writes, "cycle %lu: AMO code %u wrote %d", cycle, in->code, top->amo_wrote_o);
    if (!writes) return;
    memcpy(reference + (in->addr - DRAM), &stored, 1u << in->size);
    bench_check(top->amo_addr_o == in->addr && ((top->amo_data_o ^ stored) & mask_of(in->size)) == 0,
                "cycle %lu: monitor shows AMO write %lx to %lx, expected %lx to %lx", cycle, top->amo_data_o,
                top->amo_addr_o, stored, in->addr);
}

// ST_TLB, where it is known what the TLB held: nothing of pages that no walk has answered for, and everything as long as
// no more pages were answered for than it has entries, but of pages that protection cuts: nothing is known of those.
static void check_tlb_event(const struct entry *e) {
    const struct insn *in = &e->in;
    bool looks = vm_translates() && !(in->va & ((1u << in->size) - 1)) && vm_canonical(in->va);
    const struct vm_page *page = looks ? vm_find(vm_vpn(in->va)) : NULL;
    bool answered = page && page->answered && page->answered_at < e->issued_at;
    if (!looks || (answered && vm.fills <= (unsigned)top->tlb_entries_o && !vm_cut(page))) {
        bench_check(!e->tlb, "cycle %lu: ST_TLB of an access to %lx that cannot have missed", cycle, in->va);
        hits_known += looks;
    } else if (!answered) {
        bench_check(e->tlb, "cycle %lu: no ST_TLB, but no walk had answered for %lx", cycle, in->va);
        misses_known++;
    }
}

static void commit_entry(struct entry *e) {
    const struct insn *in = &e->in;
    last_commit = cycle;
    committed++;
    bench_check(e->index != ~0ull, "cycle %lu: wrong path commits", cycle);
    if (in->kind == BRANCH) return;
    last = *e;
    check_tlb_event(e);
    bench_check(expected_exception(in) == 0, "cycle %lu: %lx should have raised an exception", cycle, in->addr);
    bench_check((!e->llc && !e->coh) || e->lacked, "cycle %lu: ST_LLC or ST_COH of what lacked no line", cycle);
    met_coh += e->coh;
    met_upgrades += e->lacked && !e->l1;
    if (in->kind == STORE) {
        if (is_device(in->addr)) {
            dev_stores[dev_tail % 512] = {in->addr, in->data & mask_of(in->size), in->size};
            dev_tail++;
        } else if (!bad.line || in->addr >> 6 != bad.line >> 6)
            memcpy(reference + (in->addr - DRAM), &in->data, 1u << in->size);
        return;
    }
    last_load = recent[recent_count++ % 8] = *e;
    if (in->kind == AMO) {
        commit_amo(e);
        return;
    }
    if (!e->l1 && !e->tlb && !is_device(in->addr) && (fastest == 0 || e->done_at - e->issued_at < fastest))
        fastest = e->done_at - e->issued_at;
    uint64_t want =
        extend(is_device(in->addr) ? e->device_value : reference_read(in->addr, in->size), in->size, in->uns);
    bench_check(e->value == want, "cycle %lu: load code %u at %lx (index %lu) gave %lx, expected %lx", cycle, in->code,
                in->addr, e->index, e->value, want);
    bench_check(e->device_reads == (is_device(in->addr) ? 1u : 0u), "cycle %lu: %u device reads by a load of %lx",
                cycle, e->device_reads, in->addr);
}

static void request_squash(bool all, uint64_t seq, uint64_t restart, const struct entry *e) {
    squash = {true, all, seq, restart, e->lq, e->sq};
    squashes++;
}

// What observers see of the accesses that leave in this cycle.
static void check_left(const struct insn *loads, unsigned load_count, const struct insn *stores, unsigned store_count) {
    top->eval();
    for (unsigned k = 0; k < 8; k++) {
        bool reads = k < load_count, writes = k < store_count;
        bench_check((top->left_reads_o >> k & 1) == reads && (top->left_writes_o >> k & 1) == writes, "cycle %lu: load %u leaves: %d, store: %d", cycle, k, reads, writes);
        if (reads)
            bench_check(top->left_addr_o[k] == loads[k].addr && top->left_size_o[k] == loads[k].size, "cycle %lu: load from %lx is shown at %lx", cycle, loads[k].addr,
                        top->left_addr_o[k]);
        if (writes)
            bench_check(top->left_addr_o[8 + k] == stores[k].addr && top->left_size_o[8 + k] == stores[k].size && ((top->left_data_o[k] ^ stores[k].data) & mask_of(stores[k].size)) == 0,
                        "cycle %lu: store of %lx to %lx is shown as of %lx to %lx", cycle, stores[k].data, stores[k].addr, top->left_data_o[k], top->left_addr_o[8 + k]);
    }
}

// Commit or trap at the head; returns whether the head may be granted anything in this cycle. Entries from `alive` on
// are being squashed. Nothing commits in the cycle in which an ordering violation is reported: the load may be next.
static bool drive_commit(uint64_t alive) {
    struct insn left_loads[8], left_stores[8];
    unsigned loads = 0, stores = 0, n = 0;
    bool grant = true;
    if (top->squash_valid_i && top->squash_all_i) return false;
    while (head < alive && n < (unsigned)top->width_o) {
        struct entry *e = entry_at(head);
        bool interrupt = n == 0 && !e->locked && e->index != ~0ull && bench_below(10000) < mode.interrupt;
        if (interrupt || (n == 0 && e->done && (e->replay || e->exception))) {
            grant = false;
            if (squash.valid) // the misprediction of an older branch comes first: at the head there is none, so wait a
                              // cycle
                break;
            if (!interrupt && !e->replay) {
                unsigned cause = expected_exception(&e->in);
                bench_check(e->cause == cause && e->tval == e->in.va,
                            "cycle %lu: exception %u at %lx, expected %u at %lx", cycle, e->cause, e->tval, cause,
                            e->in.va);
                check_tlb_event(e);
                last = *e;
                page_faults += cause == 13 || cause == 15;
                access_faults += cause == 5 || cause == 7;
                committed++;
                last_commit = cycle;
            }
            if (!interrupt && e->replay) replays++;
            request_squash(true, head, interrupt || e->replay ? e->index : e->index + 1, e);
            break;
        }
        if (!e->done || e->exception || e->replay || top->viol_valid_o) break;
        commit_entry(e);
        if (e->in.kind == LOAD) left_loads[loads++] = e->in;
        if (e->in.kind == STORE) left_stores[stores++] = e->in;
        head++;
        n++;
    }
    top->com_loads_i = loads;
    top->com_stores_i = stores;
    check_left(left_loads, loads, left_stores, stores);
    return grant && n == 0 && head < alive;
}

static void drive_dispatch(void) {
    unsigned lanes = 0, want = bench_below(top->width_o + 1);
    struct insn lane[8];
    uint64_t index = next_index;
    top->dis_load_i = top->dis_store_i = top->dis_fire_i = 0;
    for (unsigned i = 0; i < 8; i++)
        top->dis_rob_i[i] = tag_of(tail + i);
    // Hints may come whether anything fires or not.
    for (; lanes < want && (wrong_path || index < limit); lanes++) {
        lane[lanes] = wrong_path ? random_insn(true) : *program_at(index++);
        top->dis_load_i |= (lane[lanes].kind == LOAD) << lanes;
        top->dis_store_i |= (lane[lanes].kind == STORE) << lanes;
    }
    top->eval();
    if (top->squash_valid_i || squash.valid) return;
    for (unsigned i = 0; i < lanes; i++) {
        bool serial = lane[i].kind == AMO, alone = head < tail && entry_at(tail - 1)->in.kind == AMO;
        if (tail - head >= (uint64_t)top->rob_entries_o || alone || (serial && head < tail) ||
            (top->dis_lq_full_o >> i & 1) || (top->dis_sq_full_o >> i & 1))
            break;
        struct entry *e = entry_at(tail);
        *e = {};
        e->in = lane[i];
        e->index = wrong_path ? ~0ull : next_index++;
        e->lq = top->dis_lq_o[i];
        e->sq = top->dis_sq_o[i];
        e->ready_at = cycle + 1 + bench_below(mode.delay + 1);
        e->split = e->in.kind == STORE && !script && bench_below(3) == 0;
        e->data_at = e->ready_at + 1 + bench_below(4 * mode.delay + 8);
        e->mispredict = e->in.kind == BRANCH && bench_below(3) == 0;
        top->dis_fire_i |= 1 << i;
        tail++;
        if (e->mispredict) { // what the other lanes were is no longer what follows
            wrong_path = true;
            break;
        }
    }
}

static void drive_execute(void) {
    top->ex_valid_i = 0;
    unsigned ports = top->ports_o, used = 0;
    uint64_t span = tail - head, start = span ? bench_below((unsigned)span) : 0;
    for (uint64_t i = 0; i < span; i++) {
        uint64_t seq = head + (start + i) % span;
        struct entry *e = entry_at(seq);
        bool second = e->issued && e->split && !e->data_issued && e->data_at <= cycle;
        if ((e->issued && !second) || e->ready_at > cycle) continue;
        if (e->in.kind == BRANCH) {
            if (squash.valid && e->mispredict) continue; // one squash a cycle; this one resolves later, or dies
            e->issued = e->done = true;
            if (e->mispredict && !(top->squash_valid_i && (top->squash_all_i || seq > tail)))
                request_squash(false, seq, e->index + 1, e);
            continue;
        }
        unsigned port = bench_below(ports);
        if (e->in.kind == AMO) port = 0;
        if ((used | held[0]) >> port & 1) continue;
        used |= 1u << port;
        if (second) {
            e->data_issued = true;
            data_parts++;
        } else {
            e->issued = true;
            e->issued_at = cycle;
        }
        top->ex_valid_i |= 1 << port;
        top->ex_part_i[port] = second ? 2 : e->split;
        top->ex_code_i[port] = e->in.code;
        top->ex_rob_i[port] = tag_of(seq);
        top->ex_lq_i[port] = e->lq;
        top->ex_sq_i[port] = e->sq;
        top->ex_base_i[port] = e->in.base;
        top->ex_data_i[port] = e->split && !second ? ~e->in.data : e->in.data;
        if (second) top->ex_base_i[port] = bench_random();
        top->ex_imm_i[port] = e->in.imm & 0xfff;
    }
}

// ---- memory and devices ----
static void drive_memory(void) {
    unsigned busy = 0;
    top->resp_valid_i = 0;
    for (unsigned i = 0; i < RESPONSES; i++) {
        if (!responses[i].valid) continue;
        busy++;
        if (!top->resp_valid_i && responses[i].at <= cycle) {
            top->resp_valid_i = 1;
            top->resp_id_i = responses[i].id;
            top->resp_llc_i = responses[i].llc;
            top->resp_error_i = responses[i].error;
            memcpy(&top->resp_data_i[0], responses[i].data, 64);
            responses[i].valid = false;
        }
    }
    top->mem_ready_i = busy < RESPONSES && bench_below(mode.stall + 1) == 0;
    top->dev_ready_i = !dev_busy && bench_below(2);
    top->dev_resp_i = dev_busy && cycle >= dev_at;
    top->dev_rdata_i = dev_value;
    if (top->dev_resp_i) dev_busy = false;
}

static void take_memory(void) {
    if (!top->mem_valid_o || !top->mem_ready_i) return;
    uint64_t offset = top->mem_addr_o - DRAM;
    bool rom = top->mem_addr_o >= ROM && top->mem_addr_o < ROM + 0x1000;
    if (!bench_check((rom && !top->mem_write_o) || (offset < DRAM_BYTES && offset % 64 == 0), "cycle %lu: line %lx",
                     cycle, top->mem_addr_o))
        return;
    if (top->mem_write_o) {
        memcpy(memory + offset, &top->mem_data_o[0], 64);
        return;
    }
    for (unsigned i = 0; i < RESPONSES; i++)
        if (!responses[i].valid) {
            responses[i].valid = true;
            responses[i].id = top->mem_id_o;
            responses[i].llc = answer.on ? answer.llc : mode.latency > 20 && bench_below(2);
            responses[i].at = cycle + 1 + (answer.on ? answer.cycles : bench_below(mode.latency));
            responses[i].error = bad.line && top->mem_addr_o == bad.line;
            bad.reads += responses[i].error;
            line_reads++;
            memset(responses[i].data, 0, 64);
            if (!rom) memcpy(responses[i].data, memory + offset, 64);
            return;
        }
}

static void take_lost(void) {
    if (!top->lost_o) return;
    bench_check(bad.line && top->lost_addr_o >> 6 == bad.line >> 6, "cycle %lu: a store to %lx is lost", cycle, top->lost_addr_o);
    bad.lost++;
}

static void take_device(void) {
    if (!top->dev_valid_o || !top->dev_ready_i) return;
    dev_busy = true;
    dev_at = cycle + 1 + bench_below(10);
    dev_value = bench_random() & mask_of(top->dev_size_o);
    if (top->dev_write_o) {
        dev_writes++;
        if (!bench_check(dev_head != dev_tail, "cycle %lu: device store that did not commit", cycle)) return;
        auto want = dev_stores[dev_head++ % 512];
        bench_check(want.addr == top->dev_addr_o && want.size == top->dev_size_o &&
                        ((want.data ^ top->dev_data_o) & mask_of(want.size)) == 0,
                    "cycle %lu: device store %lx to %lx, expected %lx to %lx", cycle, top->dev_data_o, top->dev_addr_o,
                    want.data, want.addr);
        return;
    }
    dev_reads++;
    struct entry *e = entry_at(head);
    if (bench_check(head < tail && e->locked && e->in.kind == LOAD && e->in.addr == top->dev_addr_o &&
                        dev_head == dev_tail,
                    "cycle %lu: device load of %lx out of turn", cycle, top->dev_addr_o)) {
        e->device_reads++;
        e->device_value = dev_value;
    }
}

// ---- the walker ----
static void drive_walker(void) {
    top->end_valid_i = top->end_fetch_i = 0;
    top->end_page_fault_i = top->end_access_fault_i = 0;
    top->end_vpn_i = bench_random() & 0x7ffffff; // all of this is noise while not valid
    top->end_ppn_i = bench_random() & 0xfffffffffff;
    top->end_level_i = bench_below(3);
    top->end_perms_i = 63;
    top->walk_ready_i = !walker.busy && bench_below(3) != 0;
    if (walker.busy && walker.at <= cycle) {
        const struct vm_page *page = vm_find(walker.vpn);
        top->end_valid_i = 1;
        top->end_vpn_i = walker.vpn;
        if (!walker.stale && page) {
            top->end_page_fault_i = page->page_fault;
            top->end_access_fault_i = page->access_fault;
            top->end_level_i = page->level;
            top->end_ppn_i = page->ppn;
            top->end_perms_i = page->perms;
        }
    } else if (bench_below(16) == 0) { // of the front end
        top->end_valid_i = top->end_fetch_i = 1;
        if (walker.busy && bench_below(2)) top->end_vpn_i = walker.vpn;
        top->end_page_fault_i = bench_below(4) == 0;
    }
    // The walker's own reads.
    if (table.valid && cycle > table.since && bench_below(200) == 0 && mode.table)
        table.valid = false; // dropped
    else if (!table.valid && bench_below(1000) < mode.table)
        table = {true, DRAM + DRAM_BYTES - TABLES + bench_below(TABLES / 8) * 8, cycle};
    top->table_valid_i = table.valid && cycle >= table.since;
    top->table_addr_i = table.addr;
}

static void take_walker(void) {
    if (top->end_valid_i && !top->end_fetch_i) {
        struct vm_page *page = vm_find(walker.vpn);
        if (!walker.stale && page && !page->page_fault && !page->access_fault && (!page->answered || vm_cut(page))) {
            if (!page->answered) page->answered_at = cycle;
            page->answered = true;
            vm.fills++;
        }
        walker = {};
    }
    if (top->walk_valid_o) {
        bench_check(vm_translates() && vm_find(top->walk_vpn_o), "cycle %lu: walk of %lx that nothing accesses", cycle,
                    top->walk_vpn_o);
        bench_check(!walker.busy || walker.stale, "cycle %lu: two walks at a time", cycle);
        if (top->walk_ready_i) {
            walker = {true, false, top->walk_vpn_o, cycle + 1 + bench_below(mode.walk + 1)};
            walks++;
        }
    }
    if (top->table_done_o) {
        uint64_t want;
        memcpy(&want, reference + (table.addr - DRAM), 8);
        bench_check(table.valid && top->table_data_o == want, "cycle %lu: table entry at %lx is %lx, expected %lx", cycle,
                    table.addr, top->table_data_o, want);
        table.valid = false;
        table_reads++;
    }
    table_forced += top->table_forced_o;
    for (unsigned i = 0; i < 3; i++)
        most_waited[i] = top->waits_o[i] > most_waited[i] ? top->waits_o[i] : most_waited[i];
    if (table.valid) bench_check(cycle < table.since + 5000, "cycle %lu: table read of %lx starves", cycle, table.addr);
    held_all += top->ex_hold_o == (1u << top->ports_o) - 1 && top->walk_valid_o;
    held[0] = held[1];
    held[1] = top->ex_hold_o;
}

// ---- events ----
// The one that an event speaks of; NULL, and a failed check, where it is not alive.
static struct entry *event_entry(const char *what, unsigned tag) {
    uint64_t seq;
    struct entry *e = find_tag(tag, &seq);
    bool alive = e && e->issued && !e->done && e->in.kind != BRANCH && !(top->squash_valid_i && (top->squash_all_i || seq > squash.seq));
    return bench_check(alive, "cycle %lu: %s of rob %x, which is not in flight", cycle, what, tag) ? e : NULL;
}

static const struct entry *oldest; // load, before those that commit in this cycle leave

static void note_oldest(void) {
    oldest = NULL;
    for (uint64_t seq = head; seq < tail && !oldest; seq++)
        if (entry_at(seq)->in.kind == LOAD) oldest = entry_at(seq);
}

static bool line_is(const struct entry *e, uint64_t line) {
    return e->in.addr >> 6 == line >> 6;
}

// Whose line comes from beyond the LLC while it waits for it: AMOs and the oldest load show it at once.
static void take_refill(void) {
    if (!top->refill_valid_o) return;
    for (uint64_t seq = head; seq < tail; seq++) {
        struct entry *e = entry_at(seq);
        bool dies = top->squash_valid_i && (top->squash_all_i || seq > squash.seq);
        if (dies || !e->issued || e->done || !e->lacked || !line_is(e, top->refill_addr_o)) continue;
        e->upgrades = false;
        lines_of_others += top->refill_llc_o && !e->joined;
        e->llc_known |= top->refill_llc_o;
        e->coh_known |= top->refill_peer_o;
        if (e->in.kind == AMO || e == oldest)
            bench_check(e->llc >= top->refill_llc_o && e->coh >= top->refill_peer_o,
                        "cycle %lu: no ST_LLC or ST_COH in the cycle in which the line %lx comes", cycle, top->refill_addr_o);
    }
}

// Each event in the cycle in which it is found; the TLB's when the instruction comes from the issue queue.
static void take_events(void) {
    uint64_t named[9];
    unsigned count = 0;
    bool new_llc[9] = {}, new_coh[9] = {};
    struct entry *who[9] = {};
    for (unsigned i = 0; i < 9; i++) {
        if (!(top->event_valid_o >> i & 1)) continue;
        struct entry *e = who[i] = event_entry("event", top->event_rob_o[i]);
        if (!e) continue;
        for (unsigned k = 0; k < count; k++)
            bench_check(named[k] != top->event_rob_o[i], "cycle %lu: two ports speak of rob %x", cycle, top->event_rob_o[i]);
        named[count++] = top->event_rob_o[i];
        bool l1 = top->event_l1_o >> i & 1, llc = top->event_llc_o >> i & 1, tlb = top->event_tlb_o >> i & 1;
        const bool coh = top->event_coh_o >> i & 1;
        bench_check((l1 || llc || coh || tlb) && !(top->event_other_o >> i & 1), "cycle %lu: an event without a bit, or with a strange one", cycle);
        bench_check(!tlb || (e->issued_at == cycle && !e->tlb), "cycle %lu: ST_TLB of an instruction that issued in cycle %lu", cycle, e->issued_at);
        bench_check(!l1 || e->in.kind != STORE, "cycle %lu: ST_L1 of a store", cycle);
        if (l1) {
            bool missed = false;
            for (unsigned p = 0; p < 4; p++)
                missed |= (top->miss_o >> p & 1) && top->miss_rob_o[p] == top->event_rob_o[i];
            bench_check(missed, "cycle %lu: ST_L1 of rob %x, which misses nothing", cycle, top->event_rob_o[i]);
        }
        new_llc[i] = llc;
        new_coh[i] = coh;
        e->l1 |= l1;
        e->tlb |= tlb;
        e->llc |= llc;
        e->coh |= coh;
    }
    for (unsigned p = 0; p < 4; p++)
        if (top->miss_o >> p & 1) {
            struct entry *e = event_entry("miss", top->miss_rob_o[p]);
            if (e) e->joined |= top->miss_join_o >> p & 1;
            const bool upgrade = top->miss_upgrade_o >> p & 1, miss = e && !upgrade && !e->upgrades;
            if (e) e->lacked = true;
            if (e && upgrade && (top->miss_join_o >> p & 1)) e->upgrades = true;
            bench_check(!miss || e->l1, "cycle %lu: no ST_L1 in the cycle of the miss", cycle);
            bool now = false;
            for (unsigned i = 0; i < 9; i++)
                now |= who[i] == e && (top->event_l1_o >> i & 1);
            bench_check(!e || now == miss, "cycle %lu: a miss that is not reported, or one that is none", cycle);
        }
    take_refill();
    for (unsigned i = 0; i < 9; i++)
        if (who[i] && new_llc[i])
            bench_check(who[i]->llc_known, "cycle %lu: ST_LLC of rob %x, whose line has not come from there", cycle, top->event_rob_o[i]);
    for (unsigned i = 0; i < 9; i++)
        if (who[i] && new_coh[i])
            bench_check(who[i]->coh_known, "cycle %lu: ST_COH of rob %x, whose line has come from nobody", cycle, top->event_rob_o[i]);
}

// ---- what comes back ----
static void take_done(void) {
    for (unsigned i = 0; i < 8; i++) {
        if (!(top->done_valid_o >> i & 1)) continue;
        uint64_t seq;
        struct entry *e = find_tag(top->done_rob_o[i], &seq);
        if (!bench_check(e && e->issued && !e->done && (e->in.kind == STORE) == (i >= 4), "cycle %lu: done for rob %x",
                         cycle, top->done_rob_o[i]))
            continue;
        bench_check(!(top->squash_valid_i && (top->squash_all_i || seq > squash.seq)),
                    "cycle %lu: done for a squashed rob %x", cycle, top->done_rob_o[i]);
        e->done = true;
        e->done_at = cycle;
        e->value = top->done_data_o[i];
        e->exception = top->done_exception_o >> i & 1;
        e->cause = e->exception ? top->done_cause_o[i] : 0;
        e->tval = top->done_tval_o[i];
        bench_check(e->llc == e->llc_known, "cycle %lu: done with ST_LLC %d, expected %d", cycle, e->llc, e->llc_known);
        bench_check(e->coh == e->coh_known, "cycle %lu: done with ST_COH %d, expected %d", cycle, e->coh, e->coh_known);
        unsigned pd = e->in.kind == STORE || e->exception ? 0xffff : 0;
        if (pd == 0)
            bench_check(top->done_pd_o[i] != 0xffff, "cycle %lu: no register written", cycle);
        else
            bench_check(top->done_pd_o[i] == 0xffff, "cycle %lu: register written", cycle);
    }
    if (top->viol_valid_o) {
        uint64_t seq;
        struct entry *e = find_tag(top->viol_rob_o, &seq);
        bool dead = e && top->squash_valid_i && (top->squash_all_i || seq > squash.seq);
        // It is reported a cycle after the store has met it; the store has not left meanwhile.
        if (bench_check(e && (dead || (e->in.kind == LOAD && e->done && seq > head)), "cycle %lu: violation by rob %x", cycle, top->viol_rob_o) && !dead)
            e->replay = true;
    }
}

static void clock_edge(void) {
    top->clk_i = 1;
    top->eval();
    top->clk_i = 0;
    top->eval();
    cycle++;
}

static void step(void) {
    // The squash decided in the last cycle acts in this one.
    auto acting = squash;
    top->squash_valid_i = squash.valid;
    if (squash.valid) {
        top->squash_all_i = squash.all;
        top->squash_rob_i = tag_of(squash.seq);
        top->squash_lq_i = squash.lq;
        top->squash_sq_i = squash.sq;
    }
    squash.valid = false;
    top->nonspec_gnt_i = 0;
    note_oldest();
    bool may_grant = drive_commit(acting.valid ? acting.seq + 1 : tail);
    top->ex_valid_i = 0;
    if (!(acting.valid && acting.all)) drive_execute();
    // A branch that the acting squash kills cannot squash again.
    if (acting.valid && squash.valid && squash.seq > acting.seq) squash = {};
    drive_memory();
    other_drive(head < tail && bench_below(4) ? entry_at(head + bench_below((unsigned)(tail - head)))->in.addr : last.in.addr);
    drive_walker();
    drive_dispatch();
    top->eval();
    if (may_grant && head < tail && top->nonspec_req_o && top->nonspec_rob_o == tag_of(head)) {
        top->nonspec_gnt_i = 1;
        entry_at(head)->locked = true;
        top->eval();
    }
    auto decided = squash;
    squash = acting; // what comes back is held against the one that acts
    take_events();
    take_done();
    squash = decided;
    take_memory();
    if (top->coherent_o) other_take();
    take_lost();
    take_device();
    take_walker();
    if (acting.valid) {
        wrong_path = squash.valid ? wrong_path : false;
        tail = acting.all ? head : acting.seq + 1;
        next_index = acting.restart;
    }
    clock_edge();
}

// Runs until n more instructions have committed and the machine is empty; false when it hangs.
static bool run(uint64_t n) {
    limit = next_index + n;
    last_commit = cycle;
    while (next_index < limit || head < tail || squash.valid || top->squash_valid_i) {
        step();
        if (cycle - last_commit > 20000)
            return bench_check(false, "cycle %lu: nothing commits; head kind %d code %u addr %lx issued %d", cycle,
                               entry_at(head)->in.kind, entry_at(head)->in.code, entry_at(head)->in.addr,
                               entry_at(head)->issued);
    }
    return true;
}

// fence.i: afterwards memory holds what the program wrote. With a hub: lines may still be on their way there, where
// instruction misses find them.
static void clean(void) {
    enum { ARRIVED = 1000 };
    uint64_t start = cycle;
    while (!top->sq_empty_o && cycle - start < 20000)
        step();
    other.quiet = true;
    while (!other_settled() && cycle - start < 30000)
        step();
    bench_check(other_settled(), "cycle %lu: the other hart does not settle", cycle);
    top->clean_i = 1;
    while (!top->clean_done_o && cycle - start < 40000)
        step();
    bench_check(top->clean_done_o, "cycle %lu: clean does not end", cycle);
    bench_check(dev_head == dev_tail, "cycle %lu: %u device stores lost", cycle, dev_tail - dev_head);
    top->clean_i = 0;
    step();
    for (start = cycle; top->coherent_o && cycle - start < ARRIVED;)
        step();
    other.quiet = false;
    bool same = memcmp(memory, reference, DRAM_BYTES) == 0;
    unsigned at = 0;
    while (!same && memory[at] == reference[at])
        at++;
    bench_check(same, "cycle %lu: memory differs at %lx after clean", cycle, DRAM + at);
    bench_check(!top->clean_done_o, "cycle %lu: clean_done stays", cycle);
}

static struct insn plain(enum kind kind, unsigned code, uint64_t addr, uint64_t data) {
    struct insn in = {};
    in.kind = kind;
    in.code = code;
    in.size = code & 3;
    in.uns = kind == LOAD && code >= 4;
    in.base = in.va = addr;
    in.addr = vm_physical(addr);
    in.data = data;
    return in;
}

static void run_script(const struct insn *list, unsigned n) {
    script = list;
    script_from = generated = next_index;
    run(n);
    script = NULL;
}

// Events and latencies where they are known.
static void directed(void) {
    mode = {};
    mode.latency = 1;
    const struct insn cold[] = {plain(LOAD, 3, DRAM + 0x8000, 0)};
    run_script(cold, 1);
    bench_check(last_load.l1 && !last_load.llc, "cold load: l1 %d llc %d", last_load.l1, last_load.llc);
    run_script(cold, 1);
    bench_check(!last_load.l1 && !last_load.llc, "warm load: l1 %d llc %d", last_load.l1, last_load.llc);
    bench_check(last_load.done_at - last_load.issued_at == 1, "warm load: %lu cycles after EX",
                last_load.done_at - last_load.issued_at);
    // A store just ahead gives its data without the cache; a wider load has to wait for it.
    const struct insn forward[] = {plain(STORE, 11, DRAM + 0x9000, 0x8877665544332211),
                                   plain(LOAD, 1, DRAM + 0x9006, 0)};
    run_script(forward, 2);
    bench_check(last_load.value == 0xffffffffffff8877, "forward gave %lx", last_load.value);
    const struct insn partial[] = {plain(STORE, 8, DRAM + 0x9003, 0xaa), plain(LOAD, 6, DRAM + 0x9000, 0)};
    run_script(partial, 2);
    bench_check(last_load.value == 0xaa332211, "partial overlap gave %lx", last_load.value);
    const struct insn last[] = {plain(AMO, 32 + 3, DRAM + 0x9000, 1), plain(LOAD, 3, DRAM + 0x9000, 0)};
    run_script(last, 2);
    bench_check(last_load.value == 0x88776655aa332212, "AMO left %lx", last_load.value);
}

// Shows vm to the unit, with the machine empty. other: in another address space, with a number that nobody has had; the
// TLB keeps what it has of those.
static void set_space(bool flush, bool other = false) {
    other = other && flush && top->vm_asid_i < 255;
    if (other) top->vm_asid_i++;
    if (flush) {
        vm_forget();
        if (other) vm.fills = VM_CROWDED;
        if (walker.busy) { // dropped, or to the end for nothing
            walker.stale = true;
            walker.busy = bench_below(2);
        }
    }
    top->tlb_flush_i = flush && !other;
    top->space_i = other;
    top->vm_sv39_i = vm.sv39;
    top->vm_sum_i = vm.sum;
    top->vm_mxr_i = vm.mxr;
    top->vm_priv_i = vm.priv;
    top->pmp_on_i = top->pmp_locked_i = 0;
    for (unsigned i = 0; i < VM_REGIONS; i++) {
        top->pmp_on_i |= vm.regions[i].on << i;
        top->pmp_locked_i |= vm.regions[i].locked << i;
        top->pmp_rwx_i[i] = vm.regions[i].rwx;
        top->pmp_base_i[i] = vm.regions[i].base;
        top->pmp_limit_i[i] = vm.regions[i].limit;
    }
    limit = next_index;
    step();
    top->tlb_flush_i = top->space_i = 0;
}

// Before an episode: another address space, or only another privilege.
static void change_space(void) {
    bool keep = bench_below(3) == 0 && vm.page_count > 0;
    static const unsigned privs[] = {PRIV_U, PRIV_S, PRIV_S, PRIV_U, PRIV_S, PRIV_M};
    if (mode.vm < 100 || !keep) vm.priv = privs[bench_below(6)];
    vm.sum = bench_below(2);
    vm.mxr = bench_below(2);
    if (!keep) {
        vm.sv39 = bench_below(100) < mode.vm;
        vm_new_space();
        vm.region_count = top->pmp_entries_o;
        memset(vm.regions, 0, sizeof vm.regions);
        struct vm_region *rest = &vm.regions[bench_below(vm.region_count ? vm.region_count : 1)];
        for (struct vm_region *r = vm.regions; r < rest; r++) {
            static const unsigned rights[] = {0, 1, 3, 4, 5, 7};
            r->on = bench_below(3) != 0;
            r->locked = bench_below(4) == 0;
            r->rwx = rights[bench_below(6)];
            r->base = (bench_below(8) ? DRAM >> 12 : ROM >> 12) + bench_below(DRAM_BYTES >> 12);
            r->limit = r->base + 1 + bench_below(3);
        }
        *rest = {true, bench_below(4) == 0, 7, 0, 1ull << 44};
    }
    set_space(!keep, bench_below(2));
}

// One access, alone: its exception and its events.
static void try_access(const char *what, struct insn in, unsigned cause, bool tlb) {
    last = {};
    run_script(&in, 1);
    bench_check(last.cause == cause && last.tlb == tlb, "%s: cause %u, ST_TLB %d; expected %u, %d", what, last.cause, last.tlb, cause, tlb);
}

static void map_page(uint64_t va, uint64_t pa, unsigned level, unsigned perms) {
    vm.pages[vm.page_count++] = {vm_vpn(va), pa >> 12, level, perms};
}

// An empty space of S-mode's; protection leaves all of memory open.
static void open_space(void) {
    vm_new_space();
    vm.sv39 = true;
    vm.sum = vm.mxr = false;
    vm.priv = PRIV_S;
    memset(vm.regions, 0, sizeof vm.regions);
    vm.region_count = top->pmp_entries_o;
    vm.regions[0] = {true, false, 7, 0, 1ull << 44};
}

// Translation where every step is known.
static void directed_translation(void) {
    const unsigned RWAD = PERM_R | PERM_W | PERM_A | PERM_D;
    const uint64_t A = 0x3fffff000, B = 0xffffffc000001000, C = 0x5000, D = 0x6000, READ = 0x7000, EXECUTE = 0x8000,
                   CLEAN = 0x9000, OLD = 0xa000, NONE = 0xb000, DENIED = 0xc000, HUGE = 0x40000000, BIG = 0x80200000;
    mode = {};
    mode.latency = 1;
    mode.walk = 10;
    open_space();
    map_page(A, DRAM, 0, RWAD);
    map_page(B, DRAM + 0x1000, 0, RWAD);
    map_page(C, DRAM + 0x2000, 0, RWAD);
    map_page(D, DRAM, 0, RWAD);
    map_page(READ, DRAM, 0, PERM_R | PERM_A | PERM_D);
    map_page(EXECUTE, DRAM, 0, PERM_X | PERM_A);
    map_page(CLEAN, DRAM, 0, PERM_R | PERM_W | PERM_A);
    map_page(OLD, DRAM, 0, PERM_R | PERM_W | PERM_D);
    map_page(NONE, 0, 0, 0);
    vm.pages[vm.page_count - 1].page_fault = true;
    map_page(DENIED, 0, 0, 0);
    vm.pages[vm.page_count - 1].access_fault = true;
    map_page(HUGE, DRAM, 2, RWAD);
    map_page(BIG, DRAM, 1, RWAD | PERM_U);
    set_space(true);

    try_access("load, cold", plain(LOAD, 3, A + 8, 0), 0, true);
    bench_check(last.done_at - last.issued_at >= 3, "a load waited %lu cycles for its walk", last.done_at - last.issued_at);
    try_access("load, warm", plain(LOAD, 3, A + 8, 0), 0, false);
    try_access("load, warm", plain(LOAD, 3, A + 8, 0), 0, false);
    bench_check(last.done_at - last.issued_at == 1, "translated load: %lu cycles after EX", last.done_at - last.issued_at);
    try_access("store, cold", plain(STORE, 11, B + 16, 7), 0, true);
    try_access("store, warm", plain(STORE, 11, B + 16, 8), 0, false);
    try_access("AMO, cold", plain(AMO, 32 + 3, C + 16, 7), 0, true);
    try_access("AMO, warm", plain(AMO, 32 + 3, C + 16, 8), 0, false);
    try_access("misaligned", plain(LOAD, 3, NONE + 1, 0), 4, false);
    try_access("not canonical", plain(STORE, 8, 1ull << 40, 0), 15, false);
    try_access("read-only, cold", plain(STORE, 8, READ, 0), 15, true);
    try_access("read-only, warm", plain(AMO, 32 + 3, READ, 0), 15, false);
    try_access("read-only, warm", plain(LOAD, 0, READ, 0), 0, false);
    try_access("execute-only", plain(AMO, 32, EXECUTE, 0), 13, true);
    try_access("not dirty", plain(STORE, 8, CLEAN, 0), 15, true);
    try_access("not accessed", plain(LOAD, 0, OLD, 0), 13, true);
    for (int i = 0; i < 2; i++) { // a fault is kept nowhere
        try_access("no page", plain(LOAD, 0, NONE, 0), 13, true);
        try_access("no page", plain(AMO, 33, NONE, 0), 15, true);
        try_access("walk denied", plain(LOAD, 0, DENIED, 0), 5, true);
        try_access("walk denied", plain(STORE, 8, DENIED, 0), 7, true);
    }
    try_access("1 GiB page, cold", plain(LOAD, 0, HUGE + 0x1234, 0), 0, true);
    try_access("1 GiB page, warm", plain(LOAD, 0, HUGE + 0x54321, 0), 0, false);
    try_access("1 GiB page, outside of memory", plain(LOAD, 0, HUGE + 0x3fffffff, 0), 5, false);
    // Protection closes a page in the middle of the large one.
    if (top->pmp_entries_o > 1) {
        const uint64_t hole = 0x54000;
        vm.regions[1] = vm.regions[0];
        vm.regions[0] = {true, false, 1, (DRAM + hole) >> 12, (DRAM + hole + 0x1000) >> 12};
        set_space(true);
        for (unsigned turn = 0; turn < 2; turn++) {
            try_access("part of a 1 GiB page", plain(STORE, 8, HUGE + hole - 8, 0), 0, turn == 0);
            try_access("closed part, load", plain(LOAD, 0, HUGE + hole, 0), 0, turn == 0);
            try_access("closed part, store", plain(STORE, 8, HUGE + hole + 0xff8, 0), 7, false);
            try_access("part after it", plain(STORE, 8, HUGE + hole + 0x1000, 0), 0, turn == 0);
        }
        vm.regions[0] = vm.regions[1];
        vm.regions[1] = {};
    }
    set_space(true);
    try_access("page of U-mode", plain(LOAD, 0, BIG + 0x1234, 0), 13, true);
    try_access("execute-only", plain(LOAD, 0, EXECUTE, 0), 13, true);
    vm.sum = vm.mxr = true;
    set_space(false);
    try_access("SUM", plain(LOAD, 0, BIG + 0x3456, 0), 0, false);
    try_access("MXR", plain(LOAD, 0, EXECUTE + 1, 0), 0, false);

    // A store that waits has no address: the load of the same word under another name runs ahead and is replayed.
    vm.sum = vm.mxr = false;
    set_space(true);
    mode.walk = 0;
    try_access("other name", plain(LOAD, 3, D + 24, 0), 0, true);
    uint64_t before = replays;
    const struct insn ahead[] = {plain(STORE, 11, A + 24, 0x123456789), plain(LOAD, 3, D + 24, 0)};
    walker.busy = true; // with somebody else
    walker.stale = true;
    walker.vpn = 1;
    walker.at = cycle + 100;
    run_script(ahead, 2);
    bench_check(replays == before + 1 && last_load.value == 0x123456789, "load past a waiting store: %lu replays, value %lx",
                replays - before, last_load.value);

    // One walk serves all that wait for its page, and more of them than there is room for.
    set_space(true);
    mode.walk = 60;
    before = walks;
    struct insn many[60];
    for (unsigned i = 0; i < 60; i++)
        many[i] = plain(LOAD, 3, A + 8 * i, 0);
    run_script(many, 60);
    bench_check(walks == before + 1, "%lu walks for one page", walks - before);

    vm.sv39 = false;
    vm.priv = PRIV_M;
    set_space(true);
}

// The events of loads, alone and together: of who starts a miss, of who finds its line on its way already, of who hits meanwhile.
static void expect_events(const char *what, unsigned ago, bool tlb, bool l1, bool llc) {
    const struct entry *e = &recent[(recent_count - 1 - ago) % 8];
    bench_check(e->tlb == tlb && e->l1 == l1 && e->llc == llc, "%s, LLC %s: ST_TLB %d ST_L1 %d ST_LLC %d, expected %d %d %d", what,
                answer.llc ? "missed" : "hit", e->tlb, e->l1, e->llc, tlb, l1, llc);
}

static void directed_events(void) {
    const unsigned RWAD = PERM_R | PERM_W | PERM_A | PERM_D, last_line = 0xfc0; // of a page: nobody prefetches the next one
    mode = {};
    mode.latency = 1;
    for (unsigned llc = 0; llc < 2; llc++) {
        const uint64_t page = DRAM + 0x40000 + llc * 0x8000, line = page + last_line;
        answer = {true, llc != 0, 60};
        uint64_t before = line_reads;
        const struct insn join[] = {plain(LOAD, 3, line, 0), plain(LOAD, 3, line + 8, 0), plain(LOAD, 3, line + 16, 0), plain(LOAD, 3, line + 56, 0)};
        run_script(join, 4);
        bench_check(line_reads == before + 1, "four loads of a line asked for %lu", line_reads - before);
        for (unsigned ago = 0; ago < 4; ago++)
            expect_events("loads of a line that is on its way", ago, false, true, llc);
        const struct insn hit[] = {plain(LOAD, 3, line + 0x1000, 0), plain(LOAD, 3, line, 0)};
        run_script(hit, 2);
        expect_events("miss", 1, false, true, llc);
        expect_events("hit under a miss", 0, false, false, false);
        before = line_reads;
        const struct insn stream[] = {plain(LOAD, 3, page + 0x2000, 0), plain(LOAD, 3, page + 0x2040, 0)};
        run_script(stream, 2);
        expect_events("load before a prefetched line", 1, false, true, llc);
        expect_events("load of a line that a prefetch has asked for", 0, false, true, llc);
        const struct insn amo[] = {plain(AMO, 32 + 3, line + 0x3000, 1)};
        run_script(amo, 1);
        expect_events("AMO", 0, false, true, llc);
        run_script(amo, 1);
        expect_events("AMO again", 0, false, false, false);

        mode.walk = 10;
        open_space();
        map_page(0x5000, page + 0x4000, 0, RWAD);
        map_page(0x6000, page + 0x4000, 0, RWAD);
        set_space(true);
        const struct insn walked[] = {plain(LOAD, 3, 0x5000 + last_line, 0)}, other_name[] = {plain(LOAD, 3, 0x6000 + last_line, 0)},
                          warm_page[] = {plain(LOAD, 3, 0x6000 + last_line - 0x100, 0)};
        run_script(walked, 1);
        expect_events("missed TLB and cache", 0, true, true, llc);
        run_script(other_name, 1);
        expect_events("missed the TLB", 0, true, false, false);
        run_script(warm_page, 1);
        expect_events("missed the cache", 0, false, true, llc);
        run_script(walked, 1);
        expect_events("missed nothing", 0, false, false, false);
        const struct insn walked_amo[] = {plain(AMO, 32 + 3, 0x5000 + 0x800, 1)};
        set_space(true);
        run_script(walked_amo, 1);
        expect_events("AMO that missed TLB and cache", 0, true, true, llc);
        vm.sv39 = false;
        vm.priv = PRIV_M;
        mode.walk = 0;
        set_space(true);
    }
    answer.on = false;
}

// A store to a line that the bus does not have, among loads that miss: it leaves at the first answer to what it has asked
// for, woken by another refill just before or not. Its early fetch asks once, its drain once; each more would be a try that
// nobody remembered, and a refill each time would make them endless.
static void directed_lost(void) {
    mode = {};
    mode.latency = 1;
    answer = {true, false, 1};
    unsigned twice = 0;
    for (unsigned round = 0; round < 300 && bench_failed == 0; round++) {
        const uint64_t at = DRAM + 0xe2000 + round * 0x80, others = DRAM + 0x20000 + round * 0x400; // nobody has touched the first
        struct insn list[8];
        for (unsigned i = 0; i < 8; i++)
            list[i] = plain(LOAD, 3, others + i * 0x80, 0);
        list[bench_below(4)] = plain(STORE, 11, at + 8, round);
        bad = {at, 0, 0};
        answer.cycles = 8 + bench_below(40);
        mode.stall = bench_below(8);
        mode.delay = bench_below(30);
        run_script(list, 8);
        limit = next_index;
        for (uint64_t start = cycle; !top->sq_empty_o && bench_check(cycle - start < 2000, "a lost store stays");)
            step();
        bench_check(bad.lost == 1 && bad.reads <= 2, "a store without a line: lost %u times, asked for %u times", bad.lost, bad.reads);
        twice += bad.reads == 2;
    }
    bench_check(twice > 20 || top->coherent_o, "only %u stores asked for their line twice", twice);
    bad = {};
    answer.on = false;
}

// More lines at a time than there are MSHRs, and hits that keep the ports busy: a load that found no MSHR is late with its
// next try, and somebody else fetches its line meanwhile. take_refill knows whose ST_LLC that is.
static void directed_full(void) {
    const uint64_t warm = DRAM + 0x10000;
    const struct insn warming[] = {plain(LOAD, 3, warm, 0)};
    run_script(warming, 1);
    mode = {};
    mode.latency = 1;
    answer = {true, true, 1};
    static struct insn loads[128];
    for (unsigned round = 0; round < 400 && bench_failed == 0; round++) {
        answer.cycles = 1 + bench_below(30);
        mode.delay = bench_below(30);
        uint64_t at = DRAM + 0x20000 + bench_below((DRAM_BYTES - TABLES - 0x30000) / 64) * 64;
        unsigned lines = 8 + bench_below(24);
        for (struct insn &in : loads)
            in = plain(LOAD, 3, bench_below(3) ? warm + bench_below(8) * 8 : at + bench_below(lines) * 128, 0);
        run_script(loads, 128);
    }
    answer.on = false;
}

static uint64_t table_offset(void) {
    uint64_t offset = bench_below(bench_below(2) ? DRAM_BYTES / 8 : 64) * 8;
    return top->coherent_o ? offset & ~(uint64_t)OTHER_HALF : offset; // not what the other hart writes
}

// A table entry is compared and swapped once the stores have drained; walker and program read it then. In some, memory is
// no longer what the walk has seen, by any one bit of the eight bytes: nothing is written.
static void swap_tables(void) {
    unsigned rate = mode.table;
    mode.table = 0;
    limit = next_index;
    for (uint64_t start = cycle; (!top->sq_empty_o || table.valid) && cycle - start < 20000;)
        step();
    for (unsigned i = 0; i < 50 && bench_failed == 0; i++) {
        uint64_t offset = table_offset(), entry, next = bench_random();
        memcpy(&entry, reference + offset, 8);
        bool other = bench_below(3) == 0;
        top->table_swap_i = 1;
        top->table_swap_addr_i = DRAM + offset;
        top->table_swap_old_i = other ? entry ^ 1ull << bench_below(64) : entry;
        top->table_swap_new_i = next;
        bool done = false;
        for (uint64_t start = cycle; !done && bench_check(cycle - start < 2000, "the swap of a table entry does not end");) {
            step();
            done = top->table_swap_done_o;
        }
        if (!other) memcpy(reference + offset, &next, 8);
        table_swaps += !other;
        table_others += other;
        step();
        top->table_swap_i = 0;
        step();
        table = {true, DRAM + offset, cycle};
        while (table.valid && bench_failed == 0)
            step();
    }
    mode.table = rate;
}

// The walker reads what the program has stored, once the stores have drained.
static void read_back(void) {
    unsigned rate = mode.table;
    mode.table = 0;
    limit = next_index;
    for (uint64_t start = cycle; (!top->sq_empty_o || table.valid) && cycle - start < 20000;)
        step();
    for (unsigned i = 0; i < 50; i++) {
        table = {true, DRAM + table_offset(), cycle};
        while (table.valid && bench_failed == 0)
            step();
    }
    mode.table = rate;
}

// The walker's reads where their time is known.
static void directed_table(void) {
    mode = {};
    mode.latency = 1;
    // A line comes with a load that missed it; whenever the read arrives, it sleeps no longer than until then.
    const unsigned most = top->coherent_o ? 60 : 40; // with links to the hub
    for (unsigned after = 0; after < 24; after++) {
        const struct insn cold[] = {plain(LOAD, 3, DRAM + 0x20000 + after * 64, 0)};
        table = {true, DRAM + 0x20008 + after * 64, cycle + after};
        uint64_t since = table.since;
        run_script(cold, 1);
        while (table.valid && cycle < since + most + 20)
            step();
        bench_check(!table.valid && cycle < since + most, "a table read %u cycles after a load took %lu cycles", after, cycle - since);
    }
    table = {true, DRAM + 0x20008, cycle};
    uint64_t since = cycle;
    while (table.valid && cycle < since + 40)
        step();
    bench_check(cycle - since == 3, "table read: %lu cycles", cycle - since);
    // Loads that hit in every cycle do not keep it waiting forever, and none of them is lost.
    mode.table = 1000;
    static struct insn loads[WINDOW - 64];
    for (unsigned i = 0; i < WINDOW - 64; i++)
        loads[i] = plain(LOAD, 3, DRAM + 0x20000 + i % 8 * 8, 0);
    for (unsigned n = 0; n < 4; n++)
        run_script(loads, WINDOW - 64);
    mode.table = 0;
    table.valid = false;
    limit = next_index;
    step();
}

// Loads that all miss, without end: a store that found no MSHR has its line all the same, and so have the walker's reads,
// as soon as what was on its way before has come.
static void directed_starving(void) {
    enum { LOADS = WINDOW - 64, LATENCY = 40 };
    mode = {};
    answer = {true, false, LATENCY};
    static struct insn list[LOADS];
    for (unsigned round = 0; round < 12 && bench_failed == 0; round++) {
        const unsigned stores = round % 3 == 1 ? 0 : 1 + round;
        mode.table = round % 3 ? 1000 : 0; // each in a line of its own
        for (unsigned i = 0; i < LOADS; i++)
            list[i] = plain(LOAD, 3, DRAM + (round & 1) * 0x40000 + i * 0x80, 0);
        for (unsigned i = 0; i < stores; i++)
            list[64 + i * 8] = plain(STORE, 11, DRAM + 0x80000 + (round * 16 + i) * 0x80, i);
        script = list;
        script_from = generated = next_index;
        limit = next_index + LOADS;
        uint64_t before = committed, since = 0;
        while ((next_index < limit || head < tail || squash.valid) && bench_failed == 0) {
            step();
            if (committed - before <= 64 || !stores || (since && top->stores_gone_o)) since = 0;
            else if (!since) since = cycle;
            starved_store = since && cycle - since > starved_store ? cycle - since : starved_store;
            starved_table = table.valid && cycle - table.since > starved_table ? cycle - table.since : starved_table;
        }
        script = NULL;
    }
    const unsigned own = 2 * LATENCY + 64;
    printf("%lu cycles until 12 stores had their lines, %lu until a table read had its own\n", starved_store, starved_table);
    bench_check(starved_store < 12 * own && starved_table < own, "a store or a table read starves");
    mode.table = 0;
    table.valid = false;
    answer.on = false;
}

// Loads on all ports and refills as often as they come: a drain, an AMO's access (a table entry's swap is none's, so that
// loads go on) and a table read still have their port.
static void directed_ports(void) {
    enum { LOADS = WINDOW - 64 };
    mode = {};
    static struct insn list[LOADS];
    for (unsigned round = 0; round < 40 && bench_failed == 0; round++) {
        answer = {true, false, 1 + bench_below(8)};
        const unsigned misses = bench_below(5);
        for (unsigned i = 0; i < LOADS; i++)
            list[i] = plain(LOAD, 3, bench_below(8) < misses ? DRAM + 0x20000 + bench_below(0x1000) * 64 : DRAM + bench_below(8) * 64, 0);
        const bool swaps = round % 2;
        for (unsigned i = 0; i < LOADS && !swaps; i += 24)
            list[i] = plain(STORE, 11, DRAM + bench_below(8) * 64, i);
        mode.table = swaps ? 0 : 300;
        script = list;
        script_from = generated = next_index;
        limit = next_index + LOADS;
        uint64_t entry;
        memcpy(&entry, reference, 8);
        top->table_swap_addr_i = DRAM;
        top->table_swap_old_i = top->table_swap_new_i = entry;
        while ((next_index < limit || head < tail || squash.valid || top->table_swap_i) && bench_failed == 0) {
            if (!top->table_swap_i) top->table_swap_i = swaps && next_index < limit && top->stores_gone_o;
            step();
            if (!top->table_swap_i || !top->table_swap_done_o) continue;
            step();
            top->table_swap_i = 0;
            step();
        }
        script = NULL;
    }
    mode.table = 0;
    table.valid = false;
    answer.on = false;
    printf("cycles without a port at most: drain %u, AMO %u, table read %u\n", most_waited[0], most_waited[1], most_waited[2]);
    for (unsigned n : most_waited) // urgent after 15 (port_wait), and then a refill or a snoop goes first
        bench_check(n <= 20, "a drain, an AMO or a table read has waited %u cycles for a port", n);
}

int main(int argc, char **argv) {
    static const struct mode modes[] = {
        {0, 20, 10, 0, 0, 0, 20, 30, 5, 80, 100, 20},    {1, 30, 60, 1, 0, 0, 5, 30, 5, 80, 20, 0},
        {2, 10, 200, 0, 0, 0, 0, 10, 0, 80, 300, 900},   {3, 40, 40, 2, 20, 20, 20, 80, 40, 90, 100, 20},
        {0, 6, 3, 0, 30, 0, 0, 0, 0, 80, 30, 1000},      {1, 60, 10, 1, 5, 5, 50, 100, 100, 80, 60, 100},
        {3, 3, 100, 0, 2, 2, 2, 20, 10, 80, 5, 0},       {0, 100, 30, 5, 0, 0, 0, 200, 50, 80, 200, 50},
        {1, 5, 5, 30, 0, 0, 2, 10, 0, 80, 0, 1000},      {2, 2, 20, 1, 5, 60, 5, 20, 5, 100, 40, 100},
        {0, 4, 10, 0, 0, 0, 0, 20, 10, 0, 0, 500},       {3, 30, 10, 0, 10, 100, 30, 20, 0, 0, 0, 0},
    };
    bench_seed(argc, argv, 1);
    setvbuf(stdout, NULL, _IOLBF, 0);
    top = new Vtop;
    top->eval();
    uint64_t rounds = argc > 2 ? strtoull(argv[2], NULL, 0) : top->coherent_o ? 2 : 3;
    for (unsigned i = 0; i < DRAM_BYTES; i++)
        memory[i] = reference[i] = (uint8_t)(i * 2654435761u >> 24);
    top->rst_ni = 0;
    top->clean_i = top->tlb_flush_i = top->space_i = 0;
    top->table_valid_i = top->table_swap_i = top->end_valid_i = 0;
    top->squash_valid_i = top->ex_valid_i = top->dis_fire_i = top->resp_valid_i = top->resp_error_i = top->dev_resp_i = 0;
    top->com_loads_i = top->com_stores_i = top->nonspec_gnt_i = 0;
    for (int i = 0; i < 4; i++)
        clock_edge();
    top->rst_ni = 1;
    top->vm_priv_i = vm.priv = PRIV_M;
    directed();
    directed_table();
    directed_translation();
    directed_events();
    directed_full();
    directed_lost();
    directed_starving();
    directed_ports();
    clean();
    for (uint64_t r = 0; r < rounds && bench_failed == 0; r++)
        for (const struct mode &m : modes) {
            mode = m;
            other.on = top->coherent_o;
            other.rate = bench_below(3) ? 1 + bench_below(100) : 500;
            generated = next_index; // what was generated ahead belongs to the mode before
            change_space();
            if (!run(1500) || bench_failed != 0) break;
            if (bench_below(2)) read_back();
            if (bench_below(2)) swap_tables();
            if (bench_below(2)) clean();
        }
    if (bench_failed == 0) clean();
    bench_check(fastest == 1, "fastest load hit: %lu cycles after EX", fastest);
    printf("%lu cycles, %lu committed, %lu replays, %lu squashes, %lu device reads, %lu device writes\n", cycle,
           committed, replays, squashes, dev_reads, dev_writes);
    const bool alone = !top->coherent_o;
    const struct {
        const char *what;
        uint64_t count;
        bool rare; // a single memory port, or as many as half the lanes, are hardly ever busy all the time
    } corners[] = {{"stores whose data come after their address", data_parts},
                   {"walks", walks},
                   {"table reads", table_reads},
                   {"table entries swapped", table_swaps},
                   {"table entries that were others", table_others},
                   {"known TLB hits", hits_known},
                   {"known TLB misses", misses_known},
                   {"page faults", page_faults},
                   {"access faults", access_faults},
                   {"cycles with issue held on all ports", held_all},
                   {"lines that another fetched for a load without an MSHR", lines_of_others, top->ports_o < 2},
                   {"forced table reads", table_forced, top->width_o < 2 * top->ports_o || !alone},
                   {"SCs that failed as their line was lost", sc_lost, true},
                   {"lines that another hart took", other.took, alone},
                   {"... dirty", other.dirty, alone},
                   {"prefetches of its that were refused", other.refused, alone},
                   {"prefetches that it refused", other.refuses, true},
                   {"victims of its that a snoop took", other.voids, alone},
                   {"stores of its", other.writes, alone},
                   {"loads and AMOs that waited for it", met_coh, alone},
                   {"AMOs that had only to own their line", met_upgrades, true},
                   {"lookups of lines that both have", other.both, alone},
                   {"its copies shared", other.heard[OTHER_SHARE], alone},
                   {"... and taken", other.heard[OTHER_INVAL], alone}};
    for (const auto &c : corners) {
        printf("%lu %s\n", c.count, c.what);
        bench_check(c.rare || c.count >= 20, "not reached often enough: %s, %lu times", c.what, c.count);
    }
    bench_check(replays > 0 && dev_reads > 0 && dev_writes > 0, "the run met no replay or no device");
    top->final();
    delete top;
    return bench_end();
}
