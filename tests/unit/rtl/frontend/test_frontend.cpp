// The whole front end against a reference walk.
//
// The bench plays backend and memory. It walks the program itself, decides each outcome, and compares every
// instruction delivered, also on wrong paths, with what follows from the one before. Mispredictions are answered after
// a random time, now and then preceded by a wrong-path branch that resolves first; flushes, traps, replays and
// fence.i (with code changed) come at random. So do changes of the address space, with a TLB flush: the bench answers
// walks, too. Then directed programs: which instructions say that their packet missed the TLB; packets a cycle, with
// and without translation; accuracy on patterns.
#include "Vtop.h"
#include "mapping.h"
#include "program.h"
#include "verilated.h"
#include <deque>
#include <functional>
#include <memory>

struct walker { // architectural state of the walk
    uint64_t pc;
    uint64_t seq; // instructions so far: outcomes depend on it, so a replay decides alike
    unsigned depth;
    uint64_t stack[16];
    void push(uint64_t link) {
        stack[depth % 16] = link;
        depth++;
    }
};

struct entry {
    struct walker before;
    unsigned ftq, offset;
    bool fault, conditional, mispredicted;
    uint64_t when;
};

struct redirect {
    bool valid, branch, taken, invalidate;
    uint64_t when, pc;
    unsigned ftq, offset;
};

struct knobs {
    unsigned limit; // most instructions taken in a cycle; 9: all there are, always
    unsigned latency_min, latency_spread, ready_percent, resolve_min, resolve_spread, commit_after, commit_percent;
    unsigned flush_permille, false_percent;
    unsigned walk_min, walk_spread, walk_ready_percent, remap_percent;
};

static uint64_t mix(uint64_t a, uint64_t b) {
    uint64_t z = a * 0x9e3779b97f4a7c15ull + b * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 29)) * 0x94d049bb133111ebull;
    return z ^ (z >> 32);
}

struct bench {
    std::unique_ptr<Vtop> top = std::make_unique<Vtop>();
    struct program program;
    struct knobs knobs;
    std::function<bool(const struct walker &)> direction;
    std::function<uint64_t(const struct walker &)> indirect;
    uint64_t now = 0, last_delivery = 0, packets = 0, delivered = 0, missed = 0, redirects = 0, mispredicts = 0, faults = 0;
    struct walker walker = {};
    uint64_t chain_pc = ROM_BASE;
    int previous_ftq = -1;
    bool dead = false, on_path = true;
    std::deque<struct entry> window;
    struct redirect real = {}, decoy = {};
    struct request {
        uint64_t when;
        unsigned id;
        uint16_t data[32];
    };
    std::vector<struct request> requests;
    struct mapping mapping;
    struct redirect late = {}; // a redirect that follows its TLB flush by a cycle, as at commit
    bool walking = false;
    uint64_t walk_vpn, walk_when, remapped = 0;
    unsigned long walks = 0, tlb_missed = 0, page_faults = 0, straddles = 0, remaps = 0, spaces = 0, late_ends = 0, translated = 0;
    std::function<void(uint64_t pc)> on_tlb_miss = [](uint64_t) {};
    std::function<void(uint64_t pc, bool taken, bool wrong)> on_branch = [](uint64_t, bool, bool) {};
    unsigned block_mask;

    bench() {
        walker.pc = ROM_BASE;
        top->rst_ni = 0;
        drive_mapping();
        for (int i = 0; i < 4; i++) clock();
        top->rst_ni = 1;
        block_mask = 2 * top->fetch_width_o - 1;
    }
    ~bench() { top->final(); }

    void clock() {
        top->clk_i = 0;
        top->eval();
        top->clk_i = 1;
        top->eval();
    }

    void drive_mapping() {
        top->sv39_i = mapping.sv39;
        top->priv_i = (CData)mapping.priv;
        top->denied_i = mapping.denied & (((uint64_t)1 << 44) - 1);
    }

