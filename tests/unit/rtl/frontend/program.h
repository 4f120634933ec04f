// Synthetic programs for the front end bench, and what the bench knows of instructions (written from the ISA manual).
#ifndef PROGRAM_H
#define PROGRAM_H

#include "bench.h"
#include <vector>

// Not the map of tables/memory_map.tsv: what is where, and where a hart begins, the front end gets from its ports.
static const uint64_t ROM_BASE = 0x31000, ROM_END = 0x32000, RAM_BASE = 0x80000000, RAM_END = 0x90000000;

static inline bool is_executable(uint64_t pc) {
    return (pc >= ROM_BASE && pc < ROM_END) || (pc >= RAM_BASE && pc < RAM_END);
}

enum kind { PLAIN, COND, JAL, IJUMP, ICALL, RET, SWAP };

struct decoded {
    enum kind kind;
    bool call; // pushes a return address (jal)
    unsigned bytes;
    int64_t offset; // COND, JAL
};

static inline int64_t bits(uint32_t word, unsigned from, unsigned count, unsigned to) {
    return (int64_t)((word >> from) & ((1u << count) - 1)) << to;
}
static inline int64_t extend(int64_t value, unsigned width) {
    return (int64_t)((uint64_t)value << (64 - width)) >> (64 - width);
}

static inline struct decoded decode(uint32_t w) {
    auto link = [](unsigned r) { return r == 1 || r == 5; };
    struct decoded d = {PLAIN, false, (w & 3) == 3 ? 4u : 2u, 0};
    auto indirect = [&](unsigned rd, unsigned rs1) {
        if (link(rd))
            d.kind = link(rs1) && rd != rs1 ? SWAP : ICALL;
        else
            d.kind = link(rs1) ? RET : IJUMP;
    };
    if (d.bytes == 4) {
        unsigned rd = (w >> 7) & 31, f3 = (w >> 12) & 7, rs1 = (w >> 15) & 31;
        switch (w & 0x7f) {
        case 0x63:
            if (f3 == 2 || f3 == 3) break;
            d.kind = COND;
            d.offset = extend(bits(w, 8, 4, 1) | bits(w, 25, 6, 5) | bits(w, 7, 1, 11) | bits(w, 31, 1, 12), 13);
            break;
        case 0x6f:
            d.kind = JAL;
            d.call = link(rd);
            d.offset = extend(bits(w, 21, 10, 1) | bits(w, 20, 1, 11) | bits(w, 12, 8, 12) | bits(w, 31, 1, 20), 21);
            break;
        case 0x67:
            if (f3 == 0) indirect(rd, rs1);
            break;
        }
        return d;
    }
    unsigned f3 = (w >> 13) & 7, r = (w >> 7) & 31;
    if ((w & 3) == 1 && f3 == 5) {
        d.kind = JAL;
        d.offset = extend(bits(w, 3, 3, 1) | bits(w, 11, 1, 4) | bits(w, 2, 1, 5) | bits(w, 7, 1, 6) |
                              bits(w, 6, 1, 7) | bits(w, 9, 2, 8) | bits(w, 8, 1, 10) | bits(w, 12, 1, 11),
                          12);
    } else if ((w & 3) == 1 && f3 >= 6) {
        d.kind = COND;
        d.offset =
            extend(bits(w, 3, 2, 1) | bits(w, 10, 2, 3) | bits(w, 2, 1, 5) | bits(w, 5, 2, 6) | bits(w, 12, 1, 8), 9);
    } else if ((w & 3) == 2 && f3 == 4 && ((w >> 2) & 31) == 0 && r != 0) {
        indirect((w >> 12) & 1 ? 1 : 0, r);
    }
    return d;
}

// ---- encoders: the inverse of decode's immediates, place by place ----
static inline uint32_t put(int64_t value, unsigned from, unsigned count, unsigned to) {
    return (uint32_t)((value >> from) & ((1 << count) - 1)) << to;
}
static inline uint32_t encode_branch(unsigned f3, int64_t o) {
    return 0x63 | f3 << 12 | 9u << 15 | 10u << 20 | put(o, 1, 4, 8) | put(o, 5, 6, 25) | put(o, 11, 1, 7) |
           put(o, 12, 1, 31);
}
static inline uint32_t encode_jal(unsigned rd, int64_t o) {
    return 0x6f | rd << 7 | put(o, 1, 10, 21) | put(o, 11, 1, 20) | put(o, 12, 8, 12) | put(o, 20, 1, 31);
}
static inline uint32_t encode_cj(int64_t o) {
    return 0xa001 | put(o, 1, 3, 3) | put(o, 4, 1, 11) | put(o, 5, 1, 2) | put(o, 6, 1, 7) | put(o, 7, 1, 6) |
           put(o, 8, 2, 9) | put(o, 10, 1, 8) | put(o, 11, 1, 12);
}
static inline uint32_t encode_cb(bool nez, int64_t o) {
    return (nez ? 0xe001u : 0xc001u) | 2u << 7 | put(o, 1, 2, 3) | put(o, 3, 2, 10) | put(o, 5, 1, 2) |
           put(o, 6, 2, 5) | put(o, 8, 1, 12);
}
static inline uint32_t encode_jalr(unsigned rd, unsigned rs1) {
    return 0x67 | rd << 7 | rs1 << 15;
}
static const uint32_t NOP = 0x00000013, C_NOP = 0x0001, C_JR_T0 = 0x8282, C_RET = 0x8082, C_JR_A0 = 0x8502,
                      C_JALR_A0 = 0x9502;

