// Walks of random page tables with every kind of fault, two requesters, random read latencies, flushes at any time.
//
// Expected ends come from a walk in C, step by step as in the privileged manual, and what protection grants from the numbers of pages. Tables, root and protection change only
// with a flush of everything; address spaces, which all have these tables, with a flush of walks. Ends come in the order in which requests were taken; after a flush nothing comes of what was before.
// Then: what is found in the L2 TLB, and how soon; that a flush empties it; and whose entries it holds, and drops.
#include "Vtop.h"
#include "bench.h"
#include "verilated.h"
#include <deque>
#include <map>
#include <memory>
#include <vector>

static const uint64_t V = 1, R = 2, W = 4, X = 8, U = 16, G = 32, A = 64, D = 128;
static const uint64_t DRAM = 0x80000000, DRAM_END = 0x90000000;
static const uint64_t UART = 0x10000; // page: a region is its first 256 bytes

enum outcome { LEAF0, LEAF1, LEAF2, INVALID, WRITE_ONLY, RESERVED, MISALIGNED, POINTER_DAU, TOO_DEEP, NOT_MEMORY, DENIED, OUTCOMES };

struct walk {
    enum outcome outcome;
    unsigned level, perms; // perms: D A U X W R
    uint64_t ppn, entry, pte; // the entry read last
    bool global;              // G of it or of one above
    bool access_fault() const { return outcome == NOT_MEMORY || outcome == DENIED; }
    bool page_fault() const { return outcome > LEAF2 && !access_fault(); }
};

// What a flush drops besides walks.
struct drop {
    bool entries, by_asid, by_page;
    unsigned asid;
    uint64_t vpn;
};
static const struct drop EVERYTHING = {true, false, false, 0, 0}, WALKS = {};

enum requester { DATA, FETCH, UPDATE, REQUESTERS };

struct request {
    int who;
    uint64_t vpn, when, reads;
};

struct bench {
    std::unique_ptr<Vtop> top = std::make_unique<Vtop>();
    std::map<uint64_t, uint64_t> memory; // table entries
    std::vector<uint64_t> pages[3];      // tables by level
    uint64_t root, denied, base, limit;  // pages
    uint64_t now = 0, reads = 0, seen[OUTCOMES] = {}, quick = 0, drained = 0, ends = 0, places[2] = {}, uart = 0, cut[3] = {}, whole[3] = {};
    std::deque<struct request> taken;
    bool want[REQUESTERS] = {}, flushed = false;
    uint64_t wanted[REQUESTERS], updates = 0;
    bool reading = false, read_old = false;
    uint64_t read_addr, read_due;
    unsigned latency = 4, asid = 0;
    struct drop drop = EVERYTHING; // of the next flush

    bench() {
        tables();
        top->rst_ni = 0;
        for (int i = 0; i < 3; i++) clock();
        top->rst_ni = 1;
    }
    ~bench() { top->final(); }

    void clock() {
        top->clk_i = 0;
        top->eval();
        top->clk_i = 1;
        top->eval();
    }

    static uint64_t index() {
        static const uint64_t few[] = {0, 1, 0x1ff, 0xaa};
        return few[bench_below(4)];
    }
    static unsigned space() {
        static const unsigned few[] = {0, 1, 2, 5, 17, 255};
        return few[bench_below(6)];
    }
    static uint64_t page() { return index() << 18 | index() << 9 | index(); }