    uint64_t next_pc_of(unsigned ftq) {
        top->ftq_read_idx_i = (CData)ftq;
        top->eval();
        return top->ftq_read_next_pc_o;
    }

    // Carries out the instruction at the walker; whether it transfers control.
    bool step(struct decoded d) {
        uint64_t link = walker.pc + d.bytes, next = link;
        bool taken = d.kind != PLAIN;
        switch (d.kind) {
        case PLAIN: break;
        case COND:
            taken = direction(walker);
            if (taken) next = walker.pc + (uint64_t)d.offset;
            break;
        case JAL: next = walker.pc + (uint64_t)d.offset; break;
        case IJUMP:
        case ICALL: next = indirect(walker); break;
        case RET:
        case SWAP:
            if (walker.depth) next = walker.stack[--walker.depth % 16];
            else next = indirect(walker);
            break;
        }
        if (d.call || d.kind == ICALL || d.kind == SWAP) walker.push(link);
        walker.pc = next;
        walker.seq++;
        return taken;
    }

    void deliver(unsigned lane) {
        uint64_t pc = top->pc_o[lane];
        unsigned ftq = top->ftq_o[lane];
        bool taken = (top->pred_taken_o >> lane) & 1, fault = (top->fault_o >> lane) & 1, slow = (top->dr_l1_o >> lane) & 1;
        bool tlb_miss = (top->dr_tlb_o >> lane) & 1;
        last_delivery = now;
        delivered++;
        bench_check(!dead, "cycle %lu: instruction at 0x%lx after a fault", now, pc);
        bench_check(pc == chain_pc, "cycle %lu: pc 0x%lx, expected 0x%lx", now, pc, chain_pc);
        translated += mapping.translates();
        if (tlb_miss) {
            tlb_missed++;
            on_tlb_miss(pc);
            bench_check(mapping.translates(), "cycle %lu: 0x%lx missed the TLB without translation", now, pc);
        }
        if (slow || tlb_miss) {
            missed += slow;
            bench_check((int)ftq != previous_ftq, "cycle %lu: 0x%lx is not the first of its packet, but says that the packet missed", now, pc);
        }
        previous_ftq = (int)ftq;

        uint32_t word = program.word(pc);
        struct decoded d = decode(word);
        enum fault first_half = mapping.fault(pc), second_half = first_half || d.bytes == 2 ? NO_FAULT : mapping.fault(pc + 2);
        bench_check(fault == (first_half || second_half), "cycle %lu: fault %d at 0x%lx, expected %d, %d", now, fault, pc, first_half, second_half);
        struct entry entry = {walker, ftq, (unsigned)(pc + d.bytes - 2) & block_mask, fault, d.kind == COND, false, now};
        if (fault) {
            bool page_fault = first_half == PAGE_FAULT || second_half == PAGE_FAULT;
            bench_check((top->insn_o[lane] & 1) == (second_half != NO_FAULT), "cycle %lu: wrong half at fault at 0x%lx", now, pc);
            bench_check((top->insn_o[lane] >> 1) == page_fault, "cycle %lu: wrong kind of fault at 0x%lx", now, pc);
            dead = true;
            faults++;
            page_faults += page_fault;
            straddles += second_half != NO_FAULT && pc != RAM_END - 2;
            if (on_path) window.push_back(entry);
            return;
        }
        bench_check(top->insn_o[lane] == word, "cycle %lu: 0x%lx: word %08x, expected %08x", now, pc, top->insn_o[lane], word);
        bench_check(((top->rvc_o >> lane) & 1) == (d.bytes == 2), "cycle %lu: 0x%lx: rvc", now, pc);
        if (d.kind != COND) bench_check(taken == (d.kind != PLAIN), "cycle %lu: 0x%lx: predicted taken %d", now, pc, taken);

        chain_pc = pc + d.bytes;
        if (taken) chain_pc = d.kind == COND || d.kind == JAL ? pc + (uint64_t)d.offset : next_pc_of(ftq);
        if (on_path) {
            bool outcome = step(d);
            bool wrong = d.kind == COND ? outcome != taken : chain_pc != walker.pc;
            if (d.kind == JAL) bench_check(!wrong, "cycle %lu: 0x%lx: direct jump mispredicted", now, pc);
            if (d.kind == COND) on_branch(pc, outcome, wrong);
            entry.mispredicted = wrong;
            window.push_back(entry);
            if (wrong) {
                on_path = false;
                mispredicts++;
                real = {true, true, outcome, false, now + knobs.resolve_min + bench_below(knobs.resolve_spread), walker.pc, ftq, entry.offset};
            }
        } else if (d.kind != PLAIN && d.kind != JAL && !decoy.valid && bench_below(100) < knobs.false_percent) {
            bool other = d.kind == COND ? !taken : true;
            uint64_t target = d.kind == COND ? (other ? pc + (uint64_t)d.offset : pc + d.bytes) : program.starts[bench_below((unsigned)program.starts.size())];
            decoy = {true, true, other, false, now + 1 + bench_below(8), target, ftq, entry.offset};
        }
    }

