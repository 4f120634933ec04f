// For programs of several harts: which one this is, how many there are, a lock and a barrier. tipoff-cc finds it as
// <tipoff_harts.h>. Counters that all add to need none of it: __atomic_fetch_add, or <stdatomic.h>.
//
// Whoever takes a lock, or leaves a barrier, sees all that the others did before they gave it back, or came to it.
#ifndef TIPOFF_HARTS_H
#define TIPOFF_HARTS_H

#include <stdint.h>
#include <string.h>

static inline unsigned long tipoff_hart(void) {
    unsigned long hart;
    __asm__ volatile("csrr %0, mhartid" : "=r"(hart));
    return hart;
}

// ---- lock: { 0 } is free; harts have it in the order in which they came ----
typedef struct {
    unsigned next __attribute__((aligned(64)));    // what the next hart to come waits for
    unsigned serving __attribute__((aligned(64))); // whose turn it is
} tipoff_lock;

static inline void tipoff_lock_take(tipoff_lock *lock) {
    const unsigned mine = __atomic_fetch_add(&lock->next, 1, __ATOMIC_RELAXED);
    unsigned now;
    while ((now = __atomic_load_n(&lock->serving, __ATOMIC_ACQUIRE)) != mine) {
        for (unsigned pause = 16 * (mine - now); pause; pause--) // the more are before it, the longer
            __asm__ volatile("");
    }
}

static inline void tipoff_lock_give(tipoff_lock *lock) {
    __atomic_store_n(&lock->serving, lock->serving + 1, __ATOMIC_RELEASE);
}

// ---- barrier: { 0 }, for as many harts as each call says; it can be used again at once ----
typedef struct {
    unsigned come __attribute__((aligned(64)));
    unsigned round __attribute__((aligned(64)));
} tipoff_barrier;

static inline void tipoff_barrier_wait(tipoff_barrier *barrier, unsigned harts) {
    const unsigned round = __atomic_load_n(&barrier->round, __ATOMIC_RELAXED);
    if (__atomic_add_fetch(&barrier->come, 1, __ATOMIC_ACQ_REL) < harts) {
        while (__atomic_load_n(&barrier->round, __ATOMIC_ACQUIRE) == round)
            ;
        return;
    }
    __atomic_store_n(&barrier->come, 0, __ATOMIC_RELAXED);
    __atomic_store_n(&barrier->round, round + 1, __ATOMIC_RELEASE);
}

// ---- how many harts the machine has: by its device tree ----
static inline uint32_t tipoff_tree_word(const uint8_t *at) {
    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

// Once main runs: by any hart. 1 where nobody has handed over a device tree.
static inline unsigned tipoff_harts(void) {
    enum { MAGIC = (int)0xd00dfeed, BEGIN_NODE = 1, END_NODE, PROPERTY, NOP }; // Devicetree Specification
    extern const uint8_t *device_tree;
    const uint8_t *at = device_tree;
    unsigned harts = 0;
    if (!at || (int)tipoff_tree_word(at) != MAGIC) return 1;
    at += tipoff_tree_word(at + 8);
    for (uint32_t token; (token = tipoff_tree_word(at)) >= BEGIN_NODE && token <= NOP;) {
        at += 4;
        if (token == BEGIN_NODE) {
            harts += strncmp((const char *)at, "cpu@", 4) == 0;
            at += (strlen((const char *)at) + 4) & ~(size_t)3;
        } else if (token == PROPERTY) {
            at += 8 + ((tipoff_tree_word(at) + 3) & ~UINT32_C(3));
        }
    }
    return harts ? harts : 1;
}

#endif