// Code at base, up to the bytes it holds; anywhere else memory holds noise.
struct program {
    uint64_t base;
    std::vector<uint16_t> parcels;
    std::vector<uint64_t> starts; // addresses of instructions
    uint64_t noise;

    uint16_t parcel(uint64_t address) const {
        uint64_t i = (address - base) / 2;
        if (address >= base && i < parcels.size()) return parcels[i];
        if (address >= ROM_BASE && address < ROM_END) return C_JR_A0;
        uint64_t z = (address / 2 + noise) * 0xbf58476d1ce4e5b9ull;
        return (uint16_t)(z >> 40);
    }
    uint32_t word(uint64_t address) const {
        uint32_t low = parcel(address);
        return (low & 3) == 3 ? low | (uint32_t)parcel(address + 2) << 16 : low;
    }
    uint64_t here() const { return base + 2 * parcels.size(); }
    uint64_t emit(uint32_t w) {
        uint64_t at = here();
        starts.push_back(at);
        parcels.push_back((uint16_t)w);
        if ((w & 3) == 3) parcels.push_back((uint16_t)(w >> 16));
        return at;
    }
    void patch(uint64_t address, uint32_t w) {
        parcels[(address - base) / 2] = (uint16_t)w;
        if ((w & 3) == 3) parcels[(address - base) / 2 + 1] = (uint16_t)(w >> 16);
    }
};

// Random code of `bytes` bytes that ends at the end of memory, with half an instruction as its last parcel.
static inline void program_random(struct program *p, unsigned bytes) {
    p->base = RAM_END - bytes;
    p->parcels.clear();
    p->starts.clear();
    p->noise = bench_random();
    std::vector<uint64_t> later;
    while (p->here() < RAM_END - 4) {
        unsigned dice = bench_below(100);
        uint32_t any = (uint32_t)bench_random();
        if (dice < 40)
            p->emit((any & 0x1ffc) | 0x0001); // c.addi, c.nop
        else if (dice < 70)
            p->emit((any & 0xfffff000) | 0x13); // addi x0 and its like
        else if (dice < 85)
            later.push_back(p->emit(dice & 1 ? 0xc001 : 0x63)); // branches, jumps: targets are set below
        else if (dice < 93)
            later.push_back(p->emit(dice & 1 ? 0xa001 : 0x6f));
        else if (dice < 95)
            p->emit(dice & 1 ? C_RET : encode_jalr(0, 5));
        else if (dice < 97)
            p->emit(dice & 1 ? C_JALR_A0 : encode_jalr(5, 10));
        else if (dice < 98)
            p->emit(encode_jalr(1, 5)); // swap
        else
            p->emit(dice & 1 ? C_JR_A0 : encode_jalr(0, 11));
    }
    while (p->here() < RAM_END - 2)
        p->emit(C_NOP);
    p->starts.push_back(RAM_END - 2);
    p->parcels.push_back(0x0013);
    for (uint64_t at : later) {
        uint32_t w = p->word(at);
        bool conditional = (w & 0x7f) == 0x63 || w == 0xc001;
        int64_t reach = w == 0xc001 ? 256 : w == 0xa001 ? 2048 : conditional ? 4096 : 1 << 20;
        uint64_t target;
        do {
            size_t near = (size_t)((at - p->base) * p->starts.size() / bytes);
            long pick = reach > 4096 ? (long)bench_below((unsigned)p->starts.size())
                                     : (long)near + (long)bench_below((unsigned)reach / 2) - (long)reach / 4;
            if (pick < 0 || pick >= (long)p->starts.size()) continue;
            target = p->starts[(size_t)pick];
            int64_t distance = (int64_t)(target - at);
            if (distance < -reach || distance >= reach) continue;
            static const unsigned functions[] = {0, 1, 4, 5, 6, 7};
            static const unsigned links[] = {0, 1, 5, 7};
            if (w == 0xc001)
                w = encode_cb(bench_below(2), distance);
            else if (w == 0xa001)
                w = encode_cj(distance);
            else if (conditional)
                w = encode_branch(functions[bench_below(6)], distance);
            else
                w = encode_jal(links[bench_below(4)], distance);
            break;
        } while (true);
        p->patch(at, w);
    }
}

#endif