    void send(const struct redirect &r) {
        top->redirect_i = 1;
        top->redirect_pc_i = r.pc;
        top->redirect_ftq_i = (CData)r.ftq;
        top->redirect_branch_i = r.branch;
        top->redirect_taken_i = r.taken;
        top->redirect_offset_i = (CData)r.offset;
        top->redirect_invalidate_i = r.invalidate;
        chain_pc = r.pc;
        previous_ftq = -1;
        dead = false;
        redirects++;
        decoy.valid = false;
        last_delivery = now;
    }

    // An instruction of the program, often one that goes over the end of a page.
    uint64_t somewhere() {
        if (bench_below(3) == 0) {
            std::vector<uint64_t> edges;
            for (uint64_t at : program.starts)
                if ((at & 0xfff) == 0xffe && (program.word(at) & 3) == 3 && at != RAM_END - 2) edges.push_back(at);
            if (!edges.empty()) return edges[bench_below((unsigned)edges.size())];
        }
        return program.starts[bench_below((unsigned)program.starts.size() - 1)];
    }

    // Everything in flight dies at the head: trap, replay, or a flush after the head commits.
    void flush() {
        struct entry head = window.front();
        unsigned dice = bench_below(3);
        struct redirect r = {true, false, false, false, now, 0, head.ftq, head.offset};
        if (head.fault || dice == 0) {
            walker = head.before;
            walker.pc = somewhere();
            walker.depth = 0;
            walker.seq++;
        } else if (dice == 1 || head.mispredicted) {
            walker = head.before;
        } else {
            walker = head.before;
            step(decode(program.word(walker.pc)));
            top->commit_i = 1;
            top->commit_ftq_i = (CData)head.ftq;
            if (bench_below(3) == 0) {
                r.invalidate = true;
                for (int i = 0; i < 40; i++) {
                    uint64_t at = program.starts[bench_below((unsigned)program.starts.size())];
                    if ((program.word(at) & 0xe003) == 0x0001) program.patch(at, (uint32_t)(bench_random() & 0x1ffc) | 1);
                }
            }
        }
        r.pc = walker.pc;
        window.clear();
        on_path = true;
        real.valid = false;
        if (bench_below(100) < knobs.remap_percent) {
            if (bench_below(2)) { // other places, too: what the cache holds is not true any more
                mapping.place(program.base >> 12, (RAM_END - 1) >> 12);
                r.invalidate = true;
            }
            mapping.draw(program.base >> 12, (RAM_END - 1) >> 12);
            remap(bench_below(2));
            if (bench_below(2)) {
                late = r;
                decoy.valid = false;
                return;
            }
        }
        send(r);
    }