    uint64_t entry(unsigned level) {
        uint64_t align = ((uint64_t)1 << 9 * level) - 1, ppn = (bench_random() >> 20) & ~align;
        if (bench_below(2)) ppn = (uint64_t[]){DRAM >> 12, DRAM_END >> 12, denied, denied - 1, denied + 1, 0x8fdff, UART, UART}[bench_below(8)] & ~align;
        static const uint64_t kinds[] = {R, R | W, X, R | X, R | W | X};
        uint64_t leaf = V | kinds[bench_below(5)] | (bench_random() & (U | A | D | 0x320)); // 0x320: RSW, G
        uint64_t next = level ? pages[level - 1][bench_below((unsigned)pages[level - 1].size())] : 0;
        uint64_t pointer = V | next << 10 | (bench_random() & 0x320);
        unsigned dice = bench_below(100);
        if (dice < 4) return (leaf | ppn << 10) & ~V;
        if (dice < 8) return ((leaf & ~R) | W | ppn << 10);
        if (dice < 12) return ((bench_below(2) ? pointer : leaf | ppn << 10)) | (uint64_t)1 << (54 + bench_below(10));
        if (level == 0) return dice < 20 ? pointer : leaf | ppn << 10;
        if (dice < 15) return leaf | (ppn | (uint64_t)1 << bench_below(9 * level)) << 10;
        if (dice < 20) return pointer | (uint64_t[]){D, A, U}[bench_below(3)];
        if (dice < 32) return leaf | ppn << 10;
        if (dice < 35) return V | (uint64_t[]){0x2000, 0xc000, 0x10000, 0x90000, 0x40080000, ((uint64_t)1 << 44) - 1, 0}[bench_below(7)] << 10;
        if (dice < 37) return V | (uint64_t)1 << 10; // boot ROM: memory that can be read
        if (dice < 40) return V | denied << 10;
        return pointer;
    }

    void tables() {
        memory.clear();
        denied = 0x8ffff;
        base = bench_below(4) ? 0 : DRAM >> 12;
        limit = bench_below(4) ? (uint64_t)1 << 44 : DRAM_END >> 12;
        static const unsigned counts[] = {6, 4, 1};
        for (unsigned level = 0; level < 3; level++) {
            pages[level].clear();
            for (unsigned n = 0; n < counts[level]; n++) pages[level].push_back((DRAM >> 12) + 16 * bench_below(4000) + 4 * level + n % 4);
        }
        for (unsigned level = 0; level < 3; level++)
            for (uint64_t p : pages[level]) fill(p, level);
        fill(1, 0);
        fill(denied, 0);
        unsigned dice = bench_below(20);
        root = dice == 0 ? 0x10000 : dice == 1 ? denied : pages[2][0];
    }
    void fill(uint64_t table, unsigned level) {
        for (uint64_t i : {0, 1, 0x1ff, 0xaa}) memory[table << 12 | i << 3] = entry(level);
    }

    static bool is_memory(uint64_t address) {
        return (address >= 0x1000 && address < 0x2000) || (address >= DRAM && address < DRAM_END);
    }

    // "Virtual Address Translation Process": a, i and the steps as there.
    struct walk walk(uint64_t vpn) {
        uint64_t a = root << 12, at = 0, pte = 0;
        bool global = false;
        for (int i = 2;; i--) {
            uint64_t address = a + ((vpn >> 9 * i) & 0x1ff) * 8;
            if (!is_memory(address)) return {NOT_MEMORY, 0, 0, 0, at, pte, false};
            if (address >> 12 == denied || address >> 12 < base || address >> 12 >= limit) return {DENIED, 0, 0, 0, at, pte, false};
            at = address;
            pte = memory.count(address) ? memory[address] : 0;
            global = global || pte & G;
            uint64_t ppn = (pte >> 10) & (((uint64_t)1 << 44) - 1);
            if (!(pte & V)) return {INVALID, 0, 0, 0};
            if ((pte & W) && !(pte & R)) return {WRITE_ONLY, 0, 0, 0};
            if (pte >> 54) return {RESERVED, 0, 0, 0};
            if (!(pte & (R | X))) {
                if (pte & (D | A | U)) return {POINTER_DAU, 0, 0, 0};
                if (i == 0) return {TOO_DEEP, 0, 0, 0};
                a = ppn << 12;
                continue;
            }
            if (ppn % ((uint64_t)1 << 9 * i)) return {MISALIGNED, 0, 0, 0};
            unsigned perms = (pte & R ? 1u : 0) | (pte & W ? 2u : 0) | (pte & X ? 4u : 0) | (pte & U ? 8u : 0) | (pte & A ? 16u : 0) | (pte & D ? 32u : 0);
            return {(enum outcome)(LEAF0 + i), (unsigned)i, perms, ppn, at, pte, global};
        }
    }

    // By pages: X W R of the lowest-numbered region that holds it.
    unsigned granted(uint64_t page) const { return page == denied ? 6 : page >= base && page < limit ? 1 : 0; }

