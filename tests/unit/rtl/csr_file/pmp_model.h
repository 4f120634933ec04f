// Physical memory protection after the privileged manual (section 3.7), with a grain of 4 KiB.
//
// The registers, and whether a region contains an address, found bit by bit.
#ifndef TIPOFF_PMP_MODEL_H
#define TIPOFF_PMP_MODEL_H

#include <stdint.h>

enum { PMP_ALL = 16, PMP_R = 1, PMP_W = 2, PMP_X = 4, PMP_LOCK = 0x80 };
enum { PMP_OFF = 0, PMP_TOR = 1, PMP_NA4 = 2, PMP_NAPOT = 3 };

struct pmp_model {
    unsigned entries;
    uint8_t cfg[PMP_ALL];
    uint64_t addr[PMP_ALL]; // as written
};

static inline unsigned pmp_mode(const struct pmp_model *m, unsigned i) {
    return m->cfg[i] >> 3 & 3;
}

static inline uint64_t pmp_read_cfg(const struct pmp_model *m, unsigned first) {
    uint64_t value = 0;
    for (unsigned i = 0; i < 8; i++)
        value |= (uint64_t)m->cfg[first + i] << 8 * i;
    return value;
}

// "When NAPOT is selected, bits G-2:0 read as all ones; else bits G-1:0 read as zeros": G = 10.
static inline uint64_t pmp_read_addr(const struct pmp_model *m, unsigned i) {
    if (i >= m->entries) return 0;
    if (pmp_mode(m, i) == PMP_NAPOT) return m->addr[i] | 0x1ff;
    return m->addr[i] & ~UINT64_C(0x3ff);
}

static inline void pmp_write_cfg(struct pmp_model *m, unsigned first, uint64_t value) {
    for (unsigned i = first; i < first + 8 && i < m->entries; i++, value >>= 8) {
        if (m->cfg[i] & PMP_LOCK) continue;
        uint8_t cfg = value & (PMP_LOCK | 0x18 | PMP_X | PMP_W | PMP_R);
        if ((cfg >> 3 & 3) == PMP_NA4) cfg &= (uint8_t)~0x18; // cannot be selected
        if (!(cfg & PMP_R)) cfg &= (uint8_t)~PMP_W;           // reserved
        m->cfg[i] = cfg;
    }
}

static inline bool pmp_addr_frozen(const struct pmp_model *m, unsigned i) {
    if (i >= m->entries || m->cfg[i] & PMP_LOCK) return true;
    return i + 1 < m->entries && m->cfg[i + 1] & PMP_LOCK && pmp_mode(m, i + 1) == PMP_TOR;
}

static inline void pmp_write_addr(struct pmp_model *m, unsigned i, uint64_t value) {
    if (!pmp_addr_frozen(m, i)) m->addr[i] = value & ((UINT64_C(1) << 54) - 1);
}

// Does entry i match the physical address (56 bits, of a page)?
static inline bool pmp_matches(const struct pmp_model *m, unsigned i, uint64_t address) {
    uint64_t word = address >> 2;
    if (pmp_mode(m, i) == PMP_TOR) {
        uint64_t below = i ? m->addr[i - 1] & ~UINT64_C(0x3ff) : 0, top = m->addr[i] & ~UINT64_C(0x3ff);
        return below <= word && word < top;
    }
    if (pmp_mode(m, i) != PMP_NAPOT) return false;
    uint64_t pattern = m->addr[i] | 0x1ff; // yyyy...y011..1: the ones and the zero above them match anything
    bool free = true;
    for (unsigned bit = 0; bit < 54; bit++) {
        if (!free && (pattern >> bit & 1) != (word >> bit & 1)) return false;
        if (!(pattern >> bit & 1)) free = false;
    }
    return true;
}

#endif
