// Skips the cycles of a Verilated model in which the core is idle: part of the shim (model_shim.cpp).
//
// Idle is what the model itself shows: over two cycles nothing of its state has changed but what goes on by itself
// (free_registers.tsv), and the platform's tick says the same as before. Then the next cycle changes nothing else
// either, as long as no counter comes near its overflow. So the platform's ticks are run, cycle by cycle, until one
// says something new, and what goes on by itself is advanced by as many.
#ifndef TIPOFF_HARNESS_IDLE_SKIP_H
#define TIPOFF_HARNESS_IDLE_SKIP_H

#include "Vsim_top___024root.h"
#include "config.h"
#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <vector>

#pragma clang diagnostic ignored "-Winvalid-offsetof"

enum idle_kind { IDLE_adds, IDLE_stamps, IDLE_counts, IDLE_ages, IDLE_lfsr, IDLE_time, IDLE_follows, IDLE_commits };
struct idle_member {
    idle_kind kind;
    size_t from, bytes; // where it is in the model's state
};

#if __has_include("free_registers.inc")
static const idle_member idle_members[] = {
#define FREE(kind, name)                                                                                               \
    {IDLE_##kind, offsetof(Vsim_top___024root, name), sizeof(static_cast<Vsim_top___024root *>(nullptr)->name)},
#include "free_registers.inc"
#undef FREE
};
#else
static const std::vector<idle_member> idle_members; // a foreign core: never skips
#endif

struct idle_range {
    size_t from, to;
};

struct idle {
    int mode;              // MODEL_SKIP_*
    bool ready;            // what follows is set up
    size_t commits;        // where the instructions are counted
    uint64_t instructions; // when looked at last
    uint64_t still, next;  // cycles without a commit; when to look again
    bool rested;           // ... it was idle then
    uint64_t skipped;
    bool differs; // what was skipped was not idle
    std::vector<idle_range> rest;
    std::vector<idle_member> free;      // what is advanced
    std::vector<unsigned char> was, is; // the state, and the free part of it a cycle later
};

enum { IDLE_FIRST = 4, IDLE_SELDOM = 256 }; // cycles: before a look, between two at most
enum { IDLE_STEP = 16 };                    // skips are multiples of it: lower four bits of the PMU's counters

static unsigned char *idle_state(Vsim_top *top) {
    return reinterpret_cast<unsigned char *>(top->rootp);
}

static void idle_set_up(idle *s) {
    std::vector<idle_member> all(std::begin(idle_members), std::end(idle_members));
    std::sort(all.begin(), all.end(), [](const idle_member &a, const idle_member &b) { return a.from < b.from; });
    size_t at = 0;
    for (const idle_member &m : all) {
        if (m.kind == IDLE_commits) {
            s->commits = m.from;
            continue;
        }
        if (m.from > at) s->rest.push_back({at, m.from});
        at = m.from + m.bytes;
        if (m.kind != IDLE_follows) s->free.push_back(m);
    }
    s->rest.push_back({at, sizeof(Vsim_top___024root)});
    s->was.resize(sizeof(Vsim_top___024root));
    s->is.resize(sizeof(Vsim_top___024root));
    s->ready = true;
    if (!s->commits) s->mode = MODEL_SKIP_NO;
}

static bool idle_rests(const idle *s, const unsigned char *state) {
    for (const idle_range &r : s->rest)
        if (memcmp(state + r.from, s->was.data() + r.from, r.to - r.from)) return false;
    return true;
}

// Numbers of any width, in 32-bit words.
static void idle_words(const unsigned char *from, size_t bytes, uint32_t words[]) {
    memset(words, 0, (bytes + 3) / 4 * 4);
    memcpy(words, from, bytes);
}

// to += by * times, of `count` words.
static void idle_add(uint32_t *to, const uint32_t *by, size_t count, uint64_t times) {
    unsigned __int128 carry = 0;
    for (size_t i = 0; i < count; i++) {
        carry += to[i] + static_cast<unsigned __int128>(by[i]) * times;
        to[i] = static_cast<uint32_t>(carry);
        carry >>= 32;
    }
}

static void idle_subtract(uint32_t *from, const uint32_t *what, size_t count) {
    uint64_t borrow = 0;
    for (size_t i = 0; i < count; i++) {
        const uint64_t less = static_cast<uint64_t>(from[i]) - what[i] - borrow;
        from[i] = static_cast<uint32_t>(less);
        borrow = less >> 63;
    }
}

static unsigned idle_ones(const uint32_t *words, size_t count) {
    unsigned ones = 0;
    for (size_t i = 0; i < count; i++)
        ones += static_cast<unsigned>(__builtin_popcount(words[i]));
    return ones;
}

static const size_t IDLE_WORDS = 1024; // of a member, at most

// Cycles for which each counter adds what it did in the last one, and is not near its overflow: as far as its lower 19
// bits go. Near: the window before it in which vectors are kept, and the last cycles, in which the next distance is
// taken; in any of these the core may commit.
static uint64_t idle_count_horizon(const unsigned char *was, const unsigned char *is, size_t bytes) {
    const uint64_t window = CONFIG_PROFILE_VECTOR_WINDOW ? 1ull << CONFIG_PROFILE_VECTOR_WINDOW : 0;
    const uint64_t last = 96 + 32 * CONFIG_CORE_WIDTH;
    uint64_t least = UINT64_MAX;
    for (size_t i = 0; i + 8 <= bytes; i += 8) {
        uint64_t before, after;
        memcpy(&before, was + i, 8), memcpy(&after, is + i, 8);
        if (before == after) continue;
        const uint64_t left = (1 << 19) - (after & ((1 << 19) - 1)), step = after - before;
        uint64_t room = 0;
        if ((after & (IDLE_STEP - 1)) + step >= IDLE_STEP) return 0; // the upper bits go on
        if (left > window + last)
            room = (left - window - last) / step;
        else if (left > last && left < window)
            room = (left - last) / step;
        least = std::min(least, step > 64 ? 0 : room);
    }
    return least;
}

// Cycles for which the lower bits of a number that adds one are not about to be all ones.
static uint64_t idle_left(uint32_t now, unsigned bits) {
    const uint32_t most = (1u << bits) - 4, low = now & ((1u << bits) - 1);
    return low < most ? most - low : 0;
}

// Cycles for which this one goes on as it did from `was` to `is`.
static uint64_t idle_member_horizon(const idle_member &m, const unsigned char *was, const unsigned char *is) {
    uint32_t before[IDLE_WORDS], change[IDLE_WORDS];
    const size_t words = (m.bytes + 3) / 4;
    if (words > IDLE_WORDS) return 0;
    if (!memcmp(was + m.from, is + m.from, m.bytes)) return UINT64_MAX;
    idle_words(was + m.from, m.bytes, before);
    idle_words(is + m.from, m.bytes, change);
    const uint32_t after = change[0];
    idle_subtract(change, before, words);
    switch (m.kind) {
    case IDLE_adds: return idle_ones(change, words) == 1 ? UINT64_MAX : 0;
    case IDLE_stamps: return change[0] == 1 ? idle_left(after, 8) : 0; // rtl/profile/sample_delivery.sv
    case IDLE_ages: return change[0] == 1 ? idle_left(after, 17) : 0;  // rtl/issue/wait_table.sv
    case IDLE_counts: return idle_count_horizon(was + m.from, is + m.from, m.bytes);
    default: return UINT64_MAX;
    }
}

static uint32_t idle_lfsr(uint32_t value, uint64_t steps) { // rtl/prim/lfsr.sv
    for (; steps; steps--)
        value = value >> 1 ^ (value & 1 ? 0x80200003u : 0);
    return value;
}

// What it is `by` cycles after `is`, which comes a cycle after `was`. mtime as it is; the tick says it.
static void idle_advanced(const idle *s, const idle_member &m, uint64_t by, unsigned char *to) {
    uint32_t change[IDLE_WORDS], before[IDLE_WORDS], value[IDLE_WORDS];
    const size_t words = (m.bytes + 3) / 4;
    idle_words(s->was.data() + m.from, m.bytes, before);
    idle_words(s->is.data() + m.from, m.bytes, value);
    memcpy(change, value, words * 4);
    idle_subtract(change, before, words);
    if (m.kind == IDLE_lfsr) {
        if (change[0]) value[0] = idle_lfsr(value[0], by);
    } else if (m.kind != IDLE_time) {
        idle_add(value, change, words, by);
    }
    memcpy(to, value, m.bytes);
}

// The state becomes what it is `by` cycles later.
static void idle_advance(const idle *s, unsigned char *state, uint64_t by, uint64_t mtime) {
    for (const idle_member &m : s->free) {
        idle_advanced(s, m, by, state + m.from);
        if (m.kind == IDLE_time) memcpy(state + m.from, &mtime, sizeof mtime);
    }
}

// Whether it is that.
static bool idle_predicts(const idle *s, const unsigned char *state, uint64_t by) {
    unsigned char value[IDLE_WORDS * 4];
    for (const idle_member &m : s->free) {
        idle_advanced(s, m, by, value);
        const size_t from = m.kind == IDLE_time ? sizeof(uint64_t) : 0; // of the tick: the interrupts
        if (memcmp(value + from, state + m.from + from, m.bytes - from)) return false;
    }
    return true;
}

#endif