    // other: in another address space, with a number that no mapping has had; the TLB keeps what it has of those.
    void remap(bool other = false) {
        drive_mapping();
        if (other && top->asid_i < 255) {
            top->asid_i++;
            top->space_i = 1;
            spaces++;
        } else {
            top->tlb_flush_i = 1;
        }
        walking = false;
        top->walk_ready_i = 0;
        remapped = now;
        remaps++;
    }

    // The other side of the walks: one at a time. Now and then something ends that the data side asked for.
    void walk() {
        if (top->walk_taken_o) {
            bench_check(!walking && mapping.translates(), "cycle %lu: walk of page 0x%x", now, top->walk_vpn_o);
            walking = true;
            walk_vpn = top->walk_vpn_o;
            walk_when = now + knobs.walk_min + bench_below(knobs.walk_spread);
            walks++;
        }
        top->end_i = 0;
        if (walking && now >= walk_when) {
            end_of_walk(mapping.walk(walk_vpn), walk_vpn, true);
            walking = false;
        } else if (!walking && bench_below(40) == 0) {
            uint64_t page = bench_below(4) ? (program.base >> 12) + bench_below(10) : 0x40000;
            end_of_walk({NO_FAULT, 0, PERM_X | PERM_A | (mapping.priv == PRIV_U ? PERM_U : 0u), RAM_BASE >> 12}, page & 0x7ffffff, false);
        }
        top->walk_ready_i = !walking && bench_below(100) < knobs.walk_ready_percent;
    }

    void end_of_walk(const struct leaf &l, uint64_t vpn, bool fetch) {
        top->end_i = 1;
        top->end_fetch_i = fetch;
        top->end_vpn_i = (IData)vpn;
        top->end_page_fault_i = l.walk == PAGE_FAULT;
        top->end_access_fault_i = l.walk == ACCESS_FAULT;
        top->end_level_i = (CData)l.level;
        top->end_perms_i = (CData)l.perms;
        top->end_ppn_i = l.ppn;
    }

    void commit() {
        if (bench_below(100) >= knobs.commit_percent) return;
        unsigned count = knobs.commit_percent == 100 ? 16 : 1 + bench_below(8);
        while (count-- && !window.empty()) {
            const struct entry &head = window.front();
            if (head.fault || head.when + knobs.commit_after > now || (head.mispredicted && real.valid)) break;
            top->commit_i = 1;
            top->commit_ftq_i = (CData)head.ftq;
            window.pop_front();
        }
    }

    void memory() {
        if (top->req_o && top->ready_o) {
            struct request r = {now + knobs.latency_min + bench_below(knobs.latency_spread), top->req_id_o, {}};
            bench_check(top->req_addr_o % 64 == 0 && is_executable(top->req_addr_o), "cycle %lu: request for 0x%lx", now, top->req_addr_o);
            if (mapping.translates() && now > remapped + 100)
                bench_check(mapping.contents.count(top->req_addr_o >> 12), "cycle %lu: request for 0x%lx, which is not mapped", now, top->req_addr_o);
            for (unsigned i = 0; i < 32; i++) r.data[i] = program.parcel(mapping.virtual_of(top->req_addr_o + 2 * i));
            requests.push_back(r);
        }
        top->ready_i = bench_below(100) < knobs.ready_percent;
        top->resp_i = 0;
        for (size_t i = 0; i < requests.size(); i++) {
            if (requests[i].when > now) continue;
            top->resp_i = 1;
            top->resp_id_i = (CData)requests[i].id;
            for (unsigned w = 0; w < 16; w++) top->resp_data_i[w] = requests[i].data[2 * w] | (uint32_t)requests[i].data[2 * w + 1] << 16;
            requests.erase(requests.begin() + (long)i);
            break;
        }
    }