    // Whether a region ends within the page: then its parts are looked at one by one.
    bool is_cut(const struct walk &w) const {
        uint64_t first = w.ppn, behind = w.ppn + ((uint64_t)1 << 9 * w.level);
        auto inside = [&](uint64_t edge) { return edge > first && edge < behind; };
        return inside(denied) || inside(denied + 1) || inside(base) || inside(limit);
    }

    void end_of_walk() {
        ends++;
        if (!bench_check(!taken.empty(), "cycle %lu: an end that nobody asked for", now)) return;
        struct request r = taken.front();
        taken.pop_front();
        struct walk w = walk(r.vpn);
        seen[w.outcome]++;
        quick += reads == r.reads && w.outcome == LEAF0;
        if (r.who == UPDATE) {
            end_of_update(&r, &w);
            return;
        }
        bench_check(top->resp_o && !top->update_resp_o && top->resp_fetch_o == (r.who == FETCH) && top->resp_vpn_o == r.vpn, "cycle %lu: end of page %x, expected %lx", now, top->resp_vpn_o, r.vpn);
        bench_check(top->resp_page_fault_o == w.page_fault() && top->resp_access_fault_o == w.access_fault(),
                    "cycle %lu: page %lx: page fault %d, access fault %d; expected outcome %d", now, r.vpn, top->resp_page_fault_o, top->resp_access_fault_o, w.outcome);
        if (w.outcome > LEAF2 || top->resp_page_fault_o || top->resp_access_fault_o) return;
        uint64_t page = w.ppn | (r.vpn & (((uint64_t)1 << 9 * w.level) - 1));
        bool parted = is_cut(w);
        ++(parted ? cut : whole)[w.level];
        bench_check(top->resp_level_o == (parted ? 0 : w.level) && top->resp_ppn_o == (parted ? page : w.ppn) && top->resp_perms_o == w.perms && top->resp_g_o == w.global,
                    "cycle %lu: page %lx: global %d, level %d, page %lx, permissions %02x", now, r.vpn, top->resp_g_o, top->resp_level_o, (uint64_t)top->resp_ppn_o, top->resp_perms_o);
        bench_check(top->attributes_o[0] == top->attributes_o[1], "cycle %lu: offset %x of page %lx at %lx, level %u: attributes %02x by the leaf, expected %02x",
                    now, top->offset_i, r.vpn, page, top->resp_level_o, top->attributes_o[0], top->attributes_o[1]);
        places[top->attributes_o[1] != 0]++;
        uart += page == UART;
        bench_check(top->resp_granted_o == granted(page), "cycle %lu: page %lx at %lx: granted %d, expected %d", now, r.vpn, page, top->resp_granted_o, granted(page));
    }

    // Given the entry itself, always by a walk.
    void end_of_update(const struct request *r, const struct walk *w) {
        updates++;
        bench_check(top->update_resp_o && !top->resp_o && (reads > r->reads || w->access_fault()), "cycle %lu: end of page %lx for ad_update without a walk", now, r->vpn);
        bench_check(top->update_page_fault_o == w->page_fault() && top->update_access_fault_o == w->access_fault(),
                    "cycle %lu: page %lx for ad_update: page fault %d, access fault %d; expected outcome %d", now, r->vpn, top->update_page_fault_o,
                    top->update_access_fault_o, w->outcome);
        if (w->outcome > LEAF2) return;
        bench_check(top->update_level_o == w->level && top->update_ppn_o == w->ppn && top->update_perms_o == w->perms && top->update_addr_o == w->entry &&
                        top->update_entry_o == w->pte,
                    "cycle %lu: page %lx for ad_update: level %d, entry %lx at %lx; expected %lx at %lx", now, r->vpn, top->update_level_o, top->update_entry_o,
                    top->update_addr_o, w->pte, w->entry);
    }

    void table_read() {
        top->read_done_i = 0;
        if (!top->read_o) {
            bench_check(!reading, "cycle %lu: a read was not held", now);
            reading = false;
            return;
        }
        if (!reading) {
            reading = true;
            reads++;
            read_addr = top->read_addr_o;
            read_due = now + bench_below(latency);
            bench_check(is_memory(read_addr) && read_addr % 8 == 0, "cycle %lu: read of %lx", now, read_addr);
            bench_check(!taken.empty() || flushed, "cycle %lu: read of %lx for nobody", now, read_addr);
            read_old = false;
        }
        bench_check(top->read_addr_o == read_addr, "cycle %lu: address of a read changed", now);
        if (now < read_due) return;
        reading = false;
        drained += read_old;
        top->read_done_i = 1;
        top->read_data_i = read_old ? bench_random() | V : memory.count(read_addr) ? memory[read_addr] : 0;
    }

