// Another hart on the hub, where several are coherent: a cache without a core. It takes lines that the program uses, as
// loads, stores, prefetches and instruction misses would, writes the upper halves of those that it owns, and gives them
// back when the hub asks or when it evicts them. The program uses the lower halves alone, so that both know what they
// must find whatever the order; a line that went wrong lacks bytes of one of the two.
#pragma once
#include <deque>
#include <map>

enum other_kind { OTHER_GET, OTHER_OWN, OTHER_TRYGET, OTHER_IGET };
enum other_down { OTHER_SHARE, OTHER_INVAL, OTHER_TRY, OTHER_PEEK, OTHER_PUT_ACK };
enum other_copy { NONE, SHARED, EXCLUSIVE, MODIFIED };

static const unsigned OTHER_REQUESTS = 16, OTHER_VICTIMS = 16, OTHER_HALF = 32;

struct other_line {
    enum other_copy copy;
    uint8_t data[64];
};
struct other_asked {
    bool valid;
    unsigned kind;
    uint64_t addr, since;
};
struct other_victim {
    bool valid, live, sent;
    uint64_t addr;
    uint8_t data[64];
};
struct other_message { // to the cache: a snoop, an acknowledgement
    uint64_t at, addr;
    unsigned kind, tag;
};
struct other_end { // of a transaction
    uint64_t at;
    unsigned transaction;
};

static struct {
    bool on, quiet; // quiet: asks for nothing, and gives everything back
    unsigned rate;  // requests, per mille of cycles
    std::map<uint64_t, struct other_line> lines;
    struct other_asked asked[OTHER_REQUESTS];
    struct other_victim victims[OTHER_VICTIMS];
    std::deque<struct other_message> downs;
    std::deque<struct other_end> ends;
    uint64_t heard[5], refused, refuses, dirty, took, voids, writes, both;
} other;

static struct other_victim *other_victim_of(uint64_t addr) {
    for (struct other_victim &v : other.victims)
        if (v.valid && v.addr == addr) return &v;
    return NULL;
}

static bool other_evict(uint64_t addr, struct other_line *l) {
    if (l->copy == MODIFIED) {
        struct other_victim *v = NULL;
        for (struct other_victim &free : other.victims)
            if (!free.valid) v = &free;
        if (!v || other_victim_of(addr)) return false;
        *v = {true, true, false, addr, {}};
        memcpy(v->data, l->data, 64);
    }
    other.lines.erase(addr);
    return true;
}

static void other_send(const uint8_t *data, unsigned flags, unsigned tag, uint64_t addr) {
    top->other_up_i = (uint8_t)(32 | flags);
    top->other_up_tag_i = (uint8_t)tag;
    top->other_up_addr_i = addr;
    if (data) memcpy(&top->other_up_data_i[0], data, 64);
}

// What the hub has said longest ago.
static void other_hear(void) {
    const struct other_message m = other.downs.front();
    other.downs.pop_front();
    other.heard[m.kind]++;
    struct other_victim *v = other_victim_of(m.addr);
    if (m.kind == OTHER_PUT_ACK) {
        bench_check(m.tag < OTHER_VICTIMS && other.victims[m.tag].valid && other.victims[m.tag].sent,
                    "cycle %lu: PUT_ACK of what the other hart has not sent", cycle);
        other.victims[m.tag % OTHER_VICTIMS].valid = false;
        return;
    }
    auto found = other.lines.find(m.addr);
    enum other_copy copy = found == other.lines.end() ? NONE : found->second.copy;
    bool live = v && v->live, refuses = m.kind == OTHER_TRY && (copy >= EXCLUSIVE || live);
    bool has = m.kind != OTHER_TRY && (copy == MODIFIED || live);
    uint8_t data[64];
    if (has) memcpy(data, copy == MODIFIED ? found->second.data : v->data, 64);
    bool keeps = copy != NONE && !refuses && (m.kind == OTHER_SHARE || m.kind == OTHER_TRY);
    bool gave = m.kind == OTHER_INVAL ? copy != NONE : m.kind == OTHER_SHARE && copy >= EXCLUSIVE;
    if (live && (m.kind == OTHER_SHARE || m.kind == OTHER_INVAL)) {
        v->live = false;
        other.voids++;
    }
    if (copy != NONE && m.kind == OTHER_INVAL) other.lines.erase(found);
    if (copy != NONE && m.kind == OTHER_SHARE) found->second.copy = SHARED;
    other.refuses += refuses;
    other_send(has ? data : NULL, (unsigned)has << 3 | keeps << 2 | gave << 1 | refuses, m.tag, m.addr);
}

static void other_put(void) {
    struct other_victim *v = &other.victims[bench_below(OTHER_VICTIMS)];
    if (!v->valid || v->sent) return;
    v->sent = true;
    other_send(v->data, 16 | (unsigned)v->live << 3, (unsigned)(v - other.victims), v->addr);
}

