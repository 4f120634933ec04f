// The hub between caches that keep the protocol of hub_pkg, as tests/coherence has it, and a memory that answers in any
// order. Channels take a random time each. What must hold: a copy has what was written last; one owner a line; an
// instruction miss gets a value that the line had since it asked; requests of a line begin in the order in which they
// come; nobody waits forever. With one hart less, the host has its port: no cache, and a line is its alone
// from the answer to `done`. Counters show that each case occurs.
#include "Vtop.h"
#include "bench.h"
#include "verilated.h"
#include <algorithm>
#include <deque>
#include <memory>
#include <vector>

enum {
    STEPS = 100000,
    HARTS = 4,
    HOST = HARTS - 1,
    LINES = 6,
    BAD = 5,
    TRANSACTIONS = 3,
    COPIES = 2,
    HOLD = 32,
    PATIENCE = 3000
};
enum copy { INVALID, SHARED, EXCLUSIVE, MODIFIED };
enum request { GET, OWN, TRYGET, IGET, REQUESTS };
enum kind { SHARE, INVAL, TRY, PEEK, PUT_ACK, DOWNS };

// A channel: in order, each message some cycles on its way.
template <typename T> struct channel {
    std::deque<std::pair<unsigned long, T>> way;
    void push(unsigned long now, T message) {
        unsigned long due = now + 1 + bench_below(8);
        if (!way.empty()) due = std::max(due, way.back().first + 1);
        way.push_back({due, message});
    }
    bool has(unsigned long now) const { return !way.empty() && way.front().first <= now; }
    T pop() {
        T message = way.front().second;
        way.pop_front();
        return message;
    }
};
struct asked {
    bool valid;
    unsigned kind, line;
    unsigned long since, arrived;
};
struct up {
    bool put, has, keeps, gave, refuses;
    unsigned tag, line;
    uint64_t word;
};
struct down {
    unsigned kind, tag, line;
};
struct answer {
    unsigned id, transaction;
    bool exclusive, dirty, peer, llc, error, refused;
    uint64_t word;
};
struct victim {
    bool valid, live, sent;
    unsigned line;
    uint64_t word;
};
struct ask {
    unsigned kind, id, line;
};
struct line {
    enum copy copy;
    uint64_t word;
    unsigned long held_until; // the line stays until then, or until it is used
    unsigned held_for;        // enum request
};
struct hart {
    struct line lines[LINES];
    std::vector<struct asked> asked;
    std::vector<struct victim> victims;
    channel<struct ask> requests;
    channel<struct up> ups;
    channel<struct down> downs;
    channel<struct answer> answers;
    channel<unsigned> dones;
};
struct write {
    unsigned long when;
    uint64_t word;
};
struct read {
    unsigned id, line;
    uint64_t word;
    bool error;
};
struct open {                         // what a transaction has done so far, by its number
    bool insn, took, kept, data, llc; // memory was read for instructions; a cache gave data or a copy, keeps one, gave
                                      // data; the LLC missed
    unsigned snooped;
};

static Vtop *top;
static struct hart harts[HARTS];
static std::vector<struct write> written[LINES]; // what each line was, in order
static uint64_t memory[LINES];
static std::vector<struct read> reads;
static struct open opens[32];
struct turn {
    unsigned long when;
    unsigned hart, id;
};
static std::deque<struct turn> order[LINES]; // requests that have come and are not answered
static unsigned long now, asks[REQUESTS], snoops[DOWNS], refusals, errors, saved, dirty_answers, peers, alone, voids,
    held, void_puts, insn_reads, llc_answers, ties;
static unsigned long host_reads, host_writes, brought, shared, memory_writes, overtook, used[TRANSACTIONS];
static unsigned present;   // which harts exist, a bit each
static bool host;          // the last one's port is the host's
static unsigned host_done; // the transaction that ends when its PUT is acknowledged

