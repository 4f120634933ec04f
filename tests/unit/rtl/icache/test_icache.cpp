// Instruction cache: miss, fill, hit, capacity, invalidation (also of lines under way), next-line prefetch, and random
// accesses with random latencies in which memory changes only under invalidation.
#include "Vtop.h"
#include "bench.h"
#include "verilated.h"
#include <memory>
#include <set>
#include <vector>

struct request {
    uint64_t addr, accepted, due, generation;
    unsigned id;
};

struct bench {
    std::unique_ptr<Vtop> top = std::make_unique<Vtop>();
    std::vector<struct request> requests;
    std::vector<uint64_t> asked; // all lines asked for, in order
    uint64_t now = 0, generation = 0, invalidated = 0;
    unsigned latency = 10, spread = 1;

    bench() {
        top->rst_ni = 0;
        for (int i = 0; i < 3; i++) cycle();
        top->rst_ni = 1;
        cycle();
    }
    ~bench() { top->final(); }

    static uint16_t parcel(uint64_t addr, uint64_t generation) {
        uint64_t z = (addr + generation * 0x1234567) * 0xbf58476d1ce4e5b9ull;
        return (uint16_t)(z >> 33);
    }

    void cycle() {
        top->ready_i = spread == 1 || bench_below(3) != 0;
        top->resp_i = 0;
        for (size_t i = 0; i < requests.size(); i++) {
            if (requests[i].due > now) continue;
            top->resp_i = 1;
            top->resp_id_i = (CData)requests[i].id;
            for (unsigned w = 0; w < 16; w++)
                top->resp_data_i[w] = parcel(requests[i].addr + 4 * w, requests[i].generation) |
                                      (uint32_t)parcel(requests[i].addr + 4 * w + 2, requests[i].generation) << 16;
            requests.erase(requests.begin() + (long)i);
            break;
        }
        top->clk_i = 0;
        top->eval();
        top->clk_i = 1;
        top->eval();
        now++;
        if (top->invalidate_i) invalidated = now;
        top->invalidate_i = top->read_i = top->use_i = 0;
        if (top->req_o && top->ready_o) {
            // what was wanted before an invalidation may still be asked for, and dropped, just after it
            for (const struct request &r : requests)
                bench_check(r.addr != top->req_addr_o || r.accepted < invalidated + 20, "line 0x%lx asked for twice", r.addr);
            requests.push_back({top->req_addr_o, now, now + latency + bench_below(spread), generation, top->req_id_o});
            asked.push_back(top->req_addr_o);
        }
    }

    // F0 and F1 of one block; whether it hit. Data are compared with the newest generation.
    bool access(uint64_t addr, bool *pending) {
        top->read_i = 1;
        top->read_addr_i = addr;
        cycle();
        top->use_i = 1;
        cycle();
        bool hit = top->hit_o;
        bench_check(!top->error_o, "an error that the bus did not answer with");
        *pending = top->pending_o;
        if (hit) {
            uint64_t base = addr & ~(uint64_t)(top->block_bytes_o - 1);
            for (unsigned i = 0; i < top->block_bytes_o; i += 4) {
                uint32_t expected = parcel(base + i, generation) | (uint32_t)parcel(base + i + 2, generation) << 16;
                bench_check(top->data_o[i / 4] == expected, "0x%lx: %08x, expected %08x", base + i, top->data_o[i / 4], expected);
            }
        }
        return hit;
    }

    // Tries as the front end does: after a miss that is pending, wait for a fill. Number of misses seen.
    unsigned fetch(uint64_t addr) {
        bool pending;
        unsigned misses = 0;
        while (!access(addr, &pending)) {
            misses++;
            if (!bench_check(misses < 500, "0x%lx: never hits", addr)) break;
            for (unsigned i = 0; pending && !top->fill_o; i++) {
                cycle();
                if (!bench_check(i < 1000, "0x%lx: no fill", addr)) return misses;
            }
        }
        return misses;
    }