static void other_ask(uint64_t addr) {
    struct other_asked *free = NULL;
    for (struct other_asked &a : other.asked) {
        if (a.valid && a.addr == addr) return;
        if (!a.valid) free = &a;
    }
    auto found = other.lines.find(addr);
    enum other_copy copy = found == other.lines.end() ? NONE : found->second.copy;
    unsigned kind = bench_below(4);
    bool wanted = kind == OTHER_IGET ? copy != MODIFIED : kind == OTHER_OWN ? copy < EXCLUSIVE : copy == NONE;
    for (const struct other_end &end : other.ends)
        if (kind == OTHER_IGET && end.at > cycle) wanted = false;
    if (!free || !wanted || other_victim_of(addr)) return;
    if (kind == OTHER_OWN) other.lines.erase(addr); // an upgrade drops its copy
    *free = {true, kind, addr, cycle};
    top->other_request_i = 1;
    top->other_kind_i = (uint8_t)kind;
    top->other_id_i = (uint8_t)(free - other.asked);
    top->other_addr_i = addr;
}

// Before the clock edge: what it sends in this cycle. `addr`: a line that the program uses.
static void other_drive(uint64_t addr) {
    top->ask_take_i = bench_below(4) != 0;
    top->other_request_i = top->other_up_i = top->other_done_i = 0;
    if (!other.downs.empty() && other.downs.front().at <= cycle)
        other_hear();
    else
        other_put();
    if (!other.ends.empty() && other.ends.front().at <= cycle) {
        top->other_done_i = 1;
        top->other_done_transaction_i = (uint8_t)other.ends.front().transaction;
        other.ends.pop_front();
    }
    bool memory = addr >= DRAM && addr < DRAM + DRAM_BYTES - TABLES;
    if (other.on && !other.quiet && memory && bench_below(1000) < other.rate) other_ask(addr & ~63ull);
    if (other.lines.empty() || (!other.quiet && bench_below(8))) return;
    auto at = other.lines.lower_bound(DRAM + bench_below(DRAM_BYTES / 64) * 64);
    if (at == other.lines.end()) at = other.lines.begin();
    if (other.quiet || bench_below(4) == 0) {
        other_evict(at->first, &at->second);
    } else if (at->second.copy >= EXCLUSIVE) {
        unsigned byte = OTHER_HALF + bench_below(32);
        at->second.copy = MODIFIED;
        at->second.data[byte] = reference[at->first - DRAM + byte] = (uint8_t)bench_random();
        other.writes++;
    }
}

// One writer, or many readers: what the unit finds in its cache, and what the other hart has.
static void other_compare(void) {
    for (unsigned p = 0; p < 4; p++) {
        if (!(top->hits_o >> p & 1)) continue;
        auto found = other.lines.find(top->hit_addr_o[p] & ~63ull);
        if (found == other.lines.end()) continue;
        bench_check(found->second.copy == SHARED, "cycle %lu: both harts have line %lx, the other one alone", cycle,
                    found->first);
        bench_check(!(top->writes_o >> p & 1), "cycle %lu: line %lx is written, and the other hart has it", cycle,
                    found->first);
        other.both++;
    }
}

// ... and what comes.
static void other_take(void) {
    other_compare();
    if (top->other_down_o >> 8)
        other.downs.push_back({cycle + 1 + bench_below(20), top->other_down_addr_o, top->other_down_o >> 5 & 7u,
                               top->other_down_o & 31u});
    unsigned a = top->other_answer_o;
    if (a >> 14) {
        struct other_asked *q = &other.asked[a >> 9 & 15];
        bench_check(q->valid, "cycle %lu: an answer to what the other hart has not asked", cycle);
        q->valid = false;
        bench_check(!(a >> 1 & 1), "cycle %lu: an error for the other hart", cycle);
        other.refused += a & 1;
        if (a & 1) {
            bench_check(q->kind == OTHER_TRYGET, "cycle %lu: refused, but no prefetch", cycle);
            return;
        }
        const uint8_t *data = (const uint8_t *)&top->other_answer_data_o[0];
        bool same = memcmp(data + OTHER_HALF, reference + (q->addr - DRAM) + OTHER_HALF, 64 - OTHER_HALF) == 0;
        if (q->kind == OTHER_IGET) return;
        bench_check(same, "cycle %lu: line %lx has lost what the other hart wrote", cycle, q->addr);
        bool exclusive = a >> 3 & 1, dirty = a >> 2 & 1;
        bench_check(exclusive || q->kind != OTHER_OWN, "cycle %lu: line %lx is not owned", cycle, q->addr);
        other.dirty += dirty;
        other.took++;
        struct other_line *l = &other.lines[q->addr];
        bench_check(l->copy == NONE, "cycle %lu: line %lx comes twice", cycle, q->addr);
        l->copy = dirty ? MODIFIED : exclusive ? EXCLUSIVE : SHARED;
        memcpy(l->data, data, 64);
        other.ends.push_back({cycle + 1 + bench_below(12), a >> 4 & 31});
    }
    for (const struct other_asked &q : other.asked)
        bench_check(!q.valid || cycle - q.since < 20000, "cycle %lu: the other hart waits for line %lx since %lu",
                    cycle, q.addr, q.since);
}

static bool other_settled(void) {
    bool busy = !other.lines.empty() || !other.downs.empty() || !other.ends.empty();
    for (const struct other_asked &q : other.asked)
        busy |= q.valid;
    for (const struct other_victim &v : other.victims)
        busy |= v.valid;
    return !busy;
}