static unsigned copies(const struct hart *h) {
    unsigned n = 0;
    for (const struct line &l : h->lines)
        n += l.copy != INVALID;
    return n;
}
static struct victim *victim_of(struct hart *h, unsigned line) {
    for (struct victim &v : h->victims)
        if (v.valid && v.line == line) return &v;
    return nullptr;
}
static bool pending(const struct hart *h, unsigned line) {
    for (const struct asked &a : h->asked)
        if (a.valid && a.line == line) return true;
    return false;
}

// A line leaves; false: no room for its data.
static bool evict(struct hart *h, unsigned line) {
    struct line *l = &h->lines[line];
    if (l->copy == MODIFIED) {
        unsigned i = 0;
        while (i < h->victims.size() && h->victims[i].valid)
            i++;
        if (i == h->victims.size()) return false;
        h->victims[i] = {true, true, false, line, l->word};
    }
    l->copy = INVALID;
    return true;
}

// What software does: reads and writes of what exists, requests of what is not.
static void work(unsigned number) {
    struct hart *h = &harts[number];
    unsigned line = bench_below(LINES), what = bench_below(8);
    struct line *l = &h->lines[line];
    if (l->copy != INVALID)
        bench_check(l->word == written[line].back().word, "hart %u, line %u: not what was written last", number, line);
    if (what == 0 && l->copy != INVALID && l->held_until <= now) evict(h, line);
    if (what <= 2 && l->copy != INVALID) { // a load, or the use that a load's line is held for
        if (l->held_for == GET) l->held_until = now;
    } else if (what <= 4 && l->copy >= EXCLUSIVE) {
        for (unsigned i = 0; i < HARTS; i++)
            bench_check(i == number || harts[i].lines[line].copy == INVALID, "hart %u writes line %u, hart %u has it",
                        number, line, i);
        l->copy = MODIFIED;
        l->word = bench_random();
        l->held_until = now;
        written[line].push_back({now, l->word});
    } else if (what >= 5) {
        unsigned kind = bench_below(REQUESTS), id = bench_below((unsigned)h->asked.size());
        while (id < h->asked.size() && h->asked[id].valid)
            id++;
        bool wanted = kind == IGET ? l->copy != MODIFIED : kind == OWN ? l->copy < EXCLUSIVE : l->copy == INVALID;
        if (id == h->asked.size() || !wanted || pending(h, line) || victim_of(h, line)) return;
        if (kind == OWN) l->copy = INVALID; // an upgrade drops its copy
        h->asked[id] = {true, kind, line, now, 0};
        h->requests.push(now, {kind, id, line});
        asks[kind]++;
    }
}

// The next message of the hub; false: it waits, as the line that it takes is held.
static bool hear(unsigned number) {
    struct hart *h = &harts[number];
    struct down d = h->downs.way.front().second;
    struct line *l = &h->lines[d.line];
    struct up ack = {false, false, false, false, false, d.tag, d.line, 0};
    snoops[d.kind]++;
    if (d.kind == PUT_ACK) {
        bench_check(d.tag < h->victims.size() && h->victims[d.tag].valid && h->victims[d.tag].line == d.line,
                    "hart %u: PUT_ACK of no victim", number);
        h->victims[d.tag].valid = false;
        return true;
    }
    struct victim *v = victim_of(h, d.line);
    bool loses = d.kind == INVAL || (d.kind == SHARE && l->held_for == OWN);
    if (l->copy != INVALID && loses && l->held_until > now) {
        held++;
        return false;
    }
    if (d.kind == TRY && (l->copy >= EXCLUSIVE || (v && v->live))) {
        ack.refuses = true;
    } else {
        if (d.kind != TRY && (l->copy == MODIFIED || (v && v->live))) {
            ack.has = true;
            ack.word = l->copy == MODIFIED ? l->word : v->word;
            if (l->copy != MODIFIED && d.kind != PEEK) {
                v->live = false;
                voids++;
            }
        }
        if (d.kind != PEEK) {
            ack.gave = d.kind == INVAL ? l->copy != INVALID : l->copy >= EXCLUSIVE;
            l->copy = d.kind == INVAL || l->copy == INVALID ? INVALID : SHARED;
            ack.keeps = l->copy != INVALID;
        }
    }
    opens[d.tag].snooped |= 1u << number;
    opens[d.tag].took |= ack.has || ack.gave;
    opens[d.tag].kept |= ack.keeps;
    opens[d.tag].data |= ack.has;
    shared += ack.has && d.kind == SHARE;
    h->ups.push(now, ack);
    return true;
}

