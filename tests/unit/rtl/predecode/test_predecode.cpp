// predecode and packet_end: every form of transfer at every place, boundaries of random code, straddles.
//
// Instruction words and targets are golden vectors: written down from the manual's encodings, each with its kind.
#include "Vtop.h"
#include "bench.h"
#include "verilated.h"
#include <memory>

enum { NONE, COND, JUMP, CALL, IJUMP, ICALL, RET, SWAP }; // as in fetch_pkg

struct vector {
    const char *text;
    uint32_t word;
    int kind;
    int64_t offset; // of direct transfers
};

static const struct vector VECTORS[] = {
    {"beq x0, x0, .+8", 0x00000463, COND, 8},
    {"bne a0, a1, .-4", 0xfeb51ee3, COND, -4},
    {"blt s0, s1, .+4094", 0x7e944fe3, COND, 4094},
    {"bge s0, s1, .-4096", 0x80945063, COND, -4096},
    {"bltu a0, a1, .+2048", 0x00b560e3, COND, 2048},
    {"bgeu a0, a1, .+30", 0x00b57f63, COND, 30},
    {"reserved branch funct3 2", 0x00002463, NONE, 0},
    {"reserved branch funct3 3", 0x00003463, NONE, 0},
    {"jal x0, .+16", 0x0100006f, JUMP, 16},
    {"jal ra, .+2048", 0x001000ef, CALL, 2048},
    {"jal t0, .-2", 0xfffff2ef, CALL, -2},
    {"jal t1, .-1048576", 0x8000036f, JUMP, -1048576},
    {"jal ra, .+1048574", 0x7ffff0ef, CALL, 1048574},
    {"jal ra, .+4096", 0x000010ef, CALL, 4096},
    {"jalr x0, 0(a0)", 0x00050067, IJUMP, 0},
    {"jalr ra, 0(a0)", 0x000500e7, ICALL, 0},
    {"jalr t0, 4(a0)", 0x004502e7, ICALL, 0},
    {"jalr x0, 0(ra)", 0x00008067, RET, 0},
    {"jalr x0, 0(t0)", 0x00028067, RET, 0},
    {"jalr ra, 0(ra)", 0x000080e7, ICALL, 0},
    {"jalr ra, 0(t0)", 0x000280e7, SWAP, 0},
    {"jalr t0, 0(ra)", 0x000082e7, SWAP, 0},
    {"jalr t0, 0(t0)", 0x000282e7, ICALL, 0},
    {"reserved jalr funct3 1", 0x00009067, NONE, 0},
    {"addi a0, a0, 1", 0x00150513, NONE, 0},
    {"ecall", 0x00000073, NONE, 0},
    {"c.j .+2", 0xa009, JUMP, 2},
    {"c.j .-2", 0xbffd, JUMP, -2},
    {"c.j .+2046", 0xaffd, JUMP, 2046},
    {"c.j .-2048", 0xb001, JUMP, -2048},
    {"c.j .+16", 0xa801, JUMP, 16},
    {"c.j .+32", 0xa005, JUMP, 32},
    {"c.j .+64", 0xa081, JUMP, 64},
    {"c.j .+128", 0xa041, JUMP, 128},
    {"c.j .+256", 0xa201, JUMP, 256},
    {"c.j .+512", 0xa401, JUMP, 512},
    {"c.j .+1024", 0xa101, JUMP, 1024},
    {"c.beqz s0, .+4", 0xc011, COND, 4},
    {"c.bnez a5, .-2", 0xfffd, COND, -2},
    {"c.beqz s0, .-256", 0xd001, COND, -256},
    {"c.bnez s0, .+254", 0xec7d, COND, 254},
    {"c.beqz s0, .+32", 0xc005, COND, 32},
    {"c.beqz s0, .+64", 0xc021, COND, 64},
    {"c.beqz s0, .+8", 0xc401, COND, 8},
    {"c.jr a0", 0x8502, IJUMP, 0},
    {"c.jr ra", 0x8082, RET, 0},
    {"c.jr t0", 0x8282, RET, 0},
    {"c.jalr a0", 0x9502, ICALL, 0},
    {"c.jalr ra", 0x9082, ICALL, 0},
    {"c.jalr t0", 0x9282, SWAP, 0},
    {"c.mv a0, a1", 0x852e, NONE, 0},
    {"c.add a0, a1", 0x952e, NONE, 0},
    {"c.ebreak", 0x9002, NONE, 0},
    {"reserved c.jr x0", 0x8002, NONE, 0},
    {"c.addiw a0, 1 (c.jal in RV32)", 0x2505, NONE, 0},
    {"c.nop", 0x0001, NONE, 0},
    {"c.li a0, 0", 0x4501, NONE, 0},
    {"all zeros", 0x0000, NONE, 0},
};
static const unsigned VECTOR_COUNT = sizeof VECTORS / sizeof *VECTORS;