    // A walk of the old mapping that ends in the cycle of the flush, in which the new one is set already: nothing of it counts.
    void late_end() {
        if ((!top->tlb_flush_i && !top->space_i) || bench_below(2)) return;
        end_of_walk({NO_FAULT, 0, PERM_X | PERM_A | (mapping.priv == PRIV_U ? PERM_U : 0u), (RAM_BASE >> 12) + bench_below(16)},
                    ((program.base >> 12) + bench_below(10)) & 0x7ffffff, true);
        late_ends++;
    }

    bool cycle() {
        late_end();
        top->limit_i = late.valid ? 0 : knobs.limit > 8 ? 8 : (CData)bench_below(knobs.limit + 1);
        clock();
        now++;
        top->redirect_i = 0;
        top->commit_i = 0;
        top->tlb_flush_i = top->space_i = 0;
        packets += top->fetch_o;
        for (unsigned lane = 0; lane < top->core_width_o; lane++)
            if ((top->taken_o >> lane) & 1) deliver(lane);
        memory();
        walk();
        if (late.valid) {
            late.valid = false;
            send(late);
            return bench_failed < 20;
        }
        commit();
        if (real.valid && now >= real.when) {
            real.valid = false;
            on_path = true;
            send(real);
        } else if (decoy.valid && now >= decoy.when) {
            send(decoy);
        } else if (!window.empty() && (window.front().fault || bench_below(1000) < knobs.flush_permille) && !top->commit_i) {
            if (!window.front().fault || now >= window.front().when + knobs.commit_after) flush();
        }
        return bench_check(dead || now - last_delivery < 3000, "cycle %lu: nothing delivered for 3000 cycles", now) && bench_failed < 20;
    }
};

// ---- random programs ----
static struct {
    unsigned long remaps, spaces, late_ends, walks, tlb_missed, page_faults, straddles;
} total; // of the runs with virtual memory

static void random_run(unsigned bytes, unsigned cycles, bool virtual_memory) {
    struct bench b;
    program_random(&b.program, bytes);
    struct program *p = &b.program;
    b.direction = [](const struct walker &w) { return mix(w.pc, w.seq / (1 + mix(w.pc, 7) % 64)) % 16 < mix(w.pc, 1) % 17; };
    b.indirect = [p](const struct walker &w) -> uint64_t {
        uint64_t dice = mix(w.pc, w.seq);
        if (dice % 151 == 0) return 0x40000000 + (dice >> 40 & 0xffe);
        if (dice % 151 == 1) return RAM_END - 2;
        if (dice % 151 == 2) return RAM_END;
        if (dice % 151 == 3) return p->starts[0] ^ (uint64_t)1 << (38 + (dice >> 40) % 26); // not canonical
        return p->starts[mix(w.pc, (dice >> 20) % 4 == 0) % (p->starts.size() - 1)];
    };
    for (unsigned i = 0; i < cycles; i++) {
        if (i % 512 == 0) {
            b.knobs.limit = 1 + bench_below(8);
            b.knobs.latency_min = bench_below(3) ? 1 + bench_below(20) : 60;
            b.knobs.latency_spread = 1 + bench_below(30);
            b.knobs.ready_percent = 20 + bench_below(81);
            b.knobs.resolve_min = 1 + bench_below(4);
            b.knobs.resolve_spread = 1 + bench_below(40);
            b.knobs.commit_after = 3 + bench_below(40);
            b.knobs.commit_percent = 10 + bench_below(91);
            b.knobs.flush_permille = bench_below(4) ? bench_below(20) : 0;
            b.knobs.false_percent = bench_below(60);
            b.knobs.walk_min = bench_below(3) ? 1 + bench_below(10) : 40;
            b.knobs.walk_spread = 1 + bench_below(30);
            b.knobs.walk_ready_percent = 10 + bench_below(91);
            b.knobs.remap_percent = virtual_memory ? 5 + bench_below(40) : 0;
        }
        if (!b.cycle()) break;
    }
    printf("random %u bytes: %lu packets, %lu instructions, %lu redirects, %lu first-of-missed, %lu faults\n", bytes, b.packets, b.delivered,
           b.redirects, b.missed, b.faults);
    if (virtual_memory) {
        printf("  %lu address spaces, %lu walks, %lu translated, %lu first-of-TLB-missed, %lu page faults, %lu faults of second halves\n", b.remaps, b.walks,
               b.translated, b.tlb_missed, b.page_faults, b.straddles);
        total.remaps += b.remaps;
        total.late_ends += b.late_ends;
        total.spaces += b.spaces;
        total.walks += b.walks;
        total.tlb_missed += b.tlb_missed;
        total.page_faults += b.page_faults;
        total.straddles += b.straddles;
    }
    bench_check(b.packets > cycles / 40, "only %lu packets", b.packets);
    bench_check(b.redirects > 100 && b.missed > 10 && b.faults > 0, "random run did not reach its purpose");
}

