// A toy machine of several harts for tests: real instructions, executed by an ISS of each hart; loads are bound out of
// order, stores wait in a buffer and are forwarded byte by byte, one line moves between the harts' caches. It emits
// what a core's model emits, cycle by cycle. One of its own rules can be taken out (enum bug), or what it emits
// changed.
#ifndef TIPOFF_TESTS_TOY_HARTS_H
#define TIPOFF_TESTS_TOY_HARTS_H

#include "iss/iss.h"
#include "memory_map.h"
#include "trace/cycle.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/base/program_image.h"

#define DATA (ELF_ADDRESS + 0x10000)
enum { BOOT = 7 }; // five of the boot ROM, two of the program
enum { TOY_HARTS = 4, WINDOW = 8, BUFFER = 4, PLACES = 16, LOADS = 16, STORES = 12, WIDTH = 2, WORDS = 64 };
enum bug {
    SOUND,
    NO_REPLAY,      // a younger load of the same bytes keeps its value when an older one is bound
    FENCE_IGNORED,  // loads pass fences
    FENCE_TOO_SOON, // a fence does not wait for the store buffer
    OUT_OF_ORDER,   // any store of the buffer may go first
    NO_FORWARD,     // a load does not see the buffer
    SC_ALWAYS,      // succeeds whatever others stored
    AMO_NOT_AGAIN,  // an AMO whose bytes were stored to between does not begin again
    WRITES_SHARED,  // stores to a line that it may only read
    KEEPS_COPY,     // does not drop its line when another hart gets it for writing
    WRONG_VALUE,    // a load returns one bit wrong
    STORE_LATE,     // what is emitted: a store two cycles late, ...
    STORE_EARLY,    // ... or in the cycle before, ...
    LOAD_LATE,      // ... a load twelve cycles late, after another hart's store to it
    BUGS
};

enum act { NOTHING, LOAD, STORE, AMO, LR, SC, FENCE };
struct slot { // an instruction that has not retired
    uint64_t pc, address, value;
    uint32_t insn;
    enum act act;
    unsigned size, load, store;
    bool bound;
};
struct waiting_store {
    uint64_t address, data;
    unsigned size, id;
};
enum line { GONE, SHARED, OWNED };
struct toy {
    struct iss *iss; // what its instructions do; its memory is patched before each load
    uint32_t code[WORDS];
    struct slot window[WINDOW];
    struct waiting_store buffer[BUFFER];
    unsigned count, waiting, next_load, next_store;
    uint64_t fetch;
    bool reserved, amo_open, amo_lost, drains;
    uint64_t reserved_at, gets_at, keeps_until; // the cycle in which it gets the line; until which it keeps it
    enum line line, gets;
    struct trace_cycle now; // what it emits
    struct access_event held;
    bool holds; // an access that is emitted late
    uint64_t held_until;
    unsigned boot; // instructions so far, up to BOOT
};

static struct toy toys[TOY_HARTS];
static unsigned harts;
static uint8_t contents[PLACES];
static uint64_t seed, now_cycle;
static enum bug bug;

static unsigned chance(unsigned of) {
    seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407;
    return (unsigned)(seed >> 33) % of;
}

// ---- programs ----
static uint32_t random_insn(void) {
    static const uint32_t regs[] = {0, 5, 6, 7};
    const uint32_t rd = regs[chance(4)] << 7, data = regs[chance(4)] << 20, size = chance(4);
    const uint32_t offset = chance(PLACES >> size) << size, base = (8 + chance(2)) << 15, wide = (2 + chance(2)) << 12;
    const uint32_t order = chance(4) << 25;
    switch (chance(12)) {
    case 0:
    case 1:
    case 2: return offset << 20 | 8 << 15 | size << 12 | rd | 0x03;
    case 3:
    case 4:
    case 5: return data | 8 << 15 | size << 12 | offset << 7 | 0x23;
    case 6: return (chance(2) ? 0x0u : 0x08000000u) | order | data | base | wide | rd | 0x2f; // amoadd, amoswap
    case 7: return 0x10000000 | order | base | wide | rd | 0x2f;                              // lr
    case 8: return 0x18000000 | order | data | base | wide | rd | 0x2f;                       // sc
    case 9: return chance(4) ? (1 + chance(3)) << 24 | (1 + chance(3)) << 20 | 0x0f : 0x8330000f;
    case 10: return data | (5 + chance(3)) << 15 | 1 << 12 | 0x463;  // bne: to the next but one, if it does
    default: return data | (5 + chance(3)) << 15 | (5u << 7) | 0x33; // add t0
    }
}