    // Whether a block is present; a miss asks for nothing.
    bool peek(uint64_t addr) {
        top->read_i = 1;
        top->read_addr_i = addr;
        cycle();
        cycle();
        return top->hit_o;
    }

    void idle(unsigned cycles) {
        while (cycles--) cycle();
    }
};

static void directed() {
    struct bench b;
    const uint64_t A = 0x80000000;
    unsigned sets = b.top->sets_o, ways = b.top->ways_o;
    bench_check(b.fetch(A) > 0, "a cold cache hits");
    bench_check(!b.asked.empty() && b.asked[0] == A, "first request is not for the line that missed");
    b.idle(30);
    for (unsigned o = 0; o < 64; o += b.top->block_bytes_o) bench_check(b.fetch(A + o) == 0, "block 0x%x of a cached line misses", o);
    bench_check(b.asked.size() == 2 && b.asked[1] == A + 64, "next line is not prefetched");
    bench_check(b.fetch(A + 64) == 0, "prefetched line misses");
    b.idle(30);
    bench_check(b.asked.size() == 3 && b.asked[2] == A + 128, "use of a prefetched line does not prefetch the next");
    b.fetch(A + 64);
    b.idle(30);
    bench_check(b.asked.size() == 3, "a second use prefetches again");

    // not past the page
    size_t before = b.asked.size();
    b.fetch(A + 0x1000 - 64);
    b.idle(30);
    bench_check(b.asked.size() == before + 1, "prefetch past the page");

    // a miss after a cached line does not ask for it
    b.fetch(A + 0x400);
    b.idle(30);
    before = b.asked.size();
    b.fetch(A + 0x400 - 64);
    b.idle(30);
    bench_check(b.asked.size() == before + 1, "prefetch of a cached line");

    // as many lines of a set as there are ways stay
    struct bench c;
    for (unsigned w = 0; w < ways; w++) {
        c.fetch(A + (uint64_t)w * sets * 64);
        c.idle(30);
    }
    for (unsigned w = 0; w < ways; w++) bench_check(c.fetch(A + (uint64_t)w * sets * 64) == 0, "way %u lost its line", w);
    c.fetch(A + (uint64_t)ways * sets * 64);
    unsigned lost = 0;
    bool pending;
    for (unsigned w = 0; w < ways; w++) lost += !c.access(A + (uint64_t)w * sets * 64, &pending);
    bench_check(lost == 1, "one line too many evicts %u", lost);

    // invalidation: of what is cached, of what a read in the same cycle sees, of what is under way
    struct bench d;
    d.fetch(A);
    d.idle(30);
    d.generation++;
    d.top->invalidate_i = 1;
    bench_check(!d.access(A, &pending), "read in the cycle of an invalidation hits");
    d.idle(30);
    bench_check(d.fetch(A) == 0, "refilled line misses");
    d.latency = 40;
    bench_check(!d.access(A + 0x2000, &pending) && pending, "no miss");
    d.idle(5);
    d.generation++;
    d.top->invalidate_i = 1;
    d.cycle();
    d.latency = 10;
    bench_check(d.fetch(A + 0x2000) > 0, "line asked for before an invalidation was kept");
    d.idle(60);
    bench_check(d.fetch(A + 0x2000) == 0, "line asked for after an invalidation was not kept");
}

// A line that is cached is not asked for again as the next one of a miss, in whichever way and set it is: pages from their
// last line down. After an invalidation it is.
static void next_line_is_there() {
    struct bench b;
    unsigned sets = b.top->sets_o, ways = b.top->ways_o;
    const uint64_t bytes = 64ull * sets;
    uint64_t pages[8];
    for (unsigned w = 0; w < ways && w < 8; w++) {
        pages[w] = 0x80000000 + bench_random() % 0x1000 * 0x10000 + w * bytes;
        for (unsigned line = sets; line-- > 0;) {
            b.fetch(pages[w] + 64 * line);
            b.idle(20);
        }
        bench_check(b.asked.size() == (size_t)(w + 1) * sets, "%zu requests for %u lines", b.asked.size(), (w + 1) * sets);
    }
    for (unsigned w = 0; w < ways && w < 8; w++) {
        b.top->invalidate_i = 1;
        b.cycle();
        size_t before = b.asked.size();
        b.fetch(pages[w]);
        b.idle(20);
        bench_check(b.asked.size() == before + 2 && b.asked.back() == pages[w] + 64, "the next line is not asked for after an invalidation");
    }
}