// ---- directed loops ----
static const uint64_t LOOP_BASE = RAM_BASE + 0x2000;

// Pages of the loops go to other physical ones, from reset on, as does the boot ROM's.
static void translate(struct bench *b) {
    b->mapping.sv39 = true;
    b->mapping.priv = PRIV_S;
    b->mapping.leaves[ROM_BASE >> 12] = {NO_FAULT, 0, PERM_X | PERM_A, ROM_BASE >> 12};
    b->mapping.contents[ROM_BASE >> 12] = ROM_BASE >> 12;
    for (uint64_t page = LOOP_BASE >> 12; page < (LOOP_BASE >> 12) + 8; page++) {
        uint64_t at = (RAM_BASE >> 12) + 0x1000 + 3 * (page & 7);
        b->mapping.leaves[page] = {NO_FAULT, 0, PERM_X | PERM_A, at};
        b->mapping.contents[at] = page;
    }
    b->drive_mapping();
}

static void quiet(struct bench *b) {
    b->knobs = {9, 8, 1, 100, 8, 1, 12, 100, 0, 0, 8, 1, 100, 0};
    b->program.base = LOOP_BASE;
    b->program.noise = 1;
    b->indirect = [](const struct walker &) { return LOOP_BASE; };
    b->direction = [](const struct walker &) { return true; };
}

static void loop_rate_of(const char *what, const std::function<void(struct program *, unsigned block)> &build, bool translated) {
    struct bench b;
    quiet(&b);
    if (translated) translate(&b);
    b.knobs.commit_after = 4; // soon enough that the target queue of the smallest core is no limit
    build(&b.program, 2 * b.top->fetch_width_o);
    for (int i = 0; i < 20000 && b.cycle(); i++) {}
    uint64_t packets = b.packets, mispredicts = b.mispredicts;
    for (int i = 0; i < 1000 && b.cycle(); i++) {}
    packets = b.packets - packets;
    printf("loop %s%s: %lu packets in 1000 cycles\n", what, translated ? ", translated" : "", packets);
    bench_check(translated == (b.walks > 0), "loop %s: %lu walks", what, b.walks);
    bench_check(packets >= 990, "loop %s: %lu packets in 1000 cycles", what, packets);
    bench_check(b.mispredicts == mispredicts, "loop %s: mispredicted when warm", what);
}

static void loop_rate(const char *what, const std::function<void(struct program *, unsigned block)> &build) {
    loop_rate_of(what, build, false);
    loop_rate_of(what, build, true);
}

static void pad(struct program *p, unsigned block) {
    while (p->here() % block) p->emit(C_NOP);
}

