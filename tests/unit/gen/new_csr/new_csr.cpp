// csr_file made with two more rows in tables/csrs.tsv: the plain one can be written and read, the other is nobody's.
#include "Vtop.h"
#include <cinttypes>
#include <cstdio>
#include <memory>

static const unsigned PLAIN = 0x7d0, NOBODYS = 0x7d1, OTHER = 0x306; // mcounteren, beside which the new one stands
static int wrong = 0;

static void clock(Vtop *top) {
    top->clk_i = 0;
    top->eval();
    top->clk_i = 1;
    top->eval();
}

static void expect(Vtop *top, unsigned address, uint64_t want, const char *when) {
    top->addr_i = address;
    top->eval();
    if (top->rdata_o == want) return;
    printf("csr_file: 0x%x reads 0x%" PRIx64 " %s, expected 0x%" PRIx64 "\n", address, (uint64_t)top->rdata_o, when, want);
    wrong = 1;
}

static void write(Vtop *top, unsigned address, uint64_t value, uint64_t emitted) {
    top->addr_i = address;
    top->wdata_i = value;
    top->write_i = 1;
    top->eval();
    if (top->written_o != emitted) {
        printf("csr_file: a write of 0x%x emits 0x%" PRIx64 ", expected 0x%" PRIx64 "\n", address, (uint64_t)top->written_o, emitted);
        wrong = 1;
    }
    clock(top);
    top->write_i = 0;
}

int main() {
    auto owner = std::make_unique<Vtop>();
    Vtop *top = owner.get();
    top->rst_ni = 0;
    clock(top);
    top->rst_ni = 1;
    expect(top, PLAIN, 0x500, "after reset");
    write(top, OTHER, 0x12345678, 0x12345678);
    expect(top, PLAIN, 0x500, "after another's write");
    write(top, PLAIN, 0xabcdef, 0xcd00);
    expect(top, PLAIN, 0xcd00, "after its write");
    expect(top, OTHER, 0x12345678, "after the new one's write");
    write(top, PLAIN, 0, 0);
    expect(top, PLAIN, 0, "after a write of 0");
    write(top, NOBODYS, 0xabcdef, 0xcd00);
    expect(top, NOBODYS, 0, "though no module holds it");
    top->final();
    return wrong;
}