// A line that arrives in the cycle in which it is looked for as the next one of a miss is not asked for again: it would be
// in two ways. The arrival of another line changes nothing. Both arrivals pass through every cycle of that miss.
static void next_line_arrives() {
    const uint64_t A = 0x80000000, LAST_OF_PAGE = A + 0x2fc0;
    for (unsigned n = 0; n < 40; n++) {
        struct bench b;
        bool pending;
        unsigned ahead = n / 2;
        b.access(n % 2 ? LAST_OF_PAGE : A + 64, &pending);
        b.idle(ahead);
        b.fetch(A);
        b.idle(40);
        size_t asked = 0;
        for (uint64_t addr : b.asked) asked += addr == A + 64;
        bench_check(asked == 1, "a miss %u cycles after that of %s: its next line is asked for %zu times", ahead,
                    n % 2 ? "another line" : "its next line", asked);
        bench_check(b.fetch(A + 64) == 0 && b.fetch(A) == 0, "a miss %u cycles after another one: its line or the next has not come", ahead);
    }
}

// Which line a full set loses follows no pattern, and none is always spared.
static void replacement() {
    enum { FILLS = 400, MOST = 40 };
    struct bench b;
    unsigned sets = b.top->sets_o, ways = b.top->ways_o;
    std::vector<uint64_t> there;
    std::vector<unsigned> victims, count(ways, 0);
    uint64_t next = 0x80000000 + 0xfc0; // no next line in the page
    for (unsigned i = 0; i < FILLS; i++, next += 64ull * sets) {
        b.fetch(next);
        b.idle(10);
        if (there.size() < ways) {
            there.push_back(next);
            continue;
        }
        unsigned lost = 0;
        for (unsigned w = 0; w < ways; w++) {
            if (b.peek(there[w])) continue;
            lost++;
            count[w]++;
            victims.push_back(w);
            there[w] = next;
        }
        bench_check(lost == 1, "a fill of a full set has evicted %u lines", lost);
    }
    for (unsigned w = 0; w < ways; w++) bench_check(count[w] > FILLS / ways / 2, "way %u is lost %u times of %u", w, count[w], FILLS);
    for (unsigned period = 1; period <= MOST; period++) {
        unsigned same = 0;
        for (size_t i = period; i < victims.size(); i++) same += victims[i] == victims[i - period];
        bench_check(same != victims.size() - period, "victims come again after %u", period);
    }
}

static void random_run() {
    struct bench b;
    b.spread = 30;
    unsigned hits = 0, misses = 0;
    uint64_t at = 0x80000000;
    unsigned lines = b.top->sets_o * b.top->ways_o * 3 / 2;
    for (unsigned i = 0; i < 20000 && bench_failed < 20; i++) {
        b.latency = 1 + bench_below(40);
        if (bench_below(4) == 0) at = 0x80000000 + 64 * (uint64_t)bench_below(lines) + bench_below(64);
        else at += b.top->block_bytes_o;
        bool pending;
        if (bench_below(3) == 0) b.access(at, &pending); // a wrong path: gone before the line comes
        else if (b.fetch(at)) misses++;
        else hits++;
        if (bench_below(400) == 0) {
            b.top->invalidate_i = 1;
            b.generation++;
            b.cycle();
        }
    }
    bench_check(hits > 1000 && misses > 100, "%u hits, %u misses", hits, misses);
}

int main(int argc, char **argv) {
    bench_seed(argc, argv, 64);
    directed();
    next_line_is_there();
    next_line_arrives();
    replacement();
    random_run();
    return bench_end();
}
