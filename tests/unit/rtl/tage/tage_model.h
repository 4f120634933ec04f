// TAGE as Seznec and Michaud describe it, with the sizes, hashes and choices that rtl/fetch/tage.sv and tage_table.sv
// state: a base of 2-bit counters, tagged tables with geometric lengths of history, entries of FetchWidth slots.
#ifndef TIPOFF_TAGE_MODEL_H
#define TIPOFF_TAGE_MODEL_H

#include "config.h"
#include <stdint.h>
#include <string.h>

enum {
    SLOTS = CONFIG_FETCH_WIDTH,
    TABLES = CONFIG_FETCH_TAGE_TABLES,
    ROWS = CONFIG_FETCH_TAGE_ROWS,
    BASE = CONFIG_FETCH_BASE_ROWS,
    TAG_BITS = 10
};
typedef unsigned __int128 history;

struct answer {
    bool taken[SLOTS], alt[SLOTS];
    unsigned provider[SLOTS], ctr[SLOTS]; // provider 0: the base
    bool useful[TABLES][SLOTS];
};

struct outcome {
    unsigned branches, last; // slots that hold branches; where the packet ended,
    bool taken, mispredict;  // with a taken transfer, with a wrong direction
};

struct place {
    unsigned row, tag, rotation;
};

struct entry {
    unsigned tag, ctr;
    bool useful;
};

static inline unsigned bits_of(unsigned n) {
    unsigned bits = 0;
    while (1u << bits < n)
        bits++;
    return bits;
}

// The newest `length` positions, folded to `bits` by exclusive or.
static inline unsigned fold(history hist, unsigned length, unsigned bits) {
    unsigned folded = 0;
    if (length < 128) hist &= ((history)1 << length) - 1;
    for (; hist; hist >>= bits)
        folded ^= (unsigned)hist & ((1u << bits) - 1);
    return folded;
}

class Model {
    unsigned base[BASE][SLOTS];
    struct entry tables[TABLES][ROWS][SLOTS]; // by bank
    unsigned use_alt, random;

    // 8 to 128 positions, each table's that many times the last one's, to an eighth of an octave.
    static unsigned length(unsigned table) {
        unsigned eighths = TABLES < 2 ? 16 : table * 32 / (TABLES - 1);
        return (8u << eighths / 8) * (8 + eighths % 8) / 8;
    }

    static struct place find(unsigned table, unsigned key, history hist) {
        unsigned row_bits = bits_of(ROWS), slot_bits = bits_of(SLOTS), n = length(table);
        unsigned other = fold(hist, n, TAG_BITS - 1);
        struct place p;
        p.row = (key ^ key >> (row_bits - (table + 1) % 4) ^ fold(hist, n, row_bits)) % ROWS;
        p.tag = (key ^ key >> TAG_BITS ^ fold(hist, n, TAG_BITS) ^ other << 1) % (1 << TAG_BITS);
        p.rotation = (key >> 2 ^ other ^ other >> (TAG_BITS - 1 - slot_bits)) % SLOTS;
        return p;
    }

    struct entry *at(unsigned table, const struct place &p, unsigned slot) {
        return &tables[table][p.row][slot ^ p.rotation];
    }

    static bool is_fresh(unsigned ctr, bool useful) { return (ctr == 3 || ctr == 4) && !useful; }

    static unsigned step(unsigned ctr, bool up, unsigned most) {
        return up ? (ctr == most ? most : ctr + 1) : ctr ? ctr - 1 : 0;
    }

    // A table whose entry was of no use takes the branch up; half of the time the first such is passed over if another
    // table follows. Where there is none, one time in four all age.
    void allocate(const struct answer &a, unsigned slot, bool actual, unsigned key, history hist) {
        bool pass = random & 1;
        for (unsigned t = a.provider[slot]; t < TABLES; t++) {
            if (a.useful[t][slot]) continue;
            if (pass && t + 1 < TABLES) {
                pass = false;
                continue;
            }
            struct place p = find(t, key, hist);
            *at(t, p, slot) = {p.tag, actual ? 4u : 3u, false};
            return;
        }
        if ((random >> 1) % 4) return;
        for (unsigned t = a.provider[slot]; t < TABLES; t++)
            at(t, find(t, key, hist), slot)->useful = false;
    }

  public:
    Model() { reset(); }

    void reset() {
        memset(tables, 0, sizeof tables);
        for (auto &row : base)
            for (unsigned &ctr : row)
                ctr = 1;
        use_alt = 8;
        random = 1;
    }

    // Entries of one block and history; the directions follow from them and from how fresh entries have done so far.
    struct reading {
        unsigned base[SLOTS];
        bool hit[TABLES][SLOTS];
        struct entry entry[TABLES][SLOTS];
    };

    struct reading read(unsigned key, history hist) {
        struct reading r;
        memcpy(r.base, base[key % BASE], sizeof r.base);
        for (unsigned t = 0; t < TABLES; t++) {
            struct place p = find(t, key, hist);
            for (unsigned s = 0; s < SLOTS; s++) {
                r.entry[t][s] = *at(t, p, s);
                r.hit[t][s] = r.entry[t][s].tag == p.tag;
            }
        }
        return r;
    }

    struct answer predict(const struct reading &r) {
        struct answer a;
        for (unsigned s = 0; s < SLOTS; s++) {
            bool taken = r.base[s] >= 2, alt = taken, fresh = false;
            a.provider[s] = 0;
            a.ctr[s] = r.base[s];
            for (unsigned t = 0; t < TABLES; t++) {
                a.useful[t][s] = r.entry[t][s].useful;
                if (!r.hit[t][s]) continue;
                alt = taken;
                taken = r.entry[t][s].ctr >= 4;
                fresh = is_fresh(r.entry[t][s].ctr, r.entry[t][s].useful);
                a.provider[s] = t + 1;
                a.ctr[s] = r.entry[t][s].ctr;
            }
            a.alt[s] = alt;
            a.taken[s] = fresh && use_alt >= 8 ? alt : taken;
        }
        return a;
    }

    void shift_random() {
        random = (random << 1 | ((random >> 7 ^ random >> 5 ^ random >> 4 ^ random >> 3) & 1)) & 0xff;
    }

    void train(unsigned key, history hist, const struct answer &a, const struct outcome &o) {
        int alt_better = 0;
        for (unsigned s = 0; s < SLOTS; s++) {
            if (!(o.branches >> s & 1)) continue;
            bool actual = o.taken && o.last == s, fresh = false, predicted = a.ctr[s] >> 1 & 1;
            unsigned provider = a.provider[s];
            if (provider == 0) {
                base[key % BASE][s] = step(a.ctr[s] & 3, actual, 3);
            } else {
                struct place p = find(provider - 1, key, hist);
                struct entry *e = at(provider - 1, p, s);
                predicted = a.ctr[s] >= 4;
                fresh = is_fresh(a.ctr[s], a.useful[provider - 1][s]);
                e->tag = p.tag;
                e->ctr = step(a.ctr[s], actual, 7);
                if (predicted != a.alt[s]) {
                    e->useful = predicted == actual;
                    alt_better = !fresh ? 0 : predicted == actual ? -1 : 1;
                }
            }
            if (o.mispredict && o.last == s && !(fresh && predicted == actual)) allocate(a, s, actual, key, hist);
        }
        if (alt_better > 0 && use_alt < 15) use_alt++;
        if (alt_better < 0 && use_alt > 0) use_alt--;
        shift_random();
    }
};

#endif