static struct image *toy_program(uint32_t code[WORDS]) {
    code[0] = 0x00010417; // auipc s0, 0x10
    code[1] = 0x00840493; // addi s1, s0, 8
    for (unsigned i = 2; i < WORDS - 1; i++) {
        code[i] = random_insn();
        const uint32_t source = code[i] >> 15 & 31; // never taken
        if ((code[i] & 0x7f) == 0x63) code[i] = (code[i] & ~(31u << 20)) | source << 20;
    }
    // Whatever the numbers: a fence between a store and loads, an LR with its SC.
    static const uint32_t always[] = {0x00543023, 0x0330000f, 0x00843303, 0x00843383, 0x1004332f, 0x1854332f};
    memcpy(code + 2, always, sizeof always); // sd t0; fence rw, rw; ld t1; ld t2; lr.d t1; sc.d t1, t0
    code[WORDS - 1] = 0xf0dff06f;            // j to the third one
    return program_image(code, WORDS * sizeof *code);
}

static struct slot decode(struct toy *t, uint64_t pc, uint32_t insn) {
    struct slot s = {.pc = pc, .insn = insn, .size = 1u << (insn >> 12 & 3)};
    const uint64_t base = DATA + ((insn >> 15 & 31) == 9 ? 8 : 0);
    switch (insn & 0x7f) {
    case 0x03:
        s.act = LOAD;
        s.address = DATA + (insn >> 20);
        break;
    case 0x23:
        s.act = STORE;
        s.address = DATA + (insn >> 7 & 31);
        break;
    case 0x2f:
        s.act = insn >> 27 == 2 ? LR : insn >> 27 == 3 ? SC : AMO;
        s.address = base;
        break;
    case 0x0f: s.act = FENCE; break;
    default: break;
    }
    if (s.act == LOAD) s.load = t->next_load++ % LOADS;
    if (s.act == STORE) s.store = t->next_store++ % STORES;
    return s;
}

static void fill(struct toy *t) {
    const uint64_t last = ELF_ADDRESS + sizeof t->code - 4;
    if (t->count == WINDOW || t->fetch < ELF_ADDRESS) return;
    t->window[t->count++] = decode(t, t->fetch, t->code[(t->fetch - ELF_ADDRESS) / 4]);
    t->fetch = t->fetch == last ? ELF_ADDRESS + 8 : t->fetch + 4;
}

// ---- what it emits ----
static void emit_access(struct toy *t, const struct access_event *access) {
    t->now.accesses.list[t->now.accesses.count++] = *access;
}
static void emit(struct toy *t, enum access_kind kind, const struct slot *s, unsigned id, uint64_t data) {
    const struct access_event a = {(uint8_t)kind, (uint8_t)s->size, (uint16_t)id, s->address, data};
    t->holds = (kind == ACCESS_STORE && bug == STORE_LATE) || (kind == ACCESS_LOAD && bug == LOAD_LATE);
    t->held = a;
    t->held_until = now_cycle + (bug == STORE_LATE ? 2 : 12);
    if (!t->holds) emit_access(t, &a);
}
static void emit_line(struct toy *t, enum line line) {
    const struct access_event a = {line == OWNED    ? ACCESS_LINE_OWNED
                                   : line == SHARED ? ACCESS_LINE_SHARED
                                                    : ACCESS_LINE_LOST,
                                   1, 0, DATA, 0};
    if (bug == SOUND || bug == WRITES_SHARED || bug == KEEPS_COPY) emit_access(t, &a);
}

static void retire(struct toy *t, const struct iss_retire *step) {
    t->now.left.retired[t->now.left.count++] = (struct retired){.pc = step->pc,
                                                                .insn = step->insn,
                                                                .rd_written = step->rd_written,
                                                                .rd_fp = step->rd_fp,
                                                                .rd = step->rd,
                                                                .rd_value = step->rd_value,
                                                                .stored = step->access == ISS_ACCESS_STORE,
                                                                .store_bytes = step->size,
                                                                .store_addr = step->address,
                                                                .store_data = step->data};
}

// The window's first one is executed; force: as of hart_set_sc.
static struct iss_retire execute(struct toy *t, int force) {
    struct slot *s = &t->window[0];
    struct iss_retire step;
    if (t->count && s->bound) iss_show(t->iss, s->address, s->size, s->value);
    hart_set_sc(iss_only(t->iss), force);
    hart_step(iss_only(t->iss), &step);
    if (bug == WRONG_VALUE && t->count && s->act == LOAD && step.rd_written && now_cycle > 1000) step.rd_value ^= 1;
    retire(t, &step);
    if (t->count) memmove(t->window, t->window + 1, --t->count * sizeof *t->window);
    return step;
}