// PUTs of victims, some time after they left the cache; void ones bring no data.
static void send(struct hart *h) {
    unsigned i = bench_below((unsigned)h->victims.size());
    struct victim *v = &h->victims[i];
    if (!v->valid || v->sent || bench_below(4)) return;
    v->sent = true;
    void_puts += !v->live;
    h->ups.push(now, {true, v->live, false, false, false, i, v->line, v->word});
}

static bool had_since(unsigned line, unsigned long since, uint64_t word) {
    for (size_t i = written[line].size(); i-- > 0;) {
        if (written[line][i].word == word) return true;
        if (written[line][i].when < since) return false;
    }
    return false;
}

// An answer; false: no room for the line, or for what it drives out.
static bool refill(unsigned number) {
    struct hart *h = &harts[number];
    struct answer a = h->answers.way.front().second;
    struct asked *q = &h->asked[a.id];
    struct line *l = &h->lines[q->line];
    if (a.error || a.refused) {
        bench_check(a.error ? q->line == BAD : q->kind == TRYGET, "hart %u, line %u: error %d, refused %d", number,
                    q->line, a.error, a.refused);
        refusals += a.refused;
        errors += a.error;
        q->valid = false;
        return true;
    }
    bench_check(q->line != BAD, "hart %u: the bad line came", number);
    if (q->kind == IGET) {
        bench_check(had_since(q->line, q->since, a.word), "hart %u, line %u: an instruction that it never was", number,
                    q->line);
    } else {
        for (unsigned line = 0; line < LINES && copies(h) >= COPIES; line++)
            if (h->lines[line].copy != INVALID && h->lines[line].held_until <= now) evict(h, line);
        if (copies(h) >= COPIES) return false;
        bench_check(l->copy == INVALID, "hart %u, line %u: two copies", number, q->line);
        bench_check(a.word == written[q->line].back().word,
                    "hart %u, line %u: an answer that is not what was written last", number, q->line);
        bench_check(a.exclusive || q->kind != OWN, "hart %u, line %u: not owned", number, q->line);
        bench_check(!a.dirty || q->kind == OWN, "hart %u, line %u: dirty and shared", number, q->line);
        bench_check(a.dirty || memory[q->line] == a.word, "hart %u, line %u: memory does not have it", number, q->line);
        for (unsigned i = 0; i < HARTS; i++)
            bench_check(i == number || harts[i].lines[q->line].copy == INVALID ||
                            (!a.exclusive && harts[i].lines[q->line].copy == SHARED),
                        "line %u: harts %u and %u", q->line, number, i);
        l->copy = !a.exclusive ? SHARED : a.dirty ? MODIFIED : EXCLUSIVE;
        l->word = a.word;
        l->held_for = q->kind;
        l->held_until = q->kind == TRYGET ? now : now + HOLD;
        h->dones.push(now, a.transaction);
        dirty_answers += a.dirty;
        peers += a.peer;
        alone += a.exclusive && q->kind == GET;
        llc_answers += a.llc;
    }
    q->valid = false;
    return true;
}

// The host: asks for a line now and then, writes what it owns in the cycle of the answer, brought it and ends.
static void ask_as_host(struct hart *h) {
    unsigned line = bench_below(LINES), kind = bench_below(2) ? OWN : GET;
    if (h->asked[0].valid || h->victims[0].valid || line == BAD || bench_below(8)) return;
    h->asked[0] = {true, kind, line, now, 0};
    h->requests.push(now, {kind, 0, line});
}