    bool cycle(bool flush) {
        for (int who = 0; who < UPDATE; who++) {
            if (want[who] && bench_below(20) == 0) want[who] = false; // a request may be withdrawn
        }
        top->flush_i = flush;
        top->entries_i = drop.entries;
        top->by_asid_i = drop.by_asid;
        top->flush_asid_i = (CData)drop.asid;
        top->by_page_i = drop.by_page;
        top->flush_vpn_i = (IData)drop.vpn;
        top->asid_i = (CData)asid;
        top->root_i = root;
        top->denied_i = denied;
        top->base_i = base;
        top->limit_i = limit;
        top->data_i = want[0];
        top->data_vpn_i = (IData)wanted[0];
        top->fetch_i = want[1];
        top->fetch_vpn_i = (IData)wanted[1];
        top->update_i = want[UPDATE];
        top->update_vpn_i = (IData)wanted[UPDATE];
        top->offset_i = (SData)bench_below(bench_below(2) ? 512 : 4096);
        top->read_done_i = 0;
        top->clk_i = 0;
        top->eval();
        table_read();
        top->eval();
        if (top->resp_o || top->update_resp_o) end_of_walk();
        bench_check(!(want[DATA] && top->fetch_ready_o), "cycle %lu: fetch before data", now);
        bench_check(!(want[UPDATE] && (top->fetch_ready_o || top->data_ready_o)), "cycle %lu: before ad_update", now);
        bench_check(!flush || (!top->fetch_ready_o && !top->data_ready_o && !top->update_ready_o), "cycle %lu: a request is taken in the cycle of a flush", now);
        const bool ready[] = {(bool)top->data_ready_o, (bool)top->fetch_ready_o, (bool)top->update_ready_o};
        for (int who = 0; who < REQUESTERS; who++) {
            if (!want[who] || !ready[who]) continue;
            taken.push_back({who, wanted[who], now, reads});
            want[who] = false;
        }
        top->clk_i = 1;
        top->eval();
        now++;
        if (flush) {
            taken.clear();
            read_old = reading;
            flushed = true;
            if (drop.entries && !drop.by_asid && !drop.by_page && bench_below(2)) tables();
            else if (bench_below(2)) asid = space();
        } else if (!top->read_o) {
            flushed = false;
        }
        return bench_check(taken.empty() || now < taken.front().when + 200, "cycle %lu: a walk does not end", now) && bench_failed < 20;
    }
};

static void random_run() {
    struct bench b;
    unsigned percent = 10, flush_permille = 5;
    std::vector<uint64_t> hot;
    for (unsigned i = 0; i < 400000; i++) {
        if (i % 500 == 0) {
            percent = 1 + bench_below(60);
            flush_permille = bench_below(3) ? bench_below(10) : 40;
            b.latency = 1 + bench_below(12);
            hot.clear();
            for (int n = 0; n < 5; n++) hot.push_back(b.page());
        }
        for (int who = 0; who < REQUESTERS; who++) {
            if (b.want[who] || bench_below(who == UPDATE ? 1000 : 100) >= percent) continue;
            b.want[who] = true;
            b.wanted[who] = bench_below(2) ? hot[bench_below(5)] : b.page();
        }
        b.drop = (struct drop){bench_below(2) != 0, bench_below(2) != 0, bench_below(2) != 0, bench::space(), bench_below(2) ? hot[bench_below(5)] : b.page()};
        if (!b.cycle(bench_below(1000) < flush_permille)) break;
    }
    printf("%lu ends, %lu without a read, %lu reads, %lu of them dropped; by outcome:", b.ends, b.quick, b.reads, b.drained);
    for (unsigned o = 0; o < OUTCOMES; o++) {
        printf(" %lu", b.seen[o]);
        bench_check(b.seen[o] > 50, "outcome %u seen %lu times", o, b.seen[o]);
    }
    printf("\n");
    printf("large pages: %lu and %lu cut by a region's end, %lu and %lu not\n", b.cut[1], b.cut[2], b.whole[1], b.whole[2]);
    printf("memory map: %lu places in a region, %lu in none, %lu in a page that is one in part\n", b.places[1], b.places[0], b.uart);
    bench_check(b.places[0] > 50 && b.places[1] > 50 && b.uart > 50, "some kind of place was hardly seen");
    bench_check(b.cut[1] > 50 && b.cut[2] > 50 && b.whole[1] > 50 && b.whole[2] > 50, "cut or whole, some kind of large page was hardly seen");
    bench_check(b.updates > 500, "only %lu walks for ad_update", b.updates);
    bench_check(b.drained > 50 && (b.quick > 500 || b.top->l2_entries_o == 0), "random run did not reach its purpose");
}

