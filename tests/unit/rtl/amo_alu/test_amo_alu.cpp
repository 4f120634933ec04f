// amo_alu against C arithmetic: corner values in all pairs, then random ones, each operation, 32 and 64 bits.
#include "Vtop.h"
#include "bench.h"

static uint64_t expected(int kind, uint64_t old, uint64_t operand) {
    switch (kind) {
    case 0: return operand;
    case 1: return old + operand;
    case 2: return old ^ operand;
    case 3: return old | operand;
    case 4: return old & operand;
    case 5: return (int64_t)old < (int64_t)operand ? old : operand;
    case 6: return (int64_t)old > (int64_t)operand ? old : operand;
    case 7: return old < operand ? old : operand;
    default: return old > operand ? old : operand;
    }
}

static uint32_t expected32(int kind, uint32_t old, uint32_t operand) {
    switch (kind) {
    case 5: return (int32_t)old < (int32_t)operand ? old : operand;
    case 6: return (int32_t)old > (int32_t)operand ? old : operand;
    default: return (uint32_t)expected(kind, old, operand);
    }
}

static void check(Vtop *top, uint64_t old, uint64_t operand) {
    for (int kind = 0; kind <= 8; kind++) {
        top->kind_i = kind;
        top->operand_i = operand;
        top->double_i = 1;
        top->old_i = old;
        top->eval();
        uint64_t want = expected(kind, old, operand);
        bench_check(top->new_o == want, "kind %d.d old %llx operand %llx: got %llx, expected %llx", kind,
                    (unsigned long long)old, (unsigned long long)operand, (unsigned long long)top->new_o,
                    (unsigned long long)want);
        // The unit gets memory values as loads give them: 32-bit ones sign-extended. It gives the result in both
        // halves.
        top->double_i = 0;
        top->old_i = (uint64_t)(int64_t)(int32_t)old;
        top->eval();
        want = expected32(kind, (uint32_t)old, (uint32_t)operand) * 0x100000001ull;
        bench_check(top->new_o == want, "kind %d.w old %llx operand %llx: got %llx, expected %llx", kind,
                    (unsigned long long)old, (unsigned long long)operand, (unsigned long long)top->new_o,
                    (unsigned long long)want);
    }
}

int main(int argc, char **argv) {
    static const uint64_t corners[] = {0,
                                       1,
                                       2,
                                       0x7fffffff,
                                       0x80000000,
                                       0xffffffff,
                                       0x100000000,
                                       0x7fffffffffffffff,
                                       0x8000000000000000,
                                       0xffffffff80000000,
                                       0xffffffffffffffff};
    Vtop *top = new Vtop;
    bench_seed(argc, argv, 1);
    for (uint64_t old : corners)
        for (uint64_t operand : corners)
            check(top, old, operand);
    for (int i = 0; i < 20000; i++)
        check(top, bench_random() >> bench_below(64), bench_random() >> bench_below(64));
    delete top;
    return bench_end();
}