static void answer_to_host(struct hart *h, const struct answer &a) {
    unsigned line = h->asked[0].line;
    const bool owns = h->asked[0].kind == OWN;
    bench_check(a.word == written[line].back().word, "the host, line %u: not what was written last", line);
    for (unsigned i = 0; i < HARTS && owns; i++)
        bench_check(harts[i].lines[line].copy == INVALID, "the host owns line %u, hart %u has it", line, i);
    if (owns) {
        written[line].push_back({now, bench_random()});
        h->victims[0] = {true, true, true, line, written[line].back().word};
        h->ups.push(now, {true, true, false, false, false, 0, line, written[line].back().word});
        host_done = a.transaction;
        host_writes++;
    } else {
        h->dones.push(now, a.transaction);
        h->asked[0].valid = false;
        host_reads++;
    }
}

static void host_port() {
    struct hart *h = &harts[HOST];
    ask_as_host(h);
    if (h->downs.has(now)) {
        bench_check(h->downs.way.front().second.kind == PUT_ACK, "the host is snooped");
        h->downs.pop();
        h->victims[0].valid = h->asked[0].valid = false;
        h->dones.push(now, host_done);
    }
    if (h->answers.has(now)) answer_to_host(h, h->answers.pop());
}

// What no valid message uses says anything: a PUT keeps, gives and refuses nothing.
static void nonsense(unsigned i) {
    top->request_kind_i[i] = (uint8_t)bench_below(4);
    top->request_id_i[i] = (uint8_t)bench_below(32);
    top->request_line_i[i] = (uint8_t)bench_below(LINES);
    top->up_tag_i[i] = (uint8_t)bench_below(32);
    top->up_line_i[i] = (uint8_t)bench_below(LINES);
    top->up_word_i[i] = bench_random();
    top->done_transaction_i[i] = (uint8_t)bench_below(32);
    top->memory_resp_id_i = (uint8_t)bench_below(TRANSACTIONS);
    top->memory_resp_word_i = bench_random();
    top->memory_resp_llc_i = top->memory_resp_error_i = (uint8_t)bench_below(2);
}

static void offer() {
    unsigned request = 0, up = 0, put = 0, has = 0, keeps = 0, gave = 0, refuses = 0, done = 0;
    for (unsigned i = 0; i < HARTS; i++) {
        struct hart *h = &harts[i];
        nonsense(i);
        if (h->requests.has(now)) {
            struct ask a = h->requests.pop();
            request |= 1u << i;
            top->request_kind_i[i] = (uint8_t)a.kind;
            top->request_id_i[i] = (uint8_t)a.id;
            top->request_line_i[i] = (uint8_t)a.line;
            order[a.line].push_back({now, i, a.id});
        }
        if (h->ups.has(now)) {
            struct up u = h->ups.pop();
            up |= 1u << i;
            put |= (unsigned)u.put << i;
            has |= (unsigned)u.has << i;
            keeps |= (unsigned)u.keeps << i;
            gave |= (unsigned)u.gave << i;
            refuses |= (unsigned)u.refuses << i;
            if (u.put) {
                keeps |= bench_below(2) << i, gave |= bench_below(2) << i, refuses |= bench_below(2) << i;
                brought += u.has;
            }
            top->up_tag_i[i] = (uint8_t)u.tag;
            top->up_line_i[i] = (uint8_t)u.line;
            top->up_word_i[i] = u.word;
        }
        if (h->dones.has(now)) {
            done |= 1u << i;
            top->done_transaction_i[i] = (uint8_t)h->dones.pop();
        }
    }
    top->request_i = (uint8_t)request;
    top->up_i = (uint8_t)up;
    top->up_put_i = (uint8_t)put;
    top->up_has_i = (uint8_t)has;
    top->up_keeps_i = (uint8_t)keeps;
    top->up_gave_i = (uint8_t)gave;
    top->up_refuses_i = (uint8_t)refuses;
    top->done_i = (uint8_t)done;
    top->memory_ready_i = bench_below(4) != 0;
    top->memory_resp_i = 0;
    if (!reads.empty() && !bench_below(3)) {
        size_t i = bench_below((unsigned)reads.size());
        top->memory_resp_i = 1;
        top->memory_resp_id_i = (uint8_t)reads[i].id;
        top->memory_resp_word_i = reads[i].word;
        top->memory_resp_llc_i = reads[i].line & 1;
        top->memory_resp_error_i = reads[i].error;
        reads.erase(reads.begin() + (long)i);
    }
}