// Cycles from the one in which it is taken to its end.
static uint64_t request(struct bench *b, int fetch, uint64_t vpn, uint64_t *reads) {
    b->want[fetch] = true;
    b->wanted[fetch] = vpn;
    while (b->taken.empty() && b->cycle(false)) b->want[fetch] = b->taken.empty();
    uint64_t from = b->now - 1, reads_before = b->reads;
    while (!b->taken.empty() && b->cycle(false)) {}
    *reads = b->reads - reads_before;
    return b->now - 1 - from;
}

static void second_level() {
    struct bench b;
    b.root = DRAM >> 12, b.base = 0, b.limit = (uint64_t)1 << 44;
    const uint64_t entries = b.top->l2_entries_o, table0 = DRAM + 0x2000;
    b.latency = 1;
    b.memory.clear();
    b.memory[DRAM] = V | (DRAM + 0x1000) >> 2;
    b.memory[DRAM + 0x1000] = V | table0 >> 2;
    b.memory[DRAM + 0x1008] = V | (table0 + 0x1000) >> 2;
    for (uint64_t i = 0; i < 1024; i++) b.memory[table0 + 8 * i] = V | R | A | (0x90000 + 3 * i) << 10;
    b.memory[DRAM + 8] = V | R | X | A | (uint64_t)0x40000 << 10; // 1 GiB
    uint64_t reads, cycles;
    const uint64_t count = entries == 0 || entries > 1024 ? 16 : entries;
    for (uint64_t i = 0; i < count; i++) {
        request(&b, i & 1, i, &reads);
        bench_check(reads == 3, "a walk of 3 levels takes %lu reads", reads);
    }
    if (entries == 0) return;
    for (uint64_t i = 0; i < count; i++) {
        cycles = request(&b, !(i & 1), i, &reads); // also for the other requester
        bench_check(reads == 0 && cycles == 2, "page %lx is in the L2 TLB, but takes %lu reads, %lu cycles", i, reads, cycles);
    }
    if (entries < 1024) {
        request(&b, 0, entries, &reads); // the same place as page 0
        bench_check(reads == 3, "page %lx was never walked, but takes %lu reads", entries, reads);
        request(&b, 0, 0, &reads);
        bench_check(reads == 3, "page 0 was thrown out, but takes %lu reads", reads);
        request(&b, 0, 1, &reads);
        bench_check(reads == 0, "page 1 was not thrown out, but takes %lu reads", reads);
    }
    for (int n = 0; n < 2; n++) {
        request(&b, 0, (1 << 18) + 5, &reads);
        bench_check(reads == 1, "a page of 1 GiB takes %lu reads", reads);
    }
    for (int who : {UPDATE, UPDATE, DATA}) { // ad_update's walks leave nothing behind, and find nothing
        request(&b, who, 1000, &reads);
        bench_check(reads == 3, "requester %d: %lu reads after a walk for ad_update", who, reads);
    }
    request(&b, UPDATE, 1000, &reads);
    bench_check(reads == 3, "a walk for ad_update takes %lu reads", reads);
    request(&b, 0, 3, &reads);
    auto memory = b.memory;
    uint64_t root = b.root;
    b.drop = EVERYTHING;
    b.cycle(true);
    b.asid = 0;
    b.memory = memory, b.root = root, b.base = 0, b.limit = (uint64_t)1 << 44;
    for (uint64_t i = 0; i < count; i++) {
        request(&b, 0, i, &reads);
        bench_check(reads == 3, "page %lx after a flush takes %lu reads", i, reads);
    }
}