static std::unique_ptr<Vtop> top;
static const uint64_t BLOCK = 0x80001000;

static void fill(uint16_t parcel) {
    for (unsigned s = 0; s < 16; s++) top->parcels_i[s] = parcel;
    top->block_i = BLOCK;
    top->start_i = 0;
    top->half_valid_i = 0;
    top->half_i = 0xffff;
    top->predict_taken_i = 0;
    top->guess_taken_i = 0;
    top->ras_top_i = 0x80007770;
    top->guess_target_i = 0x80005550;
}

// One instruction that ends in `slot`, c.nop elsewhere.
static void form(const struct vector *v, unsigned slot) {
    unsigned width = top->fetch_width_o;
    bool rvc = (v->word & 3) != 3;
    fill(0x0001);
    top->parcels_i[slot] = rvc ? (uint16_t)v->word : (uint16_t)(v->word >> 16);
    if (!rvc && slot == 0) {
        top->half_valid_i = 1;
        top->half_i = (uint16_t)v->word;
    } else if (!rvc) {
        top->parcels_i[slot - 1] = (uint16_t)v->word;
    }
    uint64_t pc = BLOCK + 2 * slot - (rvc ? 0 : 2), after = BLOCK + 2 * slot + 2;
    for (unsigned predicted = 0; predicted < 2; predicted++) {
        for (unsigned guess = 0; guess < 3; guess++) { // none, at this slot, at another
            top->predict_taken_i = (uint16_t)(predicted ? 0xffff : ~(1u << slot));
            top->guess_taken_i = guess != 0;
            top->guess_slot_i = guess == 1 ? (CData)slot : (CData)(slot ^ 1);
            top->eval();
            bool taken = v->kind != NONE && (v->kind != COND || predicted);
            uint64_t next = BLOCK + 2 * width;
            int kind = NONE;
            if (taken) {
                kind = v->kind;
                if (kind == COND || kind == JUMP || kind == CALL) next = pc + (uint64_t)v->offset;
                else if (kind == RET || kind == SWAP) next = 0x80007770;
                else next = guess == 1 ? 0x80005550 : after;
            }
            bench_check(((top->ends_o >> slot) & 1) && top->insn_o[slot] == v->word, "%s in slot %u: word %08x", v->text, slot, top->insn_o[slot]);
            bench_check(((top->rvc_o >> slot) & 1) == rvc, "%s in slot %u: rvc", v->text, slot);
            bench_check(top->kind_o[slot] == v->kind, "%s in slot %u: kind %u, expected %d", v->text, slot, top->kind_o[slot], v->kind);
            bench_check(top->taken_o == taken && top->end_kind_o == kind, "%s in slot %u: taken %u kind %u", v->text, slot, top->taken_o, top->end_kind_o);
            bench_check(top->slot_o == (taken ? slot : width - 1), "%s in slot %u: ends in %u", v->text, slot, top->slot_o);
            bench_check(top->keep_o == (taken ? (2u << slot) - 1 : (1u << width) - 1), "%s in slot %u: keeps %x", v->text, slot, top->keep_o);
            bench_check(top->next_pc_o == next, "%s in slot %u: next 0x%lx, expected 0x%lx", v->text, slot, top->next_pc_o, next);
            if (taken) bench_check(top->link_o == after, "%s in slot %u: link 0x%lx", v->text, slot, top->link_o);
            // The guess is right if it names the same transfer, or none, and its target: not if one bit of that is another.
            bool indirect = kind == IJUMP || kind == ICALL;
            for (unsigned bit = 0; bit < 64; bit++) {
                top->guess_target_i = bit ? next ^ 1ull << bit : next;
                top->eval();
                bool right = taken ? guess == 1 && (indirect || bit == 0) : guess == 0;
                bench_check(top->agrees_o == right, "%s in slot %u, predicted %u, guess %u, bit %u: agrees %u", v->text, slot, predicted, guess, bit, top->agrees_o);
            }
            top->guess_target_i = 0x80005550;
        }
    }
}