// ---- memory ----
static uint64_t read_memory(const struct slot *s) {
    uint64_t word = 0;
    memcpy(&word, contents + (s->address - DATA), s->size);
    return word;
}

static void write_memory(struct toy *by, uint64_t address, unsigned size, uint64_t data) {
    memcpy(contents + (address - DATA), &data, size);
    for (struct toy *t = toys; t < toys + harts; t++) {
        if (t == by) continue;
        if (t->reserved_at / 8 == address / 8) t->reserved = t->reserved && bug == SC_ALWAYS;
        if (t->amo_open && t->window[0].address / 8 == address / 8) t->amo_lost = true;
    }
}

// Whether it has the line for this; else it asks for it, one hart at a time, and gets it two cycles later. Then it
// keeps it for some cycles: it would have to give it up before its store, forever.
static bool has_line(struct toy *t, enum line wanted) {
    if (t->line >= wanted || (bug == WRITES_SHARED && t->line == SHARED)) return true;
    for (const struct toy *o = toys; o < toys + harts; o++)
        if (o->gets || now_cycle < o->keeps_until) return false;
    t->gets = wanted;
    t->gets_at = now_cycle + 2;
    for (struct toy *o = toys; o < toys + harts; o++) {
        const enum line left = wanted == OWNED ? GONE : SHARED;
        if (o->line <= left || (bug == KEEPS_COPY && o->line == SHARED)) continue;
        if (o == t) continue;
        emit_line(o, left);
        o->line = left;
    }
    return false;
}

static void get_line(struct toy *t) {
    if (!t->gets || t->gets_at != now_cycle) return;
    t->line = t->gets;
    t->keeps_until = now_cycle + 1 + chance(8);
    t->gets = GONE;
    emit_line(t, t->line);
}

static void forward(const struct waiting_store *store, struct slot *load) {
    for (unsigned i = 0; i < load->size; i++) {
        const uint64_t at = load->address + i - store->address;
        if (at < store->size)
            load->value = (load->value & ~(UINT64_C(0xff) << 8 * i)) | (store->data >> 8 * at & 0xff) << 8 * i;
    }
}

// ---- loads: of all harts before any store ----
static bool may_bind(const struct toy *t, unsigned at) {
    const struct slot *s = &t->window[at];
    if (s->act != LOAD || s->bound || t->holds) return false;
    for (const struct slot *o = t->window; o < s; o++) {
        if (o->act == FENCE && bug != FENCE_IGNORED) return false;
        if (o->act == AMO || o->act == LR || o->act == SC) return false;
        if (o->act == STORE && o->address < s->address + s->size && s->address < o->address + o->size) return false;
    }
    return true;
}

static void bind_load(struct toy *t, unsigned at) {
    struct slot *s = &t->window[at];
    s->value = read_memory(s);
    for (unsigned i = 0; i < t->waiting && bug != NO_FORWARD; i++)
        forward(&t->buffer[i], s);
    s->bound = true;
    bool again = false; // a younger one of the same bytes, with all after it
    for (struct slot *o = s + 1; o < t->window + t->count && bug != NO_REPLAY; o++) {
        again = again || (o->act == LOAD && o->bound && o->address / 8 == s->address / 8);
        if (again) o->bound = false;
    }
    emit(t, ACCESS_LOAD, s, s->load, 0);
}

static void bind_atomic(struct toy *t, struct slot *s) {
    if (t->waiting || s->bound || t->holds) return;
    s->value = read_memory(s);
    s->bound = true;
    t->amo_open = s->act == AMO;
    t->amo_lost = false;
    if (s->act == LR) t->reserved = true;
    if (s->act == LR) t->reserved_at = s->address;
    emit(t, s->act == LR ? ACCESS_LR : ACCESS_AMO, s, 0, 0);
}

static void toy_loads(struct toy *t) {
    fill(t);
    fill(t);
    for (unsigned i = 0; i < 2 && t->count; i++) {
        const unsigned at = chance(t->count);
        struct slot *first = &t->window[0];
        if (may_bind(t, at) && has_line(t, SHARED)) bind_load(t, at);
        if ((first->act == AMO || first->act == LR) && has_line(t, SHARED)) bind_atomic(t, first);
    }
}

// ---- stores ----
static void drain(struct toy *t) {
    const unsigned i = bug == OUT_OF_ORDER ? chance(t->waiting) : 0;
    const struct waiting_store w = t->buffer[i];
    const struct slot s = {.address = w.address, .size = w.size};
    if (!t->drains) emit(t, ACCESS_STORE, &s, w.id, w.data);
    t->drains = bug == STORE_EARLY && !t->drains; // then it is in memory a cycle later
    if (t->drains) return;
    memmove(t->buffer + i, t->buffer + i + 1, (--t->waiting - i) * sizeof *t->buffer);
    write_memory(t, w.address, w.size, w.data);
}