// Whose translations the L2 TLB gives, and which a flush leaves there: reads of the table show it. All spaces have one table.
static void spaces(void) {
    struct bench b;
    if (b.top->l2_entries_o < 64 || b.top->l2_entries_o > 256) return; // pages 0 to 511 are mapped, with places enough for each
    const uint64_t table0 = DRAM + 0x2000, top_of_index = b.top->l2_entries_o / 4;
    b.latency = 1;
    auto set_up = [&]() {
        b.memory.clear();
        b.memory[DRAM] = V | (DRAM + 0x1000) >> 2;
        b.memory[DRAM + 0x1000] = V | table0 >> 2;
        for (uint64_t i = 0; i < 512; i++) b.memory[table0 + 8 * i] = V | R | A | (i >= 256 ? G : 0) | (0x90000 + 3 * i) << 10;
        b.root = DRAM >> 12, b.base = 0, b.limit = (uint64_t)1 << 44;
    };
    auto flush = [&](struct drop drop) {
        unsigned asid = b.asid;
        b.drop = drop;
        b.cycle(true);
        b.asid = asid;
        set_up();
    };
    auto reads = [&](unsigned asid, uint64_t vpn, uint64_t expected, const char *what) {
        uint64_t count;
        b.asid = asid;
        request(&b, (int)bench_below(2), vpn, &count);
        bench_check(count == expected, "%s: page %lx of space %u takes %lu reads, expected %lu", what, vpn, asid, count, expected);
    };
    set_up();
    flush(EVERYTHING);
    enum { THERE = 0, WALK = 3 };
    for (unsigned asid : {1, 2, 3, 0}) reads(asid, 7, WALK, "never walked there");
    for (unsigned asid : {1, 2, 3, 0}) reads(asid, 7, THERE, "neighbours have a place of their own");
    reads(5, 7, WALK, "another space, the same place");
    reads(1, 7, WALK, "thrown out");
    reads(129, 7, WALK, "the highest bit of the number differs");
    for (unsigned asid : {1, 2}) reads(asid, 9, WALK, "never walked there");
    flush(WALKS);
    for (unsigned asid : {1, 2}) reads(asid, 9, THERE, "no entry was to be dropped");
    reads(1, 300, WALK, "never walked");
    reads(5, 300, THERE, "global");
    reads(2, 300 ^ 3 * top_of_index, WALK, "the place of another global page");
    reads(5, 300, WALK, "thrown out");
    // By space.
    flush({true, true, false, 1, 9});
    reads(5, 300, THERE, "global, after a flush of one space");
    reads(2, 9, THERE, "after a flush of another space");
    reads(1, 9, WALK, "after a flush of its space");
    reads(1, 9, THERE, "walked again");
    // By page, and by both.
    reads(1, 11, WALK, "never walked");
    flush({true, false, true, 0, 9});
    for (unsigned asid : {1, 2}) reads(asid, 9, WALK, "after a flush of the page");
    reads(1, 11, THERE, "after a flush of another page");
    flush({true, true, true, 2, 9});
    reads(1, 9, THERE, "after a flush of the page in another space");
    reads(2, 9, WALK, "after a flush of the page in its space");
    flush({true, false, true, 3, 300});
    reads(5, 300, WALK, "global, after a flush of the page");
    reads(1, 11, THERE, "after a flush of another page");
    // As often as one likes.
    for (unsigned i = 0; i < 200; i++) {
        flush({true, true, false, 1, 0});
        reads(1, 11, WALK, "after one more flush of its space");
    }
    for (unsigned turns = 1; turns < 200; turns++) {
        reads(1, 11, turns == 1 ? THERE : WALK, "as it was left");
        for (unsigned i = 0; i < turns; i++) flush({true, true, false, 1, 0});
    }
    reads(2, 9, WALK, "after many flushes, which may drop more");
}

int main(int argc, char **argv) {
    bench_seed(argc, argv, 1039);
    random_run();
    second_level();
    spaces();
    return bench_end();
}