// Random blocks one after the other, the half handed on, against a walk by length alone.
static void boundaries() {
    unsigned width = top->fetch_width_o;
    bool half = false, seen_half = false;
    uint16_t half_parcel = 0;
    for (unsigned n = 0; n < 5000; n++) {
        fill(0);
        uint16_t parcel[16];
        for (unsigned s = 0; s < width; s++) top->parcels_i[s] = parcel[s] = (uint16_t)(bench_random() | (bench_below(2) ? 3 : 0));
        unsigned start = half ? 0 : bench_below(width);
        top->start_i = (CData)start;
        top->half_valid_i = half;
        top->half_i = half_parcel;
        top->eval();
        uint32_t ends = 0, rvc = 0;
        unsigned s = start;
        if (half) {
            ends |= 1;
            bench_check(top->insn_o[0] == (half_parcel | (uint32_t)parcel[0] << 16), "straddle: %08x", top->insn_o[0]);
            s = 1;
        }
        half = false;
        while (s < width) {
            if ((parcel[s] & 3) != 3) {
                ends |= 1u << s;
                rvc |= 1u << s;
                bench_check(top->insn_o[s] == parcel[s], "block %u slot %u: %08x", n, s, top->insn_o[s]);
                s++;
            } else if (s + 1 < width) {
                ends |= 2u << s;
                bench_check(top->insn_o[s + 1] == (parcel[s] | (uint32_t)parcel[s + 1] << 16), "block %u slot %u: %08x", n, s + 1, top->insn_o[s + 1]);
                s += 2;
            } else {
                half = seen_half = true;
                half_parcel = parcel[s];
                s++;
            }
        }
        bench_check(top->ends_o == ends && (top->rvc_o & ends) == rvc, "block %u: ends %x expected %x", n, top->ends_o, ends);
        bench_check(top->half_valid_o == half && (!half || top->half_o == half_parcel), "block %u: half", n);
    }
    bench_check(seen_half, "no straddle among random blocks");
}

int main(int argc, char **argv) {
    bench_seed(argc, argv, 5);
    top = std::make_unique<Vtop>();
    fill(1);
    top->eval();
    for (unsigned v = 0; v < VECTOR_COUNT; v++)
        for (unsigned slot = 0; slot < top->fetch_width_o; slot++) form(&VECTORS[v], slot);

    // The first of two taken transfers ends the packet; what starts before start_i is not looked at.
    fill(0x0001);
    top->parcels_i[1] = 0xa009;
    top->parcels_i[3] = 0xbffd;
    top->eval();
    bench_check(top->taken_o && top->slot_o == 1 && top->next_pc_o == BLOCK + 4, "first of two jumps");
    top->start_i = 2;
    top->eval();
    bench_check(top->taken_o && top->slot_o == 3 && top->next_pc_o == BLOCK + 4 && !(top->ends_o & 3), "jump before the start");

    boundaries();
    top->final();
    top.reset(); // before the simulator's own objects go
    return bench_end();
}