static void rates() {
    loop_rate("jump", [](struct program *p, unsigned block) {
        p->emit(NOP);
        pad(p, block);
        p->emit(encode_jal(0, (int64_t)(LOOP_BASE - p->here())));
    });
    loop_rate("branch", [](struct program *p, unsigned block) {
        p->emit(encode_cb(false, block)); // one taken branch a block
        pad(p, block);
        p->emit(encode_branch(1, (int64_t)(LOOP_BASE - p->here())));
    });
    loop_rate("call and return", [](struct program *p, unsigned block) {
        p->emit(encode_jal(1, block));
        p->emit(encode_cj(-4)); // the call returns here
        pad(p, block);
        p->emit(C_RET);
    });
    loop_rate("straddle", [](struct program *p, unsigned block) {
        p->emit(C_NOP);
        while (p->here() % block != block - 2) p->emit(C_NOP);
        p->emit(encode_branch(0, -(int64_t)(block - 2))); // its second half is the next block's first parcel
    });
}

// Loop of `count` forward branches, each over one instruction, and a jump home; taken(i, n) is the outcome of branch i
// in round n.
static void pattern(const char *what, unsigned count, unsigned measured, double least, const std::function<bool(unsigned, uint64_t)> &taken) {
    struct bench b;
    quiet(&b);
    std::vector<uint64_t> branches, rounds(count, 0);
    for (unsigned i = 0; i < count; i++) {
        branches.push_back(b.program.emit(i & 1 ? encode_branch(0, 8) : encode_cb(true, 6)));
        b.program.emit(NOP);
        if (i % 3 == 2) b.program.emit(C_NOP);
    }
    b.program.emit(encode_jal(0, (int64_t)(LOOP_BASE - b.program.here())));
    auto index = [&](uint64_t pc) {
        unsigned i = 0;
        while (i < count && branches[i] != pc) i++;
        return i;
    };
    b.direction = [&](const struct walker &w) {
        unsigned i = index(w.pc);
        return taken(i, rounds[i]++);
    };
    uint64_t wrong = 0, total = 0;
    b.on_branch = [&](uint64_t pc, bool, bool bad) {
        if (b.now < 30000 || index(pc) != measured) return;
        total++;
        wrong += bad;
    };
    while (b.now < 60000 && b.cycle()) {}
    double accuracy = total ? 1.0 - (double)wrong / (double)total : 0;
    printf("pattern %s: %.2f %% of %lu\n", what, 100 * accuracy, total);
    bench_check(total > 300 && accuracy > least, "pattern %s: accuracy %.4f", what, accuracy);
}

static void patterns() {
    auto noise = [](uint64_t n) { return mix(n, 99) & 1; };
    pattern("TTTN", 1, 0, 0.97, [](unsigned, uint64_t n) { return n % 4 != 3; });
    pattern("alternating", 1, 0, 0.97, [](unsigned, uint64_t n) { return n & 1; });
    pattern("NNNNNT among fixed ones", 4, 2, 0.97, [](unsigned i, uint64_t n) { return i == 2 ? n % 6 == 5 : i == 1; });
    pattern("loop of 14 rounds", 2, 1, 0.97, [](unsigned i, uint64_t n) { return i == 1 ? n % 14 != 13 : true; });
    pattern("copy of a random one", 2, 1, 0.97, [&](unsigned, uint64_t n) { return noise(n); });
    pattern("inverse of a random one, two between", 4, 3, 0.97,
            [&](unsigned i, uint64_t n) { return i == 0 ? noise(n) : i == 3 ? !noise(n) : i == 1; });
    pattern("exclusive or of two random ones", 3, 2, 0.97,
            [&](unsigned i, uint64_t n) { return i == 0 ? noise(n) : i == 1 ? noise(n + 50000) : noise(n) ^ noise(n + 50000); });
    pattern("always", 3, 1, 0.999, [](unsigned, uint64_t) { return true; });
    pattern("never", 3, 1, 0.999, [](unsigned, uint64_t) { return false; });
}

