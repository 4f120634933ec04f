// Address spaces for the front end bench: what each page is mapped to, what may be fetched, and the other way round.
#ifndef MAPPING_H
#define MAPPING_H

#include "program.h"
#include <map>
#include <set>

enum fault { NO_FAULT, ACCESS_FAULT, PAGE_FAULT };
enum { PRIV_U = 0, PRIV_S = 1, PRIV_M = 3 };
enum { PERM_R = 1, PERM_W = 2, PERM_X = 4, PERM_U = 8, PERM_A = 16, PERM_D = 32 };

struct leaf {
    enum fault walk; // the walk ends with it, else:
    unsigned level, perms;
    uint64_t ppn;
};

static const uint64_t NOWHERE = ~(uint64_t)0;

struct mapping {
    bool sv39 = false;
    unsigned priv = PRIV_M;
    uint64_t denied = NOWHERE;              // page that protection denies below M-mode
    std::map<uint64_t, struct leaf> leaves; // by virtual page
    std::map<uint64_t, uint64_t> contents;  // physical page -> page of the program that it holds
    unsigned style = 0;                     // 0: 4 KiB pages, 1: one of 2 MiB, 2: one of 1 GiB

    bool translates() const { return sv39 && priv != PRIV_M; }

    struct leaf walk(uint64_t vpn) const {
        auto found = leaves.find(vpn);
        return found == leaves.end() ? (struct leaf){PAGE_FAULT, 0, 0, 0} : found->second;
    }

    static uint64_t physical_page(const struct leaf &l, uint64_t vpn) {
        uint64_t low = ((uint64_t)1 << 9 * l.level) - 1;
        return (l.ppn & ~low) | (vpn & low);
    }

    // Privileged manual: translation, then protection of the physical address, then the memory map.
    enum fault fault(uint64_t pc) const {
        uint64_t physical = pc;
        if (translates()) {
            if ((uint64_t)extend((int64_t)pc, 39) != pc) return PAGE_FAULT;
            uint64_t vpn = pc >> 12 & 0x7ffffff;
            struct leaf l = walk(vpn);
            if (l.walk != NO_FAULT) return l.walk;
            if (!(l.perms & PERM_X) || !(l.perms & PERM_A) || ((l.perms & PERM_U) != 0) != (priv == PRIV_U))
                return PAGE_FAULT;
            physical = physical_page(l, vpn) << 12 | (pc & 0xfff);
        }
        if (!is_executable(physical) || (priv != PRIV_M && physical >> 12 == denied)) return ACCESS_FAULT;
        return NO_FAULT;
    }

    // What the program has at a physical address.
    uint64_t virtual_of(uint64_t physical) const {
        auto found = contents.find(physical >> 12);
        return found == contents.end() ? physical : found->second << 12 | (physical & 0xfff);
    }

    // New places for the pages first..last, which are at the end of memory.
    void place(uint64_t first, uint64_t last) {
        contents.clear();
        style = bench_below(4) ? 0 : 1 + bench_below(2);
        uint64_t region = (RAM_BASE >> 12) + 512 * bench_below(100);
        for (uint64_t page = first; page <= last; page++) {
            uint64_t at;
            if (style == 0) do
                    at = (RAM_BASE >> 12) + bench_below(0xf000);
                while (contents.count(at));
            else
                at = style == 1 ? region + page % 512 : page;
            contents[at] = page;
        }
    }

    // New permissions and faults on the same places.
    void draw(uint64_t first, uint64_t last) {
        static const unsigned privs[] = {PRIV_U, PRIV_S, PRIV_S, PRIV_M};
        sv39 = bench_below(4) != 0;
        priv = privs[bench_below(4)];
        denied = NOWHERE;
        leaves.clear();
        for (auto &place : contents) {
            bool bad = bench_below(6) == 0;
            unsigned perms =
                PERM_A | PERM_X | (priv == PRIV_U ? PERM_U : 0) | (unsigned)(bench_random() & (PERM_R | PERM_D));
            struct leaf l = {NO_FAULT, style, perms, place.first};
            if (style == 1) l.ppn &= ~(uint64_t)511;
            if (style == 2) l.ppn = RAM_BASE >> 12;
            if (bad && style == 0) {
                switch (bench_below(7)) {
                case 0: l.walk = PAGE_FAULT; break;
                case 1: l.walk = ACCESS_FAULT; break;
                case 2: l.perms &= ~(unsigned)PERM_X; break;
                case 3: l.perms &= ~(unsigned)PERM_A; break;
                case 4: l.perms ^= PERM_U; break;
                case 5: l.ppn = bench_below(2) ? 0x10000 : (uint64_t)1 << 43; break; // a device, nothing
                default: denied = bench_below(2) ? place.first : place.second; break;
                }
            } else if (bad && bench_below(3) == 0) {
                denied = place.first;
            }
            leaves[place.second] = l;
        }
        // what follows the program, and what comes before it in the same large page
        if (style == 0) leaves[last + 1] = {bench_below(2) ? ACCESS_FAULT : PAGE_FAULT, 0, 0, 0};
        for (uint64_t page = first & ~(uint64_t)511; style && page < first; page++)
            leaves[page] = leaves[first];
        for (uint64_t page = last + 1; style == 2 && page < last + 3; page++)
            leaves[page] = leaves[last];
    }
};

#endif