// What comes out of the hub in this cycle.
static void take(unsigned harts_taken) {
    for (unsigned i = 0; i < HARTS; i++) {
        struct hart *h = &harts[i];
        if (top->down_o >> i & 1) h->downs.push(now, {top->down_kind_o[i], top->down_tag_o[i], top->down_line_o[i]});
        if (!(harts_taken >> i & 1)) continue;
        unsigned id = top->answer_id_o;
        if (!bench_check(id < h->asked.size() && h->asked[id].valid, "hart %u: an answer to %u, which is not asked", i,
                         id))
            continue;
        bench_check(!top->answer_torn_o, "an answer of two lines");
        unsigned line = h->asked[id].line;
        const struct open *o = &opens[top->answer_transaction_o];
        bench_check(o->snooped == (present & ~(1u << i)), "hart %u, line %u: snoops to %x", i, line, o->snooped);
        bench_check(o->insn == (h->asked[id].kind == IGET), "hart %u, line %u: an instruction port's read: %d", i, line,
                    o->insn);
        bench_check(o->took == top->answer_peer_o, "hart %u, line %u: took something of another cache: %d", i, line,
                    o->took);
        const unsigned kind = h->asked[id].kind;
        for (const struct read &r : reads)
            overtook += r.id == top->answer_transaction_o && !r.error; // memory's data come too late
        used[top->answer_transaction_o % TRANSACTIONS]++;
        bench_check(top->answer_exclusive_o == (kind != IGET && !o->kept), "hart %u, line %u: exclusive %d", i, line,
                    top->answer_exclusive_o);
        bench_check(top->answer_dirty_o == (kind == OWN && o->data), "hart %u, line %u: dirty %d", i, line,
                    top->answer_dirty_o);
        // Another cache's data may come before memory's, which nobody waits for then.
        bench_check(top->answer_llc_miss_o == o->llc || (o->data && !top->answer_llc_miss_o),
                    "hart %u, line %u: beyond the LLC %d", i, line, top->answer_llc_miss_o);
        std::deque<struct turn> *waiting = &order[line];
        for (size_t place = 0; place < waiting->size(); place++) {
            if ((*waiting)[place].hart != i || (*waiting)[place].id != id) continue;
            bench_check((*waiting)[place].when <= waiting->front().when + ties, "hart %u: line %u out of turn", i,
                        line);
            waiting->erase(waiting->begin() + (long)place);
            break;
        }
        h->answers.push(now, {id, top->answer_transaction_o, (bool)top->answer_exclusive_o, (bool)top->answer_dirty_o,
                              (bool)top->answer_peer_o, (bool)top->answer_llc_miss_o, (bool)top->answer_error_o,
                              (bool)top->answer_refused_o, top->answer_word_o});
    }
}