static void store_amo(struct toy *t, const struct slot s) {
    if (t->amo_lost && bug != AMO_NOT_AGAIN) {
        t->window[0].bound = t->amo_open = false;
        return;
    }
    if (!has_line(t, OWNED)) return;
    t->amo_open = false;
    const struct iss_retire step = execute(t, -1);
    emit(t, ACCESS_AMO_STORE, &s, 0, step.data);
    write_memory(t, s.address, s.size, step.data);
}

static void store_sc(struct toy *t, const struct slot s) {
    const bool may = t->reserved && t->reserved_at == s.address && chance(8);
    if (may && !has_line(t, OWNED)) return;
    t->reserved = false;
    const struct iss_retire step = execute(t, may ? -1 : 0);
    assert_int_equal(step.sc_success, may);
    if (!may) return;
    emit(t, ACCESS_AMO_STORE, &s, 0, step.data);
    write_memory(t, s.address, s.size, step.data);
}

static void toy_stores(struct toy *t) {
    const struct slot *first = &t->window[0];
    if (t->holds) return;
    if (t->waiting && (t->drains || chance(2)) && has_line(t, OWNED)) {
        drain(t);
    } else if (t->count && first->act == AMO && t->amo_open) {
        store_amo(t, *first);
    } else if (t->count && first->act == SC && !t->waiting) {
        store_sc(t, *first);
    }
}

// ---- retirement ----
static bool may_retire(const struct toy *t) {
    switch (t->window[0].act) {
    case LOAD: return t->window[0].bound && !t->holds;
    case LR: return t->window[0].bound;
    case STORE: return t->waiting < BUFFER;
    case FENCE: return !t->waiting || bug == FENCE_TOO_SOON;
    case NOTHING: return true;
    default: return false;
    }
}

static void toy_retires(struct toy *t) {
    if (t->boot < BOOT) {
        execute(t, -1);
        if (++t->boot == BOOT) t->fetch = ELF_ADDRESS + 8;
        return;
    }
    while (t->count && t->now.left.count < WIDTH && chance(4) && may_retire(t)) {
        const struct slot s = t->window[0];
        const struct iss_retire step = execute(t, -1);
        if (s.act == STORE) t->buffer[t->waiting++] = (struct waiting_store){s.address, step.data, s.size, s.store};
    }
}

// ---- cycles ----
static void toy_begin_cycle(struct toy *t) {
    t->now.cycle = now_cycle;
    t->now.left.count = 0;
    t->now.accesses.count = 0;
    if (t->holds && t->held_until == now_cycle) {
        emit_access(t, &t->held);
        t->holds = false;
    }
    get_line(t);
}

// The next cycle of all harts: toys[i].now.
static void toy_cycle(void) {
    void (*const parts[])(struct toy *) = {toy_begin_cycle, toy_loads, toy_stores, toy_retires};
    for (unsigned part = 0; part < sizeof parts / sizeof *parts; part++)
        for (struct toy *t = toys; t < toys + harts; t++)
            parts[part](t);
    now_cycle++;
}

// images: of each hart.
static void toy_begin(unsigned count, enum bug which, uint64_t from, struct image *const images[]) {
    struct error err = {""};
    harts = count;
    bug = which;
    seed = from;
    now_cycle = 0;
    memset(contents, 0, sizeof contents);
    for (unsigned i = 0; i < count; i++) {
        struct toy *t = &toys[i];
        *t = (struct toy){.next_load = 1}; // the boot ROM's load has the first place
        t->now.bundle.priv = ISS_PRIVILEGE_M;
        t->iss = iss_create(&err);
        assert_non_null(t->iss);
        iss_set_hart_id(t->iss, i);
        assert_int_equal(iss_load(t->iss, images[i], &err), 0);
        iss_set_autonomous(t->iss, false);
    }
}

// With random programs; image_destroy them.
static void toy_start(unsigned count, enum bug which, uint64_t from, struct image *images[]) {
    static uint32_t code[TOY_HARTS][WORDS];
    seed = from;
    for (unsigned i = 0; i < count; i++)
        images[i] = toy_program(code[i]);
    toy_begin(count, which, from, images);
    for (unsigned i = 0; i < count; i++)
        memcpy(toys[i].code, code[i], sizeof code[i]);
}

static void toy_end(void) {
    for (unsigned i = 0; i < harts; i++)
        iss_destroy(toys[i].iss);
}

#endif