// Which instructions say that the TLB was missed: the first of each page that was not in it, once.
static void tlb_misses() {
    struct bench b;
    quiet(&b);
    translate(&b);
    struct program *p = &b.program;
    const uint64_t page2 = LOOP_BASE + 0x1000, page3 = LOOP_BASE + 0x2000, page4 = LOOP_BASE + 0x3000, page5 = LOOP_BASE + 0x4000;
    p->emit(NOP);
    p->emit(encode_jal(0, (int64_t)(page2 + 0x800 - p->here()))); // to the middle of page 2
    while (p->here() < page3 - 2) p->emit(C_NOP);
    uint64_t straddler = p->emit(NOP);                            // ends in page 3
    p->emit(C_NOP);
    p->emit(encode_jal(0, (int64_t)(page5 - p->here())));         // page 5 before page 4
    while (p->here() < page5 - 2) p->emit(C_NOP);
    uint64_t alone = p->emit(NOP);                                // its first half is all that is fetched of page 4
    while (p->here() < page5 + 0x100) p->emit(C_NOP);
    p->emit(encode_jal(0, (int64_t)(page4 + 0xffe - p->here())));
    std::vector<uint64_t> seen;
    b.on_tlb_miss = [&](uint64_t pc) { seen.push_back(pc); };
    // At its end page 5 jumps to itself through page 4 forever: a flush, by redirect, starts again at the loop's base.
    auto run = [&](const char *what, const std::vector<uint64_t> &expected) {
        seen.clear();
        for (int i = 0; i < 3000 && b.cycle(); i++) {}
        bench_check(seen == expected, "%s: %zu instructions missed the TLB, expected %zu; the first 0x%lx", what, seen.size(), expected.size(), seen.empty() ? 0 : seen[0]);
    };
    auto restart = [&]() {
        unsigned ftq = b.window.empty() ? (unsigned)b.previous_ftq : b.window.front().ftq;
        b.window.clear();
        b.real.valid = false;
        b.on_path = true;
        b.walker.pc = LOOP_BASE;
        b.send({true, false, false, false, 0, LOOP_BASE, ftq, 0});
    };
    const std::vector<uint64_t> code = {LOOP_BASE, page2 + 0x800, straddler, page5, alone};
    std::vector<uint64_t> all = code;
    all.insert(all.begin(), ROM_BASE);
    run("from reset", all);
    restart();
    run("again", {});
    restart();
    b.remap();
    run("after a flush", code);
}

// A trap handler that cannot be fetched: one trap after the other, and nothing commits.
static void trap_loop() {
    struct bench b;
    quiet(&b);
    b.indirect = [](const struct walker &) { return (uint64_t)0x40000000; };
    for (int i = 0; i < 200 && !b.faults; i++) b.cycle();
    uint64_t first = b.faults;
    for (unsigned i = 0; i < 3 * b.top->ftq_entries_o; i++) {
        for (int n = 0; n < 100 && b.window.empty(); n++) b.cycle();
        if (!bench_check(!b.window.empty(), "nothing comes of trap %u without a commit", i)) break;
        unsigned ftq = b.window.front().ftq;
        b.window.clear();
        b.walker.pc = 0x40000000;
        b.send({true, false, false, false, 0, 0x40000000, ftq, 0});
        b.cycle();
    }
    bench_check(first == 1 && b.faults >= 3 * b.top->ftq_entries_o, "%lu, then %lu faults", first, b.faults);
}

int main(int argc, char **argv) {
    bench_seed(argc, argv, 20261);
    for (int i = 0; i < 3; i++) {
        random_run(4096, 100000, false);
        random_run(40960, 100000, false);
        random_run(4096, 100000, true);
        random_run(40960, 100000, true);
    }
    bench_check(total.remaps > 200 && total.spaces > 100 && total.late_ends > 100 && total.walks > 500 && total.tlb_missed > 300 && total.page_faults > 100 && total.straddles > 5,
                "random runs did not reach their purpose");
    tlb_misses();
    trap_loop();
    rates();
    patterns();
    return bench_end();
}