// The memory port: accesses take effect in the cycle in which they are accepted.
static void access() {
    if (!top->memory_o || !top->memory_ready_i) return;
    unsigned line = top->memory_line_o;
    if (!bench_check(line < LINES, "memory: line %u", line)) return;
    if (top->memory_write_o) {
        bench_check(!top->memory_torn_o && !top->memory_insn_o, "a write of two lines, or for instructions");
        // Of what a PUT brings, and of what an ACK brings for a copy that is shared: nothing else is new.
        bench_check(++memory_writes <= brought + shared, "%lu writes: %lu PUTs, %lu shared", memory_writes, brought,
                    shared);
        memory[line] = top->memory_word_o;
    } else {
        // Who has newer data gives them, and then an error means nothing. An instruction miss's own cache may have
        // them.
        bool stale = memory[line] != written[line].back().word && !top->memory_insn_o;
        bool error = line == BAD || (stale && bench_below(2));
        saved += stale && error;
        reads.push_back({top->memory_id_o, line, memory[line], error});
        opens[top->memory_id_o] = {(bool)top->memory_insn_o, false, false, false, (bool)(line & 1), 0};
        insn_reads += top->memory_insn_o;
    }
}

static void caches() {
    if (host) host_port();
    for (unsigned i = 0; i < HARTS; i++) {
        struct hart *h = &harts[i];
        if (!(present >> i & 1)) continue;
        work(i);
        send(h);
        if (h->downs.has(now) && bench_below(3) && hear(i)) h->downs.pop();
        if (h->answers.has(now) && refill(i)) h->answers.pop();
        for (const struct asked &a : h->asked)
            bench_check(!a.valid || now - a.since < PATIENCE, "hart %u waits for line %u since %lu, at %lu", i, a.line,
                        a.since, now);
    }
}

// From reset, with empty caches.
static void reset() {
    for (struct hart &h : harts) {
        h = {};
        h.asked.resize(top->requests_o);
        h.victims.resize(top->victims_o);
    }
    reads.clear();
    for (unsigned line = 0; line < LINES; line++) {
        order[line].clear();
        written[line] = {{now, 0}};
        memory[line] = 0;
    }
    ties = HARTS * LINES; // at most as many at once
    top->present_i = (uint8_t)present;
    brought = shared = memory_writes = 0;
    top->rst_ni = 0;
    top->clk_i = 0;
    top->eval();
    top->clk_i = 1;
    top->eval();
    bench_check(!top->down_o && !top->answer_o, "a message leaves in reset");
    top->rst_ni = 1;
}

static void run(unsigned long until) {
    top->eval();
    reset();
    for (; now < until && bench_failed < 20; now++) {
        offer();
        top->clk_i = 0;
        top->eval();
        access();
        top->clk_i = 1;
        top->eval();
        take(top->answer_o);
        caches();
    }
}

#include "breaches.h"

int main(int argc, char **argv) {
    bench_seed(argc, argv, 11);
    const auto model = std::make_unique<Vtop>();
    top = model.get();
    for (present = (1u << HARTS) - 1; present && bench_failed < 20; present >>= 1) { // reset in the midst of it, too
        host = present == (1u << HOST) - 1;
        run(now + STEPS);
    }
    breaches();
    for (unsigned long n : used)
        bench_check(n > 1000 && overtook > 100, "transactions: %lu; %lu answers before memory's", n, overtook);
    bench_check(host_reads > 100 && host_writes > 100, "the host: %lu reads, %lu writes", host_reads, host_writes);
    for (unsigned kind = 0; kind < REQUESTS; kind++)
        bench_check(asks[kind] > 1000, "requests of kind %u: %lu", kind, asks[kind]);
    for (unsigned kind = 0; kind < DOWNS; kind++)
        bench_check(snoops[kind] > 1000, "messages of kind %u: %lu", kind, snoops[kind]);
    const unsigned long seen[] = {refusals, errors, saved,     dirty_answers, peers,      alone,
                                  voids,    held,   void_puts, insn_reads,    llc_answers};
    for (unsigned long n : seen)
        bench_check(n > 100,
                    "refusals %lu, errors %lu, saved %lu, dirty answers %lu, of others %lu, alone %lu, voids %lu, held "
                    "%lu, void PUTs %lu, insn %lu, llc %lu",
                    refusals, errors, saved, dirty_answers, peers, alone, voids, held, void_puts, insn_reads,
                    llc_answers);
    return bench_end();
}
